/* alike.h: what both ways of a branch compute moves in front of it: alike.c. */
#ifndef PS_IRPASS_ALIKE_H
#define PS_IRPASS_ALIKE_H

#include "analysis/cfg.h"
#include "pass/pass.h"

/* Touches no block; returns whether anything moved. */
bool hoist_alike(PassCx *cx, const IrCfg *cfg, const DomTree *dom);

#endif
