/* busy.h: an address that several blocks compute is computed in front of them: busy.c. */
#ifndef PS_IRPASS_BUSY_H
#define PS_IRPASS_BUSY_H

#include "pass/pass.h"

/* Touches no block; returns whether anything moved. */
bool hoist_busy_addresses(PassCx *cx);

#endif
