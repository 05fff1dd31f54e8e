#include <malloc.h>
#include <sys/timex.h>
