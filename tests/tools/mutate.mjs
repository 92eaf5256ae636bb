// npm run mutate [-- WORD…]: breaks the code in one line per behaviour and looks whether the test that claims the behaviour
// fails. Each named test first has to pass on the unchanged code: a test that fails anyway, or that no line of the output names,
// proves nothing. Each mutation is made in a copy of the tree (build/mutants), built there, and undone; one that the test lets
// pass has survived. The exit status is 1 for any survivor, any test that does not pass unmutated, and any piece of code that
// is not in its file exactly once.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';

const unit = (name, test) => ({ build: 'build/native/unit', run: ['build/native/unit', name], test });
const node = (file, test) => ({ build: 'all', run: [process.execPath, '--test', '--test-reporter=tap', file], test });
/** A text test, by its file: that one alone, as all of them together would take the time of a thousand compilations for each mutation. */
const text = (file) => ({
	build: 'all', test: file,
	run: [process.execPath, '--test', '--test-reporter=tap', `--test-name-pattern=^${file.replaceAll('.', '\\.')}( |$)`, 'tests/lit.test.mjs'],
});
const dag = (test) => unit('dag_emit', test), cssa = (test) => unit('cssa', test);
const remat = (test) => unit('remat_block', test);
const runner = (test) => node('tests/runner.test.mjs', test), service = (test) => node('tests/runner-service.test.mjs', test);
const pipeliner = (test) => unit('pipeliner', test), sms = (test) => node('tests/machine-pipeliner.test.mjs', test);

/** One mutation: the behaviour (or the pass, or the folder), the file, a piece of it that occurs once, what stands there instead, the test that must fail. */
export const mutations = [
	['EMIT-01', 'core/dag/emit.c', 'case DAG_EH_LABEL: special(e, n, ISA_EH_LABEL, 1)', 'case DAG_EH_LABEL: special(e, n, ISA_PSEUDO_PROBE, 1)', dag('EMIT_01')],
	['EMIT-04', 'core/dag/schedule.c', 'for (u32 a = first, b = out->n; a + 1 < b; a++, b--) {', 'for (u32 a = first, b = out->n; a + 1 < b && !first; a++, b--) {', dag('EMIT_04')],
	['EMIT-05', 'core/dag/emit.c', 'n->use_count == 0 && !(n->props & DP_SIDE_EFFECT)', 'n->use_count == 0', dag('EMIT_05')],
	['EMIT-06', 'core/dag/emit.c', 'if (n->use_count == 0 &&', 'if (n->use_count <= 1 &&', dag('EMIT_06')],
	['EMIT-10', 'core/dag/emit.c', '	if (mir_is_virt(src)) {', '	if (0) {', dag('EMIT_09')],
	['EMIT-12', 'core/dag/emit.c', 'rc = dag_class_of(dag_vt(d, v));', 'rc = MIR_B32;', dag('EMIT_12')],
	['EMIT-15', 'core/dag/emit.c', '	add_operands(e, i, n, 0);\n	x->flags', '	add_operands(e, i, n, 1);\n	x->flags', dag('EMIT_15')],
	['EMIT-15', 'core/dag/emit.c', 'mir_add_mem(f->mir, i, dag_mem(&f->dag, n)->mem);', ';', dag('EMIT_15')],
	['EMIT-16', 'core/dag/emit_target.c', '			inserters[k].expand(e, i);', '', dag('EMIT_16')],
	['EMIT-16', 'core/dag/emit_target.c', 'o.slot[SLOT_type] = TOK_type_b32;', '', dag('EMIT_16')],
	['EMIT-16', 'core/dag/emit_target.c', '	{ISA_vote, synchronized},', '	{ISA_vote, in_words},', dag('EMIT_16')],
	['EMIT-31', 'core/dag/emit.c', '		if (!mir_vreg(m, e->copies.p[k].dst)->n_uses) {', '		if (0) {', dag('EMIT_31')],
	['EMIT-35', 'core/dag/emit.c', 'mir_erase(m, e->copies.p[k].inst);\n			e->phase[EMIT_FED_COPY]++;', 'e->phase[EMIT_FED_COPY]++;', dag('EMIT_31')],
	['EMIT-34', 'core/dag/emit.c', 'o->flags &= (u16)~MOF_KILL;', '', dag('EMIT_34')],
	['EMIT-43', 'core/dag/emit.c', '		e->phase[EMIT_MEM]++;', '', dag('EMIT_43')],
	['EMIT-43', 'core/dag/emit.c', 'for (u32 p = 0; p < EMIT_PHASES; p++)', 'for (u32 p = 0; p + 1 < EMIT_PHASES; p++)', dag('EMIT_43')],
	['EMIT-45', 'core/dag/schedule.c', '!s->unit_of[topo->p[i]] && !dag_is_passive(', '0 && !dag_is_passive(', dag('EMIT_45')],
	['EMIT-48', 'core/dag/emit.c', 'special(e, n, ISA_INSERT_SUBREG, 0)', 'special(e, n, ISA_SUBREG_TO_REG, 0)', dag('EMIT_48')],
	['CSSA-06', 'core/irpass/cssa.c', '	if (!has_other_users(m, phi))\n		return;', '	if (!has_other_users(m, phi) || c->s->stats.consumers > 2)\n		return;', cssa('CSSA_06')],
	['CSSA-14', 'core/irpass/cssa.c', 'if (s->preorder && s->cfg_epoch == epoch)', 'if (0)', cssa('CSSA_14')],
	['CSSA-31', 'core/irpass/cssa.c', '		live = ir_has_uses(m, copy);', '		live = n == 1;', cssa('CSSA_31')],
	['CSSA-33', 'core/irpass/cssa.c', '				if (!is_copy(m, v))', '				if (0)', cssa('CSSA_33')],
	['CSSA-33', 'core/irpass/cssa.c', '				if (!ir_same(ir_inst(m, v)->block, pred))', '				if (ir_is_none(pred))', cssa('CSSA_33')],
	['CSSA-52', 'core/irpass/cssa.c', '	ir_set_op(m, copy, 0, source);', '	ir_set_op(m, copy, 0, ir_kind(source) == IR_INST && is_inst(m, source, IR_PHI) ? ir_phi_value(m, source, 0) : source);', unit('randomcfg', 'CSSA_52')],
	['CSSA-55', 'core/pass/pipeline.def', 'RUN(irpass_cssa,                           OPT)', 'RUN(irpass_dce,                            OPT)', cssa('CSSA_55')],
	['INFER-17', 'core/analysis/memspace.c', 'vec_push(q->scratch, &w->geps, v.i);', 'vec_push(q->scratch, &w->calls, v.i);', unit('memspace', 'INFER_17')],
	['INFER-17', 'core/analysis/memspace.c', 'vec_push(q->scratch, &w->calls, call.i);', '', unit('memspace', 'INFER_17')],
	['INFER-17', 'core/analysis/memspace.c', 'vec_push(q->scratch, &w->loads, load.i);', 'if (!w->loads.n) vec_push(q->scratch, &w->loads, load.i);', unit('memspace', 'INFER_17')],
	['machine-scheduler', 'core/mirpass/sched_groups.c', '!has_only(g, mir_deps_out(g->d, unit), 1 << DEP_TRUE)', '0', unit('sched', 'groups_repeat')],
	['machine-scheduler', 'core/mirpass/sched_traffic.c', 'h->next > t->value[best].next', 'h->next < t->value[best].next', unit('sched', 'traffic_is_what')],
	['MSOPT-04', 'core/irpass/memory_space_opt.c', 'knob_int(cx->s, KNOB_mem_space_alg) == 2', 'true', unit('memspace', 'MSOPT_04')],
	['MSOPT-04', 'core/irpass/memory_space_opt.c', 'knob_int(cx->s, KNOB_mem_space_alg) == 2', 'false', unit('memspace', 'MSOPT_04')],
	['MSOPT-05', 'core/irpass/memory_space_opt.c', '.disable = KNOB_disable_MemorySpaceOptPass,', '', unit('memspace', 'MSOPT_05')],
	['MSOPT-05', 'core/irpass/infer_address_spaces.c', '	.disable = KNOB_disable_MemorySpaceOptPass,\n', '', unit('memspace', 'MSOPT_05')],
	['ALLOCA-04', 'core/irpass/alloca_hoisting.c', '		if (ir_same(b, f->first))', '		if (true)', node('tests/alloca.test.mjs', 'ALLOCA-04')],
	['GNAME-04', 'core/irpass/nvptx_assign_valid_global_names.c', '	if (!ir_linkage_is_local(ir_global(m, g)->linkage) && is_defined', '	if (ir_global(m, g)->linkage == IRL_WEAK && is_defined', unit('globals', 'GNAME_04')],
	['GNAME-04', 'core/irpass/nvptx_assign_valid_global_names.c', 'src_at(ir_global(m, g)->origin, 1), STR_ARG(old), STR_ARG(name));', 'src_at(ir_global(m, g)->origin, 1), STR_ARG(old), STR_ARG(old));', unit('globals', 'GNAME_04')],
	['ANA-07', 'core/mir/bundles.c', 'up[find(up, 2 * succ.p[k])] = find(up, 2 * node + 1);', 'up[find(up, 2 * succ.p[0])] = find(up, 2 * node + 1);', unit('greedy', 'ANA_07')],
	['ANA-07', 'core/mir/spillplace.c', 'p->of[n].never |= g->gain <= g->cost;', 'p->of[n].never |= 0 && g->gain <= g->cost;', unit('greedy', 'ANA_07')],
	['ANA-07', 'core/mir/spillplace.c', 'f64                x = b->cost - b->gain;', 'f64                x = b->cost;', unit('greedy', 'ANA_07')],
	['ANA-08', 'core/mirpass/greedy_advice.c', 'return a.rank > b.rank;', 'return a.rank < b.rank;', unit('greedy', 'ANA_08')],
	['ANA-08', 'core/mirpass/greedy_advice.c', 'if (!forced && (i->weight >= below', 'if (!forced && (below < 0', unit('greedy', 'ANA_08')],
	['ANA-08', 'core/mirpass/greedy_advice.c', 'i->weight < g->item.p[best].weight', 'i->weight > g->item.p[best].weight', unit('greedy', 'ANA_08')],
	['ANA-09', 'core/mirpass/spill.c', 'bool fresh = *kept || (r.i < s->slot.n && s->slot.p[r.i]);', 'bool fresh = *kept;', unit('greedy', 'ANA_09')],
	['ANA-09', 'core/mirpass/greedy_split.c', 'greedy_relieve(g, at);', 'break;', unit('greedy', 'ANA_09')],
	['STOCK-11', 'core/mirpass/spill.c', '	s->n_stores++;', '	mir_erase(f, i);', node('tests/greedy.test.mjs', 'STOCK-11')],
	['STOCK-12', 'core/mirpass/regallocfast.c', 'v->crosses |= v->block ? v->block != b.i', 'v->crosses |= v->block ? false', unit('greedy', 'STOCK_12')],
	['STOCK-18', 'core/mirpass/greedy.c', '.title = "Greedy Register Allocator"', '.title = "Greedy"', node('tests/greedy.test.mjs', 'STOCK-18')],
	['PIPE-05', 'core/mirpass/regallocfast.c', 'return !s->opt_level || ', 'return ', node('tests/greedy.test.mjs', 'PIPE-05')],
	['PIPE-19', 'core/mirpass/greedy.c', '	.gate = KNOB_optimize_regalloc,', '', node('tests/greedy.test.mjs', 'PIPE-19')],
	['PTXC-02', 'core/mirpass/spill.c', 'o.slot[SLOT_space] = TOK_space_local;', 'o.slot[SLOT_space] = TOK_space_shared;', node('tests/greedy.test.mjs', 'PTXC-02')],
	['BREMAT-07', 'core/mirpass/nvptx_remat_block.c', '		} else if (seen < MOST_VISITS) {', '		} else if (seen < 1) {', remat('BREMAT_06')],
	['BREMAT-09', 'core/mirpass/nvptx_remat_block.c', '(i64)one.cost > x->knob.single_cost; /*', '0; /*', remat('BREMAT_09')],
	['BREMAT-14', 'core/mirpass/remat_values.c', '*depth > REMAT_MOST_DEPTH ?', '*depth >= REMAT_MOST_DEPTH ?', remat('BREMAT_14')],
	['BREMAT-20', 'core/mirpass/remat_values.c', '	if (repeat == MIR_REPEAT_UNWRITTEN)\n		return WHY_MEMORY;\n', '', remat('BREMAT_20')],
	['BREMAT-23', 'core/mirpass/remat_pull.c', 'vec_push(x->cx->scratch, &x->pulled, mir_op_reg(o).i);', 'vec_push(x->cx->scratch, &x->changed, mir_op_reg(o).i);', remat('BREMAT_23')],
	['BREMAT-24', 'core/mirpass/remat_cost.c', 'peak[file] - own > x->most[file])', 'peak[file] - own > x->most[file] + 100)', remat('BREMAT_24_chains')],
	['BREMAT-27', 'core/mirpass/remat_cost.c', '		if (!remat_dominates(x, def, i))\n			return no(x, WHY_DEFS);', '		if (0)\n			return no(x, WHY_DEFS);', remat('BREMAT_27_an_earlier')],
	['BREMAT-27', 'core/mirpass/remat_cost.c', '	if (remat_live_at(x, r, mir_slot_of(x->ranges->slots, at)))', '	if (1)', remat('BREMAT_27')],
	['LDG-01', 'core/irpass/ldgxform.c', 'ir_attach(m, load, "invariant.load", *empty);', '', unit('ldgxform', 'LDG_01')],
	['LDG-02', 'core/irpass/ldgxform.c', 'ir_is_plain(m, i)', 'true', unit('ldgxform', 'LDG_02')],
	['LDG-03', 'core/analysis/readonly.c', 'if (!ir_attrs_has(r->m, a, IRA_NOALIAS))', 'if (0)', unit('ldgxform', 'LDG_03')],
	['LDG-04', 'core/irpass/ldgxform.c', 'value_space(m, ir_op(m, i, 0)) == AS_GLOBAL', 'true', unit('ldgxform', 'LDG_04')],
	['LDG-05', 'core/irpass/ldgxform.c', 'name_after(m, v, s->value, ".ldgsplitinsert");', ';', unit('ldgxform', 'LDG_05')],
	['LDG-06', 'core/irpass/ldgxform.c', 'if (size <= most_bytes(m) * 8 ||', 'if (size < most_bytes(m) * 8 ||', unit('ldgxform', 'LDG_06')],
	['LDG-07', 'core/irpass/ldgxform.c', 'PS_MIN(align, most_bytes(m)) * 8 / bits', 'PS_MIN(align * 8, most_bytes(m)) * 8 / bits', unit('ldgxform', 'LDG_07')],
	['LDG-08', 'core/irpass/ldgxform.c', 'lane_number(m, s->piece[k].first + i)', 'lane_number(m, s->piece[k].first)', unit('ldgxform', 'LDG_08')],
	['LDG-09', 'core/irpass/ldgxform.c', 'if (!wanted || c.piece[k].first * bits % wanted)', 'if (!wanted)', unit('ldgxform', 'LDG_09')],
	['LDG-10', 'core/irpass/ldgxform.c', '*lane = p ? (u32)k - p->first : 0;', '*lane = 0;', unit('ldgxform', 'LDG_10')],
	['LDG-11', 'core/irpass/ldgxform.c', '(i64)offset, IRF_INBOUNDS', '(i64)at, IRF_INBOUNDS', unit('ldgxform', 'LDG_11')],
	['LDG-12', 'core/irpass/ldgxform.c', 'if (!isa_has(cx->s, ptx_opc(ld, PS(space, global), FLAG(nc), TY(u32))))', 'if (0)', unit('ldgxform', 'LDG_12')],
	['INVL-01', 'core/mirpass/invariant_load_tagging.c', 'case AS_CONST: return RO_YES;', '', text('tests/mirpass/invariant-load-tagging.ll')],
	['INVL-05', 'core/mirpass/invariant_load_tagging.c', 'default: return RO_NONE;', 'default: return RO_YES;', text('tests/mirpass/invariant-load-tagging.mir')],
	['INVL-06', 'core/analysis/readonly.c', 'case IR_ICMP: return true;', 'case IR_STORE:\n	case IR_ICMP: return true;', text('tests/mirpass/invariant-load-tagging.ll')],
	['INVL-02', 'core/analysis/readonly.c', 'if (!derives(m, i, operand))\n				return RO_USE;', 'if (!derives(m, i, operand))\n				continue;', text('tests/mirpass/invariant-load-tagging.ll')],
	['INVL-03', 'core/analysis/readonly.c', 'if (depth + 1 > r->depth)', 'if (0)', text('tests/mirpass/invariant-load-tagging.ll')],
	['INVL-04', 'core/mirpass/invariant_load_tagging.c', 'default: return RO_NONE;', 'default: return RO_YES;', text('tests/mirpass/invariant-load-tagging.ll')],
	['STOCK-20', 'core/mirpass/register_coalescer.c', '	if (mir_ranges_collide(', '	if (0 && mir_ranges_collide(', node('tests/cssa.test.mjs', 'STOCK-20')],
	['STOCK-20', 'core/irpass/cssa.c', '	if (bitset_has(c->div->control.join,', '	if (0 && bitset_has(c->div->control.join,', cssa('STOCK_20')],
	['PEI-18', 'core/mirpass/prologepilog.c', '		at = align_up(l->top, align);', '		at = l->top;', unit('frame', 'PEI_18')],
	['PEI-07', 'core/mirpass/prologepilog.c', 'l->down ? -(i64)at : (i64)at', '(i64)at', unit('frame', 'PEI_07')],
	['PEI-12', 'core/mirpass/prologepilog.c', '				if (mir_op(f, i, n)->kind == MO_FRAME) {', '				if (mir_op(f, i, n)->kind == MO_FRAME && n == 0) {', unit('frame', 'PEI_12')],
	['STOCK-13', 'core/mir/slotlive.c', '					gen(&flow, cfg->node[b.i], c.of.p[k].at);', '					kill(&flow, cfg->node[b.i], c.of.p[k].at);', unit('frame', 'STOCK_13')],
	['STOCK-13', 'core/mir/slotlive.c', 'room->seg.p[k].start < one->seg.p[i].end)', 'room->seg.p[k].start < one->seg.p[i].start)', unit('frame', 'STOCK_13')],
	['STOCK-13', 'core/mir/slotlive.c', 'now->slot[x->at] = slot + (x->load ? 0 : SLOT_DEF) + 1;', 'now->slot[x->at] = slot + (x->load ? 0 : SLOT_DEF);', unit('frame', 'STOCK_13')],
	['M2R-11', 'core/mirpass/nvptx_mem2reg.c', '		if (!dominates(p, s->inst, x->inst))', '		if (0)', unit('frame', 'M2R_11')],
	['M2R-11', 'core/mirpass/nvptx_mem2reg.c', '	if (is_single(f, from) && dominates(', '	if (f->frame.n || dominates(', unit('frame', 'M2R_11')],
	['M2R-11', 'core/mirpass/nvptx_mem2reg.c', 'direct = direct && dominates(', 'direct = direct || dominates(', unit('frame', 'M2R_11')],
	['core/irpass', 'core/irpass/loop_bases.c', '(p->step == STEP && l->repeated)', 'l->repeated', text('tests/opt/loop-bases.ll')],
	['core/irpass', 'core/irpass/loop_bases.c', '|| ir_kind(still) == IR_CONST || takes_addend(m, moving))', '|| ir_kind(still) == IR_CONST)', text('tests/opt/loop-bases.ll')],
	['core/irpass', 'core/irpass/loop_bases.c', ' || !small[s.loops->of[block]])', ')', text('tests/opt/loop-bases.ll')],
	['core/irpass', 'core/irpass/loop_bases.c', 'to && depth[to - 1] > d;', 'to && 0;', text('tests/opt/loop-bases.ll')],
	['core/irpass', 'core/irpass/loop_bases.c', ' : has_one_base(m, *left, base, x->ext == IR_OP_NONE);', ' : true;', text('tests/opt/loop-bases.ll')],
	['core/irpass', 'core/irpass/slsr.c', 'd->c = (i32)d->c;', 'd->c = -(i32)d->c;', text('tests/opt/slsr-sums.ll')],
	['param-opt', 'core/mirpass/param_opt.c', '	if (dom_dominates(p->dom, there, node)) {', '	if (there != node) {', text('tests/mirpass/param-opt.mir')],
	['nvptx-trunc-opts', 'core/mirpass/nvptx_trunc_opts.c', 'bits_of_reg(&t, from) > 16)', 'bits_of_reg(&t, from) > 64)', text('tests/mirpass/nvptx-trunc-opts.mir')],
	['redundant-move-elim', 'core/mirpass/redundant_move_elim.c', '	if (!(f->props & MP_SSA)) {', '	if (0) {', text('tests/mirpass/redundant-move-elim.mir')],
	['peephole-opt', 'core/mirpass/peephole_opt.c', 'p.negated != now.negated}', 'p.negated}', text('tests/mirpass/peephole-opt.mir')],
	['machine-cse', 'core/mirpass/machine_cse.c', '		if (had.i && !apart)', '		if (had.i)', text('tests/mirpass/machine-cse.mir')],
	['early-ifcvt', 'core/mirpass/early_ifcvt.c', '	if (cost > MOST)', '	if (0)', text('tests/mirpass/early-ifcvt.mir')],
	['machine-combiner', 'core/mirpass/machine_combiner.c', '0xF0, 0xCC), 0xAA)', '0xF0, 0xAA), 0xCC)', text('tests/mirpass/machine-combiner.mir')],
	['entry-sink', 'core/mirpass/entry_sink.c', 'mirpass_sink(cx, true)', 'mirpass_sink(cx, false)', text('tests/mirpass/machine-sink.mir')],
	['shared-bases', 'core/mirpass/shared_bases.c', '	while (b->loops->of[node] != GRAPH_NONE) {', '	while (0) {', text('tests/mirpass/shared-bases.ll')],
	['shared-bases', 'core/mirpass/shared_bases.c', 'PS_MIN(n, (room - most) / units)', 'n', text('tests/mirpass/shared-bases.ll')],
	['early-machinelicm', 'core/mirpass/licm.c', '	else if (!has_room(l, i))', '	else if (0 && !has_room(l, i))', text('tests/mirpass/early-machinelicm.mir')],
	['machine-sink', 'core/mirpass/machine_sink.c', '	else if (keeps_phi(s, i, to))', '	else if (0 && keeps_phi(s, i, to))', text('tests/mirpass/machine-sink.mir')],
	['nvptx-image-optimizer', 'core/mirpass/nvptx_image_optimizer.c', 'b.offset - a.offset != size', 'b.offset == a.offset', text('tests/mirpass/nvptx-image-optimizer.ll')],
	['BPLACE-01', 'core/mirpass/block_placement.c', 'for (u32 k = 1; k < p->cfg->g.n; k++)', 'for (u32 k = 0; k + 1 < p->cfg->g.n; k++)', unit('placement', 'BPLACE_01')],
	['BPLACE-02', 'core/mirpass/block_placement.c', 'of[v] * freq->prob[e] / (f64)MIR_PROB_ONE', 'of[v] * 0.5', text('tests/mirpass/block-placement.mir')],
	['BPLACE-03', 'core/graph/layout.c', '	if (from == to)\n		return 1;', '	if (from == to)\n		return 0;', text('tests/mirpass/block-placement.mir')],
	['BPLACE-04', 'core/mirpass/block_placement.c', '		mirpass_tidy_branches(p->cx, p->cfg, p->graph.loops, b);', '		(void)b;', unit('placement', 'BPLACE_01')],
	['BPLACE-04', 'core/mirpass/block_placement.c', '	make_ways_explicit(f);', '	if (p->best[0])\n		make_ways_explicit(f);', unit('placement', 'BPLACE_01')],
	['BPLACE-05', 'core/mirpass/block_placement.c', '	.disable = KNOB_disable_block_placement,\n', '', text('tests/mirpass/block-placement.mir')],
	['BPLACE-06', 'core/mirpass/tail_merge.c', 'p->to != o->ref && !p->left &&', 'p->to != o->ref && !p->left && 0 &&', text('tests/mirpass/branch-folder-tails.mir')],
	['BPLACE-06', 'core/mirpass/tail_merge.c', 'IF_CONVERGENT | IF_CALL | IF_SIDE_EFFECTS', 'IF_CALL', text('tests/mirpass/branch-folder-tails.mir')],
	['BPLACE-07', 'core/mirpass/tail_merge.c', '!key || goes_to_header(m, b)', '!key || (0 && goes_to_header(m, b))', text('tests/mirpass/branch-folder-tails.mir')],
	['BPLACE-08', 'core/mirpass/tail_duplicate.c', 'return n <= d->most;', 'return n < d->most;', text('tests/mirpass/tailduplication.mir')],
	['BPLACE-08', 'core/mirpass/tailduplication.c', 'KNOB_disable_tail_duplicate', 'KNOB_disable_early_taildup', text('tests/mirpass/tailduplication.mir')],
	['BPLACE-09', 'core/mirpass/block_placement.c', 'score > p->score * (1 + 1e-9)', 'score > p->score * 0.9', unit('placement', 'BPLACE_01')],
	['OUTL-01', 'core/mirpass/outline.c', '		mir_erase(f, gone);', '		(void)gone;', text('tests/mirpass/machine-outliner.ll')],
	['OUTL-02', 'core/mirpass/machine_outliner.c', 'enable_machine_outliner) != DISABLE', 'enable_machine_outliner) != STRICT', text('tests/mirpass/machine-outliner.ll')],
	['OUTL-03', 'core/mirpass/machine_outliner.c', 'c->benefit >= knob_int(', 'c->benefit > knob_int(', text('tests/mirpass/machine-outliner.ll')],
	['OUTL-04', 'core/mirpass/machine_outliner.c', '	if (d->flags & never || mir_inst(f, i)->flags & (MIF_SIDE_EFFECT | MIF_NO_DUP) ||', '	if ((never && !d) ||', text('tests/mirpass/machine-outliner-not.ll')],
	['OUTL-04', 'core/mirpass/machine_outliner.c', 'if (names->out != OUTLINE_NONE || !can_pass(', 'if (!can_pass(', text('tests/mirpass/machine-outliner-not.ll')],
	['OUTL-05', 'core/mirpass/outline.c', '"OUTLINED_FUNCTION_%u"', '"OUTLINED_%u"', text('tests/mirpass/machine-outliner.ll')],
	['OUTL-06', 'core/mirpass/machine_outliner.c', 'bool strict = knob_int(o->cx->s, KNOB_enable_machine_outliner) == STRICT;', 'bool strict = false;', text('tests/mirpass/machine-outliner.ll')],
	['OUTL-07', 'core/mirpass/outline.c', 'param_access(cx, f, b, (MirInstId){0}, false, reg[s->names.in[k]], param);', 'param_access(cx, f, b, (MirInstId){0}, false, reg[s->names.in[0]], param);', text('tests/mirpass/machine-outliner.ll')],
	['OUTL-08', 'core/base/repeats.c', 'while (open.n && vec_last(&open).length > length) {', 'while (open.n && vec_last(&open).length > length + 1) {', unit('placement', 'OUTL_08')],
	['STOCK-01', 'core/dag/emit_target.c', '		{ISA_shfl, ISA_shfl_sync},\n', '', node('tests/pipeline.test.mjs', 'STOCK-01')],
	['STOCK-02', 'core/mirpass/opt_phis.c', '	if (!dead_cycle(f, i, &c))', '	if (1 || !dead_cycle(f, i, &c))', unit('mir_pass', 'STOCK_02')],
	['STOCK-02', 'core/mirpass/opt_phis.c', '	if (value.i && value.i != result.i &&', '	if (0 &&', unit('mir_pass', 'STOCK_02')],
	['STOCK-04', 'core/mirpass/licm.c', 'if (x->store && is_in_loop(l, node_of(l, x->inst)))', 'if (0)', text('tests/mirpass/machinelicm.mir')],
	['STOCK-04', 'core/mirpass/licm.c', '	if (is_invariant_reload(l, i))', '	if (!l->f && is_invariant_reload(l, i))', text('tests/mirpass/machinelicm.mir')],
	['STOCK-04', 'core/mirpass/licm.c', '		if (sinks)', '		if (sinks && !l.f)', text('tests/mirpass/machinelicm.mir')],
	['STOCK-04', 'core/mirpass/machinelicm.c', '	.disable = KNOB_disable_postra_machine_licm,\n', '', text('tests/mirpass/machinelicm.mir')],
	['STOCK-06', 'core/mirpass/peephole_opt.c', '			else if (is_copy(f, i))', '			else if (!f && is_copy(f, i))', text('tests/mirpass/peephole-opt.mir')],
	['STOCK-06', 'core/mirpass/peephole_opt.c', '	if (!steps)', '	if (1)', text('tests/mirpass/peephole-opt.mir')],
	['STOCK-07', 'core/mirpass/dead_mi_elimination.c', '		if (dead(f, (MirInstId){o->inst}))', '		if (mir_vreg(f, r)->n_defs > 1 && dead(f, (MirInstId){o->inst}))', unit('mir_pass', 'STOCK_07')],
	['STOCK-08', 'core/mirpass/machine_cp.c', '		if (c->known.p[k - 1].to)', '		if (0)', unit('mir_pass', 'STOCK_08')],
	['STOCK-09', 'core/mirpass/two_address_instruction.c', '		if (!o->tie || !mir_op_is_use(o))', '		if (!mir_op_is_use(o))', unit('mir_pass', 'STOCK_09')],
	['STOCK-10', 'core/mirpass/register_coalescer.c', '	if (mir_ranges_collide(', '	if (0 && mir_ranges_collide(', unit('mir_pass', 'STOCK_10')],
	['STOCK-19', 'core/mir/liverange.c', '((MirSegment){def, last + 1, value_new(', '((MirSegment){def, last + 3, value_new(', unit('mir_pass', 'STOCK_19')],
	['STOCK-14', 'core/mirpass/copies.c', 'isa_class_info[mir_class(f, to)].move;', '(u8)(mir_class(f, to) == MIR_F64 ? TOK_type_u64 : isa_class_info[mir_class(f, to)].move);', unit('mir_pass', 'STOCK_14')],
	['PIPE-01', 'core/pass/pipeline.def', 'RUN(mirpass_machine_outliner, OPT)\n', '', node('tests/pipeline.test.mjs', 'PIPE-01')],
	['PIPE-04', 'core/pass/pipeline.def', 'RUN(mirpass_block_placement, OPT)\n', '', node('tests/pipeline.test.mjs', 'those passes of allocation')],
	['PIPE-07', 'core/pass/pipeline.def', '"alloca-hoisting isel-dag-printer nvptx-proxy', '"isel-dag-printer alloca-hoisting nvptx-proxy', node('tests/passes.test.mjs', 'PIPE-07')],
	['BASR-06', 'core/pass/manager.c', 'p->begin ? p->begin(&m->cx) : NULL', 'p->begin ? (p->begin(&m->cx), p->begin(&m->cx)) : NULL', unit('mir_pass', 'BASR_06')],
	['IMGH-08', 'core/isa/imagename.c', 'take_type(o, s, o->op == ISA_suld_b)', 'take_type(o, s, o->op == ISA_sust_b)', unit('isa_image', 'IMGH_08')],
	['PIPE-12', 'core/pass/pipeline.def', '"early-machinelicm machine-cse machine-sink")', '"early-machinelicm machine-cse machine-sink dead-mi-elimination")', node('tests/pipeline.test.mjs', 'PIPE-12')],
	['PIPE-18', 'core/pass/watch.c', '	if (!m->options.verify || m->s->diags.errors)', '	if (!m->options.verify || m->s->diags.errors || x->changed)', unit('mir_pass', 'PIPE_18')],
	['PIPE-21', 'core/pass/schedule.c', '		if (reads_ir(p) != ir || ended)', '		if (ended)', node('tests/passes.test.mjs', 'an unknown or misplaced pass')],
	['PIPE-21', 'core/pass/manager.c', '	} else if (m->schedule.named) {', '	} else if (0) {', node('tests/passes.test.mjs', 'a pass that needs SSA form')],
	['PIPE-27', 'core/dag/run.c', 'sqrt_rn == KNOB_AS_WRITTEN ? !f->fp.unsafe : sqrt_rn', 'sqrt_rn != 0', node('tests/knobs.test.mjs', 'a bool whose default')],
	['KNOB-03', 'core/api/options.c', '*v = *v > 0 ? 0 : *v == 0 ? 1 : *v;', '*v = 1;', node('tests/knobs.test.mjs', 'KNOB-03')],
	['REMAT-01', 'core/irpass/nvvm_remat.c', '	if (!match(&t, &in, 0)) {', '	if (!match(&t, &in, 0) || t.n) {', node('tests/remat.test.mjs', 'REMAT-01')],
	['REMAT-02', 'core/irpass/nvvm_remat.c', '	.disable = KNOB_nv_disable_remat,\n', '', node('tests/remat.test.mjs', 'REMAT-02')],
	['REMAT-03', 'core/irpass/sinking2.c', '	ir_move_before(m, i, before);', '	if (0) ir_move_before(m, i, before);', node('tests/remat.test.mjs', 'REMAT-03')],
	['SMS-01', 'core/mirpass/machine_pipeliner.c', 'PS_MAX(x->bounds.rec, x->bounds.res)', 'x->bounds.res', sms('SMS-01')],
	['SMS-02', 'core/mirpass/machine_pipeliner.c', 'PS_MAX(x->bounds.rec, x->bounds.res)', 'x->bounds.rec', sms('SMS-02')],
	['SMS-02', 'core/mirpass/sms_graph.c', '		busy[g->unit[u].pipe] += g->unit[u].busy;', '', sms('SMS-02')],
	['SMS-03', 'core/mirpass/sms_graph.c', 'x->far[e->from] + e->latency - (i64)ii * e->distance : 0', 'x->far[e->from] + e->latency - (i64)ii : 0', pipeliner('SMS_03')],
	['SMS-03', 'core/mirpass/sms_graph.c', '		issued += g->unit[u].issues;', '		issued++;', pipeliner('SMS_03')],
	['SMS-04', 'core/mirpass/machine_pipeliner.c', '	if (!x->mii)', '	if (0)', sms('SMS-04')],
	['SMS-05', 'core/mirpass/machine_pipeliner.c', '	if (x->mii > most)', '	if (x->mii >= most)', sms('SMS-05')],
	['SMS-06', 'core/mirpass/sms_schedule.c', '	for (u32 k = 0; k < u->busy; k++)\n		if (t->pipe', '	for (u32 k = 0; k < 1; k++)\n		if (t->pipe', pipeliner('SMS_06')],
	['SMS-07', 'core/mirpass/machine_pipeliner.c', 'x->tried < range && !s.found', 'x->tried <= range && !s.found', sms('SMS-07')],
	['SMS-08', 'core/mirpass/machine_pipeliner.c', '	if (!x.too_deep)', '	if (x.too_deep)', sms('SMS-07')],
	['SMS-09', 'core/mirpass/machine_pipeliner.c', '	if (!s->stages)', '	if (0)', sms('SMS-09')],
	['SMS-10', 'core/mirpass/machine_pipeliner.c', 'deep = s.stages > most', 'deep = s.stages >= most', sms('SMS-10')],
	['SMS-11', 'core/mirpass/machine_pipeliner.c', '		x->bounds.rec = 0;', '		x->bounds.rec += 0;', sms('SMS-11')],
	['SMS-12', 'core/mirpass/machine_pipeliner.c', '	if (knob_bool(p->cx->s, KNOB_pipeliner_annotate_for_testing))\n		return;', '', sms('SMS-12')],
	['SMS-13', 'core/mirpass/sms_expand.c', 'n == (x->copying ? 0 : v->names - 1) ? v->reg', 'n < v->names ? v->reg', sms('SMS-13')],
	['SMS-14', 'core/mirpass/machine_pipeliner.c', 'sms_expand(l, &plan->s, expand ? SMS_MVE : SMS_PEEL)', 'sms_expand(l, &plan->s, expand ? SMS_MVE : SMS_MVE)', sms('SMS-14')],
	['SMS-15', 'core/mirpass/sms_live.c', 'p->live[k] <= p->limit[k]', 'p->limit[k]', sms('SMS-15')],
	['SMS-16', 'core/mirpass/machine_pipeliner.c', '	.gate = KNOB_enable_pipeliner,', '', sms('SMS-16')],
	['SMS-17', 'core/mirpass/sms_schedule.c', 't->cycle[k] - t->path[unit * n + k]', 't->cycle[k]', pipeliner('SMS_17')],
	['SMS-18', 'core/mirpass/sms_order.c', 'return deep[x] > deep[y];', 'return deep[x] < deep[y];', pipeliner('SMS_18')],
	['SMS-18', 'core/mirpass/sms_order.c', 'return o->g->unit[x].priority > o->g->unit[y].priority;', 'return o->g->unit[x].priority < o->g->unit[y].priority;', pipeliner('SMS_18')],
	['SMS-18', 'core/mirpass/sms_order.c', 'return sms_mobility(o->t, x) < sms_mobility(o->t, y);', 'return sms_mobility(o->t, x) > sms_mobility(o->t, y);', pipeliner('SMS_18')],
	['SMS-19', 'core/mirpass/machine_pipeliner.c', '	if (d->flags & IF_CALL)', '	if (0)', sms('SMS-19')],
	['SMS-19', 'core/mirpass/machine_pipeliner.c', '	if (d->flags & IF_CONVERGENT)', '	if (0)', sms('SMS-19')],
	['SMS-19', 'core/mirpass/machine_pipeliner.c', '	if (m && m->flags & MMF_VOLATILE)', '	if (0)', sms('SMS-19')],
	['SMS-20', 'core/mirpass/sms_expand.c', '		if (iteration >= 0 && iteration <= last)', '		if (iteration >= 0)', sms('SMS-20')],
	['SMS-20', 'core/mirpass/sms_expand.c', '		if (!v->live_out || from.i == v->reg.i)', '		if (1)', sms('SMS-20')],
	['SMS-21', 'core/mirpass/sms_expand.c', ' - (x->s->rank[unit] <= x->s->rank[v->unit])', '', sms('SMS-20')],
	['SMS-21', 'core/mirpass/sms_live.c', 'age + (s->rank[reader] > s->rank[v->unit])', 'age + !age', sms('SMS-20')],
	['SMS-21', 'core/mir/deps.c', '		if (!is_apart(x, y, d))', '		if (!is_apart(x, y, d + 1))', sms('SMS-20')],
	['SMS-21', 'core/mir/linear.c', '	x.step = next.offset;', '	x.step = 2 * next.offset;', unit('linear', 'equals_execution')],
	['SMS-22', 'core/mirpass/machine_pipeliner.c', 'say(x, 6, "schedule table"', 'say(x, 7, "schedule table"', sms('SMS-22')],
	['SMS-23', 'core/mirpass/sms_schedule.c', '	s->stages = last / s->ii;', '	s->stages = (last + 1) / s->ii;', pipeliner('SMS_17')],
	['SMS-24', 'core/mirpass/machine_pipeliner.c', 'map_or(written, o->ref, 0) > 1)', 'map_or(written, o->ref, 0) > 2)', sms('SMS-24')],
	['SMS-24', 'core/mirpass/machine_pipeliner.c', '	.needs = PN_NO_PHIS,', '', sms('SMS-24')],
	['LIVE-03', 'core/mirpass/sms_graph.c', 't->depth[e->from] + e->latency', 't->depth[e->from] + 1', pipeliner('LIVE_03')],
	['LIVE-04', 'core/mirpass/sms_live.c', '.on = knob_bool(l->cx->s, KNOB_pipeliner_register_pressure)', '.on = true', sms('LIVE-04')],
	['LIVE-04', 'core/mirpass/sms_live.c', 'limit * (100 - margin) / 100', 'limit * (100 - 0 * margin) / 100', sms('LIVE-04')],
	['LIVE-06', 'core/mirpass/sms_schedule.c', '		g->units++;', '		g->units = 1;', pipeliner('SMS_17')],
	['runner', 'runner/executor/init.c', 'rest == half && (kept & 1)', 'rest == half && 0', runner('initial contents')],
	['runner', 'runner/executor/init.c', 'return v[1] + (span ? z % span : z);', 'return v[1] + z % (span | !span);', runner('initial contents')],
	['runner', 'runner/executor/run.c', 'j->buffer[p->index].address + p->addend', 'j->buffer[p->index].address', runner('initial contents')],
	['runner', 'runner/executor/run.c', 'return fill_memory(run) && CALL(run, event_record', 'return CALL(run, event_record', runner('time is the median')],
	['runner', 'runner/src/sandbox.js', "'--unshare-all', ", "'--unshare-pid', ", runner('inside the sandbox')],
	['runner', 'runner/src/queue.js', '		lines.delete(client);\n		if (line.length)\n			lines.set(client, line); // behind', '		if (!line.length)\n			lines.delete(client); // behind', service('clients take turns')],
	['runner', 'runner/src/jobs.js', 'if (!job || isFinal(job.state))\n			return false;', 'if (!job)\n			return false;', service('nothing is kept')],
	['runner', 'runner/src/jobs.js', 'return job?.owner === owner ? job : undefined;', 'return job;', service('visible to their token')],
	['runner', 'runner/src/jobs.js', "			if (!isFinal(job.state)) {\n				job.state = 'queued';", "			if (job.state === 'queued') {", service('no job is lost')],
	['runner', 'runner/src/server.js', 'if (origin && !own && !origins.includes(origin))', 'if (origin && !own && !origins.length)', service('no token, a wrong one')],
	['runner', 'runner/src/store.js', 'device.target, device.driver]', 'device.target]', service('the same question')],
];

const files = [...new Set(mutations.map(([, file]) => file))];
const source = (file) => readFileSync(join(root, file), 'utf8');

/** Rows whose piece is not in its file exactly once. */
export function stale() {
	const text = new Map(files.map((file) => [file, source(file)]));
	return mutations.filter(([, file, line]) => text.get(file).split(line).length !== 2).map(([id, file, line]) => `${id}: ${file} has not once ${JSON.stringify(line)}`);
}

const copy = join(root, 'build/mutants');
const make = (target) => spawnSync('make', [`-j${process.env.JOBS ?? 2}`, target], { cwd: copy, encoding: 'utf8' });

/** What git knows and does not ignore; only what differs is written, so that what was built before stays good. */
function prepare() {
	const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
	for (const file of stdout.split('\0')) {
		const from = join(root, file), to = join(copy, file);
		if (!file || /^web\/(?!src\/)/.test(file) || !existsSync(from) || statSync(from).isDirectory())
			continue;
		if (existsSync(to) && readFileSync(from).equals(readFileSync(to)))
			continue;
		mkdirSync(dirname(to), { recursive: true });
		copyFileSync(from, to);
	}
}

/** Runs a test in the copy: 'passes', 'fails' (also when it crashes before its line), or why it could not be built. */
function outcome({ build, run, test }) {
	const made = make(build);
	if (made.status !== 0)
		return `does not compile: ${/error:.*/.exec(made.stderr + made.stdout)?.[0] ?? made.stderr.slice(-200)}`;
	const r = spawnSync(run[0], run.slice(1), { cwd: copy, encoding: 'utf8', timeout: 120000 });
	const lines = r.stdout.split('\n').filter((l) => l.includes(test));
	return lines.some((l) => /^\s*ok /.test(l)) && !lines.some((l) => /^\s*not ok /.test(l)) ? 'passes' : 'fails';
}

/** The outcome of each test on the unchanged code, by its name and command. */
const unmutated = new Map();

function outcomeUnmutated(what) {
	const key = [what.test, ...what.run].join(' ');
	if (!unmutated.has(key))
		unmutated.set(key, outcome(what));
	return unmutated.get(key);
}

/** killed, survived, or why it could not be told. */
function judge([, file, line, instead, what]) {
	const before = outcomeUnmutated(what);
	if (before !== 'passes')
		return `unmutated, ${what.test} ${before}`;
	const at = join(copy, file), text = readFileSync(at, 'utf8');
	writeFileSync(at, text.replace(line, () => instead));
	try {
		const after = outcome(what);
		return { passes: 'survived', fails: 'killed' }[after] ?? after;
	} finally {
		writeFileSync(at, text);
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const words = process.argv.slice(2), missing = stale();
	missing.forEach((row) => console.log(`error     ${row}`));
	prepare();
	const chosen = mutations.filter(([id, file]) => !words.length || words.some((w) => `${id} ${file}`.includes(w)));
	let bad = missing.length;
	for (const row of chosen) {
		const verdict = judge(row);
		bad += verdict !== 'killed';
		console.log(`${verdict.padEnd(9)} ${row[0]} ${row[1]}: ${row[2].trim().split('\n')[0]}`);
	}
	console.log(`${chosen.length} mutations, ${bad} not killed`);
	process.exitCode = bad ? 1 : 0;
}
