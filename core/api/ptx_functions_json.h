/* ptx_functions_json.h: the functions of a PTX text as a trace lists them. Not public. */
#ifndef PS_PTX_FUNCTIONS_JSON_H
#define PS_PTX_FUNCTIONS_JSON_H

#include "ptx/ptx.h"

/* Functions with a body, in the order of the text. Budgets are null: nothing has been allocated. */
void ptx_functions_json(const PtxModule *m, Text *out);

#endif
