// The list of passes: what the documents name is in it, and what is not built is told apart and runs nowhere.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const passes = skip ? [] : JSON.parse(ptxscope(['passes', '--json']).stdout);
const saxpy = 'examples/saxpy.ll';

/** Every pass and analysis of the documents, by id. */
const documented = `
ipmsp ipmsp-libnvvm memory-space-opt:first-time memory-space-opt:second-time nvvm-peephole-ir common-base-elim nvvm-remat sinking2 structurizecfg cssa
generic-to-nvvm nvptx-assign-valid-global-names nvptx-image-optimizer alloca-hoisting nvptx-lower-args isel-dag-printer nvptx-isel scheduledag-sdnodes
instr-emitter finalize-isel param-opt nvptx-trunc-opts redundant-move-elim early-tailduplication opt-phis stack-coloring localstackalloc early-ifcvt
machine-combiner early-machinelicm machine-cse machine-sink peephole-opt nvptx-peephole nvptx-mir-peephole basr machineir-peepholes ldgxform
invariant-load-tagging dead-mi-elimination machine-cp machine-rpa extra-machineinstr-printer detect-dead-lanes two-address-instruction
phi-node-elimination register-coalescer rename-independent-subregs machine-scheduler greedy regallocfast nvptx-remat-block stack-slot-coloring
nvptx-mem2reg post-ra-pseudos machinelicm postra-machine-sink machine-cp:postra branch-folder tailduplication block-placement machine-pipeliner
post-RA-sched postmisched machine-latecleanup prologepilog nvptx-prolog-epilog machine-outliner nvptx-proxy-reg-erasure nvptx-replace-image-handles
asm-printer machine-verifier slot-indexes live-intervals live-reg-matrix machine-dom-tree machine-post-dom-tree machine-loops machine-block-freq
machine-branch-prob machine-trace-metrics machine-opt-remark-emitter edge-bundles spill-code-placement regalloc-evict regalloc-priority virtregmap
divergence-analysis alias-analysis selectiondag-legalizer`.trim().split(/\s+/);

describe('the list of passes', { skip }, () => {
	test('PIPE-20: every documented pass and analysis is listed, with title, level, group and gates', () => {
		assert.equal(documented.length, 90);
		for (const id of documented) {
			const row = passes.find((p) => p.id === id);
			assert.ok(row?.title && row.level && row.group && row.summary && Array.isArray(row.gates), id);
		}
	});

	test('PIPE-07: what addISelPasses adds is listed in the documented order; the printer has a gate, and proxies are erased late', () => {
		const added = passes.filter((p) => p.added?.by === 'addISelPasses').toSorted((a, b) => a.added.at - b.added.at);
		assert.deepEqual(added.map(({ id }) => id), ['alloca-hoisting', 'isel-dag-printer', 'nvptx-proxy-reg-erasure', 'nvptx-lower-args', 'nvptx-isel']);
		assert.deepEqual(added.map(({ gates }) => gates), [[], ['print-isel-input'], [], [], []]);
		const place = (id) => passes.findIndex((p) => p.id === id);
		assert.ok(place('nvptx-proxy-reg-erasure') > place('prologepilog'));
		for (const id of ['alloca-hoisting', 'nvptx-lower-args'])
			assert.ok(place(id) < place('nvptx-isel'), id);
	});

	test('PIPE-28: both places of a pass that runs twice are listed', () => {
		for (const id of ['infer-address-spaces', 'dead-mi-elimination'])
			assert.deepEqual(passes.filter((p) => p.id === id).map(({ instance }) => instance), [0, 1], id);
		for (const pair of [['memory-space-opt:first-time', 'memory-space-opt:second-time'], ['machine-cp', 'machine-cp:postra'],
			['early-machinelicm', 'machinelicm'], ['machine-sink', 'postra-machine-sink'], ['early-tailduplication', 'tailduplication']])
			assert.deepEqual(passes.filter(({ id }) => pair.includes(id)).map(({ id }) => id), pair);
	});

	test('what is not built runs at no level, and asking for it is an error that says so', () => {
		const planned = passes.filter(({ built }) => !built);
		for (const { id, at } of planned) {
			assert.deepEqual(Object.values(at), [false, false, false, false], id);
			const { status, stderr } = ptxscope(['compile', saxpy, '-o', '-', `-stop-after=${id}`]);
			assert.equal(status, 2);
			assert.equal(stderr, `ptxscope: -stop-after: pass '${id}' is not built; 'ptxscope passes' says which are\n`);
		}
	});
});

const compile = (...args) => ptxscope(['compile', '-o', '-', ...args]);
/** The ids of the passes of the machine pipeline that dumps tell of, in order. */
const dumped = (stderr) => [...stderr.matchAll(/^# \*\*\* IR Dump After .* \((\S+)\) \*\*\*:$/gm)].map(([, id]) => id);
const folder = temporaryFolder();
let files = 0;
function mir(text) {
	const file = join(folder, `${files++}.mir`);
	writeFileSync(file, text);
	return file;
}

describe('-passes', { skip }, () => {
	const machine = compile(saxpy, '-stop-after=finalize-isel').stdout;

	test('PIPE-21: the named passes run in their order, on MIR and on IR, and nothing else does', () => {
		for (const list of ['machine-cse,dead-mi-elimination,machine-cp', 'machine-cp,machine-cse', 'machine-cse,machine-cse']) {
			const { status, stdout, stderr } = compile(mir(machine), `-passes=${list}`, '-print-after-all');
			assert.equal(status, 0, stderr);
			assert.deepEqual(dumped(stderr), list.split(','));
			assert.match(stdout, /^name: +saxpy$/m);
		}
		const ir = compile(saxpy, '-passes=early-cse,dce', '-print-after-all');
		assert.deepEqual(dumped(ir.stderr), ['early-cse', 'dce']);
		assert.match(ir.stdout, /^define /m);
	});

	test('PIPE-21: machine passes on IR run behind selection; with asm-printer the end is PTX', () => {
		const { stdout, stderr } = compile(saxpy, '-passes=machine-cse,machine-cp', '-print-after-all');
		const ids = dumped(stderr);
		assert.deepEqual(ids.slice(ids.indexOf('finalize-isel')), ['finalize-isel', 'machine-cse', 'machine-cp']);
		assert.match(stdout, /^name: +saxpy$/m);
		const all = passes.filter(({ built, within, level, at, gates }) => built && !within && at.O3 && level === 'mir' && !gates.length).map(({ id }) => id);
		const whole = compile(saxpy, `-passes=${all.slice(all.indexOf('finalize-isel') + 1).filter((id) => id !== 'machine-verifier').join(',')},asm-printer`);
		assert.equal(whole.status, 0, whole.stderr);
		assert.match(whole.stdout, /^\.version /m);
	});

	test('PIPE-21: a pass whose gate is closed by default runs when it is named, unless the user has closed it', () => {
		assert.deepEqual(dumped(compile(mir(machine), '-passes=early-machinelicm', '-print-after-all').stderr), ['early-machinelicm']);
		for (const knob of ['-enable-mlicm=0', '-disable-machine-licm'])
			assert.deepEqual(dumped(compile(mir(machine), '-passes=early-machinelicm', knob, '-print-after-all').stderr), []);
	});

	test('PIPE-21: an unknown or misplaced pass is an error that names it and its nearest neighbour', () => {
		for (const [input, list, text] of [
			[saxpy, 'machine-cse,machine-c', /-passes: unknown pass 'machine-c'; did you mean 'machine-cp'\?/],
			[saxpy, 'rename-independent-subregs', /-passes: pass 'rename-independent-subregs' is not built/],
			[saxpy, 'dce,machine-cse', /'machine-cse' is misplaced: it works on machine code, and 'dce' in front of it leaves IR\n'nvptx-isel' makes/],
			[saxpy, 'machine-cse,dce', /'dce' is misplaced: it works on IR, and 'machine-cse' in front of it leaves machine code/],
			[saxpy, 'nvptx-isel,asm-printer,machine-cp', /'machine-cp' is misplaced: .* 'asm-printer' in front of it leaves nothing to work on/],
			[mir(machine), 'dce', /'dce' is misplaced: it works on IR, and the input is machine code/],
		]) {
			const { status, stdout, stderr } = compile(input, `-passes=${list}`);
			assert.equal(status, 2, stderr);
			assert.equal(stdout, '');
			assert.match(stderr, text);
		}
		assert.match(compile(saxpy, '-run-pass=machine-cse').stderr, /-run-pass: pass 'machine-cse' is misplaced: it works on machine code, and the input is IR\n'nvptx-isel' makes/);
		assert.equal(compile(saxpy, '-passes=dce', '-run-pass=dce').status, 2);
	});

	test('-stop-after=PASS,N stops at that run of the pass', () => {
		const at = (option) => dumped(compile(saxpy, option, '-print-after-all').stderr);
		assert.equal(at('-stop-after=dead-mi-elimination').at(-1), 'dead-mi-elimination');
		const second = at('-stop-after=dead-mi-elimination,1');
		assert.equal(second.filter((id) => id === 'dead-mi-elimination').length, 2);
		assert.equal(second.at(-1), 'dead-mi-elimination');
		assert.equal(at('-stop-before=dead-mi-elimination,1').length, second.length - 1);
		assert.match(compile(saxpy, '-stop-after=machine-cse,1').stderr, /pass 'machine-cse' has 1 run in the pipeline, which count from 0/);
		assert.match(compile(saxpy, '-stop-after=machine-cs,1').stderr, /unknown pass 'machine-cs'; did you mean 'machine-cse'/);
	});
});

/** A function of machine code: two blocks that meet in a third. */
const body = (lines = {}) => {
	const line = (key, text) => `    ${lines[key] ?? text}\n`;
	return `---
name:            f
kernel:          true
isSSA:           ${lines.ssa ?? true}
${lines.head ?? ''}body:             |
  bb.0:
    successors: %bb.1, %bb.2
${line('a', '%0:int32regs = LD_param_u32 &f_param_0, 0')}${line('b', '%1:int32regs = ADDs32ri %0, 1')}${line('c', '%2:int1regs = SETP_lt_s32ri %0, 7')}${line('branch', 'CBranch %2, %bb.2')}  bb.1:
    successors: %bb.2
${line('d', '%3:int32regs = ADDs32ri %0, 2')}  bb.2:
${line('phi', '%4:int32regs = PHI %1, %bb.0, %3, %bb.1')}${line('e', 'ST_global_u32 64, 0, %4 :: (store (s32), addrspace 1)')}${line('end', 'Return')}...
`;
};

/** What is wrong, the text, the line that is blamed, what is said. */
const broken = [
	['two definitions in SSA form', { d: '%1:int32regs = ADDs32ri %0, 2', phi: '%4:int32regs = PHI %1, %bb.0, %1, %bb.1' }, 14, /%1 is defined 2 times/],
	['a use without a definition', { b: '%1:int32regs = ADDs32ri %9, 1', head: 'registers:\n  - { id: 9, class: int32regs }\n' }, 11, /%9 is used and not defined/],
	['a use in front of its definition', { a: '%1:int32regs = ADDs32ri %0, 1', b: '%0:int32regs = LD_param_u32 &f_param_0, 0' }, 8, /%0 is used in front of its definition/],
	['a definition that does not dominate', { e: 'ST_global_u32 64, 0, %3 :: (store (s32), addrspace 1)' }, 17, /the definition of %3 does not dominate this use/],
	['a register of the wrong class', { b: '%1:int64regs = ADDs32ri %0, 1', phi: '%4:int32regs = PHI %0, %bb.0, %3, %bb.1' }, 9, /operand 0 is a register of class int64regs/],
	['a branch on what is no predicate', { branch: 'CBranch %1, %bb.2' }, 11, /is a register of class int32regs/],
	['a phi without a value', { phi: '%4:int32regs = PHI %1, %bb.0' }, 16, /a phi without a value from bb\.1/],
	['a phi of no predecessor', { phi: '%4:int32regs = PHI %1, %bb.0, %3, %bb.1, %1, %bb.2' }, 16, /a phi names bb\.2, which is no predecessor/],
	['a phi behind another instruction', { phi: '%5:int32regs = MOVu32i 1', e: '%4:int32regs = PHI %1, %bb.0, %3, %bb.1' }, 17, /a phi behind another instruction/],
	['a phi in a function without', { ssa: false, head: 'noPhis:          true\n' }, 17, /a phi in a function without/],
	['a branch to a block that is no successor', { branch: 'CBranch %2, %bb.1' }, 11, /branch/],
	['an instruction behind a terminator', { branch: 'CBranch %2, %bb.2\n    %5:int32regs = MOVu32i 1' }, 12, /an instruction behind a terminator/],
	['a stack object that is not there', { d: '%3:int32regs = LD_local_u32 %stack.3, 0' }, 14, /stack object/],
	['a copy between widths', { d: '%5:int64regs = COPY %0\n    %3:int32regs = ADDs32ri %0, 2' }, 14, /a copy between registers of different width/],
	['operands that are missing', { d: '%3:int32regs = ADDs32ri %0' }, 14, /operand/],
];

describe('machine code that breaks a pass\'s precondition', { skip }, () => {
	const machine = passes.filter(({ built, within, level, id, instance }) => built && !within && !instance && (level === 'mir' || level === 'emit') && id !== 'machine-verifier').map(({ id }) => id);

	test('the text that the others are made of is good', () => {
		const { status, stderr } = compile(mir(body()), '-passes=machine-cse,machine-cp,phi-node-elimination,register-coalescer,post-ra-pseudos,asm-printer', '-verify-machineinstrs');
		assert.equal(status, 0, stderr);
	});

	for (const [what, lines, line, text] of broken)
		test(`${what} is an error at its line, before any machine pass`, () => {
			const file = mir(body(lines));
			for (const args of [[], ...machine.map((id) => [`-passes=${id}`])]) {
				const { status, stdout, stderr } = compile(file, ...args);
				assert.equal(status, 1, `${args}: ${stderr}`);
				assert.equal(stdout, '');
				assert.match(stderr, new RegExp(`^${file}:${line}:\\d+: error: `, 'm'), `${args}: ${stderr}`);
				assert.match(stderr, text);
			}
		});

	test('a pass that needs SSA form says so of a function that is not in it; the pipeline leaves it out', () => {
		const file = mir(body({ ssa: false, d: '%0:int32regs = ADDs32ri %0, 2', phi: '', e: 'ST_global_u32 64, 0, %1 :: (store (s32), addrspace 1)' }));
		const refuses = machine.filter((id) => compile(file, `-passes=${id}`).status === 1);
		for (const id of refuses) {
			const { stderr } = compile(file, `-passes=${id}`);
			assert.equal(stderr, `${file}: error: pass '${id}' needs SSA form, and function 'f' is not in it\nhint: phi-node-elimination and two-address-instruction leave SSA form; 'isSSA: true' in MIR text says that a function is in it\n`);
		}
		for (const id of ['param-opt', 'nvptx-trunc-opts', 'opt-phis', 'early-ifcvt', 'machine-combiner', 'early-machinelicm', 'machine-cse', 'machine-sink', 'entry-sink', 'shared-bases', 'peephole-opt', 'nvptx-mir-peephole', 'basr', 'machineir-peepholes'])
			assert.ok(refuses.includes(id), id);
		assert.match(compile(mir(body()), '-passes=phi-node-elimination,machine-cse').stderr, /pass 'machine-cse' needs SSA form, and function 'f' is not in it: it stands behind phi-node-elimination\n/);
		assert.equal(compile(file).status, 0);
	});

	test('a pass that works out of SSA form says so of a function in it', () => {
		for (const id of ['register-coalescer', 'branch-folder'])
			for (const text of [body(), body({ ssa: false })])
				assert.match(compile(mir(text), `-passes=${id}`).stderr, new RegExp(`pass '${id}' needs code that has left SSA form, without phis, and function 'f' is not so\n`));
	});
});
