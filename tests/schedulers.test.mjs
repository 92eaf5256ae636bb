// The machine schedulers: when they run, what they keep in order, what they gain and what they say.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { examplesFolder, native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const folder = temporaryFolder();
let files = 0;

function input(text, extension = 'll') {
	const file = join(folder, `${++files}.${extension}`);
	writeFileSync(file, text);
	return file;
}

function compile(file, ...args) {
	const { status, stdout, stderr } = ptxscope(['compile', file, '-mcpu=sm_90', '-verify-machineinstrs', '-o', '-', ...args]);
	assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
	return { stdout, stderr };
}

/** The steps of a compilation: { id, changed, pressure … }. */
const steps = (file, ...args) => JSON.parse(compile(file, '--trace=-', ...args).stdout.replace(/^[^]*?(?=^\{"version")/m, '')).passes;
const ids = (file, ...args) => [...new Set(steps(file, ...args).map(({ id }) => id))];
const count = (n, f) => Array.from({ length: n }, (_, i) => f(i));

const kernel = (body) => `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
${body.flat(Infinity).join('\n')}
  ret void
}
declare float @llvm.sqrt.f32(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare void @llvm.nvvm.barrier0()
`;
const load = (i) => [`  %p${i} = getelementptr i32, ptr addrspace(1) %in, i32 ${i}`, `  %v${i} = load i32, ptr addrspace(1) %p${i}`];
/** Loads first … first + n - 1, and the sum of all as a balanced tree, level by level; %s<n - 2> is the sum. */
function tree(n, first = 0) {
	const lines = [];
	for (let level = count(n, (i) => `%v${first + i}`), at = 0; level.length > 1;)
		level = count(level.length / 2, (i) => {
			lines.push(`  %s${at} = add i32 ${level[2 * i]}, ${level[2 * i + 1]}`);
			return `%s${at++}`;
		});
	return [count(n, (i) => load(first + i)), lines];
}
const wide = input(kernel([tree(128), '  store i32 %s126, ptr addrspace(1) %out']));

/** The most registers of 32 bits and predicates that are live in machine code as text. */
function peak(mir, ...passes) {
	const { stderr } = compile(mir, `--run-pass=${[...passes, 'extra-machineinstr-printer'].join(',')}`, '-extra-machineinstr-printer', '-nvptx-sched4reg');
	return [...stderr.matchAll(/Max Live RRegs: (\d+)\tPRegs: (\d+)/g)].map(([, r, p]) => [Number(r), Number(p)]);
}

describe('machine-scheduler', { skip }, () => {
	const kernels = [examplesFolder, join(root, 'tests/kernels')].flatMap((from) => readdirSync(from).filter((name) => name.endsWith('.ll')).map((name) => join(from, name)));

	test('PTXC-06: with nvptx-sched4reg no function needs more registers or predicates than before', () => {
		let lower = 0;
		for (const file of kernels) {
			const mir = input(compile(file, '-stop-before=machine-scheduler').stdout, 'mir');
			const before = peak(mir), after = peak(mir, 'machine-scheduler');
			assert.equal(before.length, after.length);
			before.forEach(([registers, predicates], k) => {
				assert.ok(after[k][0] <= registers && after[k][1] <= predicates, `${file}: ${before[k]} → ${after[k]}`);
				lower += after[k][0] < registers;
			});
		}
		assert.ok(lower > 10, `${lower}`);
	});

	test('LIVE-08: a wide tree of sums needs as many registers as it is deep', () => {
		const mir = input(compile(wide, '-stop-before=machine-scheduler').stdout, 'mir');
		assert.ok(peak(mir)[0][0] >= 64, `${peak(mir)}`);
		assert.ok(peak(mir, 'machine-scheduler')[0][0] <= 9, `${peak(mir, 'machine-scheduler')}`);
	});

	test('what is within the target keeps its order, and above it a remark says what was gained or missed', () => {
		const remarks = (...args) => compile(wide, '-pass-remarks=machine-scheduler', ...args).stderr;
		assert.equal(remarks('-maxreg=250'), '');
		assert.match(remarks('-maxreg=24'), /remark: \d+ instructions of bb\.0 in another order: at most 9 registers are live at once, 131 before, the target is 24 \(-maxreg=24\)/);
		assert.match(remarks('-maxreg=4'), /in another order: .* the target is 4 /);
		const tight = input(kernel([count(16, load), count(16, (i) => [`  %q${i} = getelementptr i32, ptr addrspace(1) %out, i32 ${i}`, `  store volatile i32 %v${i}, ptr addrspace(1) %q${i}`])]).replaceAll('= load i32', '= load volatile i32'));
		const best = input(compile(tight, '-stop-after=machine-scheduler', '-maxreg=8').stdout, 'mir');
		assert.match(compile(best, '-pass-remarks=machine-scheduler', '--run-pass=machine-scheduler', '-maxreg=8').stderr, /missed: no order of the \d+ instructions of bb\.0 was found that needs fewer than 18 registers, the target is 8 \(-maxreg=8\)/);
		const order = (...args) => compile(wide, ...args).stdout;
		assert.equal(order('-enable-misched=0', '-maxreg=24'), order('-maxreg=24', '-no-enable-misched'));
		assert.notEqual(order('-enable-misched=0', '-maxreg=24'), order('-maxreg=24'));
		assert.equal(order('-enable-misched=0'), order('-enable-misched', '-maxreg=250'));
		assert.notEqual(order('-maxreg=250'), order('-maxreg=250', '-nvptx-sched4reg'));
	});

	test('behind allocation it runs where it is asked for', () => {
		assert.ok(!ids(wide).includes('machine-scheduler:postra'));
		const both = steps(wide, '-machine-scheduler-postra', '-no-enable-misched', '-nv-remat-default-max-reg=24');
		assert.ok(both.find(({ id }) => id === 'machine-scheduler:postra').changed && !both.some(({ id }) => id === 'machine-scheduler'));
	});
});

describe('scheduling for latency', { skip }, () => {
	const late = input(kernel([load(0), '  %a = add i32 %v0, 1', '  %b = mul i32 %a, %a', load(1), '  %c = add i32 %v1, %b', load(2), '  %d = mul i32 %v2, %c', '  store i32 %d, ptr addrspace(1) %out']));

	test('LIVE-01: postmisched changes nothing without misched-postra, and may with it', () => {
		const step = (...args) => steps(late, ...args).find(({ id }) => id === 'postmisched');
		assert.equal(step().changed, false);
		assert.equal(step('-misched-postra=false', '-pipeline=documented').changed, false);
		assert.equal(step('-misched-postra').changed, true);
	});

	test('post-RA-sched puts loads in front of what waits for others, with a remark', () => {
		const { stdout, stderr } = compile(late, '-post-RA-scheduler', '-pass-remarks=post-RA-sched');
		assert.match(stderr, /remark: \d+ instructions of bb\.0 in another order take \d+ cycles instead of \d+/);
		assert.match(stdout, /(?:ld\.global\S* .*\n\s*){3}/);
		assert.doesNotMatch(compile(late).stdout, /(?:ld\.global\S* .*\n\s*){3}/);
	});

	test('LIVE-09: with disable-post-ra post-RA-sched is not in the trace', () => {
		assert.ok(ids(late, '-pipeline=documented').includes('post-RA-sched'));
		assert.ok(!ids(late, '-pipeline=documented', '-disable-post-ra').includes('post-RA-sched'));
		assert.ok(!ids(late, '-post-RA-scheduler', '-disable-post-ra').includes('post-RA-sched'));
		assert.ok(!ids(late).includes('post-RA-sched'));
	});

	test('LIVE-05: where an instruction finds no cycle a remark says so, and the order stays', () => {
		const n = 24, crowded = input(kernel([
			count(n, (i) => [`  %p${i} = getelementptr float, ptr addrspace(1) %in, i32 ${i}`, `  %v${i} = load float, ptr addrspace(1) %p${i}`]),
			count(n, (i) => `  %s${i} = call float @llvm.nvvm.sin.approx.f(float %v${i})`),
			count(n, (i) => [`  %q${i} = getelementptr float, ptr addrspace(1) %out, i32 ${i}`, `  store float %s${i}, ptr addrspace(1) %q${i}`]),
		]));
		const { stdout, stderr } = compile(crowded, '-misched-postra', '-pass-remarks=postmisched');
		assert.match(stderr, /missed: no cycle from \d+ to \d+ is free for \S+: bb\.0 keeps its order/);
		assert.equal(stdout, compile(crowded).stdout);
	});
});

describe('the modes of usedessa', { skip }, () => {
	const scheduling = ['machine-scheduler', 'machine-scheduler:postra', 'stack-slot-coloring', 'post-RA-sched', 'postmisched'];
	const ran = (...args) => ids(wide, '-pipeline=documented', ...args).filter((id) => scheduling.includes(id));

	test('DESSA-01: 1 is without scheduling in front of allocation and without stack slot coloring, and schedules once behind', () => {
		assert.deepEqual(ran('-usedessa=1'), ['post-RA-sched']);
	});

	test('DESSA-02: 2, the default, schedules in front of allocation and three times behind, and colors stack slots', () => {
		assert.deepEqual(ran('-usedessa=2'), scheduling);
		assert.deepEqual(ran(), scheduling);
	});

	test('DESSA-03: any other value is the full mode', () => {
		for (const mode of [0, 3, 77])
			assert.deepEqual(ran(`-usedessa=${mode}`), scheduling);
	});

	test('PIPE-11: in the full mode After Machine Scheduling is printed, then After StackSlotColoring', () => {
		const banners = (...args) => [...compile(wide, '-print-after-all', ...args).stderr.matchAll(/^# (After (?:Machine Scheduling|StackSlotColoring))$/gm)].map(([, text]) => text);
		assert.deepEqual(banners(), ['After Machine Scheduling', 'After StackSlotColoring']);
		assert.deepEqual(banners('-pipeline=documented'), ['After Machine Scheduling', 'After StackSlotColoring']);
		assert.deepEqual(banners('-usedessa=1'), []);
	});
});

/** A loop in which each thread adds the product of two matrices of its own in shared memory, rows × depth and depth × columns, to sums that
 * it carries. `between` stands in front of each step of the depth. */
function product(rows, columns, depth, between = '') {
	const cells = count(rows * columns, (k) => [Math.floor(k / columns), k % columns]), last = (k) => (depth ? `%s${depth - 1}.${k}` : `%c${k}`);
	const at = (name, what, k) => [`  %${name}p = getelementptr i32, ptr addrspace(3) ${what}, i32 ${k}`, `  %${name} = load i32, ptr addrspace(3) %${name}p`];
	return input(`target triple = "nvptx64-nvidia-cuda"
@a = internal addrspace(3) global [${32 * rows * depth} x i32] undef, align 4
@b = internal addrspace(3) global [${32 * columns * depth} x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @k(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
${[['a', rows], ['b', columns]].map(([x, n]) => `  %${x}t = mul i32 %t, ${n * depth}
  %p${x} = getelementptr i32, ptr addrspace(3) @${x}, i32 %${x}t
${count(n * depth, (k) => `  %${x}v${k} = mul i32 %t, ${k + n}
  %${x}w${k} = getelementptr i32, ptr addrspace(3) %p${x}, i32 ${k}
  store i32 %${x}v${k}, ptr addrspace(3) %${x}w${k}`).join('\n')}`).join('\n')}
  %pq = select i1 %odd, ptr addrspace(3) %pa, ptr addrspace(3) %pb
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
${cells.map((_, k) => `  %c${k} = phi i32 [ ${k}, %entry ], [ ${last(k)}, %loop ]`).join('\n')}
  call void @llvm.nvvm.barrier0()
${count(depth, (d) => [between.replaceAll('$', d),
		count(rows, (r) => at(`a${d}.${r}`, '%pa', d * rows + r)), count(columns, (c) => at(`b${d}.${c}`, '%pb', d * columns + c)),
		cells.map(([r, c], k) => [`  %m${d}.${k} = mul i32 %a${d}.${r}, %b${d}.${c}`, `  %s${d}.${k} = add i32 %m${d}.${k}, ${d ? `%s${d - 1}.${k}` : `%c${k}`}`])]).flat(Infinity).join('\n')}
  call void @llvm.nvvm.barrier0()
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, 3
  br i1 %more, label %loop, label %end
end:
${cells.map((_, k) => `  %x${k} = add i32 %t, ${k * 32}\n  %y${k} = getelementptr i32, ptr addrspace(1) %out, i32 %x${k}\n  store i32 ${last(k)}, ptr addrspace(1) %y${k}`).join('\n')}
  ret void
}
`);
}

describe('machine-scheduler in groups', { skip }, () => {
	const square = product(6, 6, 4), tight = ['-maxreg=28'];
	const launch = input(JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: [{ buffer: 'o' }], buffers: { o: { type: 'i32', count: 36 * 32, init: { kind: 'linear', start: 0, step: 0 } } } }), 'json');
	const uses = (text, word) => text.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0;
	/** What is moved in each run of the loop: loads of shared memory and accesses to spill slots. */
	function moved(file, ...args) {
		const loop = /^\$L__BB0_1:[^]*?^\t@%p\d+ bra/m.exec(compile(file, ...args).stdout)[0];
		return { volatile: uses(loop, 'ld.volatile.shared'), plain: uses(loop, 'ld.shared'), spilled: uses(loop, '(?:ld|st).local') };
	}
	const check = (file, ...args) => {
		const { status, stdout, stderr } = ptxscope(['check', file, `--launch=${launch}`, '-mcpu=sm_90', '--check-claims', ...args]);
		assert.equal(status, 0, stdout + stderr);
	};

	test('what exceeds the budget in any order is computed in blocks, which repeat loads of shared memory', () => {
		const before = moved(square, ...tight, '-no-misched-groups'), after = moved(square, ...tight);
		assert.deepEqual([before.volatile, before.plain], [0, 48]);
		assert.ok(after.volatile > 48 && after.plain === 0, JSON.stringify(after));
		assert.ok(after.volatile - 48 + after.spilled < 0.65 * before.spilled, JSON.stringify([before, after]));
		check(square, ...tight);
	});

	test('blocks of a product are as square as can be: they have few loads', () => {
		const sum = /(\d+) instructions of bb\.1 in (\d+) groups, with (\d+) loads repeated: for a budget of 28 registers \(-maxreg=28\) about (\d+) are loaded or stored, (\d+) before/.exec(compile(square, ...tight, '-pass-remarks=machine-scheduler').stderr);
		assert.ok(sum, 'a remark');
		const [groups, repeated, after, before] = sum.slice(2).map(Number);
		assert.ok(groups <= 4 && repeated <= 56 && after < 0.65 * before, sum[0]);
	});

	test('without a budget, or within it, the code is what it was', () => {
		for (const args of [[], ['-maxreg=80'], ['-nv-remat-default-max-reg=28']])
			assert.equal(compile(square, ...args).stdout, compile(square, '-no-misched-groups', ...args).stdout);
	});

	test('a load in front of a store that may write its memory is not repeated behind it', () => {
		const stores = product(6, 6, 4, '  %q$ = getelementptr i32, ptr addrspace(3) %pq, i32 %n\n  store i32 $, ptr addrspace(3) %q$');
		const { stdout } = compile(stores, ...tight), loop = /^\$L__BB0_1:[^]*?^\t@%p\d+ bra/m.exec(stdout)[0];
		const pieces = loop.split(/st\.shared\.[bu]32/);
		assert.equal(pieces.length, 5);
		for (const piece of pieces.slice(0, 4))
			assert.ok(!piece.includes('volatile'), 'only behind the last store');
		check(stores, ...tight);
	});

	test('nor is one that is volatile itself, and none behind a barrier', () => {
		const other = input(compile(square, '-stop-after=dce').stdout.replaceAll('= load i32, ptr addrspace(3)', '= load volatile i32, ptr addrspace(3)'));
		assert.equal(moved(other, ...tight).volatile, 48);
		const steps = product(6, 6, 4, '  call void @llvm.nvvm.barrier0()'), { stderr } = compile(steps, ...tight, '-pass-remarks=machine-scheduler');
		for (const [, n] of stderr.matchAll(/(\d+) instructions of bb\.1/g))
			assert.ok(n <= 12 + 36 + 36 + 4, 'a region for each step');
		check(steps, ...tight);
	});

	test('all shapes and budgets give the same results', () => {
		for (const [rows, columns, depth] of [[1, 24, 3], [3, 9, 2], [5, 5, 5]])
			for (const budget of [14, 20, 27])
				check(product(rows, columns, depth), `-maxreg=${budget}`);
	});
});

describe('what stays in order', { skip }, () => {
	const ordered = input(kernel([
		count(4, load), '  store volatile i32 %v3, ptr addrspace(1) %out', '  %w0 = load volatile i32, ptr addrspace(1) %in', '  call void @llvm.nvvm.barrier0()',
		count(4, (i) => load(4 + i)), '  %x = atomicrmw add ptr addrspace(1) %out, i32 %v7 monotonic', '  fence acq_rel',
		count(4, (i) => load(8 + i)), '  %w1 = load atomic i32, ptr addrspace(1) %in acquire, align 4', '  store atomic i32 %v8, ptr addrspace(1) %out release, align 4',
		'  call void @llvm.nvvm.barrier0()', '  call void asm sideeffect "membar.gl;", "~{memory}"()',
		...[0, 1, 2, 4, 5, 6, 9, 10, 11].map((i, k, all) => `  %t${k} = add i32 %v${i}, ${k ? `%t${k - 1}` : '%w0'}`),
		tree(16, 20), '  %u = add i32 %t8, %w1', '  %z = add i32 %s14, %x', '  %y = add i32 %u, %z', '  store i32 %y, ptr addrspace(1) %out',
	]));
	const fixed = (text) => text.split('\n').map((line) => /^\t(?:\S*(?:volatile|relaxed|acquire|release)\S*|(?:bar|fence|membar|atom|red)\.[\w.]+)/.exec(line)?.[0].trim()).filter(Boolean);

	for (const args of [['-nvptx-sched4reg'], ['-maxreg=4'], ['-post-RA-scheduler'], ['-misched-postra'], ['-nvptx-sched4reg', '-machine-scheduler-postra', '-post-RA-scheduler', '-misched-postra']])
		test(`LIVE-10: barriers, volatile and atomic operations keep their order with ${args.join(' ')}`, () => {
			const plain = compile(ordered, '-no-enable-misched').stdout, text = compile(ordered, ...args).stdout;
			assert.ok(fixed(plain).length >= 9, fixed(plain).join());
			assert.deepEqual(fixed(text), fixed(plain));
			assert.notEqual(text, plain);
		});
});
