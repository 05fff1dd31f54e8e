#include <postgresql/libpq-fe.h>

/// Returns whether libpq is installed. If not, nothing else here may be called.
int pq_is_installed(void);
