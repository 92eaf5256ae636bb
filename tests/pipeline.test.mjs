// What the pipeline runs, in which order, and what the documents say is printed on the way.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { examplesFolder, native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const json = (list) => skip ? [] : JSON.parse(ptxscope([list, '--json']).stdout);
const passes = json('passes'), knobs = json('knobs');
const isBuilt = (id) => passes.some((p) => p.id === id && p.built);
const unless = (...ids) => skip || ids.filter((id) => !isBuilt(id)).map((id) => `${id} is not built`).join(', ') || false;
const saxpy = 'examples/saxpy.ll', reduce = 'examples/reduce_shared.ll';

function compile(...args) {
	const { status, stdout, stderr } = ptxscope(['compile', '-o', '-', ...args]);
	assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
	return { stdout, stderr };
}

/** The ids of the steps that ran, in order. */
const trace = (...args) => [...compile(...args, '-print-after-all').stderr.matchAll(/^# \*\*\* IR Dump After .* \((\S+)\) \*\*\*:$/gm)].map(([, id]) => id);
const banners = (...args) => [...compile(...args).stderr.matchAll(/^# (After .*)$/gm)].map(([, text]) => text);

function isSubsequence(part, whole) {
	let at = 0;
	for (const id of whole)
		at += id === part[at];
	return at === part.length;
}

const iselBanner = '\n\n*** Final LLVM Code input to ISel ***\n';
const groups = {
	'After Pre-RegAlloc TailDuplicate': ['early-tailduplication'],
	'After codegen DCE pass': ['dead-mi-elimination'],
	'After Machine LICM, CSE and Sinking passes': ['early-machinelicm', 'machine-cse', 'machine-sink'],
	'After codegen peephole optimization pass': ['peephole-opt'],
};

describe('the order of the pipeline', { skip }, () => {
	const documented = ['early-tailduplication', 'early-machinelicm', 'machine-cse', 'machine-sink', 'peephole-opt', 'nvptx-peephole', 'dead-mi-elimination', 'machine-cp'];
	const all = ['-nvptx-enable-machine-sink', '-pipeline=documented'];

	test('the passes before allocation that are built run in the documented order', () => {
		assert.ok(isSubsequence(documented.filter(isBuilt), trace(reduce, ...all, '-O2')));
	});

	test('PIPE-02: the passes before allocation run in the documented order', { skip: unless(...documented) }, () => {
		assert.ok(isSubsequence(documented, trace(reduce, ...all, '-O2')));
	});

	/** Everything that the documents name is on: the trace of machine passes. */
	const everything = () => trace(reduce, ...all, '-enable-machine-outliner=enable', '-O2');
	const inOrder = (ids) => assert.ok(isSubsequence(ids, everything()), `${ids.join(', ')} in ${everything().join(' ')}`);

	test('PIPE-01: selection, passes before allocation, allocation, passes after it, and emission follow each other', () => {
		const ran = everything(), machine = ran.slice(ran.indexOf('nvptx-isel')), groupOf = (id) => passes.find((p) => p.id === id).group;
		const fixed = ['nvptx-isel', 'finalize-isel', 'two-address-instruction', 'phi-node-elimination', 'post-ra-pseudos', 'prologepilog', 'machine-outliner', 'nvptx-proxy-reg-erasure'];
		inOrder(fixed);
		assert.ok(machine.length > 30);
		assert.deepEqual(machine.slice(0, 2), fixed.slice(0, 2));
		for (const [id, at] of machine.map((id, at) => [id, at])) {
			const group = groupOf(id), before = (other) => at < machine.lastIndexOf(other);
			assert.ok((group !== 'isel' && group !== 'pre-ra') || before('register-coalescer'), id);
			assert.equal(group === 'post-ra' || group === 'emission', !before('post-ra-pseudos'), id);
		}
		const place = (id) => passes.findIndex((p) => p.id === id);
		assert.ok(place('asm-printer') > place('nvptx-proxy-reg-erasure') && place('asm-printer') > place(machine.at(-1)));
	});

	const allocation = ['register-coalescer', 'greedy', 'nvptx-remat-block', 'stack-slot-coloring'];
	const afterwards = ['post-ra-pseudos', 'machinelicm', 'postra-machine-sink', 'machine-cp:postra', 'branch-folder', 'block-placement', 'machine-pipeliner'];

	test('PIPE-03: allocation runs in the documented order, on live intervals and slot indexes', { skip: unless(...allocation) }, () => {
		inOrder(allocation);
		for (const id of ['live-intervals', 'slot-indexes'])
			assert.ok(isBuilt(id));
	});

	test('PIPE-04: the passes after allocation run in the documented order', { skip: unless(...afterwards) }, () => inOrder(afterwards));

	test('those passes of allocation and after it that are built run in the documented order', () => {
		inOrder(allocation.filter(isBuilt));
		inOrder(afterwards.filter(isBuilt));
	});

	test('STOCK-01: finalize-isel comes first, and behind it no pseudo is left that wants an inserter', () => {
		const ir = join(temporaryFolder(), 'shuffle.ll');
		writeFileSync(ir, `target triple = "nvptx64-nvidia-cuda"
define i32 @f(i32 %x) {
  %y = call i32 @llvm.nvvm.shfl.down.i32(i32 %x, i32 1, i32 31)
  ret i32 %y
}
declare i32 @llvm.nvvm.shfl.down.i32(i32, i32, i32)
`);
		for (const [cpu, want] of [['sm_90', / SHFL_sync_down_b32/], ['sm_50', / SHFL_down_b32/]])
			assert.match(compile(ir, `-mcpu=${cpu}`, '-stop-after=finalize-isel').stdout, want);
		assert.equal(everything()[everything().indexOf('nvptx-isel') + 1], 'finalize-isel');
	});

	test('PIPE-14: each disable- knob of a pass takes that pass alone out of the trace, all its runs, and no result changes', () => {
		const kernel = join(examplesFolder, 'reduce_shared'), whole = trace(`${kernel}.ll`, ...all);
		const run = (...args) => JSON.parse(ptxscope(['run', `${kernel}.ll`, `--launch=${kernel}.launch.json`, '--json', ...args]).stdout).buffers;
		const results = run();
		const runsUnder = (name, id) => passes.some((p) => p.id === id && p.built && p.at.O3 && p.gates.includes(name));
		const owned = knobs.filter(({ name, passes: owners }) => /^(nv-)?disable-/.test(name) && owners.length && owners.every((id) => runsUnder(name, id)));
		assert.ok(owned.length > 20);
		for (const { name, passes: owners } of owned) {
			const without = trace(`${kernel}.ll`, ...all, `-${name}`);
			assert.deepEqual(without, whole.filter((id) => !owners.includes(id)), name);
			assert.deepEqual(run(`-${name}`), results, name);
		}
	});

	test('PIPE-13: with nv-disable-mem2reg nvptx-mem2reg is not in the trace', { skip: unless('nvptx-mem2reg') }, () => {
		const file = join(examplesFolder, 'local_array.ll');
		assert.ok(trace(file).includes('nvptx-mem2reg'));
		assert.ok(!trace(file, '-nv-disable-mem2reg').includes('nvptx-mem2reg'));
	});
});

describe('the record of a compilation', { skip }, () => {
	test('PIPE-25: where a pass says that it changed nothing the text after it is the text before, and where it says it did it is another', () => {
		let changes = 0, same = 0;
		for (const name of ['reduce_shared', 'local_array', 'generic_as', 'mandelbrot']) {
			const { passes: entries, texts } = JSON.parse(compile(join(examplesFolder, `${name}.ll`), '--trace=-').stdout.replace(/^[^]*?(?=^\{"version")/m, ''));
			const last = new Map(), ofModule = new Set(entries.filter((e) => !e.function).map(({ id }) => id)); // they change some function
			for (const { id, function: f, level, changed, text } of entries) {
				const key = `${level} ${f}`, before = last.get(key);
				last.set(key, text);
				if (before === undefined || ofModule.has(id))
					continue;
				assert.equal(texts[before] !== texts[text], changed, `${name}: ${id} on ${f}`);
				changed ? changes++ : same++;
			}
		}
		assert.ok(changes > 20 && same > 100);
	});
});

describe('banners', { skip }, () => {
	test('PIPE-08: what selection gets is printed behind its banner', () => {
		const { stderr } = compile(saxpy, '-print-isel-input');
		assert.equal(stderr.split(iselBanner).length, 2);
		assert.ok(stderr.startsWith(iselBanner), stderr.slice(0, 80));
		assert.match(stderr.slice(iselBanner.length), /^; ModuleID[^]*define /);
	});

	test('PIPE-09: without -print-isel-input the banner is absent', () => {
		for (const args of [[], ['-print-after-all', '-print-before-all']])
			assert.ok(!compile(saxpy, ...args).stderr.includes('Final LLVM Code'), args.join(' '));
	});

	test('the banners of groups that ran are printed once each, in their order, with -print-after-all alone', () => {
		for (const args of [[], ['-nvptx-enable-machine-sink', '-enable-mlicm'], ['-pipeline=documented']]) {
			const ran = trace(reduce, ...args);
			const texts = Object.keys(groups).filter((text) => groups[text].some((id) => ran.includes(id)));
			assert.ok(texts.length >= 3);
			assert.deepEqual(banners(reduce, '-print-after-all', ...args).filter((text) => text in groups), texts);
		}
		for (const other of [[], ['-print-before-all'], ['-print-changed'], ['-print-after=machine-cse']])
			assert.deepEqual(banners(reduce, ...other), [], other.join(' '));
	});

	test('PIPE-10: all banners before allocation appear once each, in their order', { skip: unless('early-tailduplication') }, () => {
		assert.deepEqual(banners(reduce, '-print-after-all', '-pipeline=documented').filter((text) => text in groups), Object.keys(groups));
	});

	test('PIPE-12: without LICM, CSE and sinking their banner is absent, and stands behind the last of them otherwise', () => {
		const text = 'After Machine LICM, CSE and Sinking passes';
		assert.ok(!banners(saxpy, '-print-after-all', '-enable-mcse=0').includes(text));
		for (const [knob, id] of [['-enable-mlicm', 'early-machinelicm'], ['-nvptx-enable-machine-sink', 'machine-sink']]) {
			const { stderr } = compile(saxpy, '-print-after-all', '-enable-mcse=0', knob);
			const before = stderr.slice(0, stderr.indexOf(text));
			assert.equal([...before.matchAll(/^# \*\*\* IR Dump After .* \((\S+)\)/gm)].at(-1)[1], id);
		}
	});
});

describe('what PTX looks like', { skip }, () => {
	const kernels = ['saxpy', 'reduce_shared', 'local_array', 'fft_radix2', 'funcptr', 'generic_as', 'mandelbrot', 'bitonic_sort', 'half_axpy', 'ddot'].map((name) => join(examplesFolder, `${name}.ll`));
	const texts = kernels.flatMap((file) => ['-O0', '-O3'].map((level) => [`${file} ${level}`, skip ? '' : compile(file, level, '-mcpu=sm_80').stdout]));
	const special = /^%(?:tid|ntid|ctaid|nctaid|laneid|warpid|nwarpid|smid|nsmid|gridid|lanemask_\w+|clock\w*|globaltimer\w*|envreg\d+|pm\d+|dynamic_smem_size|total_smem_size|cluster\w*|is_explicit_cluster)(?:\.[xyz])?$/;

	test('PRINT-01: it begins with .version, .target, .address_size, and declares every register that it uses', () => {
		for (const [name, ptx] of texts) {
			assert.match(ptx, /^(?:\/\/.*\n|\s*\n)*\.version \d+\.\d+\n\.target sm_80(?:, debug)?\n\.address_size 64\n/, name);
			for (const [, body] of ptx.matchAll(/^\{\n([^]*?)^\}/gm)) {
				const declared = new Map([...body.matchAll(/^\t\.reg \.\w+ \t(%\w+?)<(\d+)>;/gm)].map(([, file, n]) => [file, Number(n)]));
				const single = new Set([...body.matchAll(/\.reg \.\w+ (%[A-Za-z_]\w*);|\.reg \.b64 \t(%SPL?);/g)].map(([, a, b]) => a ?? b));
				for (const [reg] of body.replace(/\/\/.*/g, '').matchAll(/%[A-Za-z_]\w*(?:\.[xyz])?(?![\w<])/g)) {
					const [, file, number] = /^(%[A-Za-z_]+?)(\d+)$/.exec(reg) ?? [];
					assert.ok(special.test(reg) || single.has(reg) || (declared.has(file) && Number(number) < declared.get(file)) || declared.has(reg), `${name}: ${reg}`);
				}
			}
		}
	});

	test('PTXC-01: no physical register occurs', () => {
		const files = new Set();
		for (const [name, ptx] of texts)
			for (const [reg] of ptx.replace(/\/\/.*/g, '').matchAll(/%[A-Za-z_]\w*(?:\.[xyz])?/g))
				if (!special.test(reg)) {
					assert.match(reg, /^%(?:p|rs|r|rd|rq|f|fd|h|hh|SP|SPL)\d*$/, name);
					files.add(reg.replace(/\d+$/, ''));
				}
		assert.ok(files.size >= 4, [...files].join());
	});

	test('PTXC-03: no stack is pushed or popped; a frame is a depot and its address', () => {
		let frames = 0;
		for (const [name, ptx] of texts) {
			assert.doesNotMatch(ptx, /\b(?:push|pop|stacksave|stackrestore|alloca)\b/, name);
			for (const [, body] of ptx.matchAll(/^\{\n([^]*?)^\}/gm))
				if (body.includes('%SPL')) {
					frames++;
					assert.match(body, /^\t\.local \.align \d+ \.b8 \t?__local_depot\d+\[\d+\];\n/m, name);
					assert.equal(body.match(/^\tmov\.[bu]64 \t%SPL, __local_depot\d+;$/gm)?.length, 1, name);
					assert.doesNotMatch(body, /^\t(?:add|sub)\S* \t%SPL?,/m, name);
				}
		}
		assert.ok(frames > 0);
	});

	test('PTXC-05: a jump that all threads take is bra.uni, a conditional one @%p bra', () => {
		let uniform = 0, conditional = 0;
		for (const [name, ptx] of texts)
			for (const [, guard, form] of ptx.matchAll(/^\t(@\S+ )?\s*(bra\S*) /gm)) {
				assert.equal(form, guard ? 'bra' : 'bra.uni', name);
				uniform += !guard;
				conditional += !!guard;
			}
		assert.ok(uniform > 3 && conditional > 3);
	});
});

describe('convergent operations', { skip }, () => {
	const file = join(temporaryFolder(), 'convergent.ll');
	writeFileSync(file, `
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %tid, %n
  br i1 %c, label %side, label %join
side:
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 31)
  br label %join
join:
  %v = phi i32 [ 0, %entry ], [ %s, %side ]
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
  %odd = and i32 %tid, 1
  %d = icmp eq i32 %odd, 0
  br i1 %d, label %matching, label %other
matching:
  %m = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %v)
  store i32 %m, ptr addrspace(1) %out
  br label %last
other:
  store i32 %b, ptr addrspace(1) %out
  br label %last
last:
  br i1 %c, label %one, label %two
one:
  call void @llvm.nvvm.barrier.sync(i32 1)
  store i32 %v, ptr addrspace(1) %out
  ret void
two:
  call void @llvm.nvvm.barrier.sync(i32 1)
  store i32 %v, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare void @llvm.nvvm.barrier.sync(i32)
`);

	test('PTXC-08: barriers, shuffles, votes and matches are neither duplicated, guarded, merged nor moved to another block', () => {
		for (const args of [[], ['-pipeline=documented', '-nvptx-enable-machine-sink', '-early-ifcvt-loops', '-enable-machine-outliner=enable'], ['-pipeline=documented', '-structurizecfg-mode=off'], ['-O0']]) {
			const { stdout } = compile(file, '-mcpu=sm_80', ...args);
			const blocks = stdout.split(/^(?=\$L__BB)|(?<=^\t@!?%p\d+ bra .*\n)/m), at = (op) => blocks.findIndex((text) => text.includes(op));
			for (const [op, times] of [['shfl.sync.idx', 1], ['vote.sync.ballot', 1], ['match.any.sync', 1], ['barrier.sync', 2]]) {
				assert.equal(stdout.split(op).length - 1, times, `${args.join(' ')}: ${op}\n${stdout}`);
				assert.doesNotMatch(stdout, new RegExp(`^\\t@.*${op.replaceAll('.', '\\.')}`, 'm'));
			}
			const places = ['shfl.sync.idx', 'vote.sync.ballot', 'match.any.sync', 'barrier.sync'].map(at);
			assert.equal(new Set([0, ...places]).size, 5, `${args.join(' ')}: ${places}\n${stdout}`);
		}
	});
});

describe('what the printer refuses', { skip }, () => {
	const folder = temporaryFolder();
	const cases = {
		phi: ['%1:int32regs = PHI %0, %bb.0', /error: .*'f': %1:int32regs = PHI/],
		'frame index': ['%1:int32regs = LD_local_u32 %stack.0, 0', /error: .*%stack\.0/],
		'proxy pseudo': ['%1:int32regs = ProxyReg %0', /error: .*ProxyReg/],
	};
	for (const [what, [line, text]] of Object.entries(cases))
		test(`PRINT-02: a ${what} is an error that names instruction and function, and there is no PTX`, () => {
			const file = join(folder, `${what.replace(' ', '-')}.mir`), out = join(folder, 'out.ptx');
			writeFileSync(file, `---
name:            f
kernel:          true
isSSA:           true
stack:
  - { id: 0, offset: 0, size: 4, alignment: 4 }
body:             |
  bb.0:
    successors: %bb.1
    %0:int32regs = MOVu32i 1
  bb.1:
    ${line}
    Return
...
`);
			const { status, stderr } = ptxscope(['compile', file, '-passes=asm-printer', '-o', out]);
			assert.equal(status, 1, stderr);
			assert.match(stderr, text);
			assert.match(stderr, /'f'/);
			assert.ok(!existsSync(out));
		});
});

describe('results', { skip }, () => {
	const source = `
define internal i32 @twice(i32 %x) noinline { %r = shl i32 %x, 1 ret i32 %r }
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
entry:
  %slot = alloca [4 x i32]
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp slt i32 %tid, 7
  br i1 %small, label %loop, label %other
other:
  %o = call i32 @twice(i32 %tid)
  br label %join
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = and i32 %i, 3
  %p = getelementptr [4 x i32], ptr %slot, i32 0, i32 %at
  store i32 %sum, ptr %p
  %j = add i32 %i, 1
  %q = load i32, ptr %p
  %t = call i32 @twice(i32 %i)
  %more = add i32 %q, %t
  %c = icmp sle i32 %j, %tid
  br i1 %c, label %loop, label %join
join:
  %v = phi i32 [ %o, %other ], [ %more, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %v, ptr addrspace(1) %a
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`.replace('{ %r = shl i32 %x, 1 ret i32 %r }', '{\n  %r = shl i32 %x, 1\n  ret i32 %r\n}');
	const folder = temporaryFolder(), file = join(folder, 'k.ll'), launch = join(folder, 'k.json');
	writeFileSync(file, source);
	writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: [{ buffer: 'out' }, { i32: 5 }], buffers: { out: { type: 'i32', count: 32 } } }));
	const values = (...args) => {
		const { status, stdout, stderr } = ptxscope(['run', file, `--launch=${launch}`, '--json', ...args]);
		assert.equal(status, 0, stderr);
		return JSON.parse(stdout).buffers.out.values;
	};

	test('PIPE-06: phis, stack objects and a call give at -O0 what they give at -O2, and the PTX is read', () => {
		const want = Array.from({ length: 32 }, (_, t) => t < 7 ? t * (t + 1) : 2 * t);
		for (const level of ['-O0', '-O2']) {
			assert.deepEqual(values(level), want, level);
			const ptx = join(folder, `k${level}.ptx`);
			writeFileSync(ptx, compile(file, level).stdout);
			assert.equal(ptxscope(['fmt', ptx, '-o', '-']).status, 0);
			assert.match(readFileSync(ptx, 'utf8'), /call\.uni/);
		}
	});

	test('PIPE-22: each machine pass alone behind selection leaves code that is verified and computes the same', () => {
		const want = values();
		const lower = ['two-address-instruction', 'phi-node-elimination', 'post-ra-pseudos', 'prologepilog', 'nvptx-prolog-epilog', 'nvptx-proxy-reg-erasure', 'nvptx-replace-image-handles'];
		const alone = passes.filter(({ built, within, instance, level, group }) => built && !within && !instance && level === 'mir' && (group === 'isel' || group === 'pre-ra' || group === 'ra')).map(({ id }) => id).filter((id) => !lower.includes(id));
		assert.ok(alone.length > 15);
		for (const id of alone) {
			const late = passes.find((p) => p.id === id).group === 'ra';
			const list = late ? [...lower.slice(0, 2), id, ...lower.slice(2)] : [id, ...lower];
			const ptx = join(folder, 'alone.ptx');
			writeFileSync(ptx, compile(file, `-passes=${list.filter((p) => p !== 'finalize-isel' || id === p).join(',')},asm-printer`, '-verify-machineinstrs').stdout);
			const { status, stdout, stderr } = ptxscope(['run', ptx, `--launch=${launch}`, '--json']);
			assert.equal(status, 0, `${id}: ${stderr}`);
			assert.deepEqual(JSON.parse(stdout).buffers.out.values, want, id);
		}
	});
});
