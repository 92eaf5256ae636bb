/* emulator.h: the inside of a PsEmulator: emulator.c (programs, buffers, launches), emulator_step.c (running
 * and looking). Not public. */
#ifndef PS_API_EMULATOR_H
#define PS_API_EMULATOR_H

#include "api/run.h"

/* What ps_emulator_library was given. */
typedef struct EmulatorLibrary {
	struct EmulatorLibrary *next;
	u32                     name_size, text_size;
	char                    bytes[]; /* the name with its 0, then the text */
} EmulatorLibrary;

struct PsHeap {
	MemBudget budget; /* exhausted, the emulator that runs ends */
	Arena     held, bytes;
	SimtHeap *heap;  /* NULL: no launch has had it */
	u64       limit; /* 0: the one that there is without being set */
};

struct PsEmulator {
	Command          c;      /* session, options, messages */
	bool             open;   /* the session holds a program */
	Options          loaded; /* options of the load */
	RunText          run;
	SimtProgram     *program;
	SimtLaunch       launch;  /* buffers and symbols outlive a launch */
	Arena            held;    /* of the launch: what it reads, and the contents of buffers and symbols */
	Arena            args;    /* of the arguments of a typed launch */
	Arena            heap;    /* of what `own` gives */
	SimtHeap        *own;     /* of launches that name no other */
	SimtMachine     *machine; /* NULL: nothing is launched */
	Arena            scratch; /* of what the last call returned */
	size_t           cap;
	CodeHost         code_host;
	PsThreadHost     threads;
	EmulatorLibrary *libraries;   /* the last one first */
	SimtInHost       in_host;     /* where variables lie */
	bool             host_memory; /* of programs to come; of the loaded one: program->windows */
	SimtMapped      *mapped;      /* by address */
	u32              n_mapped, room_mapped;
	char             last_words[600]; /* what there was to say when the memory was gone */
};

/* Every call that may allocate goes through here, so that running out of memory or a bug ends the call and no
 * more. */
typedef PsStatus (*EmulatorCall)(PsEmulator *e, void *arg);
PsStatus emulator_guarded(PsEmulator *e, EmulatorCall call, void *arg);
/* A call that changes something: the messages of the one before are gone. */
void     emulator_begin(PsEmulator *e);
PsStatus emulator_refuse(PsEmulator *e, const char *why);
/* Ends the launch, if there is one; what it left in memory is what the next one finds. */
void emulator_end_launch(PsEmulator *e);
/* For a launch of the emulator. */
SimtHeap *emulator_shared_heap(PsEmulator *e, PsHeap *h);
/* NULL: there is none of this name. */
SimtBuffer *emulator_buffer(PsEmulator *e, const char *name, u32 *index);

#define NULL_POINTER "a null pointer was given where something is needed\n"

#endif
