/* version.c: the version and commit that the build passes in. The only object that is rebuilt when the commit changes. */
#include "api/ptxscope.h"

#ifndef PS_VERSION
#define PS_VERSION "0.0.0"
#endif
#ifndef PS_COMMIT
#define PS_COMMIT "unknown"
#endif

const char *ps_version(void) { return PS_VERSION; }

const char *ps_commit(void) { return PS_COMMIT; }
