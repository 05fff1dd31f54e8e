#include "CVersion.h"

#ifndef KITH_COMMIT
#define KITH_COMMIT ""
#endif

const char *kith_commit(void) { return KITH_COMMIT; }
