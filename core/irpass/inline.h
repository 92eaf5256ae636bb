/* inline.h: inlining of one call, which always-inliner and inliner share. */
#ifndef PS_IRPASS_INLINE_H
#define PS_IRPASS_INLINE_H

#include "ir/builder.h"
#include "pass/pass.h"

/* Why the call, of a function with a body, cannot be inlined whatever it costs; NULL: it can. Recursion is the caller's to
 * see. `forced`: the callee is alwaysinline, and attributes that only advise against it do not count. */
const char *inline_obstacle(const IrModule *m, IrRef call, const IrFunc *callee, bool forced);
/* Replaces the call by the callee's body. */
void inline_call(PassCx *cx, IrRef call);
/* Inlines in the whole module, callees before callers; `forced`: calls of alwaysinline functions, else others that are worth
 * it. Drops what came out of a library and is not needed any more. */
bool inline_all(PassCx *cx, bool forced);

#endif
