#include "dag/func.h"
void dag_combine(DagFunc *f, bool legal) { (void)f; (void)legal; }
