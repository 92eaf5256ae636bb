/* match.h: the regular expressions of -pass-remarks and the like: literals, '.', '*', '+', '?', '^',
 * '$' and top-level '|'. A search: it may match anywhere. */
#ifndef PS_MATCH_H
#define PS_MATCH_H

#include "base/base.h"

bool regex_match(Str pattern, Str text);

#endif
