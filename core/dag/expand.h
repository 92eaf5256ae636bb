/* expand.h: operations in terms of simpler ones of the same type. */
#ifndef PS_DAG_EXPAND_H
#define PS_DAG_EXPAND_H

#include "dag/lower_target.h"

/* Writes the node's results to `out` (two at most); false: not known how. Works for every width. */
bool dag_expand(DagFunc *f, u32 node, DagVal *out);

#endif
