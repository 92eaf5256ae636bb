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
	'dag/intrinsic_lower.def': { reader: 'dag/lower_intrinsic.c', unit: 'tables' },
	'isa/ptx.def': { reader: 'isa/mnemonic.c', unit: 'tables' },
	'isa/matrix.def': { reader: 'isa/mnemonic.c', unit: 'tables' },
	'isa/needs.def': { reader: 'isa/need.c', unit: 'isa_opcode' },
	'isa/slots.def': { reader: 'isa/tokens.c', unit: 'isa_opcode' },
	'isa/sregs.def': { reader: 'isa/tokens.c', unit: 'isa_opcode' },
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
	['dag/intrinsic_lower.def', 'an operation', 'NODE("ctpop", CTPOP)', 'NODE("ctpop", CTPOPP)', /CTPOPP/],
	['dag/intrinsic_lower.def', 'a function', 'CODE("trap", trap, DAG_TRAP)', 'CODE("trap", trapp, DAG_TRAP)', /trapp/],
	['dag/intrinsic_lower.def', 'an effect', 'CONVERGENT, "bar.sync 0"', 'CONVERGENTT, "bar.sync 0"', /CONVERGENTT/],
	['dag/intrinsic_lower.def', 'a name for the second time', 'CODE("trap", trap, DAG_TRAP)', 'CODE("trap", trap, DAG_TRAP)\nCODE("trap", trap, DAG_DEBUGTRAP)', /"trap"/],
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
	const sources = [join(root, 'tests/unit', `${unit}.c`), join(root, 'core', reader)];
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
