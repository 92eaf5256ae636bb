/* asm_inst.c: prints one machine instruction as PTX text, following the template of its row in isa/; calls, inline assembly
 * are handled here too. */
#include "ptx/asm.h"

#include "base/fmt.h"

static void unprintable(Asm *a, MirInstId i, const char *what)
{
	Text t;
	text_init(&t, a->arena);
	mir_print_inst(&t, a->f, i);
	diag_report(&a->s->diags, DIAG_ASM_UNPRINTABLE, src_at(mir_inst(a->f, i)->origin, 1), what,
	            STR_ARG(strtab_get(&a->s->strs, a->f->name)), STR_ARG(text_str(&t)));
	a->errors++;
}

void asm_block_label(Asm *a, MirBlockId b)
{
	text_word(a->out, STR("$L__BB"));
	text_u(a->out, a->f->number);
	text_c(a->out, '_');
	text_u(a->out, mir_block(a->f, b)->number);
}

static void print_reg(Asm *a, MirReg r)
{
	if (mir_is_phys(r)) {
		text_s(a->out, mir_phys_info[r.i & ~MIR_PHYS_BIT].ptx);
		return;
	}
	u32 number = a->number[r.i];
	text_word(a->out, str_of(isa_class_info[number >> ASM_NUMBER_BITS].prefix));
	text_u(a->out, number & ((1u << ASM_NUMBER_BITS) - 1));
}

static void print_fp(Asm *a, const MirOp *o)
{
	unsigned long long bits = (unsigned long long)(u64)o->imm;
	if (o->type == MIR_FP64)
		text_f(a->out, "0d%016llX", bits);
	else if (o->type == MIR_FP32)
		text_f(a->out, "0f%08llX", bits & 0xFFFFFFFF);
	else
		text_f(a->out, "0x%04llX", bits & 0xFFFF);
}

static void print_symbol(Asm *a, const MirOp *o)
{
	bool generic = (o->flags & MOF_GENERIC) != 0;
	text_s(a->out, generic ? "generic(" : "");
	text_add(a->out, strtab_get(&a->s->strs, (StrId){o->ref}));
	text_s(a->out, generic ? ")" : "");
	if (o->imm)
		text_f(a->out, "+%lld", (long long)o->imm);
}

/* An integer as llc writes it: decimal, but 16 bits that are a float's in hexadecimal. */
static void print_operand(Asm *a, MirInstId i, const MirOp *o)
{
	if (o->flags & MOF_NOT)
		text_c(a->out, '!');
	switch ((MirOpKind)o->kind) {
	case MO_NONE: text_c(a->out, '_'); break;
	case MO_REG: print_reg(a, mir_op_reg(o)); break;
	case MO_IMM: text_i(a->out, o->imm); break;
	case MO_FPIMM: print_fp(a, o); break;
	case MO_BLOCK: asm_block_label(a, (MirBlockId){o->ref}); break;
	case MO_GLOBAL:
	case MO_SYMBOL: print_symbol(a, o); break;
	case MO_TEXT: text_add(a->out, strtab_get(&a->s->strs, (StrId){o->ref})); break;
	case MO_JUMP_TABLE: text_f(a->out, "$L_brx_%u", a->n_tables + o->ref); break;
	case MO_FRAME:
	case MO_PROTO: unprintable(a, i, o->kind == MO_FRAME ? "a stack object without an address" : "a prototype"); break;
	}
}

#define BYTE "byte" /* name of a register of 8 bits */

static void print_operands(Asm *a, MirInstId i, const IsaDesc *d)
{
	const MirOp *o = mir_ops(a->f, i);
	bool         first = true;
	for (u32 k = 0; k < d->n_operands; k++) {
		u16 flags = d->operand[k].flags;
		if (flags & IOF_GUARD)
			continue;
		if (d->operand[k].kind == IO_OFFSET) {
			if (o[k].kind == MO_IMM && o[k].imm) {
				text_c(a->out, '+');
				text_i(a->out, o[k].imm);
			}
		} else {
			if (flags & IOF_LINE)
				text_s(a->out, first ? "\n\t\t" : ",\n\t\t");
			else if (!first)
				text_word(a->out, flags & IOF_PIPE ? STR("|") : STR(", "));
			if (flags & IOF_ADDR_OPEN)
				text_c(a->out, '[');
			if (flags & IOF_OPEN)
				text_c(a->out, '{');
			if (flags & IOF_SINK)
				text_c(a->out, '_');
			else if (d->operand[k].type == TOK_type_e2m1x2)
				text_s(a->out, BYTE);
			else
				print_operand(a, i, &o[k]);
		}
		if (flags & IOF_CLOSE)
			text_c(a->out, '}');
		if (flags & IOF_ADDR_CLOSE)
			text_c(a->out, ']');
		first = false;
	}
}

static void print_guard(Asm *a, MirInstId i, const IsaDesc *d)
{
	const MirOp *o = mir_ops(a->f, i);
	for (u32 k = 0; d->opc.slot[SLOT_guard] && k < d->n_operands; k++)
		if (d->operand[k].flags & IOF_GUARD) {
			text_s(a->out, d->opc.slot[SLOT_guard] == 2 ? "@!" : "@");
			print_operand(a, i, &o[k]);
			text_c(a->out, ' ');
		}
}

/* ---- calls ---- */

static void param_list(Asm *a, u32 n)
{
	text_word(a->out, STR(", ("));
	for (u32 k = 0; k < n; k++)
		text_f(a->out, "%sparam%u", k ? ", " : "", k);
	text_c(a->out, ')');
}

static void print_call(Asm *a, MirInstId i, const IsaDesc *d)
{
	const MirOp *o = mir_ops(a->f, i);
	u32          n = mir_inst(a->f, i)->n_ops, first = 0;
	while (first < d->n_operands && d->operand[first].flags & IOF_GUARD)
		first++;
	if (n < first + 3 || o[first + 1].kind != MO_IMM || o[first + 2].kind != MO_IMM) {
		unprintable(a, i, "a call without its counts");
		return;
	}
	bool proto = n > first + 3 && o[first + 3].kind == MO_PROTO;
	if (proto)
		text_f(a->out, "\tprototype_%u : .callprototype %.*s;\n", a->callseq,
		       STR_ARG(strtab_get(&a->s->strs, (StrId){a->f->proto.p[o[first + 3].ref]})));
	text_c(a->out, '\t');
	print_guard(a, i, d);
	text_add(a->out, d->mnemonic);
	text_s(a->out, o[first + 1].imm ? " (retval0), " : " ");
	print_operand(a, i, &o[first]);
	param_list(a, (u32)o[first + 2].imm);
	if (proto)
		text_f(a->out, ", prototype_%u", a->callseq);
	text_s(a->out, ";\n");
}

static void print_declare_param(Asm *a, MirInstId i)
{
	const MirOp *o = mir_ops(a->f, i);
	Str          name = strtab_get(&a->s->strs, (StrId){o[0].ref});
	if (o[1].imm)
		text_f(a->out, "\t.param .align %u .b8 \t%.*s[%llu];\n", (u32)o[1].imm, STR_ARG(name),
		       (unsigned long long)o[2].imm);
	else
		text_f(a->out, "\t.param .b%u \t%.*s;\n", (u32)o[2].imm, STR_ARG(name));
}

/* ---- inline asm ---- */

/* Operand `n` of the template: the outputs, then what stands behind the template. */
static const MirOp *asm_operand(const Asm *a, MirInstId i, u32 n)
{
	const MirInst *mi = mir_inst(a->f, i);
	u32            k = n < mi->n_defs ? n : n + 1;
	return k < mi->n_ops ? mir_op(a->f, i, k) : NULL;
}

static void asm_reference(Asm *a, MirInstId i, u32 n, bool address)
{
	const MirOp *o = asm_operand(a, i, n);
	if (!o) {
		unprintable(a, i, "an operand number beyond its operands");
		return;
	}
	text_s(a->out, address ? "[" : "");
	print_operand(a, i, o);
	text_s(a->out, address ? "]" : "");
}

/* ${N:m} and ${:uid}; returns where it ends. */
static u32 asm_braced(Asm *a, MirInstId i, Str t, u32 at)
{
	u32 n = 0, end = at;
	while (end < t.n && t.p[end] != '}')
		end++;
	Str body = {t.p + at, end - at};
	if (str_is(body, ":uid"))
		text_u(a->out, i.i);
	u32 k = 0;
	while (k < body.n && body.p[k] >= '0' && body.p[k] <= '9')
		n = n * 10 + (u32)(body.p[k++] - '0');
	if (k)
		asm_reference(a, i, n, false);
	return end < t.n ? end + 1 : end;
}

/* $(a$|b$): NVPTX is the first alternative. */
static void asm_template(Asm *a, MirInstId i, Str t)
{
	bool skip = false;
	for (u32 at = 0; at < t.n;) {
		char c = t.p[at++];
		if (c != '$' || at == t.n) {
			if (!skip)
				text_c(a->out, c);
			continue;
		}
		c = t.p[at];
		if (c == '(' || c == '|' || c == ')') {
			skip = c == '|';
			at++;
		} else if (skip) {
			at++;
		} else if (c == '{') {
			at = asm_braced(a, i, t, at + 1);
		} else if (c >= '0' && c <= '9') {
			u32 n = 0;
			while (at < t.n && t.p[at] >= '0' && t.p[at] <= '9')
				n = n * 10 + (u32)(t.p[at++] - '0');
			asm_reference(a, i, n, false);
		} else {
			text_c(a->out, c);
			at++;
		}
	}
}

static void print_inline_asm(Asm *a, MirInstId i)
{
	const MirInst *mi = mir_inst(a->f, i);
	if (mi->n_defs >= mi->n_ops || mir_op(a->f, i, mi->n_defs)->kind != MO_TEXT) {
		unprintable(a, i, "inline asm without a template");
		return;
	}
	Str t = strtab_get(&a->s->strs, (StrId){mir_op(a->f, i, mi->n_defs)->ref});
	if (!t.n)
		return;
	text_s(a->out, "\t// begin inline asm\n\t");
	asm_template(a, i, t);
	text_s(a->out, "\n\t// end inline asm\n");
}

/* ---- the rest ---- */

static void print_jump_table(Asm *a, MirInstId i)
{
	const MirInst *mi = mir_inst(a->f, i);
	for (u32 n = 0; n < mi->n_ops; n++) {
		const MirOp *o = mir_op(a->f, i, n);
		if (o->kind != MO_JUMP_TABLE)
			continue;
		const VecU32 *t = &a->f->jump_table.p[o->ref].block;
		text_f(a->out, "\t$L_brx_%u: .branchtargets", a->n_tables + o->ref);
		for (u32 k = 0; k < t->n; k++) {
			text_s(a->out, k ? ",\n\t\t" : "\n\t\t");
			asm_block_label(a, (MirBlockId){t->p[k]});
		}
		text_s(a->out, ";\n");
	}
}

/* ptxas refuses fetches of the other mode than the module's, or crashes. */
static void check_texture_mode(Asm *a, MirInstId i, const IsaDesc *d)
{
	bool           own_sampler = d->opc.op == ISA_tex || d->opc.op == ISA_tld4;
	AsmTextureMode mode = own_sampler ? ASM_TEXTURES_INDEPENDENT : ASM_TEXTURES_UNIFIED;
	if (!a->texture_mode)
		a->texture_mode = mode;
	if (a->texture_mode == mode)
		return;
	const char *unified = "unified", *independent = "independent";
	Diag       *diag = diag_report(&a->s->diags, DIAG_TEXTURE_MODE, src_at(mir_inst(a->f, i)->origin, 1),
                                 own_sampler ? independent : unified, own_sampler ? unified : independent);
	diag_hint(&a->s->diags, diag,
	          a->s->target.nvcl ? "OpenCL's fetches take a sampler: llvm.nvvm.tex without .unified"
	                            : "the first fetch of a module says its mode: either all take a sampler, or none "
	                              "(llvm.nvvm.tex.unified)");
	a->errors++;
}

/* ---- two floats of 4 bits: PTX wants them in a register of 8 bits, which machine code does not have */

static u32 byte_operand(const IsaDesc *d)
{
	u32 k = 0;
	while (k < d->n_operands && d->operand[k].type != TOK_type_e2m1x2)
		k++;
	return k;
}

static void begin_byte(Asm *a, MirInstId i, const IsaDesc *d, u32 k)
{
	text_s(a->out, "\t{\n\t.reg .b8 \t" BYTE ";\n");
	if (d->operand[k].flags & IOF_DEF)
		return;
	text_s(a->out, "\tcvt.u8.u16 \t" BYTE ", ");
	print_operand(a, i, &mir_ops(a->f, i)[k]);
	text_add(a->out, STR(";\n"));
}

static void end_byte(Asm *a, MirInstId i, const IsaDesc *d, u32 k)
{
	if (d->operand[k].flags & IOF_DEF) {
		text_c(a->out, '\t');
		print_guard(a, i, d);
		text_s(a->out, "cvt.u16.u8 \t");
		print_operand(a, i, &mir_ops(a->f, i)[k]);
		text_s(a->out, ", " BYTE ";\n");
	}
	text_s(a->out, "\t}\n");
}

static void print_plain(Asm *a, MirInstId i, const IsaDesc *d)
{
	if (d->eval == EV_tex)
		check_texture_mode(a, i, d);
	if (mir_inst(a->f, i)->n_ops < d->n_operands) {
		unprintable(a, i, "too few operands");
		return;
	}
	u32 byte = byte_operand(d);
	if (byte < d->n_operands)
		begin_byte(a, i, d, byte);
	text_c(a->out, '\t');
	print_guard(a, i, d);
	text_word(a->out, d->mnemonic);
	u32 visible = 0;
	for (u32 k = 0; k < d->n_operands; k++)
		visible += !(d->operand[k].flags & IOF_GUARD);
	if (visible || d->opc.op == ISA_sreg)
		text_word(a->out, STR(" \t"));
	print_operands(a, i, d);
	if (d->opc.op == ISA_sreg)
		text_f(a->out, ", %s", isa_sreg(d->opc.slot[SLOT_sreg])->text);
	text_add(a->out, STR(";\n"));
	if (byte < d->n_operands)
		end_byte(a, i, d, byte);
}

static void print_generic(Asm *a, MirInstId i, const IsaDesc *d)
{
	const MirOp *o = mir_ops(a->f, i);
	switch (d->opc.op) {
	case ISA_IMPLICIT_DEF:
		asm_comment(a, "implicit-def: ");
		print_operand(a, i, &o[0]);
		text_c(a->out, '\n');
		break;
	case ISA_INLINEASM: print_inline_asm(a, i); break;
	case ISA_Callseq_Start:
		a->callseq = (u32)o[0].imm;
		text_f(a->out, "\t{ // callseq %lld, %lld\n", (long long)o[0].imm, (long long)o[1].imm);
		break;
	case ISA_Callseq_End: text_f(a->out, "\t} // callseq %lld\n", (long long)o[0].imm); break;
	case ISA_DeclareParam: print_declare_param(a, i); break;
	default:
		if (!(d->flags & IF_META))
			unprintable(a, i, "a pseudo instruction");
	}
}

void asm_inst(Asm *a, MirInstId i)
{
	const IsaDesc *d = mir_desc(a->f, i);
	asm_loc(a, i);
	if (d->flags & IF_GENERIC) {
		print_generic(a, i, d);
	} else if (d->flags & IF_PSEUDO && d->opc.op != ISA_sreg) {
		unprintable(a, i, "a pseudo instruction");
	} else if (d->opc.op == ISA_call) {
		print_call(a, i, d);
	} else {
		if (d->opc.op == ISA_brx_idx)
			print_jump_table(a, i);
		print_plain(a, i, d);
	}
	asm_mark(a, mir_inst(a->f, i)->origin);
	asm_loc_behind(a, i);
}
