/* lower_call.h: what a CALL node carries in k[1]. */
#ifndef PS_DAG_LOWER_CALL_H
#define PS_DAG_LOWER_CALL_H

enum { DAG_CALL_CONVERGENT = 1, DAG_CALL_NORETURN = 2 };

#endif
