// machine-pipeliner: what its ten steps find, which loops it takes and refuses, both forms of code, and that loops of any trip
// count compute what they did.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { judge, launch, loop, options } from './fuzz/loops.mjs';
import { native, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { Random } from './tools/random.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const folder = temporaryFolder();
let files = 0;

/** A function whose loop, bb.1, has these instructions in front of its branch on %5; %1 counts down from 10, and 100 to 199 are free. */
const mir = (lines, branch = 'CBranch %5, %bb.1') => `---
name: f
isSSA: false
noPhis: true
body: |
  bb.0:
    successors: %bb.1
    %1:int32regs = MOVb32i 10
    %2:int64regs = MOVb64i 64
    %3:float32regs = MOVf32i float 0f00000000
    %4:float32regs = MOVf32i float 0f3F800000
    %5:int1regs = SETP_eq_s32ri %1, 0
  bb.1:
    successors: %bb.1, %bb.2
${lines.map((line) => `    ${line}\n`).join('')}    ${branch}
  bb.2:
    ST_global_f32 %2, 0, %3 :: (store (s32), addrspace 1)
    Return
...
`;
/** %5 says whether %1 was 0: RecMII 3, of two iterations. */
const count = ['%5:int1regs = SETP_ne_s32ri %1, 0', '%1:int32regs = ADDs32ri %1, -1'];
const fma = (to, from = to) => `%${to}:float32regs = FMA_rn_f32rrr %${from}, %4, %4`;
const load = (to, offset = 0) => `%${to}:float32regs = LD_global_nc_f32 %2, ${offset} :: (invariant load (s32), addrspace 1)`;
const step = '%2:int64regs = ADDs64ri %2, 4';
/** A load two stages in front of its reader. */
const sum = [load(100), '%3:float32regs = ADD_rn_f32rr %3, %100', step, ...count];

function run(text, ...args) {
	const file = join(folder, `${files++}.mir`);
	writeFileSync(file, text);
	const { status, stdout, stderr } = ptxscope(['compile', file, '-mcpu=sm_86', '-enable-pipeliner', '-run-pass=machine-pipeliner', '-pass-remarks=machine-pipeliner', '-verify-machineinstrs', ...args, '-o', '-']);
	assert.equal(status, 0, stderr);
	const remarks = [...stderr.matchAll(/^[^\n]*: (analysis|missed|remark): (.*?) \[-pass-remarks=.*$/gm)].map(([, kind, text]) => ({ kind, text }));
	const said = (n) => remarks.find(({ text }) => text.startsWith(`bb.1, step ${n}, `))?.text.replace(/^.*?: /, '') ?? '';
	const missed = remarks.filter(({ kind }) => kind === 'missed').map(({ text }) => text).join('\n');
	return { body: stdout.slice(stdout.indexOf('body:')), remarks, said, missed, stderr, pipelined: remarks.some(({ kind }) => kind === 'remark') };
}
const unchanged = (text) => run(text, '-pipeliner-annotate-for-testing').body;
const blocks = (body) => body.split(/^ {2}bb\./m).slice(1);
/** The interval, and the stages. */
const found = (r) => /interval (\d+), cycles 0 to (\d+), stage count (\d+), (\d+) copies/.exec(r.said(9))?.slice(1).map(Number);

describe('the interval', { skip }, () => {
	test('SMS-01: a recurrence of 4 cycles and one iteration, and few resources: RecMII 4, MII 4', () => {
		const r = run(mir([fma(3), count[0]]));
		assert.match(r.said(2), /^RecMII 4, 2 recurrences$/);
		assert.match(r.said(3), /^ResMII 2,/);
		assert.equal(r.said(4), 'MII 4');
	});

	test('SMS-02: a loop that is bound by its loads: MII is ResMII', () => {
		const r = run(mir([load(100), load(101, 4), load(102, 8), step, ...count]));
		assert.equal(r.said(3), 'ResMII 12, of LSU');
		assert.equal(r.said(4), 'MII 12');
	});

	test('SMS-04: MII 0', () => {
		assert.equal(run(mir([])).missed, 'Invalid Minimal Initiation Interval: 0');
	});

	test('SMS-05: MII 28 is too large, 27 is not', () => {
		const many = (n) => mir([...Array.from({ length: n - 2 }, (_, k) => fma(100 + k, 4)), ...count]);
		assert.equal(run(many(28)).missed, 'Minimal Initiation Interval too large: 28 > 27. Refer to -pipeliner-max-mii.');
		assert.doesNotMatch(run(many(27)).missed, /too large/);
		assert.doesNotMatch(run(many(28), '-pipeliner-max-mii=28').missed, /too large/);
		assert.equal(run(many(10), '-pipeliner-max-mii=9').missed, 'Minimal Initiation Interval too large: 10 > 9. Refer to -pipeliner-max-mii.');
	});

	test('dependences of very long loops are not looked at: their resources alone are too large', () => {
		const long = mir([...Array.from({ length: 298 }, (_, k) => fma(100 + k, 4)), ...count]);
		assert.equal(run(long).missed, 'Minimal Initiation Interval too large: 300 > 27. Refer to -pipeliner-max-mii.');
		assert.equal(run(long, '-pipeliner-max-mii=1000').missed, '300 instructions are too many to look for a schedule');
	});

	const ring = [fma(3, 106), ...Array.from({ length: 6 }, (_, k) => fma(101 + k, k ? 100 + k : 3)), ...count]; // seven of 4 cycles each
	test('SMS-11: with pipeliner-ignore-recmii RecMII counts as 0', () => {
		assert.equal(run(mir(ring), '-pipeliner-max-mii=99').said(4), 'MII 28');
		const r = run(mir(ring), '-pipeliner-ignore-recmii');
		assert.match(r.said(2), /^RecMII 0,/);
		assert.equal(r.said(4), 'MII 9');
	});

	test('SMS-07, SMS-08: where none works, exactly pipeliner-ii-search-range intervals are tried', () => {
		const r = run(mir(ring), '-pipeliner-ignore-recmii');
		assert.equal(r.missed, 'Unable to find schedule');
		assert.match(r.said(6), /^intervals 9 to 18$/);
		assert.match(r.said(8), /^10 intervals tried, /);
		assert.match(run(mir(ring), '-pipeliner-ignore-recmii', '-pipeliner-ii-search-range=19').said(8), /^19 intervals tried, /);
		assert.doesNotMatch(run(mir(ring), '-pipeliner-ignore-recmii', '-pipeliner-ii-search-range=20').missed, /Unable/);
	});
});

describe('stages', { skip }, () => {
	test('SMS-09: a loop that fits into one stage', () => {
		assert.equal(run(mir([fma(3), ...count])).missed, 'No need to pipeline - no overlapped iterations in schedule.');
	});

	test('SMS-10: four are too many, three are not', () => {
		for (const [latency, stages] of [[20, 3], [24, 4]]) {
			const r = run(mir(sum), '-pipeliner-ii-search-range=1', `-pipeliner-load-latency=${latency}`);
			const text = `Too many stages in schedule: ${stages} > 3. Refer to -pipeliner-max-stages.`;
			assert.equal(r.missed, stages > 3 ? text : '');
			const fewer = run(mir(sum), '-pipeliner-ii-search-range=1', `-pipeliner-load-latency=${latency}`, '-pipeliner-max-stages=2');
			assert.equal(fewer.missed, text.replace('> 3', '> 2'));
			assert.ok(run(mir(sum), '-pipeliner-ii-search-range=1', `-pipeliner-load-latency=${latency}`, '-pipeliner-max-stages=4').pipelined);
		}
	});

	test('SMS-23: the stage count is the cycles between the first and the last instruction, divided by the interval', () => {
		for (const latency of [4, 20, 60]) {
			const r = run(mir(sum), `-pipeliner-load-latency=${latency}`, '-pipeliner-max-stages=99');
			const [ii, last, stages] = found(r), cycles = [...r.remarks.map(({ text }) => /cycle (\d+), stage (\d+), row (\d+) of/.exec(text))].filter(Boolean);
			assert.equal(cycles.length, 5);
			assert.equal(Math.max(...cycles.map(([, c]) => Number(c))), last);
			assert.equal(Math.min(...cycles.map(([, c]) => Number(c))), 0);
			assert.equal(stages, Math.floor(last / ii));
			for (const [, c, s, row] of cycles)
				assert.deepEqual([Number(s), Number(row)], [Math.floor(c / ii), c % ii]);
			assert.equal([...r.said(10).matchAll(/stage \d+: cycles/g)].length, stages + 1);
		}
	});

	test('more cycles behind a load, more stages; no more than pipeliner-load-latency are provided for', () => {
		const stages = (latency) => found(run(mir(sum), `-pipeliner-load-latency=${latency}`, '-pipeliner-max-stages=999'))[2];
		assert.ok(stages(4) < stages(20) && stages(20) < stages(100));
		assert.equal(stages(262), stages(1000), 'sm_86 takes 262 cycles');
	});
});

describe('the ten steps', { skip }, () => {
	const names = ['dependence graph', 'recurrences', 'resources', 'minimal initiation interval', 'node order', 'schedule table',
		'earliest and latest cycles', 'selection', 'finalization', 'ScheduleDAGMILive'];

	test('SMS-22: the trace has them in the documented order, with the loop and where each instruction is scheduled', () => {
		const file = join(folder, 'steps.mir'), trace = join(folder, 'steps.json');
		writeFileSync(file, mir(sum));
		assert.equal(ptxscope(['compile', file, '-mcpu=sm_86', '-enable-pipeliner', '-run-pass=machine-pipeliner', `--trace=${trace}`, '-o', '-']).status, 0);
		const remarks = JSON.parse(readFileSync(trace, 'utf8')).remarks.filter(({ pass }) => pass === 'machine-pipeliner');
		const steps = remarks.map(({ message }) => /^bb\.1, step (\d+), ([^:]+): /.exec(message)).filter(Boolean);
		assert.deepEqual(steps.map(([, n, name]) => [Number(n), name]), names.map((name, k) => [k + 1, name]));
		assert.equal(remarks.filter(({ message }) => /^bb\.1, cycle \d+, stage \d+, row \d+ of \d+, [A-Z]+: \S+$/.test(message)).length, 5);
	});

	test('the schedule as a table of cycles, pipes and stages', () => {
		const { stderr } = run(mir(sum), '-dump-modulo-schedule');
		const lines = stderr.split('\n'), at = lines.findIndex((line) => line.startsWith('# modulo schedule of bb.1: interval '));
		const [, ii] = /interval (\d+), stages 0 to (\d+), \d+ copies of the kernel$/.exec(lines[at]);
		assert.match(lines[at + 1], /^cycle {2}ALU +FMA +LSU$/);
		const rows = lines.slice(at + 2, at + 2 + Number(ii));
		rows.forEach((row, k) => assert.match(row, new RegExp(`^ +${k} {2}(\\d:\\S+|[.|]) +(\\d:\\S+|[.|]) +(\\d:\\S+|[.|])$`)));
		for (const text of ['ld.global.nc.f32', 'add.rn.f32', 'add.s64', 'setp.ne.s32', 'add.s32'])
			assert.equal(rows.filter((row) => row.includes(`:${text}`)).length, 1, text);
		assert.doesNotMatch(run(mir(sum)).stderr, /# modulo/);
	});
});

describe('registers', { skip }, () => {
	const crowd = mir([...Array.from({ length: 6 }, (_, k) => load(100 + k, 4 * k)), ...Array.from({ length: 6 }, (_, k) => `%3:float32regs = ADD_rn_f32rr %3, %${100 + k}`).map((line, k, all) =>
		line.replace('%3:', k + 1 < all.length ? `%${110 + k}:` : '%3:').replace('rr %3,', k ? `rr %${109 + k},` : 'rr %3,')), step, ...count]);

	test('LIVE-04: with pipeliner-register-pressure they are counted against the limit of each file, without it they are not', () => {
		assert.match(run(mir(sum), '-pipeliner-register-pressure').said(6), /; registers of file R are limited to 484 units, of file P to 6$/);
		assert.match(run(mir(sum), '-pipeliner-register-pressure', '-maxreg=40', '-pipeliner-register-pressure-margin=10').said(6), /file R are limited to 72 units/);
		assert.doesNotMatch(run(mir(sum)).said(6), /registers/);
	});

	test('SMS-15: schedules above the limit less the margin are refused', () => {
		const tight = ['-pipeliner-register-pressure', '-maxreg=16'];
		const refused = (r) => Number(/, (\d+) refused for their registers$/.exec(r.said(8))[1]);
		assert.ok(run(crowd).pipelined);
		assert.ok(run(crowd, '-pipeliner-register-pressure').pipelined);
		assert.ok(run(crowd, '-maxreg=16').pipelined, 'without the knob nobody counts');
		assert.ok(refused(run(crowd, ...tight, '-pipeliner-register-pressure-margin=50')) > 0);
		const least = [...Array(100).keys()].find((margin) => refused(run(crowd, ...tight, `-pipeliner-register-pressure-margin=${margin}`)) > 0);
		assert.ok(least > 5, `refused from a margin of ${least} percent on`);
	});
});

describe('which loops', { skip }, () => {
	const refused = (lines, why, branch) => {
		const r = run(mir(lines, branch));
		assert.equal(r.missed, `the loop at bb.1 is not pipelined: ${why}`);
		assert.equal(r.body, unchanged(mir(lines, branch)));
	};

	test('SMS-19: not those with calls, barriers, fences, ordered or volatile accesses, or effects of another kind', () => {
		refused([...sum, 'CALL_uni @g, 1, 0'], 'it calls a function');
		refused([...sum, 'BAR_sync 0'], 'it has a barrier or another convergent operation');
		refused([...sum, 'MEMBAR_gl'], 'it has a fence');
		refused([...sum, '%110:int32regs = ATOM_relaxed_global_add_u32 %2, 0, %1 :: (load store monotonic (s32), addrspace 1)'], 'it has an ordered access to memory');
		refused([...sum, '%110:int32regs = LD_volatile_global_u32 %2, 0 :: (volatile load (s32), addrspace 1)'], 'it has a volatile access to memory');
		refused([...sum, '%110:int32regs = SREGu32_clock'], 'it reads a register that changes by itself');
		refused([...sum, '%110:int32regs = ADDCCs32rr %1, %1', '%111:int32regs = ADDCs32rr %1, %1'], 'it hands a carry on');
	});

	test('SMS-19: not those of several blocks', () => {
		const r = run(mir(sum).replace('  bb.2:\n', '  bb.3:\n    successors: %bb.1\n    GOTO_uni %bb.1\n  bb.2:\n').replace('CBranch %5, %bb.1', 'CBranch %5, %bb.3\n    GOTO_uni %bb.2').replace('%bb.1, %bb.2', '%bb.3, %bb.2'));
		assert.equal(r.missed, 'the loop at bb.1 is not pipelined: it has more than one block');
	});

	test('SMS-19: not those with several exits, or none', () => {
		const why = 'its branch is not one way out of two';
		refused(sum, why, 'CBranch %5, %bb.2\n    CBranchOther %5, %bb.1\n    GOTO_uni %bb.2');
		const endless = run(mir(sum, 'GOTO_uni %bb.1').replace('successors: %bb.1, %bb.2', 'successors: %bb.1'));
		assert.equal(endless.missed, `the loop at bb.1 is not pipelined: ${why}`);
	});

	test('SMS-24: in machine code without phis; not where a register is written twice, or under a guard', () => {
		assert.ok(run(mir(sum)).pipelined);
		refused([...sum, step], 'a register is written twice');
		const { status, stderr } = ptxscope(['compile', 'examples/saxpy.ll', '-enable-pipeliner', '-passes=machine-pipeliner', '-o', '-']);
		assert.notEqual(status, 0);
		assert.match(stderr, /machine-pipeliner/);
	});

	test('the way out may be the branch taken, and the guard negated', () => {
		for (const branch of ['CBranchOther %5, %bb.2\n    GOTO_uni %bb.1', 'CBranch %5, %bb.2\n    GOTO_uni %bb.1', 'CBranchOther %5, %bb.1'])
			assert.ok(run(mir(sum, branch)).pipelined, branch);
	});

	test('SMS-16: enable-pipeliner=false changes nothing, and that is the default; the documented pipeline has it on', () => {
		const file = join(folder, 'plain.ll');
		writeFileSync(file, loop(new Random(3)));
		const ptx = (...args) => ptxscope(['compile', file, ...args, '-o', '-']).stdout;
		assert.equal(ptx('-enable-pipeliner=false'), ptx());
		assert.notEqual(ptx('-enable-pipeliner', '-pipeliner-max-mii=100'), ptx());
		const ids = (...args) => ptxscope(['compile', file, ...args, '-print-after-all', '-o', '-']).stderr;
		assert.doesNotMatch(ids(), /\(machine-pipeliner\)/);
		assert.match(ids('-pipeline=documented'), /\(machine-pipeliner\)/);
		assert.doesNotMatch(ids('-pipeline=documented', '-enable-pipeliner=false'), /\(machine-pipeliner\)/);
	});
});

describe('the code', { skip }, () => {
	const names = (text) => new Set([...text.matchAll(/%(\d+):float32regs = LD_/g)].map(([, r]) => r));

	test('SMS-13: by default modulo variable expansion: prologue, a repeated kernel with renamed registers, epilogues', () => {
		const r = run(mir(sum)), [, , stages, copies] = found(r), list = blocks(r.body);
		assert.ok(stages > 1 && copies > 1);
		assert.equal(list.length, 2 + 2 * (stages + copies));
		assert.doesNotMatch(list.slice(1, 1 + stages + copies).join(''), /MOV/, 'no copies in the loop');
		const kernel = list.slice(1 + stages, 1 + stages + copies);
		assert.match(kernel.at(-1), new RegExp(`successors: %bb\\.${1 + stages},`));
		assert.equal(names(kernel.join('')).size, copies);
		for (const k of kernel)
			assert.equal([...k.matchAll(/LD_|ADD_rn|ADDs64|SETP/g)].length, 4);
		assert.equal([...list[1].matchAll(/ADD_rn/g)].length, 0, 'the prologue begins with loads');
		assert.equal([...list[1 + stages + copies].matchAll(/LD_|SETP/g)].length, 0, 'the epilogue begins nothing');
	});

	test('SMS-14: without pipeliner-mve-cg by peeling: one kernel, which moves registers on', () => {
		const r = run(mir(sum), '-pipeliner-mve-cg=false', '-pipeliner-experimental-cg'), [, , stages, copies] = found(r), list = blocks(r.body);
		assert.equal(copies, 1);
		assert.equal(list.length, 2 + 2 * (stages + 1));
		const kernel = list[1 + stages];
		assert.match(kernel, new RegExp(`successors: %bb\\.${2 + stages}, %bb\\.${1 + stages}|successors: %bb\\.${1 + stages}, `));
		assert.ok([...kernel.matchAll(/= MOVb32r/g)].length >= stages - 1);
		assert.equal(run(mir(sum), '-pipeliner-mve-cg=false').body, r.body, 'with both off, too');
		assert.notEqual(run(mir(sum)).body, r.body);
		assert.equal(run(mir(sum), '-pipeliner-experimental-cg').body, run(mir(sum)).body, 'pipeliner-mve-cg comes first');
	});

	test('SMS-12: pipeliner-annotate-for-testing says where each instruction is, and changes no code', () => {
		const r = run(mir(sum), '-pipeliner-annotate-for-testing', '-pipeliner-mve-cg'), before = blocks(r.body);
		assert.equal(before.length, 3);
		assert.ok(!r.pipelined);
		assert.equal(r.remarks.filter(({ text }) => /^bb\.1, cycle \d+, stage \d+/.test(text)).length, 5);
	});
});

describe('what pipelined loops compute', { skip }, () => {
	test('SMS-20, SMS-21: loops that run 0 to 64 times agree with the IR after every pass, expanded and peeled', () => {
		const counts = { pipelined: 0 };
		for (let seed = 1; seed <= 120; seed++) {
			const random = new Random(seed), text = loop(random), how = options(random);
			assert.equal(judge(text, how, { folder, count: counts }), null, `seed ${seed}\n${text}`);
		}
		assert.ok(counts.pipelined > 60, `${counts.pipelined} pipelined`);
	});

	const kernels = join(root, 'tests/kernels');
	const eager = ['-enable-pipeliner', '-pipeliner-max-mii=1000', '-pipeliner-max-stages=4', '-pipeliner-ii-search-range=30'];
	test('every kernel with every loop pipelined that can be', () => {
		let pipelined = 0;
		for (const kernel of readdirSync(kernels).filter((f) => f.endsWith('.ll') && !f.endsWith('.O0.ll')).map((f) => f.slice(0, -3)))
			for (const how of [[], ['-pipeliner-mve-cg=0']]) {
				const r = ptxscope(['check', join(kernels, `${kernel}.ll`), `--launch=${join(kernels, `${kernel}.launch.json`)}`, '-mcpu=sm_90', '-verify-machineinstrs', '--check-claims', '-dump-modulo-schedule', ...eager, ...how]);
				assert.match(r.stdout, /^\d+ stages agree/, `${kernel}: ${r.stdout}${r.stderr}`);
				pipelined += r.stderr.split('# modulo schedule').length - 1;
			}
		assert.ok(pipelined > 20, `${pipelined} loops`);
	});

	test('ptxas takes them', { skip: ptxas ? false : 'no ptxas' }, () => {
		for (let seed = 1; seed <= 12; seed++) {
			const random = new Random(seed), file = join(folder, 'a.ll'), output = join(folder, 'a.ptx');
			writeFileSync(file, loop(random));
			const how = options(random).filter((word) => !word.startsWith('-mcpu'));
			assert.equal(ptxscope(['compile', file, '-mcpu=sm_90', ...how, '-o', output]).status, 0);
			const { status, stderr } = spawnSync(ptxas, ['-arch=sm_90', output, '-o', join(folder, 'a.cubin')], { encoding: 'utf8' });
			assert.equal(status, 0, `${how.join(' ')}: ${stderr}`);
		}
	});

	test('asynchronous copies are scheduled, and stay in order among each other and their waits', () => {
		const file = join(folder, 'copies.ll'), launchFile = join(folder, 'copies.json');
		writeFileSync(file, `target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [1040 x float] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %r) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = mul i32 %tid, 16
  %slot64 = sext i32 %slot to i64
  %t = getelementptr i8, ptr addrspace(3) @tile, i64 %slot64
  %x0 = getelementptr i8, ptr addrspace(1) %x, i64 %slot64
  %any = icmp sgt i32 %tid, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %o = mul i32 %i, 16
  %o64 = sext i32 %o to i64
  %p = getelementptr i8, ptr addrspace(1) %x0, i64 %o64
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %t, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %v = load float, ptr addrspace(3) %t
  %w = fmul float %v, 2.0
  %s1 = fadd float %s, %w
  %i1 = add nsw i32 %i, 1
  %on = icmp slt i32 %i1, %tid
  br i1 %on, label %loop, label %done
done:
  %sum = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %q = getelementptr float, ptr addrspace(1) %r, i32 %tid
  store float %sum, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
`);
		writeFileSync(launchFile, JSON.stringify({ ...launch, args: [{ buffer: 'x' }, { buffer: 'r' }], buffers: {
			x: { type: 'f32', count: 1024, init: { kind: 'linear', start: 1, step: 0.25 } }, r: { type: 'f32', count: 65, init: { kind: 'linear', start: 0, step: 0 } } } }));
		const options = ['-mcpu=sm_80', '-mattr=+ptx70', '-enable-pipeliner', '-pipeliner-max-mii=1000', '-dump-modulo-schedule'];
		const checked = ptxscope(['check', file, `--launch=${launchFile}`, ...options, '-verify-machineinstrs']);
		assert.match(checked.stdout, /^\d+ stages agree/, checked.stdout + checked.stderr);
		assert.match(checked.stderr, /# modulo schedule/);
		const { stdout } = ptxscope(['compile', file, ...options, '-o', '-']);
		const order = [...stdout.matchAll(/\t(cp\.async\S*|ld\.shared\S*)/g)].map(([, op]) => op.replace(/\.(ca|f32|b32).*|;/, ''));
		assert.ok(order.length > 8);
		order.forEach((op, k) => assert.equal(op, ['cp.async', 'cp.async.commit_group', 'cp.async.wait_group', 'ld.shared'][k % 4], order.join(' ')));
	});
});
