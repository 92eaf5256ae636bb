/* layout.c: sizes and alignments by the module's data layout (LangRef, "Data Layout"). */
#include "ir/ir.h"
#include "isa/isa.h"

static void set_align(IrLayoutAlign *rows, u32 *n, u32 bits, u32 abi, u32 pref)
{
	u32 at = 0;
	while (at < *n && rows[at].bits < bits)
		at++;
	if (at == *n || rows[at].bits != bits) {
		if (*n == IR_LAYOUT_ALIGNS)
			return;
		memmove(rows + at + 1, rows + at, (*n - at) * sizeof *rows);
		(*n)++;
	}
	rows[at] = (IrLayoutAlign){(u16)bits, (u16)abi, (u16)pref};
}

static void set_space(IrLayout *l, u32 space, u32 bits, u32 abi, u32 pref, u32 index_bits)
{
	u32 at = 0;
	while (at < l->n_spaces && l->spaces[at].space != space)
		at++;
	if (at == IR_LAYOUT_SPACES)
		return;
	if (at == l->n_spaces)
		l->n_spaces++;
	l->spaces[at].space = space;
	l->spaces[at].bits = (u16)bits;
	l->spaces[at].abi = (u16)abi;
	l->spaces[at].pref = (u16)pref;
	l->spaces[at].index_bits = (u16)index_bits;
}

/* The defaults for what the data layout string does not specify. What was computed by the layout before is out of date. */
static void init(IrLayout *l)
{
	*l = (IrLayout){.aggregate = {0, 1, 8}, .version = l->version + 1};
	static const u16 ints[][3] = {{1, 1, 1}, {8, 1, 1}, {16, 2, 2}, {32, 4, 4}, {64, 4, 8}};
	static const u16 floats[][3] = {{16, 2, 2}, {32, 4, 4}, {64, 8, 8}, {128, 16, 16}};
	static const u16 vectors[][3] = {{64, 8, 8}, {128, 16, 16}};
	for (u32 i = 0; i < PS_COUNT(ints); i++)
		set_align(l->ints, &l->n_ints, ints[i][0], ints[i][1], ints[i][2]);
	for (u32 i = 0; i < PS_COUNT(floats); i++)
		set_align(l->floats, &l->n_floats, floats[i][0], floats[i][1], floats[i][2]);
	for (u32 i = 0; i < PS_COUNT(vectors); i++)
		set_align(l->vectors, &l->n_vectors, vectors[i][0], vectors[i][1], vectors[i][2]);
	set_space(l, 0, 64, 8, 8, 64);
}

/* Parses the number at `*i`, at most `max`, and advances; -1 if there is none. */
static i32 number(Str t, u32 *i, u32 max)
{
	u32 v = 0, start = *i;
	for (; *i < t.n && t.p[*i] >= '0' && t.p[*i] <= '9'; (*i)++) {
		v = v * 10 + (u32)(t.p[*i] - '0');
		if (v > max)
			return -1;
	}
	return *i == start ? -1 : (i32)v;
}

enum { MAX_24 = (1 << 24) - 1, MAX_16 = 65535 };

/* "A:B:C…" → numbers; returns how many there are, 0 where malformed. */
static u32 numbers(Str t, u32 i, u32 *out, u32 cap)
{
	u32 n = 0;
	for (;;) {
		i32 v = number(t, &i, MAX_24);
		if (v < 0 || n == cap)
			return 0;
		out[n++] = (u32)v;
		if (i == t.n)
			return n;
		if (t.p[i++] != ':')
			return 0;
	}
}

/* Of bits, a power of two of bytes. */
static bool is_align(u32 bits) { return bits && bits % 8 == 0 && bits <= MAX_16 && ((bits / 8) & (bits / 8 - 1)) == 0; }

/* v[at] bits, and the preferred alignment, which is not less, where there is a further number. */
static bool are_aligns(const u32 *v, u32 at, u32 n)
{
	return is_align(v[at]) && (n <= at + 1 || (is_align(v[at + 1]) && v[at + 1] >= v[at]));
}

/* A list of numbers in [1, 2^24): native widths, spaces. */
static bool is_list(Str t, u32 i)
{
	for (;; i++) {
		i32 v = number(t, &i, MAX_24);
		if (v <= 0)
			return false;
		if (i == t.n)
			return true;
		if (t.p[i] != ':')
			return false;
	}
}

/* p[FLAGS][SPACE][(NAME)]:SIZE:ABI[:PREF[:INDEX]]; flags u and e: pointers that have no stable or more than an address. */
static bool pointer_item(IrLayout *l, Str t)
{
	u32 i = 1, v[4];
	while (i < t.n && (t.p[i] == 'u' || t.p[i] == 'e'))
		i++;
	i32 space = i < t.n && t.p[i] >= '0' && t.p[i] <= '9' ? number(t, &i, MAX_24) : 0;
	if (space >= 0 && i < t.n && t.p[i] == '(') {
		u32 from = ++i;
		while (i < t.n && t.p[i] != ')')
			i++;
		if (i++ == from)
			return false;
	}
	if (space < 0 || i >= t.n || t.p[i] != ':')
		return false;
	u32 n = numbers(t, i + 1, v, 4);
	if (n < 2 || v[0] == 0 || v[0] > 1024 || !are_aligns(v, 1, PS_MIN(n, 3u)) || (n > 3 && (v[3] == 0 || v[3] > v[0])))
		return false;
	set_space(l, (u32)space, v[0], v[1] / 8, (n > 2 ? v[2] : v[1]) / 8, n > 3 ? v[3] : v[0]);
	return true;
}

static bool align_item(IrLayout *l, Str t)
{
	u32  v[3];
	bool aggregate = t.p[0] == 'a', sized = !(aggregate && t.n > 1 && t.p[1] == ':');
	u32  n = numbers(t, sized ? 1 : 2, v + !sized, sized ? 3 : 2);
	if (!sized) {
		v[0] = 0;
		n += n > 0;
	}
	if (n < 2 || aggregate == (v[0] != 0))
		return false;
	if (aggregate && v[1] == 0) /* no alignment of its own */
		v[1] = 8;
	if (!are_aligns(v, 1, n) || (t.p[0] == 'i' && v[0] == 8 && v[1] != 8))
		return false;
	u32 abi = v[1] / 8, pref = (n > 2 ? v[2] : v[1]) / 8;
	if (v[0] > MAX_16) /* wider than what is looked up by its width */
		return true;
	switch (t.p[0]) {
	case 'i': set_align(l->ints, &l->n_ints, v[0], abi, pref); break;
	case 'f': set_align(l->floats, &l->n_floats, v[0], abi, pref); break;
	case 'v': set_align(l->vectors, &l->n_vectors, v[0], abi, pref); break;
	default: l->aggregate = (IrLayoutAlign){0, (u16)abi, (u16)pref};
	}
	return true;
}

static bool space_item(u32 *space, Str t)
{
	u32 i = 1;
	i32 v = number(t, &i, MAX_24);
	*space = (u32)v;
	return v >= 0 && i == t.n;
}

static bool item(IrLayout *l, Str t)
{
	u32 v;
	if (t.n == 0)
		return false;
	switch (t.p[0]) {
	case 'e': return t.n == 1;
	case 'E': l->big_endian = true; return t.n == 1;
	case 'p': return pointer_item(l, t);
	case 'i':
	case 'f':
	case 'v':
	case 'a': return align_item(l, t);
	case 'A': return space_item(&l->alloca_space, t);
	case 'P': return space_item(&l->program_space, t);
	case 'G': return space_item(&l->globals_space, t);
	case 'n': return str_starts(t, "ni") ? t.n > 3 && t.p[2] == ':' && is_list(t, 3) : is_list(t, 1);
	case 'S': return numbers(t, 1, &v, 1) == 1 && is_align(v);
	case 'F': return t.n > 2 && (t.p[1] == 'i' || t.p[1] == 'n') && numbers(t, 2, &v, 1) == 1 && is_align(v);
	case 'm': return t.n == 3 && t.p[1] == ':' && strchr("aelmowx", t.p[2]);
	case 's': return true; /* the old spelling of the stack's objects */
	default: return false;
	}
}

bool ir_layout_parse(IrLayout *l, Str text)
{
	bool ok = true;
	init(l);
	for (u32 i = 0; i < text.n;) {
		u32 start = i;
		while (i < text.n && text.p[i] != '-')
			i++;
		ok &= item(l, (Str){text.p + start, i - start});
		ok &= ++i != text.n; /* nothing behind the last '-' */
	}
	return ok;
}

bool ir_layout_space_named(Str text, Str name, u32 *space)
{
	for (u32 i = 0; i + name.n < text.n; i++) /* p2(name) */
		if (text.p[i] == '(' && i + 1 + name.n < text.n && text.p[i + 1 + name.n] == ')' &&
		    memcmp(text.p + i + 1, name.p, name.n) == 0) {
			u32 from = i;
			while (from && text.p[from - 1] >= '0' && text.p[from - 1] <= '9')
				from--;
			i32 n = number(text, &from, MAX_24);
			*space = n < 0 ? 0 : (u32)n;
			return true;
		}
	return false;
}

/* LLVM 22's. Tensor memory (space 6) is no state space of PTX, so it has no row in spaces.def: its addresses are lane and column,
 * 32 bits on every target. */
void ir_layout_default(IrLayout *l, const Target *t)
{
	ir_layout_parse(l, STR("e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"));
	if (!t->is64)
		set_space(l, AS_GENERIC, 32, 4, 4, 32);
	const IsaSpace *s;
	for (u32 i = 0; t->is64 && t->short_ptr && (s = isa_space_at(i)); i++)
		if (s->flags & SF_SHORT)
			set_space(l, s->number, 32, 4, 4, 32);
}

static u32 space_row(const IrModule *m, u32 space)
{
	for (u32 i = 0; i < m->layout.n_spaces; i++)
		if (m->layout.spaces[i].space == space)
			return i;
	return 0;
}

u32 ir_ptr_bits(const IrModule *m, u32 space) { return m->layout.spaces[space_row(m, space)].bits; }
u32 ir_index_bits(const IrModule *m, u32 space) { return m->layout.spaces[space_row(m, space)].index_bits; }

static u32 fp_bits(u32 kind)
{
	switch (kind) {
	case IRT_HALF:
	case IRT_BFLOAT: return 16;
	case IRT_FLOAT: return 32;
	case IRT_DOUBLE: return 64;
	case IRT_X86_FP80: return 80;
	default: return 128;
	}
}

static u64 power_of_two_up(u64 x)
{
	u64 p = 1;
	while (p < x && p < (u64)1 << 31)
		p <<= 1;
	return p;
}

/* Exact row of a width, else the width's natural alignment. */
static u32 exact_align(const IrLayoutAlign *rows, u32 n, u64 bits, u64 bytes, bool pref)
{
	for (u32 i = 0; i < n; i++)
		if (rows[i].bits == bits)
			return pref ? rows[i].pref : rows[i].abi;
	return (u32)power_of_two_up(bytes);
}

static u32 int_align(const IrLayout *l, u32 bits, bool pref)
{
	u32 i = 0;
	while (i + 1 < l->n_ints && l->ints[i].bits < bits)
		i++;
	return PS_MAX(pref ? l->ints[i].pref : l->ints[i].abi, 1u);
}

/* Sizes past this stand for "too large" or "unknown"; the verifier refuses such objects. */
#define SIZE_LIMIT IR_SIZE_UNKNOWN

static u64 times(u64 a, u64 b) { return a && b > SIZE_LIMIT / a ? SIZE_LIMIT : a * b; }

/* ---- the layout of a type, computed once ---- */

static const IrTypeLayout *laid_out(const IrModule *m, IrType t, u32 depth);

static u64 alloc_size(const IrTypeLayout *l) { return align_up((l->size_bits + 7) / 8, l->abi); }

/* The only structs of scalable vectors that can be in memory: all fields are of one such type. */
static bool is_homogeneous(const IrModule *m, const IrTypeRec *r)
{
	const u32 *fields = m->type_lists.p + r->elems;
	for (u32 i = 1; i < r->n_elems; i++)
		if (fields[i] != fields[0])
			return false;
	return ir_type_is_scalable_vector(m, (IrType){fields[0]});
}

static void lay_out_struct(const IrModule *m, const IrTypeRec *r, IrTypeLayout *out, u32 depth)
{
	const IrLayout *l = &m->layout;
	u64             at = 0;
	out->abi = PS_MAX(r->packed ? 1u : l->aggregate.abi, 1u);
	out->pref = PS_MAX((u32)l->aggregate.pref, 1u);
	out->is_sized = !r->opaque;
	for (u32 i = 0; i < r->n_elems; i++) {
		const IrTypeLayout *e = laid_out(m, (IrType){m->type_lists.p[r->elems + i]}, depth + 1);
		at = align_up(at, r->packed ? 1 : e->abi);
		m->field_offsets.p[r->elems + i] = at;
		at = PS_MIN(at + alloc_size(e), SIZE_LIMIT);
		if (!r->packed) {
			out->abi = PS_MAX(out->abi, e->abi);
			out->pref = PS_MAX(out->pref, e->abi);
		}
		out->is_sized &= e->is_sized;
		out->is_scalable |= e->is_scalable;
	}
	if (out->is_scalable)
		out->is_sized &= is_homogeneous(m, r);
	out->size_bits = times(align_up(at, out->abi), 8);
}

/* The integer parameter `i` of a type of a target; 0: it has none. */
static u32 parameter(const IrModule *m, const IrTypeRec *r, u32 i) { return i < r->bits ? m->type_lists.p[r->ints + i] : 0; }

static void lay_out_target(const IrModule *m, const IrTypeRec *r, IrTypeLayout *out)
{
	const IrLayout *l = &m->layout;
	IrTargetLike    like = ir_target_type_like(m, r);
	u32             row = space_row(m, 0);
	if (like == IRTT_LIKE_SIZED && !parameter(m, r, 1))
		like = IRTT_LIKE_POINTER;
	switch (like) {
	case IRTT_LIKE_NOTHING: out->is_sized = false; return;
	case IRTT_LIKE_POINTER:
		out->size_bits = l->spaces[row].bits;
		out->abi = PS_MAX((u32)l->spaces[row].abi, 1u);
		out->pref = PS_MAX((u32)l->spaces[row].pref, 1u);
		return;
	case IRTT_LIKE_4_BYTES:
		out->size_bits = 32;
		out->abi = int_align(l, 32, false);
		out->pref = int_align(l, 32, true);
		return;
	case IRTT_LIKE_16_BYTES: out->size_bits = 128; break;
	case IRTT_LIKE_BYTES: out->size_bits = times(parameter(m, r, 0), 8); return;
	case IRTT_LIKE_SIZED:
		out->size_bits = times(parameter(m, r, 1), 8);
		out->abi = int_align(l, PS_MAX(parameter(m, r, 2), 1u), false);
		out->pref = int_align(l, PS_MAX(parameter(m, r, 2), 1u), true);
		return;
	case IRTT_LIKE_COUNTER: out->size_bits = 16; break;
	case IRTT_LIKE_TUPLE: {
		u64 n = r->n_elems ? ir_type(m, (IrType){m->type_lists.p[r->elems]})->count : 0;
		out->size_bits = times(PS_MAX(n, 8u), times(parameter(m, r, 0), 8));
		break;
	}
	}
	out->abi = exact_align(l->vectors, l->n_vectors, out->size_bits, out->size_bits / 8, false);
	out->pref = exact_align(l->vectors, l->n_vectors, out->size_bits, out->size_bits / 8, true);
	out->is_scalable = like >= IRTT_LIKE_COUNTER;
	if (out->is_scalable)
		out->size_bits = IR_SIZE_UNKNOWN;
}

static void lay_out(const IrModule *m, const IrTypeRec *r, IrTypeLayout *out, u32 depth)
{
	const IrLayout *l = &m->layout;
	out->abi = out->pref = 1;
	out->is_sized = true;
	switch (r->kind) {
	case IRT_INT:
		out->size_bits = r->bits;
		out->abi = int_align(l, r->bits, false);
		out->pref = int_align(l, r->bits, true);
		return;
	case IRT_PTR: {
		u32 row = space_row(m, r->bits);
		out->size_bits = l->spaces[row].bits;
		out->abi = PS_MAX((u32)l->spaces[row].abi, 1u);
		out->pref = PS_MAX((u32)l->spaces[row].pref, 1u);
		return;
	}
	case IRT_ARRAY:
	case IRT_VECTOR: { /* a scalable vector is aligned as one for which vscale is 1 */
		const IrTypeLayout *e = laid_out(m, (IrType){m->type_lists.p[r->elems]}, depth + 1);
		bool                array = r->kind == IRT_ARRAY;
		out->size_bits = times(r->count, array ? times(alloc_size(e), 8) : e->size_bits);
		u64 bytes = (out->size_bits + 7) / 8;
		out->abi = array ? e->abi : exact_align(l->vectors, l->n_vectors, out->size_bits, bytes, false);
		out->pref = array ? e->pref : exact_align(l->vectors, l->n_vectors, out->size_bits, bytes, true);
		out->is_sized = e->is_sized;
		out->is_scalable = array ? e->is_scalable : r->bits != 0;
		if (!array && r->bits)
			out->size_bits = IR_SIZE_UNKNOWN;
		return;
	}
	case IRT_STRUCT: lay_out_struct(m, r, out, depth); return;
	case IRT_TARGET: lay_out_target(m, r, out); return;
	default:
		if (r->kind < IRT_HALF || r->kind > IRT_PPC_FP128) {
			out->is_sized = false;
			return;
		}
		out->size_bits = fp_bits(r->kind);
		out->abi = exact_align(l->floats, l->n_floats, fp_bits(r->kind), (fp_bits(r->kind) + 7) / 8, false);
		out->pref = exact_align(l->floats, l->n_floats, fp_bits(r->kind), (fp_bits(r->kind) + 7) / 8, true);
	}
}

/* Recurses as deep as types nest. The parser refuses types that nest deeper than IR_TYPE_DEPTH or contain themselves, but
 * only when it has read all of them: until then the depth ends the recursion. */
static const IrTypeLayout *laid_out(const IrModule *m, IrType t, u32 depth)
{
	IrTypeRec *r = ir_type(m, t);
	if (r->layout.version != m->layout.version) {
		r->layout = (IrTypeLayout){.abi = 1, .pref = 1, .version = m->layout.version};
		if (depth <= IR_TYPE_DEPTH)
			lay_out(m, r, &r->layout, depth);
	}
	return &r->layout;
}

static const IrTypeLayout *layout_of(const IrModule *m, IrType t) { return laid_out(m, t, 0); }

u32  ir_abi_align(const IrModule *m, IrType t) { return layout_of(m, t)->abi; }
u32  ir_pref_align(const IrModule *m, IrType t) { return layout_of(m, t)->pref; }
u64  ir_size_bits(const IrModule *m, IrType t) { return layout_of(m, t)->size_bits; }
u64  ir_store_size(const IrModule *m, IrType t) { return (layout_of(m, t)->size_bits + 7) / 8; }
u64  ir_alloc_size(const IrModule *m, IrType t) { return alloc_size(layout_of(m, t)); }
bool ir_type_is_sized(const IrModule *m, IrType t) { return layout_of(m, t)->is_sized; }
bool ir_type_is_scalable(const IrModule *m, IrType t) { return m->has_scalable && layout_of(m, t)->is_scalable; }

bool ir_size_is_same(const IrModule *m, IrType a, IrType b)
{
	bool scalable = ir_type_is_scalable_vector(m, a);
	if (scalable != ir_type_is_scalable_vector(m, b))
		return false;
	if (!scalable)
		return ir_size_bits(m, a) == ir_size_bits(m, b);
	return ir_type_count(m, a) * ir_size_bits(m, ir_scalar_type(m, a)) ==
	       ir_type_count(m, b) * ir_size_bits(m, ir_scalar_type(m, b));
}

u64 ir_struct_offset(const IrModule *m, IrType t, u32 field)
{
	const IrTypeRec    *r = ir_type(m, t);
	const IrTypeLayout *l = layout_of(m, t);
	return field < r->n_elems ? m->field_offsets.p[r->elems + field] : l->size_bits / 8;
}

u64 ir_stated_align(const IrModule *m, IrRef inst)
{
	const IrInst *i = ir_inst(m, inst);
	if (i->align || !m->layout_text.i)
		return ir_align_stated(i->align);
	switch (i->op) {
	case IR_ALLOCA: return ir_pref_align(m, i->elem);
	case IR_LOAD: return i->flags & IRF_ATOMIC ? 0 : ir_abi_align(m, i->type);
	case IR_STORE: return i->flags & IRF_ATOMIC ? 0 : ir_abi_align(m, ir_type_of(m, ir_op(m, inst, 0)));
	case IR_CMPXCHG:
	case IR_ATOMICRMW: return (u64)1 << u64_log2(PS_MAX(ir_size_bits(m, ir_type_of(m, ir_op(m, inst, 1))) / 8, 1));
	default: return 0;
	}
}

static u32 gep_ops(const IrModule *m, IrRef gep)
{
	return ir_kind(gep) == IR_INST ? ir_inst(m, gep)->ops : ir_const(m, gep)->ops;
}

u32 ir_gep_n_ops(const IrModule *m, IrRef gep)
{
	return ir_kind(gep) == IR_INST ? ir_inst(m, gep)->n_ops : ir_const(m, gep)->n_ops;
}

/* `index` is operand k; of a vector of a struct's fields, which are equal, one. */
static IrGepTerm gep_term(const IrModule *m, IrRef gep, u32 k, IrRef index, IrType *t)
{
	i64 v = 0;
	if (k == 1)
		*t = ir_kind(gep) == IR_INST ? ir_inst(m, gep)->elem : ir_const(m, gep)->elem;
	if (k > 1 && ir_type_kind(m, *t) == IRT_STRUCT) {
		IrType in = *t;
		ir_as_sint(m, index, &v);
		*t = ir_type_elem(m, in, (u32)v);
		return (IrGepTerm){IR_NO_REF, (i64)ir_struct_offset(m, in, (u32)v)};
	}
	if (k > 1)
		*t = ir_type_elem(m, *t, 0);
	u64 size = ir_alloc_size(m, *t);
	if (ir_as_sint(m, index, &v) && !ir_type_is_scalable(m, *t))
		return (IrGepTerm){IR_NO_REF, (i64)((u64)v * size)};
	return (IrGepTerm){index, (i64)size};
}

static IrRef gep_op(const IrModule *m, IrRef gep, u32 k) { return ir_use(m, gep_ops(m, gep) + k)->value; }

IrGepTerm ir_gep_term(IrModule *m, IrRef gep, u32 k, IrType *t)
{
	IrRef index = gep_op(m, gep, k);
	bool  fields = k > 1 && ir_type_kind(m, *t) == IRT_STRUCT && ir_type_is_vector(m, ir_type_of(m, index));
	return gep_term(m, gep, k, fields ? ir_splat_value(m, index) : index, t);
}

bool ir_gep_offset(const IrModule *m, IrRef gep, i64 *offset)
{
	IrType t = {0};
	u64    sum = 0;
	for (u32 k = 1; k < ir_gep_n_ops(m, gep); k++) {
		IrRef     index = gep_op(m, gep, k);
		IrGepTerm s = gep_term(m, gep, k, index, &t);
		if (!ir_is_none(s.index) || ir_type_is_vector(m, ir_type_of(m, index)))
			return false;
		sum += (u64)s.bytes;
	}
	*offset = (i64)sum;
	return true;
}
