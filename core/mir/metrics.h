/* metrics.h: what the analyses of machine code say about each block of a function, as text: how often it runs, how deep in
 * loops it lies, the longest chain of dependences through it, how many pairs of its memory accesses have to keep
 * their order, and what differs between threads. For people who look at a schedule or a cost decision (-print-machine-bfi). */
#ifndef PS_MIR_METRICS_H
#define PS_MIR_METRICS_H

#include "mir/cfg.h"

void mir_metrics_print(PassCx *cx, Text *out);

#endif
