#include <expat.h>

// Swift does not import function-like macros.
static inline void *expat_user_data(XML_Parser parser) { return XML_GetUserData(parser); }
