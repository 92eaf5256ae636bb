/* simplify_cfg.h: what simplifycfg does to one function, for passes that leave its work behind. */
#ifndef PS_IRPASS_SIMPLIFY_CFG_H
#define PS_IRPASS_SIMPLIFY_CFG_H

#include "ir/builder.h"
#include "pass/pass.h"

/* True: it changed something; cached analyses are out of date. */
bool simplify_cfg(PassCx *cx, IrFunc *f);

#endif
