/* asm_global.c: prints variables. A scalar is printed with its type and any other variable as bytes. If the bytes contain
 * addresses, they are printed as words of pointer size; if an address is not aligned to such a word, they are printed byte
 * by byte with the mask operators of PTX 7.1, `0xFF00(generic(a))`. Variables are ordered so that each follows those that its
 * initialiser names. Linear in the size of the initialisers. */
#include "ptx/asm.h"

enum { MAX_DEPTH = 200, MAX_BYTES = 1 << 28 };

typedef struct Symbol {
	u64   at; /* byte it stands at */
	IrRef global;
	i64   offset;
	bool  generic; /* its generic address */
} Symbol;

typedef struct Buffer {
	u8 *byte;
	u64 n;
	Vec(Symbol) symbol; /* by rising place */
} Buffer;

static void not_supported(Asm *a, IrRef var, const char *what)
{
	diag_report(&a->s->diags, DIAG_ASM_INITIALIZER, src_at(ir_global(a->ir, var)->origin, 1), what,
	            STR_ARG(asm_name(a, var)));
}

/* ---- constants that are addresses ---- */

typedef struct Address {
	IrRef global; /* none: a plain number */
	i64   offset;
	bool  generic, ok;
} Address;

static Address address_of(Asm *a, IrRef c);

static Address expression(Asm *a, IrRef c)
{
	const IrConst *k = ir_const(a->ir, c);
	Address        r = address_of(a, ir_const_op(a->ir, c, 0));
	i64            by;
	switch (k->op) {
	case IR_BITCAST:
	case IR_PTRTOINT:
	case IR_PTRTOADDR:
	case IR_INTTOPTR:
	case IR_TRUNC: return r;
	case IR_ADDRSPACECAST:
		if (ir_type(a->ir, k->type)->bits == 0 && !ir_is_none(r.global) &&
		    ir_type(a->ir, ir_type_of(a->ir, ir_const_op(a->ir, c, 0)))->bits != 0)
			r.generic = true;
		return r;
	case IR_GETELEMENTPTR:
		r.ok &= ir_gep_offset(a->ir, c, &by);
		if (r.ok)
			r.offset += by;
		return r;
	case IR_ADD:
	case IR_SUB: {
		Address y = address_of(a, ir_const_op(a->ir, c, 1));
		if (!ir_is_none(y.global) && (k->op == IR_SUB || !ir_is_none(r.global)))
			r.ok = false;
		if (!ir_is_none(y.global)) {
			r.global = y.global;
			r.generic = y.generic;
		}
		r.ok &= y.ok;
		r.offset = (i64)(k->op == IR_ADD ? (u64)r.offset + (u64)y.offset : (u64)r.offset - (u64)y.offset);
		return r;
	}
	default: return (Address){.ok = false};
	}
}

/* Recursive: the reader limits the depth of constants. */
static Address address_of(Asm *a, IrRef c)
{
	i64 v;
	if (ir_kind(c) == IR_GLOBAL)
		return (Address){.global = c, .ok = true};
	if (ir_as_sint(a->ir, c, &v))
		return (Address){.offset = v, .ok = true};
	if (ir_kind(c) != IR_CONST)
		return (Address){.ok = false};
	switch (ir_const(a->ir, c)->kind) {
	case IRC_NULL:
	case IRC_ZERO:
	case IRC_UNDEF:
	case IRC_POISON: return (Address){.ok = true};
	case IRC_DSO_LOCAL_EQUIVALENT:
	case IRC_NO_CFI:
	case IRC_PTRAUTH: return address_of(a, ir_const_op(a->ir, c, 0));
	case IRC_EXPR: return expression(a, c);
	default: return (Address){.ok = false};
	}
}

/* ---- filling the buffer ---- */

static void put(Buffer *b, u64 at, u64 value, u64 bytes)
{
	for (u64 k = 0; k < bytes && at + k < b->n; k++)
		b->byte[at + k] = (u8)(k < 8 ? value >> (8 * k) & 0xFF : 0);
}

static bool fill(Asm *a, Buffer *b, u64 at, IrRef c, u32 depth);

static bool fill_words(Asm *a, Buffer *b, u64 at, IrRef c)
{
	u64 word[64];
	u32 n = ir_const_word(a->ir, c, word, PS_COUNT(word));
	u64 bytes = ir_store_size(a->ir, ir_type_of(a->ir, c));
	if (n > PS_COUNT(word))
		return false;
	for (u32 k = 0; k < n; k++)
		put(b, at + 8 * (u64)k, word[k], PS_MIN(bytes - PS_MIN(bytes, 8 * (u64)k), 8));
	return true;
}

static bool fill_elements(Asm *a, Buffer *b, u64 at, IrRef c, u32 depth)
{
	IrType t = ir_type_of(a->ir, c);
	u64    n = ir_type_count(a->ir, t);
	bool   is_struct = ir_type_kind(a->ir, t) == IRT_STRUCT, is_vector = ir_type_is_vector(a->ir, t);
	u64    bits = is_vector ? ir_size_bits(a->ir, ir_type_elem(a->ir, t, 0)) : 8;
	if (bits % 8) {
		/* One element's bits right behind the other's. */
		for (u32 k = 0; k < n; k++) {
			u64   word[64] = {0};
			IrRef e = ir_const_elem(a->ir, c, k);
			if (bits > 64 * PS_COUNT(word))
				return false;
			if (!ir_is_undef(a->ir, e))
				ir_const_word(a->ir, e, word, PS_COUNT(word));
			for (u64 i = 0, to = at * 8 + k * bits; i < bits; i++, to++)
				if ((word[i / 64] >> i % 64 & 1) && to / 8 < b->n)
					b->byte[to / 8] = (u8)(b->byte[to / 8] | 1u << to % 8);
		}
		return true;
	}
	for (u32 k = 0; k < n; k++) {
		IrType e = is_struct ? ir_type_elem(a->ir, t, k) : ir_type_elem(a->ir, t, 0);
		u64    step = is_vector ? ir_size_bits(a->ir, e) / 8 : ir_alloc_size(a->ir, e);
		u64    to = at + (is_struct ? ir_struct_offset(a->ir, t, k) : k * step);
		if (!fill(a, b, to, ir_const_elem(a->ir, c, k), depth + 1))
			return false;
	}
	return true;
}

static bool fill_address(Asm *a, Buffer *b, u64 at, IrRef c)
{
	Address r = address_of(a, c);
	if (!r.ok)
		return false;
	if (ir_is_none(r.global)) {
		put(b, at, (u64)r.offset, ir_store_size(a->ir, ir_type_of(a->ir, c)));
		return true;
	}
	vec_push(a->arena, &b->symbol, ((Symbol){at, r.global, r.offset, r.generic}));
	return true;
}

static bool fill(Asm *a, Buffer *b, u64 at, IrRef c, u32 depth)
{
	if (depth > MAX_DEPTH)
		return false;
	if (ir_kind(c) == IR_GLOBAL)
		return fill_address(a, b, at, c);
	if (ir_kind(c) != IR_CONST)
		return false;
	const IrConst *k = ir_const(a->ir, c);
	switch (k->kind) {
	case IRC_NULL:
	case IRC_ZERO:
	case IRC_UNDEF:
	case IRC_POISON: return true;
	case IRC_INT:
	case IRC_FP: return fill_words(a, b, at, c);
	case IRC_DATA: {
		Str bytes = ir_str(a->ir, k->data);
		for (u32 n = 0; n < bytes.n && at + n < b->n; n++)
			b->byte[at + n] = (u8)bytes.p[n];
		return true;
	}
	case IRC_AGG: return fill_elements(a, b, at, c, depth);
	default: return fill_address(a, b, at, c);
	}
}

/* ---- printing it ---- */

/* PTX adds to an address and never subtracts: g+-8. A function has one address, which is in no space. */
static void print_address(Asm *a, IrRef global, i64 offset, bool generic)
{
	generic &= !ir_func(a->ir, global);
	text_f(a->out, generic ? "generic(%.*s)" : "%.*s", STR_ARG(asm_name(a, global)));
	if (offset)
		text_f(a->out, "+%lld", (long long)offset);
}

static void print_plain_bytes(Asm *a, const Buffer *b)
{
	u64 n = b->n;
	while (n > 1 && !b->byte[n - 1])
		n--;
	for (u64 k = 0; k < n; k++) {
		text_s(a->out, k ? ", " : "");
		text_u(a->out, b->byte[k]);
	}
}

static void print_words(Asm *a, const Buffer *b, u64 word)
{
	u32 s = 0;
	for (u64 at = 0; at < b->n; at += word) {
		text_s(a->out, at ? ", " : "");
		if (s < b->symbol.n && b->symbol.p[s].at == at) {
			print_address(a, b->symbol.p[s].global, b->symbol.p[s].offset, b->symbol.p[s].generic);
			s++;
			continue;
		}
		u64 v = 0;
		for (u64 k = 0; k < word; k++)
			v |= (u64)b->byte[at + k] << (8 * k);
		text_u(a->out, v);
	}
}

static void print_masked_bytes(Asm *a, const Buffer *b, u64 word)
{
	u32 s = 0;
	for (u64 at = 0; at < b->n;) {
		text_s(a->out, at ? ", " : "");
		if (s >= b->symbol.n || b->symbol.p[s].at != at) {
			text_u(a->out, b->byte[at++]);
			continue;
		}
		for (u64 k = 0; k < word; k++, at++) {
			text_f(a->out, "%s0x%llX(", k ? ", " : "", (unsigned long long)0xFF << (8 * k));
			print_address(a, b->symbol.p[s].global, b->symbol.p[s].offset, b->symbol.p[s].generic);
			text_c(a->out, ')');
		}
		s++;
	}
}

/* `declared`: without its initial value, which its type depends on. */
static void aggregate(Asm *a, IrRef var, IrRef init, bool declared)
{
	const IrGlobal *g = ir_global(a->ir, var);
	Str             name = asm_name(a, var);
	u64             size = ir_alloc_size(a->ir, g->type), word = a->s->target.is64 ? 8 : 4;
	Buffer          b = {.n = size};
	if (!ir_is_none(init) && size > MAX_BYTES) {
		not_supported(a, var, "is too large to print");
		return;
	}
	if (ir_is_none(init)) {
		text_f(a->out, " .b8 %.*s[", STR_ARG(name));
		if (size || g->init) /* ptxas takes only what another module defines, or a launch, as unsized */
			text_u(a->out, PS_MAX(size, 1u));
		text_c(a->out, ']');
		return;
	}
	b.byte = arena_array(a->arena, u8, size + 1);
	if (!fill(a, &b, 0, init, 0)) {
		not_supported(a, var, "is no sum of an address and a number");
		return;
	}
	bool aligned = size % word == 0;
	for (u32 k = 0; k < b.symbol.n; k++)
		aligned &= b.symbol.p[k].at % word == 0;
	bool masked = b.symbol.n && !aligned;
	if (masked && !isa_target_has(&a->s->target, ISA_FEATURE_MASKED_ADDRESS))
		diag_report(&a->s->diags, DIAG_ASM_PACKED_ADDRESS, src_at(g->origin, 1), STR_ARG(name));
	if (b.symbol.n && aligned)
		text_f(a->out, " .u%u %.*s[%llu]", (u32)word * 8, STR_ARG(name), (unsigned long long)(size / word));
	else
		text_f(a->out, " .%s %.*s[%llu]", masked ? "u8" : "b8", STR_ARG(name), (unsigned long long)size);
	if (declared)
		return;
	text_s(a->out, " = {");
	if (masked)
		print_masked_bytes(a, &b, word);
	else if (b.symbol.n)
		print_words(a, &b, word);
	else
		print_plain_bytes(a, &b);
	text_c(a->out, '}');
}

/* Bits of a type that PTX has as a scalar, else 0. */
static u32 scalar_bits(const Asm *a, IrType t)
{
	const IrTypeRec *r = ir_type(a->ir, t);
	switch (r->kind) {
	case IRT_INT: return r->bits == 1 ? 8 : r->bits == 8 || r->bits == 16 || r->bits == 32 || r->bits == 64 ? r->bits : 0;
	case IRT_HALF:
	case IRT_BFLOAT: return 16;
	case IRT_FLOAT: return 32;
	case IRT_DOUBLE: return 64;
	case IRT_PTR: return ir_ptr_bits(a->ir, r->bits);
	default: return 0;
	}
}

static void scalar(Asm *a, IrRef var, IrRef init, u32 bits, bool declared)
{
	IrType t = ir_global(a->ir, var)->type;
	u32    kind = ir_type_kind(a->ir, t);
	u64    v;
	bool   untyped = kind == IRT_HALF || kind == IRT_BFLOAT || (kind == IRT_PTR && !ir_global(a->ir, var)->init);
	char   letter = untyped ? 'b' : kind == IRT_FLOAT || kind == IRT_DOUBLE ? 'f' : 'u';
	text_f(a->out, " .%c%u %.*s", letter, bits, STR_ARG(asm_name(a, var)));
	if (ir_is_none(init) || declared)
		return;
	text_s(a->out, " = ");
	if (ir_as_fp(a->ir, init, &v)) {
		const char *form = bits == 64 ? "0d%016llX" : bits == 32 ? "0f%08llX" : "0x%04llX";
		text_f(a->out, form, (unsigned long long)v);
	} else if (ir_type_is_int(a->ir, t) && ir_size_bits(a->ir, t) == 1 && ir_as_int(a->ir, init, &v)) {
		text_u(a->out, v & 1);
	} else {
		Address r = address_of(a, init);
		if (!r.ok)
			not_supported(a, var, "is no sum of an address and a number");
		else if (ir_is_none(r.global))
			text_i(a->out, r.offset);
		else
			print_address(a, r.global, r.offset, r.generic);
	}
}

/* ---- one variable ---- */

static const char *var_linkage(const Asm *a, const IrGlobal *g)
{
	if (a->s->target.nvcl) /* OpenCL's driver wants none */
		return "";
	switch (g->linkage) {
	case IRL_PRIVATE:
	case IRL_INTERNAL: return "";
	case IRL_EXTERNAL: return g->init ? ".visible " : ".extern ";
	case IRL_COMMON:
		return isa_target_has(&a->s->target, ISA_FEATURE_COMMON) && g->addrspace == AS_GLOBAL ? ".common " : ".weak ";
	default: return ".weak ";
	}
}

static bool annotated(const Asm *a, IrRef var, const char *key)
{
	u64 v;
	return ir_annotation(a->ir, var, key, 0, &v) && v;
}

/* Textures, surfaces and samplers are variables of opaque types. */
static bool image_variable(Asm *a, IrRef var)
{
	Str         name = asm_name(a, var);
	const char *type = annotated(a, var, "texture")   ? ".texref"
	                   : annotated(a, var, "surface") ? ".surfref"
	                   : annotated(a, var, "sampler") ? ".samplerref"
	                                                  : NULL;
	if (!type)
		return false;
	text_f(a->out, "%s.global %s %.*s", var_linkage(a, ir_global(a->ir, var)), type, STR_ARG(name));
	IrRef init = ir_global_init(a->ir, var);
	u64   v;
	if (annotated(a, var, "sampler") && !ir_is_none(init) && ir_as_int(a->ir, init, &v)) {
		static const char *const addressing[] = {"wrap", "clamp_to_border", "clamp_to_edge", "clamp_to_border", "mirror"};
		u64                      mode = v & 7;
		text_s(a->out, " = { ");
		for (u32 k = 0; k < 3; k++)
			text_f(a->out, "addr_mode_%u = %s, ", k, addressing[mode < PS_COUNT(addressing) ? mode : 0]);
		text_f(a->out, "filter_mode = %s", (v >> 4 & 3) == 1 ? "linear" : "nearest");
		text_s(a->out, v >> 3 & 1 ? " }" : ", force_unnormalized_coords = 1 }");
	}
	text_s(a->out, ";\n");
	return true;
}

static bool is_nothing(const Asm *a, IrRef init)
{
	return ir_is_none(init) || ir_is_undef(a->ir, init) || ir_is_zero(a->ir, init);
}

static IrRef printed_init(Asm *a, IrRef var)
{
	const IrGlobal *g = ir_global(a->ir, var);
	IrRef           init = ir_global_init(a->ir, var);
	if (ir_is_none(init) || ir_is_undef(a->ir, init))
		return IR_NO_REF;
	if (g->addrspace != 1 && g->addrspace != 4) {
		if (!ir_is_zero(a->ir, init))
			diag_report(&a->s->diags, DIAG_ASM_INITIAL_VALUE, src_at(g->origin, 1), STR_ARG(asm_name(a, var)),
			            g->addrspace);
		return IR_NO_REF;
	}
	return is_nothing(a, init) ? IR_NO_REF : init;
}

static void variable(Asm *a, IrRef var, const char *indent, const char *linkage, bool declared)
{
	const IrGlobal *g = ir_global(a->ir, var);
	u32             bits = scalar_bits(a, g->type);
	u32             align = ir_align_bytes(g->align);
	if (!isa_space_is(g->addrspace, SF_VARIABLE)) {
		diag_report(&a->s->diags, DIAG_ASM_SPACE, src_at(g->origin, 1), STR_ARG(asm_name(a, var)), g->addrspace);
		return;
	}
	text_f(a->out, "%s%s.%s", indent, linkage, isa_token_text(SLOT_space, isa_space_token(g->addrspace)));
	if (annotated(a, var, "managed")) {
		if (!isa_target_has(&a->s->target, ISA_FEATURE_MANAGED))
			diag_report(&a->s->diags, DIAG_ASM_MANAGED, src_at(g->origin, 1), STR_ARG(asm_name(a, var)));
		text_s(a->out, " .attribute(.managed)");
	}
	text_f(a->out, " .align %u", align ? align : ir_pref_align(a->ir, g->type));
	if (bits)
		scalar(a, var, printed_init(a, var), bits, declared);
	else
		aggregate(a, var, printed_init(a, var), declared);
	text_s(a->out, ";\n");
	asm_mark(a, g->origin);
}

void asm_demoted(Asm *a, IrRef var)
{
	text_s(a->out, "\t// demoted variable\n");
	variable(a, var, "\t", "", false);
}

/* ---- where a variable belongs ---- */

/* Sets *f to the one function that uses `value`, through constants too; false where it is more than one, or a
 * variable's initialiser. */
static bool one_function(Asm *a, IrRef value, IrFunc **f, u32 depth)
{
	if (depth > MAX_DEPTH)
		return false;
	ir_each_use(a->ir, value, u) {
		IrRef user = ir_use(a->ir, u)->user;
		if (ir_kind(user) == IR_CONST) {
			if (!one_function(a, user, f, depth + 1))
				return false;
		} else if (ir_use_func(a->ir, u)) {
			IrFunc *in = ir_use_func(a->ir, u);
			if (*f && *f != in)
				return false;
			*f = in;
		} else if (!ir_is_llvm_name(a->ir, user)) {
			return false;
		}
	}
	return true;
}

IrFunc *asm_demoted_to(Asm *a, IrRef var)
{
	const IrGlobal *g = ir_global(a->ir, var);
	IrFunc         *f = NULL;
	if (g->kind != IRG_VAR || g->addrspace != 3 || !ir_linkage_is_local(g->linkage))
		return NULL;
	return one_function(a, var, &f, 0) ? f : NULL;
}

static void global(Asm *a, IrRef var)
{
	Str name = asm_name(a, var);
	if (ir_is_llvm_name(a->ir, var) || str_starts(name, "nvvm.") ||
	    str_is(ir_str(a->ir, ir_global(a->ir, var)->section), "llvm.metadata"))
		return;
	if (image_variable(a, var))
		return;
	if (ir_global(a->ir, var)->linkage == IRL_PRIVATE && !ir_has_uses(a->ir, var))
		return;
	IrFunc *f = asm_demoted_to(a, var);
	if (f && !ir_is_decl(f))
		text_f(a->out, "// %.*s has been demoted\n", STR_ARG(name));
	else
		variable(a, var, "", var_linkage(a, ir_global(a->ir, var)), false);
	asm_mark(a, ir_global(a->ir, var)->origin);
}

/* ---- order: a variable after those its initialiser names ---- */

enum { UNSEEN, OPEN, DECLARED, DONE };

typedef struct Frame {
	IrRef user; /* a variable or a constant */
	u32   next; /* operand to look at */
} Frame;

static u32 operands_of(const Asm *a, IrRef r)
{
	if (ir_kind(r) == IR_GLOBAL)
		return ir_global(a->ir, r)->kind == IRG_VAR && !ir_is_none(ir_global_init(a->ir, r));
	const IrConst *c = ir_const(a->ir, r);
	return c->kind == IRC_AGG || c->kind == IRC_EXPR ? c->n_ops : 0;
}

static IrRef operand_of(const Asm *a, IrRef r, u32 k)
{
	return ir_kind(r) == IR_GLOBAL ? ir_global_init(a->ir, r) : ir_const_op(a->ir, r, k);
}

/* In front of an initialiser that names a variable whose own names it. */
static void declare(Asm *a, IrRef var)
{
	const char *linkage = var_linkage(a, ir_global(a->ir, var));
	if (*linkage)
		variable(a, var, "", ".extern ", true);
	else
		diag_report(&a->s->diags, DIAG_ASM_CIRCULAR, src_at(ir_global(a->ir, var)->origin, 1), STR_ARG(asm_name(a, var)));
}

/* A cycle of initialisers is broken where it closes, by a declaration. */
static void visit(Asm *a, IrRef root, u8 *state)
{
	Vec(Frame) stack = {0};
	vec_push(a->arena, &stack, ((Frame){root, 0}));
	state[ir_index(root)] = OPEN;
	while (stack.n) {
		Frame *f = &vec_last(&stack);
		if (f->next == operands_of(a, f->user)) {
			if (ir_kind(f->user) == IR_GLOBAL) {
				state[ir_index(f->user)] = DONE;
				global(a, f->user);
			}
			stack.n--;
			continue;
		}
		IrRef op = operand_of(a, f->user, f->next++);
		if (ir_kind(op) == IR_CONST) {
			vec_push(a->arena, &stack, ((Frame){op, 0}));
		} else if (ir_kind(op) == IR_GLOBAL && ir_global(a->ir, op)->kind == IRG_VAR) {
			if (state[ir_index(op)] == UNSEEN) {
				state[ir_index(op)] = OPEN;
				vec_push(a->arena, &stack, ((Frame){op, 0}));
			} else if (state[ir_index(op)] == OPEN) {
				state[ir_index(op)] = DECLARED;
				declare(a, op);
			}
		}
	}
}

void asm_globals(Asm *a)
{
	u8 *state = arena_array(a->arena, u8, a->ir->globals.n);
	ir_each_global(a->ir, g)
		if (ir_global(a->ir, g)->kind == IRG_VAR && state[ir_index(g)] == UNSEEN)
			visit(a, g, state);
}
