#include "api/command.h"

#define PENDING(name)                                                  \
	int command_##name(Command *c)                                 \
	{                                                              \
		text_s(&c->err, "ptxscope: " #name " is being built\n"); \
		return STATUS_INTERNAL;                                \
	}
PENDING(intrinsics)
