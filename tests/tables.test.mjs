// A word in a table that means nothing fails the build or a unit test, and so does a row that is never reached: each kind of mistake
// is made in a copy of its table, and the one file that reads it is compiled against the copy.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const library = join(root, 'build/native/libptxscope.a');
const skip = !which('cc') ? 'no cc' : !existsSync(library) ? 'no build/native/libptxscope.a' : false;

const tables = {
	'dag/patterns.def': { reader: 'dag/pattern.c', unit: 'tables' },
	'ir/intrinsics.def': { reader: ['ir/intrinsic.c', 'ir/verify_intrinsic.c', 'irpass/expand_vp.c', 'dag/lower_intrinsic.c'], unit: 'intrinsics' },
	'ir/upgrades.def': { reader: 'ir/upgrade_call.c', unit: 'intrinsics' },
	'isa/ptx.def': { reader: 'isa/mnemonic.c', unit: 'tables' },
	'isa/matrix.def': { reader: 'isa/mnemonic.c', unit: 'tables' },
	'isa/needs.def': { reader: 'isa/need.c', unit: 'tables' },
	'isa/slots.def': { reader: 'isa/tokens.c', unit: 'isa_opcode' },
	'isa/sregs.def': { reader: 'isa/tokens.c', unit: 'isa_opcode' },
	'isa/spaces.def': { reader: 'isa/tokens.c', unit: 'isa_tables' },
	'isa/classes.def': { reader: 'isa/tokens.c', unit: 'isa_tables' },
	'isa/machine.def': { reader: 'isa/machine.c', unit: 'tables' },
	'pass/analyses.def': { reader: 'pass/analysis_cache.c', unit: 'tables' },
	'config/targets.def': { reader: 'config/target.c', unit: 'tables' },
	'config/knobs.def': { reader: 'config/knobs.c', unit: 'tables' },
	'api/options.def': { reader: 'api/options.c', unit: 'tables' },
	'ir/words.def': { reader: 'ir/lex.c', unit: 'tables' },
	'ir/attrs.def': { reader: 'ir/attr.c', unit: 'tables' },
	'irpass/respace.def': { reader: 'irpass/respace.c', unit: 'intrinsics' },
	'pass/pipeline.def': { reader: 'pass/registry.c', unit: 'pass' },
	'pass/passes.def': { reader: 'pass/registry.c', unit: 'pass' },
};

/** Table, what is wrong, a row's text and what it becomes, and what must be said. */
const mistakes = [
	['dag/patterns.def', 'a gate', '"neg~.f16 a", "f16', '"neg~.f16 a", "f61', /fneg %a.*no gate f61/],
	['dag/patterns.def', 'a target, which follows from the instruction', '"neg~.f16 a", "f16', '"neg~.f16 a", "sm53', /fneg %a.*no gate sm53/],
	['dag/patterns.def', 'a type', '"i16 i32 i64", "mad.lo', '"i16 i23 i64", "mad.lo', /\(mad a b c\).*no type i23/],
	['dag/patterns.def', 'an operation', 'PAT("(mulhs a', 'PAT("(mulsh a', /\(mulsh a b\).*cannot be read/],
	['dag/patterns.def', 'an instruction', '"mul.hi.s* a', '"mul.high.s* a', /\(mulhs a b\).*no instruction mul\.high/],
	['dag/patterns.def', 'a modifier', '"sqrt.approx~.f32 a"', '"sqrt.aprox~.f32 a"', /fsqrt.*no instruction sqrt\.aprox/],
	['dag/patterns.def', 'a letter', '"abs.s* a"', '"abs.s* z"', /\(abs %a\).*cannot be read/],
	['dag/patterns.def', 'a row behind a more general one', 'PAT("(sub a b)"', 'PAT("(add %a b)", "i32", "add.s32 a, b", "")\nPAT("(sub a b)"', /\(add %a b\).*never reached: before it comes \(add a b\)/],
	['ir/intrinsics.def', 'an operation', 'NODE(CTPOP)', 'NODE(CTPOPP)', /CTPOPP/],
	['ir/intrinsics.def', 'a function', 'CODE(trap, DAG_TRAP)', 'CODE(trapp, DAG_TRAP)', /trapp/],
	['ir/intrinsics.def', 'a lowering', 'NODE(CTPOP)', 'NOD(CTPOP)', /NOD\b/],
	['ir/intrinsics.def', 'an instruction', 'INSN("prmt.b32 a, b, c")', 'INSN("prtm.b32 a, b, c")', /lowering.*prtm\.b32/],
	['ir/intrinsics.def', 'an argument of an instruction', 'INSN("prmt.b32 a, b, c")', 'INSN("prmt.b32 a, b, d")', /lowering.*prmt\.b32 a, b, d/],
	['ir/intrinsics.def', 'an effect', '"llvm.ctpop*", "I(=0)", PURE_SPEC_WR_NCB_NSY', '"llvm.ctpop*", "I(=0)", PURE_SPEC_WR_NCB_NSX', /PURE_SPEC_WR_NCB_NSX/],
	['ir/intrinsics.def', 'an effect that the signature rules out', '"llvm.ctpop*", "I(=0)", PURE_SPEC_WR_NCB_NSY', '"llvm.ctpop*", "I(=0)", ARG_R_NCB', /effects.*llvm\.ctpop/],
	['ir/intrinsics.def', 'a constant argument that is not there', '"llvm.ctpop*", "I(=0)", PURE_SPEC_WR_NCB_NSY, 0', '"llvm.ctpop*", "I(=0)", PURE_SPEC_WR_NCB_NSY, 2', /effects.*llvm\.ctpop/],
	['ir/intrinsics.def', 'a family', ', 0, LIFETIME,', ', 0, LIVETIME,', /LIVETIME/],
	['ir/intrinsics.def', 'a family that the signature rules out', 'IR_FAMILY(PREFETCH,    EFFECT,   false)', 'IR_FAMILY(PREFETCH,    EFFECT,   true)', /families.*llvm\.prefetch/],
	['ir/intrinsics.def', 'a divergence', 'IR_FAMILY(PREFETCH,    EFFECT,', 'IR_FAMILY(PREFETCH,    EFFECTS,', /IRDIV_EFFECTS/],
	['ir/intrinsics.def', 'a check', 'IR_CHECKED(BSWAP,', 'IR_CHECKED(BSWAPP,', /CHECK_BSWAPP/],
	['ir/intrinsics.def', 'an expansion', 'VP(DIVIDE, IR_SDIV)', 'VP(DIVIDES, IR_SDIV)', /DIVIDES/],
	['ir/intrinsics.def', 'a name for the second time', '"llvm.ctpop*"', '"llvm.cttz*"', /llvm\.cttz fits two rows/],
	['ir/intrinsics.def', 'an alternative too many', 'abs{|.ftz}.$a', 'abs{|.ftz|.sat}.$a', /lowering.*abs\{/],
	['ir/intrinsics.def', 'a group that the names do not have', 'bmsk.{clamp|wrap}', 'bmsk.{2:clamp|wrap}', /lowering.*bmsk/],
	['ir/intrinsics.def', 'a constant that is none', '.{s|u}$a a"', '.{s|u}$a a<a:|, b>"', /lowering.*bfind/],
	['ir/intrinsics.def', 'a modifier of an alternative', 'div.full{|.ftz}.f32', 'div.fool{|.ftz}.f32', /lowering.*div\.fool/],
	['ir/upgrades.def', 'what becomes of a call', 'CALL, "llvm.convert.from.fp16.f32"', 'CALLED, "llvm.convert.from.fp16.f32"', /CALLED/],
	['ir/upgrades.def', 'an intrinsic', '"llvm.convert.from.fp16.f32"', '"llvm.convert.from.fp61.f32"', /there is no llvm\.convert\.from\.fp61/],
	['ir/upgrades.def', 'an argument', '"llvm.convert.from.fp16.f32",  "a"', '"llvm.convert.from.fp16.f32",  "b"', /llvm\.nvvm\.h2f has no argument b/],
	['ir/upgrades.def', 'a row behind a more general one', 'UPGRADE("llvm.nvvm.h2f"', 'UPGRADE("llvm.experimental.stepvector.v4i32", "V()", CALL, "llvm.stepvector*", "", "=")\nUPGRADE("llvm.nvvm.h2f"', /llvm\.experimental\.stepvector\.v4i32 comes behind llvm\.experimental\.stepvector/],
	['isa/ptx.def', 'a token', 'brev.type(b32|b64)', 'brev.type(b23|b64)', /row brev: nothing is called b23/],
	['isa/ptx.def', 'a type of an operand', '"=d:u32, a",        "POPC"', '"=d:u23, a",        "POPC"', /row popc: nothing is called u23/],
	['isa/ptx.def', 'a slot with tokens', 'testp.op(finite', 'testp.opp(finite', /row testp: nothing is called opp/],
	['isa/ptx.def', 'a slot without tokens', 'INSN(cvta,      "cvta{.flag(to)}.space.', 'INSN(cvta,      "cvta{.flag(to)}.spaec.', /row cvta: nothing is called spaec/],
	['isa/ptx.def', 'a slot that may be absent', 'sin.rnd(approx){.ftz}', 'sin.rnd(approx){.fzt}', /row sin: nothing is called fzt/],
	['isa/ptx.def', 'a condition', 'c/op=cas', 'c/op=caz', /row atom: nothing is called caz/],
	['isa/ptx.def', 'a unit', 'brev, ALU, 2', 'brev, ALUU, 2', /UNIT_ALUU/],
	['isa/ptx.def', 'an evaluator', '0, brev, ALU', '0, brevv, ALU', /EV_brevv/],
	['isa/ptx.def', 'a flag', '"CALL",   IF_CALL |', '"CALL",   IF_CAL |', /IF_CAL\b/],
	['isa/matrix.def', 'a token', 'movmatrix.sync.aligned.shape(m8n8)', 'movmatrix.sync.aligned.shape(m8n9)', /row movmatrix: nothing is called m8n9/],
	['isa/needs.def', 'an instruction', 'NEED(tanh, ', 'NEED(tahn, ', /ISA_tahn/],
	['isa/needs.def', 'a slot', 'NEED(redux,   IS(type,', 'NEED(redux,   IS(tpye,', /SLOT_tpye/],
	['isa/needs.def', 'a token', 'NEED(neg,     IS(type, type, bf16),', 'NEED(neg,     IS(type, type, bf61),', /TOK_type_bf61/],
	['isa/needs.def', 'a set of variants', 'OWN(setmaxnreg, ANY,                      FROM_HOPPER)', 'OWN(setmaxnreg, ANY,                      FROM_HOPER)', /OWNERS_FROM_HOPER/],
	['isa/needs.def', 'a variant', 'OWNERS(HOPPER,        A(90))', 'OWNERS(HOPPER,        A(91))', /VARIANT_a91/],
	['isa/needs.def', 'a row that another one hides', 'NEED(tanh, ', 'NEED(tanh, IS(type, type, bf16), 80, 70)\nNEED(tanh, ', /tanh IS\(type, type, bf16\): behind/],
	['isa/needs.def', 'a row that asks for no more than the instruction', 'NEED(tanh, ', 'NEED(tanh, ANY, 30, 20)\nNEED(tanh, ', /tanh ANY: the instruction needs more/],
	['isa/spaces.def', 'a token', 'SPACE(LOCAL,   5,   local,', 'SPACE(LOCAL,   5,   lokal,', /lokal/],
	['isa/spaces.def', 'a flag', 'SF_VARIABLE | SF_SHORT)', 'SF_VARIABLE | SF_SHRT)', /SF_SHRT/],
	['isa/spaces.def', 'a number for the second time', 'SPACE(LOCAL,   5,', 'SPACE(LOCAL,   4,', /isa_spaces/],
	['isa/classes.def', 'a type', 'RCLASS(F32,  "float32regs", R,   2,    1,    "%r",  B32,  f32,', 'RCLASS(F32,  "float32regs", R,   2,    1,    "%r",  B32,  f23,', /f23/],
	['isa/classes.def', 'a letter for the second time', "b32,  'f')", "b32,  'r')", /isa_classes/],
	['isa/classes.def', 'a column', 'B32,  f32,  f32,   b32', 'B32,  f32,  f23,   b32', /PRESSURE_f23/],
	['isa/machine.def', 'a unit', 'COST(70, ALU,', 'COST(70, ALUU,', /UNIT_ALUU/],
	['isa/machine.def', 'a machine', 'COST(70, ALU,', 'COST(71, ALU,', /MACHINE_71/],
	['isa/machine.def', 'the order of machines', 'MACHINE(75,', 'MACHINE(65,', /MACHINE_75|machines_rise/],
	['pass/analyses.def', 'a level', 'ANALYSIS(DOM,         IR,', 'ANALYSIS(DOM,         RI,', /PASS_RI/],
	['pass/analyses.def', 'what it is computed by', 'an_postdom_compute', 'an_postdom_computes', /an_postdom_computes/],
	['pass/analyses.def', 'an analysis that it points into', 'AN_MIR_CFG | AN_MIR_LOOPS', 'AN_MIR_CFG | AN_MIR_LOPS', /AN_MIR_LOPS/],
	['pass/analyses.def', 'an analysis that comes later', 'AN_MIR_CFG | AN_MIR_LOOPS', 'AN_MIR_CFG | AN_MIR_RPA', /points_into_earlier/],
	['config/targets.def', 'a PTX version', 'SM( 86,  71,', 'SM( 86,  17,', /sm_86 : PTX 17/],
	['config/targets.def', 'a variant of a target that is not there', "SM_VARIANT(90, a", "SM_VARIANT(91, a", /sm_91a: PTX/],
	['config/targets.def', 'the order of targets', 'SM( 86,  71,', 'SM( 79,  71,', /sm_79 : PTX/],
	['config/targets.def', 'the order of versions', 'PTX(71) PTX(72)', 'PTX(72) PTX(71)', /versions/],
	['config/knobs.def', 'a name for the second time', '"disable-sroa"', '"disable-dce"', /a_text_names_one_row: disable-dce/],
	['config/knobs.def', 'a kind', 'disable_dce,                "disable-dce",                0, EXACT', 'disable_dce,                "disable-dce",                0, EXAKT', /EXAKT/],
	['api/options.def', 'a name for the second time', '"mattr"', '"mcpu"', /a_text_names_one_row: mcpu/],
	['ir/attrs.def', 'a form', '"align",                            ALIGN,', '"align",                            ALINE,', /ALINE/],
	['ir/attrs.def', 'a text for the second time', '"allocptr"', '"allockind"', /a_text_names_one_row: allockind/],
	['ir/words.def', 'a text for the second time', 'IR_WORD(INRANGE,        "inrange")', 'IR_WORD(INRANGE,        "splat")', /a_text_names_one_row: splat/],
	['irpass/respace.def', 'a family', 'RESPACE(MBARRIER,', 'RESPACE(MBARIER,', /MBARIER/],
	['irpass/respace.def', 'an argument that is no address', 'RESPACE(MBARRIER,     1,', 'RESPACE(MBARRIER,     2,', /respaced.*mbarrier/],
	['irpass/respace.def', 'a family for the second time', 'RESPACE(GETCTARANK,', 'RESPACE(MBARRIER,', /respaced/],
	['isa/slots.def', 'a class', 'SLOT(rnd,     rnd,', 'SLOT(rnd,     rdn,', /CLASS_rdn/],
	['isa/slots.def', 'a kind of type', '8, UINT,  B16,  1, "unsigned 8-bit', '8, UNIT,  B16,  1, "unsigned 8-bit', /ISA_KIND_UNIT/],
	['isa/sregs.def', 'a type', /(SREG\(tid_x,[^\n]*?)\bu32\b/, '$1u23', /u23/],
	['pass/pipeline.def', 'a pass in an ORDER row', 'ORDER("finalize-isel"', 'ORDER("finalise-isel"', /finalise-isel/],
	['pass/pipeline.def', 'a pass that runs', 'RUN(dag_isel', 'RUN(dag_iesl', /dag_iesl/],
	['pass/pipeline.def', 'a level', 'RUN(mirpass_opt_phis, OPT)', 'RUN(mirpass_opt_phis, OTP)', /OTP/],
	['pass/passes.def', 'a pass', 'PASS(dag_isel)', 'PASS(dag_iesl)', /dag_iesl/],
].map(([table, what, from, to, says]) => ({ table, what, from, to, says }));

const flags = ['-std=c11', '-DNDEBUG', '-O0', '-w', `-I${join(root, 'tests/unit')}`];

/** Builds the unit test of a table with this text in its place and runs it; what it or the compiler said where one of them failed. */
function complaint(table, text) {
	const folder = temporaryFolder(), copy = join(folder, 'core', table), program = join(folder, 'unit');
	mkdirSync(dirname(copy), { recursive: true });
	writeFileSync(copy, text);
	const { reader, unit } = tables[table];
	const sources = [join(root, 'tests/unit', `${unit}.c`), ...[reader].flat().map(r => join(root, 'core', r))];
	const built = spawnSync('cc', [...flags, `-I${join(folder, 'core')}`, `-I${join(root, 'core')}`, ...sources, library, '-lm', '-o', program], { encoding: 'utf8' });
	if (built.status !== 0)
		return built.stderr;
	const ran = spawnSync(program, { encoding: 'utf8' });
	return ran.status === 0 ? '' : ran.stdout + ran.stderr;
}

describe('a mistake in a table is found', { skip }, () => {
	for (const [table] of Object.entries(tables))
		test(`${table}: nothing is wrong with it`, () => assert.equal(complaint(table, readFileSync(join(root, 'core', table), 'utf8')), ''));
	for (const { table, what, from, to, says } of mistakes)
		test(`${table}: ${what}`, () => {
			const text = readFileSync(join(root, 'core', table), 'utf8'), wrong = text.replace(from, to);
			assert.notEqual(wrong, text, `${from} is not in ${table}`);
			assert.match(complaint(table, wrong), says);
		});
});
