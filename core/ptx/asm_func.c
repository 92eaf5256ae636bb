/* asm_func.c: a function in PTX around its instructions: linkage, parameters, performance directives, register declarations, labels
 * and the comments that describe loops. */
#include "ir/kernel.h"
#include "ptx/asm.h"

/* ---- signatures ---- */

static void array(Asm *a, u32 align, Str name, const char *suffix, u64 size)
{
	text_f(a->out, ".align %u .b8 %.*s%s[%llu]", align, STR_ARG(name), suffix, (unsigned long long)size);
}

/* What a pointer parameter points to, which OpenCL's driver reads. */
static void pointer_attributes(Asm *a, const IrFunc *f, u32 arg)
{
	const IsaSpace *space = isa_space(ir_type(a->ir, ir_arg(a->ir, ir_func_arg(f, arg))->type)->bits);
	u32             align = ir_param_align(a->ir, f, arg), token = space ? space->pointer : 0;
	text_f(a->out, " .ptr%s%s .align %u", token ? " ." : "", isa_token_text(SLOT_space, token), align ? align : 1);
}

static bool annotated(const Asm *a, const IrFunc *f, const char *key, u32 arg)
{
	u64 v;
	for (u32 nth = 0; ir_annotation(a->ir, f->ref, key, nth, &v); nth++)
		if (v == arg)
			return true;
	return false;
}

/* A texture, sampler or surface passed by handle. */
static const char *handle_type(const Asm *a, const IrFunc *f, u32 arg)
{
	if (annotated(a, f, "rdoimage", arg))
		return ".texref";
	if (annotated(a, f, "wroimage", arg) || annotated(a, f, "rdwrimage", arg))
		return ".surfref";
	return annotated(a, f, "sampler", arg) ? ".samplerref" : NULL;
}

static void kernel_scalar(Asm *a, const IrFunc *f, u32 arg, const MirParam *p)
{
	u32 kind = ir_type_kind(a->ir, p->type);
	text_f(a->out, ".%c%u", kind == IRT_FLOAT || kind == IRT_DOUBLE ? 'f' : 'u', p->bits);
	if (kind == IRT_PTR)
		pointer_attributes(a, f, arg);
}

static void param(Asm *a, const IrFunc *f, u32 arg, Str fn)
{
	MirParam    p = mir_abi_param(a->ir, f, arg);
	bool        kernel = ir_is_kernel(f);
	const char *handle = kernel ? handle_type(a, f, arg) : NULL;
	if (!p.size)
		diag_report(&a->s->diags, DIAG_ASM_EMPTY_PARAM, src_at(ir_global(a->ir, f->ref)->origin, 1), STR_ARG(fn));
	text_s(a->out, "\t.param ");
	if (handle) {
		/* CUDA passes handles; OpenCL's driver binds the name, as CUDA's once did */
		bool bound = a->s->target.nvcl || !isa_target_has(&a->s->target, ISA_FEATURE_HANDLES);
		text_f(a->out, "%s%s ", bound ? "" : ".u64 .ptr ", handle);
	} else if (!p.bits) {
		text_f(a->out, ".align %u .b8 ", p.align);
	} else if (kernel) {
		kernel_scalar(a, f, arg, &p);
		text_c(a->out, ' ');
	} else {
		text_f(a->out, ".b%u ", p.bits);
	}
	text_f(a->out, "%.*s_param_%u", STR_ARG(fn), arg);
	if (!handle && !p.bits)
		text_f(a->out, "[%llu]", (unsigned long long)p.size);
}

static void params(Asm *a, const IrFunc *f, Str fn)
{
	bool vararg = ir_type(a->ir, ir_global(a->ir, f->ref)->type)->vararg;
	if (ir_signature_is_scalable(a->ir, f))
		ir_report_scalable(a->ir, f, f->ref, "there is no PTX for it");
	for (u32 k = 0; k < f->n_args; k++) {
		text_s(a->out, k ? ",\n" : "");
		param(a, f, k, fn);
	}
	if (vararg)
		text_f(a->out, "%s\t.param .align 8 .b8 %.*s_vararg[]", f->n_args ? ",\n" : "", STR_ARG(fn));
	if (f->n_args || vararg)
		text_c(a->out, '\n');
}

static void result(Asm *a, const IrFunc *f)
{
	MirParam r = mir_abi_ret(a->ir, f);
	if (ir_is_kernel(f) || r.is_void)
		return;
	text_s(a->out, " (.param ");
	if (r.bits)
		text_f(a->out, ".b%u func_retval0", r.bits);
	else
		array(a, r.align, STR("func_retval0"), "", r.size);
	text_s(a->out, ") ");
}

/* OpenCL's driver expects no linkage directive. */
static const char *linkage(const Asm *a, u32 l, bool declaration)
{
	if (a->s->target.nvcl)
		return "";
	switch (l) {
	case IRL_PRIVATE:
	case IRL_INTERNAL: return "";
	case IRL_EXTERNAL:
	case IRL_AVAILABLE_EXTERNALLY: return declaration ? ".extern " : ".visible ";
	default: return ".weak ";
	}
}

static bool noreturn(const Asm *a, const IrFunc *f)
{
	return ir_fn_has(a->ir, f, IRA_NORETURN) && isa_target_has(&a->s->target, ISA_FEATURE_NORETURN) &&
	       ir_type_kind(a->ir, ir_func_ret(a->ir, ir_global(a->ir, f->ref)->type)) == IRT_VOID && !ir_is_kernel(f);
}

static void declare_as(Asm *a, const IrFunc *f, Str name, Str param_name, const char *link)
{
	text_f(a->out, "%s%s ", link, ir_is_kernel(f) ? ".entry" : ".func");
	result(a, f);
	text_f(a->out, "%.*s\n(", STR_ARG(name));
	text_s(a->out, f->n_args || ir_type(a->ir, ir_global(a->ir, f->ref)->type)->vararg ? "\n" : "");
	params(a, f, param_name);
	text_s(a->out, ")\n");
	text_s(a->out, noreturn(a, f) ? ".noreturn" : "");
	text_s(a->out, ";\n");
}

void asm_declaration(Asm *a, IrFunc *f)
{
	Str name = asm_name(a, f->ref);
	declare_as(a, f, name, name, linkage(a, ir_global(a->ir, f->ref)->linkage, ir_is_decl(f)));
	asm_mark(a, ir_global(a->ir, f->ref)->origin);
}

void asm_alias_declaration(Asm *a, IrRef alias, IrFunc *aliasee)
{
	declare_as(a, aliasee, asm_name(a, alias), asm_name(a, aliasee->ref), ".visible ");
	asm_mark(a, ir_global(a->ir, alias)->origin);
}

/* ---- kernel directives ---- */

/* As many numbers as the kernel states. */
static bool dimensions(Asm *a, const IrFunc *f, IrKernelProp p, const char *directive)
{
	u64 d[3];
	u32 n = ir_kernel_prop(a->ir, f, p, d);
	for (u32 k = 0; k < n; k++)
		text_f(a->out, "%s%s%llu", k ? "" : directive, k ? ", " : " ", (unsigned long long)d[k]);
	text_s(a->out, n ? "\n" : "");
	return n != 0;
}

static void lacks_for_clusters(Asm *a, const IrFunc *f, const char *what)
{
	diag_report(&a->s->diags, DIAG_ASM_CLUSTERS, src_at(ir_global(a->ir, f->ref)->origin, 1), STR_ARG(asm_name(a, f->ref)),
	            what);
	a->errors++;
}

/* PTX knows the size of a cluster, or the greatest that a launch may choose, but not both. */
static void cluster_directives(Asm *a, const IrFunc *f)
{
	u64  d[3];
	bool counted = ir_kernel_has(a->ir, f, IRK_BLOCKS_ARE_CLUSTERS), sized = false;
	if (ir_kernel_prop(a->ir, f, IRK_CLUSTER_DIM, d)) {
		if (!counted)
			text_s(a->out, ".explicitcluster\n");
		if (d[0])
			sized = dimensions(a, f, IRK_CLUSTER_DIM, ".reqnctapercluster");
	}
	if (!sized)
		dimensions(a, f, IRK_MAXCLUSTERRANK, ".maxclusterrank");
	if (!counted)
		return;
	text_s(a->out, ".blocksareclusters\n");
	if (!isa_target_has(&a->s->target, ISA_FEATURE_BLOCKS_ARE_CLUSTERS))
		lacks_for_clusters(a, f, "sm_90 and PTX 9.0");
	else if (!sized || !ir_kernel_prop(a->ir, f, IRK_REQNTID, d))
		lacks_for_clusters(a, f, "\"nvvm.reqntid\" and \"nvvm.cluster_dim\"");
}

static void kernel_directives(Asm *a, const IrFunc *f)
{
	if (!dimensions(a, f, IRK_REQNTID, ".reqntid"))
		dimensions(a, f, IRK_MAXNTID, ".maxntid");
	dimensions(a, f, IRK_MINCTASM, ".minnctapersm");
	dimensions(a, f, IRK_MAXNREG, ".maxnreg");
	if (isa_target_has(&a->s->target, ISA_FEATURE_CLUSTER)) /* older targets have no clusters: a grid is one of blocks */
		cluster_directives(a, f);
}

/* ---- header ---- */

static void drop_newline(Asm *a)
{
	if (a->out->n && a->out->p[a->out->n - 1] == '\n') {
		a->out->n--;
		a->out->lines--;
	}
}

static void begin_comment(Asm *a, const IrFunc *f, Str name)
{
	u32 l = ir_global(a->ir, f->ref)->linkage;
	if (ir_linkage_is_local(l))
		return;
	text_f(a->out, "\t// .%s\t%.*s", l == IRL_EXTERNAL ? "globl" : "weak", STR_ARG(name));
	asm_comment(a, "-- Begin function %.*s\n", STR_ARG(name));
}

static void header(Asm *a, const IrFunc *f, Str name, bool first)
{
	bool local = ir_linkage_is_local(ir_global(a->ir, f->ref)->linkage);
	if (first) {
		if (local)
			asm_comment(a, "-- Begin function %.*s\n", STR_ARG(name));
		asm_comment(a, "@%.*s\n", STR_ARG(name));
	}
	text_f(a->out, "%s%s ", linkage(a, ir_global(a->ir, f->ref)->linkage, false), ir_is_kernel(f) ? ".entry" : ".func");
	result(a, f);
	text_f(a->out, "%.*s(", STR_ARG(name));
	text_s(a->out, f->n_args || ir_type(a->ir, ir_global(a->ir, f->ref)->type)->vararg ? "\n" : "");
	params(a, f, name);
	text_s(a->out, ")\n");
	if (ir_is_kernel(f))
		kernel_directives(a, f);
	if (noreturn(a, f))
		text_s(a->out, ".noreturn\n");
	drop_newline(a);
	if (!first && local)
		asm_comment(a, "-- Begin function %.*s\n", STR_ARG(name));
	if (!first)
		asm_comment(a, "@%.*s", STR_ARG(name));
	text_s(a->out, "\n{\n");
	asm_mark(a, ir_global(a->ir, f->ref)->origin);
}

/* ---- registers ---- */

/* In the order in which they first occur, so numbers have no gaps. */
static void number_registers(Asm *a)
{
	memset(a->count, 0, sizeof a->count);
	a->number = arena_array(a->arena, u32, a->f->vreg.n);
	mir_each_block(a->f, b)
		mir_each_inst(a->f, b, i) {
			const MirOp *o = mir_ops(a->f, i);
			for (u32 n = 0; n < mir_inst(a->f, i)->n_ops; n++) {
				MirReg r = mir_op_reg(&o[n]);
				if (!mir_is_virt(r) || a->number[r.i])
					continue;
				u32 cls = isa_class_info[mir_class(a->f, r)].as;
				a->number[r.i] = cls << ASM_NUMBER_BITS | ++a->count[cls];
			}
		}
}

static void declare_registers(Asm *a)
{
	u32 before = a->out->n;
	if (a->f->frame_size) {
		const char *t = a->s->target.is64 ? ".b64" : ".b32";
		text_f(a->out, "\t.local .align %u .b8 \t__local_depot%u[%llu];\n\t.reg %s \t%%SP;\n\t.reg %s \t%%SPL;\n",
		       1u << a->f->frame_align_log2, a->f->number, (unsigned long long)a->f->frame_size, t, t);
	}
	for (u32 rc = 1; rc < RC_COUNT; rc++) {
		const IsaClassInfo *c = &isa_class_info[rc];
		if (a->count[rc])
			text_f(a->out, "\t.reg .%s \t%s<%u>;\n", isa_token_text(SLOT_type, c->type), c->prefix, a->count[rc] + 1);
	}
	if (a->out->n == before)
		text_c(a->out, '\n');
	asm_mark(a, 0);
	asm_debug_function(a);
	vec_push(&a->own, &a->hole, ((AsmHole){a->irf->ref, a->out->n, a->lines ? a->lines->n : 0}));
}

/* ---- blocks ---- */

/* Is the block reached only by falling through from the block before it, so that it needs no label? */
static bool only_falls_in(const MirFunc *f, MirBlockId b)
{
	const MirBlock *mb = mir_block(f, b);
	if (mb->n_preds != 1 || mir_edge(f, (MirEdgeId){mb->pred})->from != mb->prev)
		return false;
	MirBlockId p = {mb->prev};
	for (MirInstId i = mir_first_terminator(f, p); i.i; i = mir_next(f, i)) {
		if (!mir_is(f, i, IF_BRANCH) || mir_is(f, i, IF_INDIRECT))
			return false;
		for (u32 n = 0; n < mir_inst(f, i)->n_ops; n++)
			if (mir_op(f, i, n)->kind == MO_BLOCK && mir_op(f, i, n)->ref == b.i)
				return false;
	}
	return true;
}

static bool wants_label(const MirFunc *f, MirBlockId b)
{
	const MirBlock *mb = mir_block(f, b);
	return mb->address_taken || (mb->n_preds && !only_falls_in(f, b));
}

/* Headers of loops nested deeper get no comment: a line for each parent, indented by its depth, would be cubic in all. */
enum { MAX_LOOP_DEPTH = 64 };

/* `//   Parent Loop BB0_1 Depth=1`, outermost first. */
static void parent_loops(Asm *a, u32 loop)
{
	u32 chain[MAX_LOOP_DEPTH], n = 0;
	for (u32 l = a->loops->loop[loop].parent; l != GRAPH_NONE; l = a->loops->loop[l].parent)
		chain[n++] = l;
	while (n-- > 0) {
		const Loop *l = &a->loops->loop[chain[n]];
		asm_comment(a, "%*sParent Loop BB%u_%u Depth=%u\n", (int)(l->depth * 2), "", a->f->number,
		            mir_block(a->f, (MirBlockId){a->cfg->block[l->header]})->number, l->depth);
	}
}

/* Headers among the loop's blocks; these come in the order of their loops' numbers. */
static void child_loops(Asm *a, u32 loop)
{
	const Loops *loops = a->loops;
	Nodes        node = loop_nodes(loops, loop);
	for (u32 n = 0; n < node.n;) {
		u32         k = loops->of[node.p[n]];
		const Loop *l = &loops->loop[k];
		n += l->depth > MAX_LOOP_DEPTH ? l->n : 1; /* the header is the first node of a loop */
		if (k != loop && l->header == node.p[n - 1] && l->depth <= MAX_LOOP_DEPTH)
			asm_comment(a, "%*sChild Loop BB%u_%u Depth %u\n", (int)(l->depth * 2), "", a->f->number,
			            mir_block(a->f, (MirBlockId){a->cfg->block[l->header]})->number, l->depth);
	}
}

static bool has_child_loop(const Asm *a, u32 loop)
{
	const Loops *loops = a->loops;
	Nodes        node = loop_nodes(loops, loop);
	for (u32 n = 0; n < node.n; n++)
		if (loops->of[node.p[n]] != loop)
			return true;
	return false;
}

static void loop_comments(Asm *a, MirBlockId b)
{
	const Loops *loops = a->loops;
	u32          loop = a->loops->of[a->cfg->node[b.i]];
	if (loop == GRAPH_NONE)
		return;
	const Loop *l = &loops->loop[loop];
	if (a->cfg->block[l->header] != b.i) {
		asm_comment(a, "  in Loop: Header=BB%u_%u Depth=%u\n", a->f->number,
		            mir_block(a->f, (MirBlockId){a->cfg->block[l->header]})->number, l->depth);
		return;
	}
	if (l->depth > MAX_LOOP_DEPTH)
		return;
	bool inner = !has_child_loop(a, loop);
	parent_loops(a, loop);
	asm_comment(a, "=>%*sThis %sLoop Header: Depth=%u\n", (int)(l->depth * 2 - 2), "", inner ? "Inner " : "", l->depth);
	child_loops(a, loop);
}

/* Is the block the header of a loop that ptxas is not to unroll? */
static bool no_unroll(Asm *a, MirBlockId b)
{
	u32 loop = a->loops->of[a->cfg->node[b.i]];
	return loop != GRAPH_NONE && a->cfg->block[a->loops->loop[loop].header] == b.i &&
	       mir_must_not_unroll(a->f, a->ir, a->cfg, a->loops, loop);
}

static void block_head(Asm *a, MirBlockId b)
{
	const MirBlock *mb = mir_block(a->f, b);
	u32             before = a->out->n;
	if (wants_label(a->f, b)) {
		asm_block_label(a, b);
		text_c(a->out, ':');
	} else {
		text_f(a->out, "// %%bb.%u:", mb->number);
	}
	if (mb->name.i)
		asm_comment(a, "%%%.*s", STR_ARG(strtab_get(&a->s->strs, mb->name)));
	if (a->out->n != before)
		text_c(a->out, '\n');
	loop_comments(a, b);
	if (no_unroll(a, b))
		text_s(a->out, "\t.pragma \"nounroll\";\n");
	asm_mark(a, mb->first ? mir_inst(a->f, (MirInstId){mb->first})->origin : 0);
}

/* The IR function: by number, or by name where the MIR was read. */
static IrFunc *signature(const Asm *a, const MirFunc *f)
{
	if (f->ir)
		return ir_func(a->ir, ir_ref(IR_GLOBAL, f->ir));
	IrRef g = ir_find_global(a->ir, strtab_get(&a->s->strs, f->name));
	return ir_is_none(g) ? NULL : ir_func(a->ir, g);
}

void asm_function(Asm *a, MirFunc *f, bool first)
{
	Str name = strtab_get(&a->s->strs, f->name);
	a->f = f;
	a->irf = signature(a, f);
	a->errors = 0;
	a->s->function = name;
	a->cfg = mir_cfg(a->cx);
	a->loops = mir_loops(a->cx);
	if (!a->irf) {
		diag_report(&a->s->diags, DIAG_ASM_NO_SIGNATURE, (SrcRange){0}, STR_ARG(name));
		return;
	}
	header(a, a->irf, name, first);
	number_registers(a);
	declare_registers(a);
	mir_each_block(f, b) {
		block_head(a, b);
		mir_each_inst(f, b, i)
			asm_inst(a, i);
	}
	asm_debug_function_end(a);
	asm_comment(a, "-- End function\n}\n");
	asm_mark(a, a->irf->end_line);
	a->n_tables += f->jump_table.n;
}

void asm_function_begin(Asm *a, MirFunc *f)
{
	Str     name = strtab_get(&a->s->strs, f->name);
	IrFunc *irf = signature(a, f);
	if (irf)
		begin_comment(a, irf, name);
	asm_mark(a, irf ? ir_global(a->ir, irf->ref)->origin : 0);
}
