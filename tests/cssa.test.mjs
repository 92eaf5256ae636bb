// Conventional SSA on its way to PTX: from the copies in the IR to the moves that are left.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { complaints } from './tools/launch.mjs';
import { hosts, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const folder = temporaryFolder();
let files = 0;

/** The output and what went to standard error of a compilation that must succeed; text goes into a file of its own. */
function compile(text, args, extension = 'll') {
	const file = join(folder, `${++files}.${extension}`);
	writeFileSync(file, text);
	const { status, stdout, stderr } = ptxscope(['compile', file, '-o', '-', '-verify-machineinstrs', ...args]);
	assert.equal(status, 0, stderr);
	return { file, out: stdout, err: stderr };
}
const body = (mir) => mir.slice(mir.lastIndexOf('\nbody:'));
const count = (text, pattern) => [...text.matchAll(pattern)].length;

const kernel = (phis, work, result) => `target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %out) {
e:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = add i32 %tid, 1
  br label %l
l:
${phis}
  %i = phi i32 [ 0, %e ], [ %j, %l ]
  ${work}
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %d
d:
  ${result}
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %r, ptr addrspace(1) %to
  ret void
}
`;
// After t + 1 rounds: a and b have changed places t times.
const swap = kernel('  %a = phi i32 [ 5, %e ], [ %b, %l ]\n  %b = phi i32 [ %tid, %e ], [ %a, %l ]', '', '%r = sub i32 %a, %b');
const swapped = (t) => t % 2 ? t - 5 : 5 - t;
// The value before the last step is read behind the loop.
const lostCopy = kernel('  %x = phi i32 [ 1, %e ], [ %y, %l ]', '%y = mul i32 %x, 3', '%r = add i32 %x, 0');
const lost = (t) => 3 ** t | 0;

const launch = join(folder, 'launch.json');
writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [16, 1, 1], args: [{ buffer: 'out' }],
	buffers: { out: { type: 'i32', count: 16 } } }));
const lanes = (f) => Array.from({ length: 16 }, (_, t) => f(t));

/** What the 16 threads of a file compute. */
function run(file, ...args) {
	const { status, stdout, stderr } = ptxscope(['run', file, `--launch=${launch}`, '--json', ...args]);
	assert.equal(status, 0, stderr);
	return JSON.parse(stdout).buffers.out.values;
}

const kernels = readdirSync(join(root, 'tests/kernels')).filter((f) => f.endsWith('.ll')).map((f) => f.slice(0, -3)).sort();

describe('cssa, to PTX', { skip: hosts[0].skip }, () => {
	test('CSSA-04: selection makes plain moves that carry a flag', () => {
		const ir = compile(swap, ['-stop-after=cssa']).out;
		const mir = body(compile(swap, ['-stop-after=nvptx-isel']).out);
		// All but the copy of i, which only its own block reads: there the phi's register serves.
		assert.equal(count(ir, /= copy\.8919 /g), 9);
		assert.equal(count(mir, /= CSSA_COPY %\d+$/gm), 8);
		assert.equal(count(mir, /= COPY /g), 0);
		// They are moves: executed as such, and printed as such where they stay.
		const file = join(folder, 'flagged.mir');
		writeFileSync(file, compile(swap, ['-stop-after=nvptx-isel']).out);
		assert.deepEqual(run(file), lanes(swapped));
		assert.match(compile(swap, ['-usedessa=1']).out, /mov\.u32/);
		assert.doesNotMatch(compile(swap, ['-usedessa=1']).out, /CSSA/);
	});

	test('CSSA-05: a flagged copy is not joined where both sides live on with different values', () => {
		const text = (kept) => `---
name: f
registers:
  - { id: 0, class: int32regs }
  - { id: 1, class: int32regs }
body: |
  bb.0:
    %0:int32regs = LD_param_u32 &f_param_0, 0 :: (load (s32), addrspace 101)
    %1:int32regs = CSSA_COPY %0
    ${kept ? '%0:int32regs = ADDs32ri %0, 1' : ''}
    %1:int32regs = ADDs32ri %1, 2
    ST_param_b32 &func_retval0, 0, %1 :: (store (s32), addrspace 101)
    ${kept ? 'ST_param_b32 &func_retval0, 4, %0 :: (store (s32), addrspace 101)' : ''}
    Return
...
`.replace(/^ +\n/gm, '');
		const joined = (kept) => body(compile(text(kept), ['-run-pass=register-coalescer'], 'mir').out);
		assert.match(joined(true), /CSSA_COPY/);
		assert.doesNotMatch(joined(false), /CSSA_COPY/);
	});

	test('CSSA-05, STOCK-20: a coalescer that joins whatever a copy connects computes something else', () => {
		const options = ['-cssa-coalesce=3', '-join-splitedges=true', '-join-globalcopies=true'];
		for (const [text, right] of [[swap, swapped], [lostCopy, lost]]) {
			const mir = compile(text, [...options, '-stop-after=phi-node-elimination']).out;
			const file = join(folder, 'blind.mir');
			writeFileSync(file, mir);
			assert.deepEqual(run(file), lanes(right));
			// The naive variant: both sides of every copy become one register, without a look at what lives when.
			const up = new Map(), find = (r) => up.has(r) ? find(up.get(r)) : r;
			for (const [, to, from] of mir.matchAll(/%(\d+)(?::\w+)? = (?:CSSA_)?COPY %(\d+)/g))
				if (find(to) !== find(from))
					up.set(find(to), find(from));
			const blind = mir.split('\n').filter((line) => !/= (CSSA_)?COPY %\d+$/.test(line))
				.map((line) => /^    /.test(line) ? line.replace(/%(\d+)\b/g, (_, r) => `%${find(r)}`) : line).join('\n');
			writeFileSync(file, blind);
			assert.notDeepEqual(run(file), lanes(right));
			// Ours, from the same point on, with everything allowed.
			const ptx = join(folder, 'ours.ptx');
			writeFileSync(ptx, compile(mir, [...options, '-start-after=phi-node-elimination'], 'mir').out);
			assert.deepEqual(run(ptx), lanes(right));
		}
	});

	// The naive variant copies in the merge block alone. Where a warp has one register for its threads, each thread reads there what
	// the last path has left in it.
	test('CSSA-33: copies in the merge block alone compute something else where a warp shares its registers', () => {
		const text = `target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %out) {
e:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 8
  br i1 %c, label %t, label %f
t:
  %a = add i32 %tid, 100
  br label %j
f:
  %b = add i32 %tid, 200
  br label %j
j:
  %x = phi i32 [ %a, %t ], [ %b, %f ]
  %pcp = copy.8919 i32 %x
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %pcp, ptr addrspace(1) %to
  ret void
}
`;
		const right = lanes((t) => t < 8 ? t + 100 : t + 200), file = join(folder, 'merge.ll');
		writeFileSync(file, text);
		assert.deepEqual(run(file, '--level=ptx'), right);
		assert.notDeepEqual(run(file, '--level=ptx', '--registers=warp', '-do-cssa=0', '-disable-early-ifcvt'), right);
	});

	test('CSSA-36, DESSA-06: phi elimination without cssa says so, and is right all the same', () => {
		for (const [text, right] of [[swap, swapped], [lostCopy, lost]]) {
			const { file, err } = compile(text, ['-do-cssa=0', '-cssa-verbosity=1', '-pass-remarks=phi-node-elimination']);
			assert.match(err, /^phi-node-elimination k: CSSA was missing for [1-9]\d* phis$/m);
			assert.match(err, /missed: cssa has not run, and \d+ of \d+ phis join values that may be live at once/);
			for (const level of ['mir', 'ptx'])
				assert.deepEqual(run(file, '-do-cssa=0', `--level=${level}`), lanes(right));
			assert.doesNotMatch(compile(text, ['-cssa-verbosity=1']).err, /missing/);
		}
	});

	test('CSSA-53: swap and lost copy compute what they say, whatever the level', () => {
		for (const [text, right] of [[swap, swapped], [lostCopy, lost]])
			for (const level of [0, 1, 2, 3])
				for (const at of ['ir', 'mir', 'ptx'])
					assert.deepEqual(run(compile(text, [`-cssa-coalesce=${level}`]).file, `-cssa-coalesce=${level}`, `--level=${at}`), lanes(right));
	});

	test('CSSA-56: copies that do not interfere are gone from the PTX, those that do are moves', () => {
		const moves = (text, ...args) => count(/^\$L__BB0_1:[^]*?bra/m.exec(compile(text, args).out)[0], /\bmov\.b32 \t%r\d+, %r\d+;/g);
		assert.equal(moves(swap), 3); // two values change places through a third register
		assert.equal(moves(lostCopy), 1); // x lives on behind y
		assert.equal(moves(kernel('  %x = phi i32 [ 1, %e ], [ %y, %l ]', '%y = mul i32 %x, 3', '%r = add i32 %y, 0')), 0);
		assert.ok(moves(swap, '-usedessa=1') >= 8);
	});

	test('each copy that was joined, and each that stays, is remarked upon with its line', () => {
		const { err } = compile(swap, ['-pass-remarks=register-coalescer']);
		assert.match(err, /\.ll:9: remark: copy of cssa joined: %\d+ and %\d+ are never live with different values/);
		assert.match(err, /\.ll:10: missed: copy stays: %\d+ and %\d+ are live at once with different values/);
	});
});

describe('usedessa', { skip: hosts[0].skip }, () => {
	test('DESSA-03: any value but 1 is the full mode', () => {
		const of = (mode) => compile(swap, [`-usedessa=${mode}`]).out;
		for (const mode of [0, 2, 3, 1000])
			assert.equal(of(mode), compile(swap, []).out);
		assert.notEqual(of(1), of(2));
	});

	test('DESSA-05: one COPY for each predecessor, and no PHI', () => {
		const before = body(compile(swap, ['-stop-before=phi-node-elimination']).out);
		const after = body(compile(swap, ['-stop-after=phi-node-elimination']).out);
		const phis = count(before, / = PHI /g);
		assert.equal(phis, 3);
		assert.equal(count(after, / = PHI /g), 0);
		// For each phi one at the head of its block and one in each of its two predecessors.
		assert.equal(count(after, / = COPY /g) - count(before, / = COPY /g), 3 * phis);
	});

	test('DESSA-08: phi elimination shows the values it used', () => {
		const { err } = compile(swap, ['-usedessa=1', '-cssa-coalesce=3', '-cssa-verbosity=2']);
		assert.match(err, /^phi-node-elimination k: deSSA method 1, cssa-coalesce 3, cssa-verbosity 2: 3 phis$/m);
		assert.equal(compile(swap, ['-usedessa=1', '-cssa-coalesce=3']).err, '');
	});

	for (const name of kernels)
		test(`DESSA-04, DESSA-07: ${name} computes the same with each do-cssa and usedessa`, () => {
			const file = join(root, 'tests/kernels', `${name}.ll`), expected = join(root, 'tests/kernels', `${name.replace(/\.O0$/, '')}.launch.json`);
			const want = JSON.parse(readFileSync(expected, 'utf8'));
			for (const cssa of [0, 1])
				for (const mode of [1, 2]) {
					const { status, stdout, stderr } = ptxscope(['run', file, `--launch=${expected}`, '-mcpu=sm_90', '--json', `-do-cssa=${cssa}`, `-usedessa=${mode}`]);
					assert.equal(status, 0, stderr);
					assert.deepEqual(complaints(want, JSON.parse(stdout)), []);
				}
		});
});
