// The sanitizers (core/simt/sanitize.h): kernels in pairs, with a planted error and without (sanitize/kernels.mjs). Everything watches
// every kernel. Natively and in WebAssembly the reports are the same.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { kernels } from './sanitize/kernels.mjs';
import { examples, ptxscope, temporaryFolder, wasm, wasmInProcess } from './tools/ptxscope.mjs';

const work = temporaryFolder(), file = join(work, 'k.ptx'), launchFile = join(work, 'k.json');

function watch(run, { text, launch, options = [] }, sanitize = 'all') {
	writeFileSync(file, text);
	writeFileSync(launchFile, JSON.stringify(launch));
	const r = run(['run', file, `--launch=${launchFile}`, '--json', `--sanitize=${sanitize}`, ...options]);
	assert.ok(r.stdout, r.stderr);
	return { ...r, faults: JSON.parse(r.stdout).faults };
}
const shown = (faults) => faults.map(({ kind, line, other, message }) => `${kind} ${line} ${other?.line ?? ''}: ${message}`).join('\n');
const named = (name) => kernels.find((kernel) => kernel.name === name);

describe('kernels with a planted error and without', () => {
	assert.ok(kernels.length >= 120 && kernels.filter(({ kind }) => kind).length * 2 === kernels.length);
	for (const kernel of kernels)
		test(kernel.name, () => {
			const { faults, status } = watch(ptxscope, kernel);
			if (!kernel.kind) return assert.equal(shown(faults), '');
			assert.equal(status, 1);
			assert.deepEqual([...new Set(faults.map(({ kind }) => kind))], [kernel.kind], shown(faults));
			const lines = [kernel.line, kernel.other].filter(Boolean).sort();
			const found = faults.map((f) => [f.line, kernel.other ? f.other?.line : 0].filter(Boolean).sort());
			if (kernel.line) assert.ok(found.some((pair) => pair.join() === lines.join()), `wanted ${lines}:\n${shown(faults)}`);
		});
});

test('natively and in WebAssembly the reports are the same', { skip: existsSync(wasm) ? false : 'no WASM build' }, async () => {
	const run = wasmInProcess();
	for (const kernel of kernels.filter(({ kind, options }) => kind && !options.length)) {
		const native = watch(ptxscope, kernel).stdout;
		assert.equal((await run(['run', file, `--launch=${launchFile}`, '--json', '--sanitize=all'])).stdout, native, kernel.name);
	}
});

test('a report names both threads, both accesses, the allocation', () => {
	const [race] = watch(ptxscope, named('race: shared, write, read, bar.sync (wrong)')).faults;
	assert.deepEqual([race.sanitizer, race.kernel, race.access, race.bytes, race.thread, race.count], ['race', 'k', 'read', 4, [0, 0, 0], 64]);
	assert.deepEqual([race.other.access, race.other.thread, race.other.block], ['write', [1, 0, 0], [0, 0, 0]]);
	assert.deepEqual(race.memory, { space: 'shared', address: '0x404', allocation: 'sh', size: 1024, offset: 4 });
	const blocks = watch(ptxscope, named('race: blocks that write one word (wrong)')).faults[0];
	assert.deepEqual([blocks.block, blocks.other.block, blocks.memory.allocation], [[1, 0, 0], [0, 0, 0], 'out']);
	const [leak] = watch(ptxscope, named('leak: malloc without free (wrong)')).faults;
	assert.deepEqual([leak.count, leak.memory.size], [4, 24]);
});

test('a report about two accesses has the timelines of both threads: accesses, what orders them, what is missing', () => {
	const told = (fault) => fault.timelines.map(({ events }) => events.map(({ what, line, reported, count = 1 }) => `${what}${count > 1 ? ' …' : ''} ${line}${reported ? '!' : ''}`).join(', '));
	for (const { kind, name, ...kernel } of kernels.filter((k) => ['race', 'missing-wait', 'proxy'].includes(String(k.kind))))
		for (const fault of watch(ptxscope, kernel).faults.filter((f) => f.other)) {
			assert.equal(fault.timelines?.length, 2, name);
			const ends = fault.timelines.map(({ events }) => events.filter((e) => e.reported));
			assert.deepEqual(ends.map((e) => e.length), [1, 1], name);
			assert.deepEqual(ends.map(([e]) => e.line), [fault.line, fault.other.line], name);
			assert.ok(ends[1][0].moment <= ends[0][0].moment, `${name}: the reported access is the later one`);
		}
	const of = (name) => watch(ptxscope, named(`race: ${name} (wrong)`)).faults[0];
	const learns = of('bar.arrive learns nothing');
	const [reads, writes] = told(learns).map((t) => t.replace(/ \d+/g, ''));
	assert.deepEqual([reads, writes, learns.needs], ['arrival, read!', 'write!, barrier', 'barrier']);
	assert.equal(of('shared, write, read, bar.warp.sync').needs, 'warp barrier');
	const poll = watch(ptxscope, named('race: message, fences around volatile accesses; only one (wrong)')).faults[0];
	assert.equal(poll.needs, 'release and acquire');
	assert.match(told(poll)[0], /^relaxed access … \d+, read \d+!$/);
	assert.match(told(poll)[1], /^write \d+!, fence \d+, relaxed access \d+$/);
	// A barrier that both pass has one moment; the access behind it is its thread's second.
	const right = named('race: shared, write, read, bar.sync (right)');
	const twice = watch(ptxscope, { ...right, text: right.text.replace(/(bar\.sync 0;\n)(\s*ld\.shared[^\n]*\n)/, '$1$2$1st.shared.u32 [%r1], 3;\n$2') }).faults[0];
	const [mine, other] = twice.timelines, barriers = ({ events }) => events.filter((e) => e.what === 'barrier').map((e) => e.moment);
	assert.deepEqual(barriers(mine), barriers(other));
	assert.equal(barriers(mine).length, 2);
	assert.equal(mine.visit, 1);
});

test('timelines in a cluster leave out the same word of the other block', () => {
	const text = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .pred %p1;
.reg .b32 %r<8>;
.shared .align 4 .b8 sh[16];
barrier.cluster.arrive;
barrier.cluster.wait;
mov.u32 %r1, %cluster_ctarank;
mov.u32 %r2, sh;
st.shared.u32 [%r2], %r1;
setp.eq.u32 %p1, %r1, 0;
@%p1 bra $END;
mapa.shared::cluster.u32 %r4, %r2, 0;
ld.shared::cluster.u32 %r5, [%r4];
$END:
barrier.cluster.arrive;
barrier.cluster.wait;
ret;
}
`;
	const launch = { kernel: 'k', grid: [2, 1, 1], cluster: [2, 1, 1], block: [1, 1, 1], args: [{ buffer: 'out' }], buffers: { out: { type: 'u32', count: 1 } } };
	const [race] = watch(ptxscope, { text, launch }, 'race').faults, events = (k) => race.timelines[k].events.map(({ what }) => what);
	const reader = race.access === 'read' ? 0 : 1;
	assert.ok(events(reader).includes('read') && !events(reader).includes('write'), events(reader).join());
	assert.ok(events(1 - reader).includes('write'), events(1 - reader).join());
});

test('a report and a fault say the place in the source, where the text has it', () => {
	const { text, launch } = named('race: shared, write, read, bar.sync (wrong)');
	const marked = `${text.replace(/^.*\/\/\?$/m, '.loc 1 30 7\n$&').replace(/^.*\/\/!$/m, '.loc 2 41 9, function_name $L__info_string0, inlined_at 1 3 3\n$&')}.file 1 "/src/a.cu"\n.file 2 "/src" "b.cuh", 17, 20\n`;
	const [race] = watch(ptxscope, { text: marked, launch }, 'race').faults;
	assert.deepEqual([race.source, race.other.source], [{ file: 'b.cuh', line: 41, column: 9 }, { file: '/src/a.cu', line: 30, column: 7 }]);
	assert.match(ptxscope(['run', file, `--launch=${launchFile}`, '--sanitize=race']).stderr, /\n {2}from b\.cuh:41:9\n.*note: the other access\n.*\n {2}from \/src\/a\.cu:30:7\n/s);
	assert.equal(watch(ptxscope, { text, launch }, 'race').faults[0].source, undefined);
	const ir = `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out) !dbg !5 {
  %far = getelementptr i8, ptr addrspace(1) %out, i64 4096
  br label %next, !dbg !7
next:
  store i32 1, ptr addrspace(1) %far, align 4, !dbg !8
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/src")
!5 = distinct !DISubprogram(name: "k", file: !1, line: 1, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocation(line: 3, column: 1, scope: !5)
!8 = !DILocation(line: 12, column: 5, scope: !5)
!9 = !{i32 2, !"Debug Info Version", i32 3}
`;
	const irFile = join(work, 'd.ll');
	writeFileSync(irFile, ir);
	for (const [level, name] of [['ir', 'k.cu'], ['mir', 'k.cu'], ['ptx', '/src/k.cu']]) {
		const r = ptxscope(['run', irFile, `--launch=${launchFile}`, '--json', `--level=${level}`]);
		assert.deepEqual(JSON.parse(r.stdout).faults[0].source, { file: name, line: 12, column: 5 }, `${level}: ${r.stderr}`);
	}
});

test('each sanitizer finds its own errors only', () => {
	for (const [sanitizer, kind] of [['race', 'race'], ['init', 'uninitialised'], ['leak', 'leak']])
		for (const kernel of kernels.filter((k) => k.kind === kind && !k.options.length))
			for (const other of ['race', 'init', 'leak'])
				if (other !== sanitizer) assert.equal(shown(watch(ptxscope, kernel, other).faults), '', `${kernel.name}, ${other}`);
});

test('a seed gives one order; a race that needs an order is found and shown with the fewest preemptions', () => {
	// Thread 32 sees the flag only while thread 0 is between its two accesses: in the default order never.
	const body = `mov.u32 %r8, 0;\n$L:\nsetp.ge.u32 %p1, %r0, 32;\n@%p1 bra $B;\nst.volatile.shared.u32 [sh], 1;\nst.volatile.shared.u32 [sh], 0;\nbra $N;
$B:\nld.volatile.shared.u32 %r9, [sh];\nsetp.ne.u32 %p2, %r9, 1;\n@%p2 bra $N;\nst.shared.u32 [sh+64], %r0;\n$N:\nadd.s32 %r8, %r8, 1;\nsetp.lt.u32 %p3, %r8, 40;\n@%p3 bra $L;\n`;
	const right = named('race: shared, write, read, bar.sync (right)');
	const text = `${right.text.slice(0, right.text.indexOf('mad.lo.s32'))}${body}ret;\n}\n`;
	const at = (...options) => watch(ptxscope, { text, launch: right.launch, options }, 'race');
	assert.equal(shown(at().faults), '');
	const seed = [...Array(20).keys()].find((n) => at(`--schedule=seed:${n}`).faults.length);
	assert.ok(seed !== undefined, 'no seed of 20 shows the race');
	const first = at(`--schedule=seed:${seed}`);
	assert.equal(first.stdout, at(`--schedule=seed:${seed}`).stdout);
	assert.equal(first.faults[0].kind, 'race');
	const { preemptions } = JSON.parse(first.stdout).schedule;
	assert.ok(preemptions >= 1 && preemptions <= 3, `${preemptions} preemptions`);
});

test('an unknown sanitizer or schedule is a usage error', () => {
	const { text, launch } = kernels[1];
	writeFileSync(file, text);
	writeFileSync(launchFile, JSON.stringify(launch));
	const bad = (option) => ptxscope(['run', file, `--launch=${launchFile}`, option]);
	for (const option of ['--sanitize=races', '--schedule=7', '--schedule=seed:', '--schedule=seed:x']) assert.equal(bad(option).status, 2, option);
	assert.match(bad('--sanitize=races').stderr, /takes memory, race, init, sync, leak and all, not 'races'/);
});

for (const level of ['ir', 'ptx'])
	test(`nothing is reported on the examples, level ${level}`, () => {
		assert.ok(examples.length > 30);
		for (const { name, file: example } of examples) {
			const r = ptxscope(['run', example, `--launch=${example.replace(/\.ll$/, '.launch.json')}`, '--json', `--level=${level}`, '--sanitize=all', '-mcpu=sm_90']);
			assert.equal(r.status, 0, `${name}: ${r.stderr}`);
			assert.ok(!JSON.parse(r.stdout).sanitizeLimited, name);
		}
	});
