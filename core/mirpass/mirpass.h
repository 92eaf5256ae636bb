/* mirpass.h: what the machine passes share. */
#ifndef PS_MIRPASS_H
#define PS_MIRPASS_H

#include "mir/mir.h"
#include "pass/pass.h"

static inline MirFunc *mirpass_func(const PassCx *cx) { return cx->mir->func.p[cx->func - 1]; }

#endif
