/* print.c: MIR as text, in LLVM's MIR YAML. Everything a function holds is printed, so that reading it back
 * gives the same function; what stands at its default is left out. */
#include "ir/text.h"
#include "mir/mir.h"

typedef struct Printer {
	Text          *out;
	VecU32        *origins; /* NULL: not wanted */
	VecU32        *lines;   /* NULL: not wanted; by instruction in the order of printing: where it stands */
	const MirFunc *f;
	Session       *s;
} Printer;

static Str str(const Printer *p, u32 id) { return strtab_get(&p->s->strs, (StrId){id}); }

/* Ends the line; it came from input line `origin`. */
static void end_line(Printer *p, u32 origin)
{
	text_c(p->out, '\n');
	if (p->origins)
		vec_push(p->out->arena, p->origins, origin);
}

static void line(Printer *p, const char *s)
{
	text_s(p->out, s);
	end_line(p, 0);
}

static bool plain_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$' ||
	       c == '-';
}

static void quoted(Text *out, Str s)
{
	static const char hex[] = "0123456789ABCDEF";
	text_c(out, '"');
	for (u32 i = 0; i < s.n; i++) {
		u8 c = (u8)s.p[i];
		if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
			text_c(out, (char)c);
		} else {
			text_c(out, '\\');
			text_c(out, hex[c >> 4]);
			text_c(out, hex[c & 15]);
		}
	}
	text_c(out, '"');
}

/* A name as it is where that can be read back, else in quotes. */
static void name(Text *out, Str s)
{
	bool plain = s.n != 0;
	for (u32 i = 0; i < s.n; i++)
		plain &= plain_char(s.p[i]);
	if (plain)
		text_add(out, s);
	else
		quoted(out, s);
}

static void reg(Printer *p, MirReg r)
{
	if (mir_is_phys(r)) {
		u32 n = r.i & ~MIR_PHYS_BIT; /* the verifier shows what it found, too */
		if (n < MIR_PHYS_COUNT)
			text_s(p->out, mir_phys_info[n].name);
		else
			text_f(p->out, "$physreg%u", n);
		return;
	}
	text_c(p->out, '%');
	if (mir_reg_name(p->f, r).i)
		name(p->out, str(p, mir_reg_name(p->f, r).i));
	else
		text_u(p->out, r.i - 1);
}

void mir_print_reg(Text *out, const MirFunc *f, MirReg r)
{
	Printer p = {.out = out, .f = f, .s = f->module->session};
	reg(&p, r);
}

Str mir_reg_text(const MirFunc *f, MirReg r, Arena *a)
{
	Text t;
	text_init(&t, a);
	mir_print_reg(&t, f, r);
	return text_str(&t);
}

static void offset(Text *out, i64 n)
{
	if (n > 0)
		text_f(out, " + %lld", (long long)n);
	else if (n < 0)
		text_f(out, " - %llu", (unsigned long long)(0 - (u64)n));
}

static void reg_operand(Printer *p, const MirOp *o, bool in_results)
{
	static const struct {
		u32         flag;
		const char *text;
	} marks[] = {
		{MOF_DEAD, "dead "},
		{MOF_KILL, "killed "},
		{MOF_UNDEF, "undef "},
		{MOF_NOT, "not "},
		{MOF_EARLY_CLOBBER, "early-clobber "},
	};
	if (o->flags & MOF_IMPLICIT)
		text_s(p->out, o->flags & MOF_DEF ? "implicit-def " : "implicit ");
	else if ((o->flags & MOF_DEF) && !in_results)
		text_s(p->out, "def ");
	for (u32 i = 0; i < PS_COUNT(marks); i++)
		if (o->flags & marks[i].flag)
			text_s(p->out, marks[i].text);
	MirReg r = mir_op_reg(o);
	reg(p, r);
	if ((o->flags & MOF_DEF) && mir_is_virt(r))
		text_f(p->out, ":%s", isa_class_info[mir_class(p->f, r)].name);
	if (o->tie && !(o->flags & MOF_DEF))
		text_f(p->out, "(tied-def %u)", o->tie - 1u);
}

static void fpimm(Text *out, const MirOp *o)
{
	static const struct {
		const char *type, *format;
	} form[] = {
		[MIR_FP16] = {"half", " 0x%04llX"},
		[MIR_FP_BF16] = {"bfloat", " 0x%04llX"},
		[MIR_FP32] = {"float", " 0f%08llX"},
		[MIR_FP64] = {"double", " 0d%016llX"},
	};
	text_s(out, form[o->type].type);
	text_f(out, form[o->type].format, (unsigned long long)(u64)o->imm);
}

static void operand(Printer *p, const MirOp *o, bool in_results)
{
	if (o->flags & MOF_GENERIC)
		text_s(p->out, "generic ");
	switch ((MirOpKind)o->kind) {
	case MO_NONE: text_s(p->out, "_"); break;
	case MO_REG: reg_operand(p, o, in_results); break;
	case MO_IMM: text_i(p->out, o->imm); break;
	case MO_FPIMM: fpimm(p->out, o); break;
	case MO_BLOCK: text_f(p->out, "%%bb.%u", mir_block(p->f, (MirBlockId){o->ref})->number); break;
	case MO_FRAME:
		text_f(p->out, "%%stack.%u", o->ref);
		offset(p->out, o->imm);
		break;
	case MO_GLOBAL:
	case MO_SYMBOL:
		text_c(p->out, o->kind == MO_GLOBAL ? '@' : '&');
		name(p->out, str(p, o->ref));
		offset(p->out, o->imm);
		break;
	case MO_JUMP_TABLE: text_f(p->out, "%%jump-table.%u", o->ref); break;
	case MO_TEXT: quoted(p->out, str(p, o->ref)); break;
	case MO_PROTO: text_f(p->out, "%%proto.%u", o->ref); break;
	}
}

static const char *const ordering_name[] = {
	[MIR_NOT_ATOMIC] = "",      [MIR_UNORDERED] = "unordered ", [MIR_MONOTONIC] = "monotonic ", [MIR_ACQUIRE] = "acquire ",
	[MIR_RELEASE] = "release ", [MIR_ACQ_REL] = "acq_rel ",     [MIR_SEQ_CST] = "seq_cst ",
};

/* The pointer, where it has a name that can be read back. */
static void mem_value(Printer *p, const MirMem *m)
{
	const IrModule *ir = p->f->module->ir;
	IrRef           v = {m->value};
	IrKind          k = ir_kind(v);
	if (!ir || !m->value || (k != IR_INST && k != IR_ARG && k != IR_GLOBAL) || !ir_name(ir, v).i)
		return;
	text_s(p->out, m->flags & MMF_LOAD ? " from " : " into ");
	text_s(p->out, k == IR_GLOBAL ? "@" : "%ir.");
	name(p->out, ir_str(ir, ir_name(ir, v)));
	offset(p->out, m->offset);
}

static void memory(Printer *p, const MirMem *m)
{
	static const struct {
		u32         flag;
		const char *text;
	} marks[] = {
		{MMF_VOLATILE, "volatile "},
		{MMF_NON_TEMPORAL, "non-temporal "},
		{MMF_DEREFERENCEABLE, "dereferenceable "},
		{MMF_INVARIANT, "invariant "},
		{MMF_LOAD, "load "},
		{MMF_STORE, "store "},
	};
	const IrModule *ir = p->f->module->ir;
	text_s(p->out, " :: (");
	for (u32 i = 0; i < PS_COUNT(marks); i++)
		if (m->flags & marks[i].flag)
			text_s(p->out, marks[i].text);
	if (m->scope && ir && m->scope < ir->scopes.n) {
		text_s(p->out, "syncscope(");
		quoted(p->out, str(p, ir->scopes.p[m->scope]));
		text_s(p->out, ") ");
	}
	text_s(p->out, ordering_name[m->ordering]);
	if (m->size)
		text_f(p->out, "(s%llu)", (unsigned long long)m->size * 8);
	else
		text_s(p->out, "unknown-size");
	mem_value(p, m);
	if ((u64)1 << m->align_log2 != m->size)
		text_f(p->out, ", align %llu", (unsigned long long)1 << m->align_log2);
	if (m->space)
		text_f(p->out, ", addrspace %u", m->space);
	text_c(p->out, ')');
}

static void inst_flags(Text *out, u32 flags)
{
	static const char *const names[] = {
		"nnan", "ninf",  "nsz",      "arcp", "contract",    "afn",          "reassoc",      "nuw",
		"nsw",  "exact", "disjoint", "nneg", "frame-setup", "no-duplicate", "side-effects", "no-unroll",
	};
	for (u32 b = 0; b < PS_COUNT(names); b++)
		if (flags >> b & 1)
			text_f(out, "%s ", names[b]);
}

/* A handle that is no register is a slot: the name ends in I. */
static bool is_image(const Printer *p, u32 desc, u32 n)
{
	const IsaDesc *d = isa_desc(p->s, desc);
	return n < d->n_operands && d->operand[n].kind == IO_IMAGE;
}

static void inst(Printer *p, MirInstId i)
{
	const MirInst *mi = mir_inst(p->f, i);
	const MirOp   *o = mir_ops(p->f, i);
	u32            immediates = 0;
	for (u32 n = 0; n < mi->n_defs; n++) {
		text_s(p->out, n ? ", " : "");
		operand(p, &o[n], true);
	}
	if (mi->n_defs)
		text_s(p->out, " = ");
	inst_flags(p->out, mi->flags);
	for (u32 n = 0; n < mi->n_ops && n < 32; n++)
		if (o[n].kind == MO_IMM || o[n].kind == MO_FPIMM || (is_image(p, mi->desc, n) && o[n].kind != MO_REG))
			immediates |= 1u << n;
	isa_name(p->s, mi->desc, immediates, p->out);
	for (u32 n = mi->n_defs; n < mi->n_ops; n++) {
		text_s(p->out, n > mi->n_defs ? ", " : " ");
		operand(p, &o[n], false);
	}
	if (mi->mem)
		memory(p, mir_mem(p->f, i));
}

void mir_print_inst(Text *out, const MirFunc *f, MirInstId i)
{
	Printer p = {.out = out, .f = f, .s = f->module->session};
	inst(&p, i);
}

static void block(Printer *p, MirBlockId b)
{
	const MirBlock *mb = mir_block(p->f, b);
	text_f(p->out, "  bb.%u", mb->number);
	if (mb->name.i) {
		text_c(p->out, '.');
		name(p->out, str(p, mb->name.i));
	}
	text_s(p->out, mb->address_taken ? " (address-taken):" : ":");
	end_line(p, mb->first ? mir_inst(p->f, (MirInstId){mb->first})->origin : 0);
	if (mb->n_succs) {
		text_s(p->out, "    successors: ");
		const char *comma = "";
		mir_each_succ(p->f, b, e) {
			text_f(p->out, "%s%%bb.%u", comma, mir_block(p->f, (MirBlockId){e->to})->number);
			if (e->prob != MIR_PROB_UNKNOWN)
				text_f(p->out, "(0x%08x)", e->prob);
			comma = ", ";
		}
		end_line(p, 0);
		end_line(p, 0);
	}
	mir_each_inst(p->f, b, i) {
		text_s(p->out, "    ");
		inst(p, i);
		end_line(p, mir_inst(p->f, i)->origin);
		if (p->lines)
			vec_push(p->out->arena, p->lines, p->origins->n);
	}
}

static void registers(Printer *p)
{
	if (p->f->vreg.n == 1)
		return;
	line(p, "registers:");
	for (u32 r = 1; r < p->f->vreg.n; r++) {
		StrId n = mir_reg_name(p->f, (MirReg){r});
		text_f(p->out, "  - { id: %u, class: %s", r - 1, isa_class_info[mir_class(p->f, (MirReg){r})].name);
		if (n.i) {
			text_s(p->out, ", name: ");
			name(p->out, str(p, n.i));
		}
		line(p, " }");
	}
}

static void frame(Printer *p)
{
	const MirFunc *f = p->f;
	if (f->frame_size || f->frame_align_log2) {
		line(p, "frameInfo:");
		text_f(p->out, "  stackSize:       %llu", (unsigned long long)f->frame_size);
		end_line(p, 0);
		text_f(p->out, "  maxAlignment:    %llu", (unsigned long long)1 << f->frame_align_log2);
		end_line(p, 0);
	}
	if (f->frame.n)
		line(p, "stack:");
	for (u32 i = 0; i < f->frame.n; i++) {
		const MirFrameObj *o = &f->frame.p[i];
		text_f(p->out, "  - { id: %u, ", i);
		if (f->frame_name.p[i]) {
			text_s(p->out, "name: ");
			name(p->out, str(p, f->frame_name.p[i]));
			text_s(p->out, ", ");
		}
		text_f(p->out, "type: %s, offset: %lld, size: %lld, alignment: %llu", mir_frame_kind_text[o->kind],
		       (long long)o->offset, (long long)o->size, (unsigned long long)1 << o->align_log2);
		if (o->category)
			text_f(p->out, ", category: %u", o->category);
		if (o->local_offset)
			text_f(p->out, ", local-offset: %u", o->local_offset - 1);
		line(p, o->is_dead ? ", dead: true }" : " }");
	}
}

static void tables(Printer *p)
{
	const MirFunc *f = p->f;
	if (f->jump_table.n) {
		line(p, "jumpTable:");
		line(p, "  kind:            block-address");
		line(p, "  entries:");
	}
	for (u32 t = 0; t < f->jump_table.n; t++) {
		text_f(p->out, "    - { id: %u, blocks: [", t);
		for (u32 k = 0; k < f->jump_table.p[t].block.n; k++)
			text_f(p->out, "%s'%%bb.%u'", k ? ", " : " ",
			       mir_block(f, (MirBlockId){f->jump_table.p[t].block.p[k]})->number);
		line(p, " ] }");
	}
	if (f->proto.n)
		line(p, "prototypes:");
	for (u32 i = 0; i < f->proto.n; i++) {
		text_f(p->out, "  - { id: %u, text: ", i);
		quoted(p->out, str(p, f->proto.p[i]));
		line(p, " }");
	}
}

static void property(Printer *p, const char *key, bool on)
{
	if (!on)
		return;
	text_f(p->out, "%-16s true", key);
	end_line(p, 0);
}

static void func(Text *out, MirFunc *f, VecU32 *origins, VecU32 *lines)
{
	Printer p = {.out = out, .origins = origins, .lines = lines, .f = f, .s = f->module->session};
	line(&p, "---");
	text_s(out, "name:            ");
	name(out, str(&p, f->name.i));
	end_line(&p, 0);
	property(&p, "kernel:", f->is_kernel);
	property(&p, "isSSA:", f->props & MP_SSA);
	property(&p, "noPhis:", f->props & MP_NO_PHIS);
	property(&p, "tracksRegLiveness:", f->props & MP_LIVENESS);
	property(&p, "isAllocated:", f->props & MP_ALLOCATED);
	registers(&p);
	frame(&p);
	tables(&p);
	line(&p, "body:             |");
	mir_each_block(f, b) {
		if (b.i != f->first_block)
			end_line(&p, 0);
		block(&p, b);
	}
	line(&p, "...");
}

void mir_print_func(Text *out, MirFunc *f, VecU32 *origins) { func(out, f, origins, NULL); }

/* The IR part: indented by two, as a YAML block. */
static void print_ir(Text *out, MirModule *m, VecU32 *origins)
{
	Text   ir;
	VecU32 lines = {0};
	text_init(&ir, out->arena);
	ir_print_module(&ir, m->ir, &lines);
	text_s(out, "--- |\n");
	u32 at = 0;
	while (at < ir.n) {
		u32 end = at;
		while (end < ir.n && ir.p[end] != '\n')
			end++;
		if (end > at)
			text_s(out, "  ");
		text_add(out, (Str){ir.p + at, end - at});
		text_c(out, '\n');
		at = end + 1;
	}
	text_s(out, "...\n");
	if (!origins)
		return;
	vec_push(out->arena, origins, 0u);
	for (u32 n = 0; n < lines.n; n++)
		vec_push(out->arena, origins, lines.p[n]);
	vec_push(out->arena, origins, 0u);
}

void mir_print_module(Text *out, MirModule *m, VecU32 *origins)
{
	if (m->ir)
		print_ir(out, m, origins);
	for (u32 i = 0; i < m->func.n; i++)
		mir_print_func(out, m->func.p[i], origins);
}

void mir_print_module_lines(Text *out, MirModule *m, VecU32 *origins, VecU32 *lines)
{
	if (m->ir)
		print_ir(out, m, origins);
	for (u32 i = 0; i < m->func.n; i++)
		func(out, m->func.p[i], origins, lines);
}
