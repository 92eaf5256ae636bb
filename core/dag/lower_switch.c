/* lower_switch.c: switch. */
#include "dag/func.h"

void dag_lower_switch(DagFunc *f, IrRef inst) { dag_unsupported(f, inst, "switch"); }
void dag_finish_switch(DagFunc *f) { (void)f; }
