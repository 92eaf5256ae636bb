/* analysis_cache.h: analyses computed so far, by function. Only the manager includes this. */
#ifndef PS_ANALYSIS_CACHE_H
#define PS_ANALYSIS_CACHE_H

#include "pass/pass.h"

typedef struct AnalysisCache AnalysisCache;

AnalysisCache *analysis_cache_new(Session *s);
void          *analysis_cache_get(AnalysisCache *c, PassCx *cx, AnalysisId id);
/* NULL where it has not been computed, or was dropped. */
void *analysis_cache_peek(AnalysisCache *c, const PassCx *cx, AnalysisId id);
/* Forgets what is not in `keep`, and what points into that: of one function of that level, or of all functions where func is 0. */
void analysis_cache_drop(AnalysisCache *c, PassLevel level, u32 func, u32 keep);
/* Recomputes what `p` claims to have kept and compares: ICE on a difference. */
void analysis_cache_check(AnalysisCache *c, PassCx *cx, const Pass *p);
void analysis_cache_clear(AnalysisCache *c);

#endif
