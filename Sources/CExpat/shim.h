#include <expat.h>

// Swift does not see macros that are called.
static inline void *expat_user_data(XML_Parser parser) { return XML_GetUserData(parser); }
