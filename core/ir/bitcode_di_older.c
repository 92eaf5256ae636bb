/* bitcode_di_older.c: records of debug information that LLVM 4 to 11 wrote otherwise, as LLVM 22 writes them: numbers move to other places,
 * pieces become one number. Linear in the record, which is looked at only where its form says that it is an older one. */
#include "ir/bitcode_di.h"

/* The place of the record's numbers for n of another form. */
static u64 *others(Bc *b, u32 n) { return arena_array(b->arena, u64, n); }

static void take(Bc *b, u64 *op, u32 n)
{
	b->in.rec.op = op;
	b->in.rec.n = n;
}

/* Before LLVM 8:
 *
 *   place    7        8             9           10               11          12             13     14            15    16 …
 *   before   isLocal  isDefinition  scopeLine   containingType   virtuality  virtualIndex   flags  isOptimized   unit  templateParams …
 *   now      scopeLine  containingType  spFlags  virtualIndex    flags       unit           templateParams … */
static void subprogram(Bc *b)
{
	enum { HAS_UNIT = 2, HAS_FLAGS = 4, LOCAL = 1 << 2, DEFINITION = 1 << 3, OPTIMIZED = 1 << 4 };
	const u64 *was = b->in.rec.op;
	u32        n = b->in.rec.n;
	if (!n || was[0] & HAS_FLAGS || !bc_check(b, was[0] & HAS_UNIT, "debug information of LLVM before 4 is not read") ||
	    !bc_need(b, 19))
		return;
	u64 *op = others(b, 18);
	memcpy(op, was, 7 * sizeof *op);
	op[0] = HAS_FLAGS | HAS_UNIT | ((was[0] | was[8]) & 1);
	op[7] = was[9];
	op[8] = was[10];
	op[9] = (was[7] ? LOCAL : 0) | (was[8] ? DEFINITION : 0) | (was[14] ? OPTIMIZED : 0) | (was[11] & 3);
	op[10] = was[12];
	op[11] = was[13];
	for (u32 i = 12; i < 18; i++) /* unit, templateParams, declaration, retainedNodes, thisAdjustment, thrownTypes */
		op[i] = i + 3 < n ? was[i + 3] : 0;
	take(b, op, 18);
}

/* Before LLVM 8 the declaration stood where templateParams are, at place 10, and nothing at 9. */
static void global_variable(Bc *b)
{
	const u64 *was = b->in.rec.op;
	u32        n = b->in.rec.n;
	if (n < 11 || n > 12 || was[0] >> 1 != 1)
		return;
	u64 *op = others(b, 12);
	memcpy(op, was, n * sizeof *op);
	op[0] = 2 << 1 | (was[0] & 1);
	op[9] = was[10];
	op[10] = 0;
	take(b, op, 12);
}

/* Before LLVM 4 there was a tag, at place 1, and perhaps something behind the flags. */
static void local_variable(Bc *b)
{
	enum { HAS_ALIGNMENT = 2 };
	const u64 *was = b->in.rec.op;
	if (b->in.rec.n <= 8 || was[0] & HAS_ALIGNMENT)
		return;
	u64 *op = others(b, 8);
	op[0] = was[0];
	memcpy(op + 1, was + 2, 7 * sizeof *op);
	take(b, op, 8);
}

/* Before LLVM 11 there were neither a file, at place 1, nor a line. */
static void module(Bc *b)
{
	const u64 *was = b->in.rec.op;
	if (b->in.rec.n < 5 || b->in.rec.n > 7)
		return;
	u64 *op = others(b, 8);
	op[0] = was[0];
	memcpy(op + 2, was + 1, (b->in.rec.n == 5 ? 4 : 5) * sizeof *op);
	take(b, op, 8);
}

/* DW_OP_plus and DW_OP_minus had a number behind them before LLVM 6. */
static void expression(Bc *b)
{
	enum { CONSTU = 0x10, MINUS = 0x1c, PLUS = 0x22, PLUS_UCONST = 0x23, FRAGMENT = 0x1000 };
	const u64 *was = b->in.rec.op;
	u32        n = b->in.rec.n, to = 1;
	if (!n || was[0] >> 1 != 2)
		return;
	u64 *op = others(b, 2 * n);
	op[0] = 3 << 1 | (was[0] & 1);
	for (u32 i = 1; i < n;) {
		u64  code = was[i++];
		u32  operands = code == FRAGMENT ? 2 : code == CONSTU || code == PLUS || code == MINUS ? 1 : 0;
		bool minus = code == MINUS;
		op[to++] = minus ? CONSTU : code == PLUS ? PLUS_UCONST : code;
		for (; operands && i < n; operands--)
			op[to++] = was[i++];
		if (minus)
			op[to++] = MINUS;
	}
	take(b, op, to);
}

void bc_di_modernise(Bc *b)
{
	switch (b->in.rec.code) {
	case BC_DI_SUBPROGRAM: subprogram(b); break;
	case BC_DI_GLOBAL_VARIABLE: global_variable(b); break;
	case BC_DI_LOCAL_VARIABLE: local_variable(b); break;
	case BC_DI_EXPRESSION: expression(b); break;
	case BC_DI_MODULE: module(b); break;
	default: break;
	}
}
