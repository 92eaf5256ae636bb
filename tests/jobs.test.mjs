// `run --jobs=N`: what several threads make of a launch is what one makes of it: results, counts, what is printed and in which order,
// faults. Blocks that wait for each other get on. What needs one job says so.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const work = temporaryFolder();

const text = (name, value) => `.global .b8 ${name}[${value.length + 1}] = {${[...value].map((c) => c.charCodeAt(0)).join(', ')}, 0};`;

/** A kernel with %r0 the thread, %r1 the block, %r2 the number of blocks, %rd0 `out` and %rd1 its word for the block; its files. */
function kernel(body, { blocks = 24, threads = 64, cluster, outside = '', words = 256 } = {}) {
	const file = join(work, 'k.ptx'), launch = join(work, 'k.json');
	writeFileSync(file, `.version 8.4\n.target sm_90\n.address_size 64\n${outside}
.visible .entry k(.param .u64 p)\n{
.reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<24>; .reg .b64 %rd<12>; .reg .b128 %q<4>; .reg .f64 %d<4>;
.shared .align 8 .b8 sh[256];
ld.param.u64 %rd0, [p]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mad.wide.u32 %rd1, %r1, 4, %rd0; setp.eq.u32 %p0, %r0, 0;
${body}\nret;\n}\n`);
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [blocks, 1, 1], block: [threads, 1, 1], ...(cluster ? { cluster } : {}), args: [{ buffer: 'out' }],
		buffers: { out: { type: 'u32', count: words } },
	}));
	return ['run', file, `--launch=${launch}`, '--json'];
}

/** With one job and with n: the same in every byte. */
function agree(args, n = 4) {
	const [one, more] = [1, n].map((jobs) => ptxscope([...args, `--jobs=${jobs}`, '--jobs-after=1']));
	assert.equal(more.stdout, one.stdout);
	assert.equal(more.stderr, one.stderr);
	assert.equal(more.status, one.status);
	return { ...one, ...(one.stdout ? JSON.parse(one.stdout) : {}) };
}

/** The threads of early blocks take longer than those of late ones. */
const late = (times) => `sub.u32 %r20, %r2, %r1; mul.lo.u32 %r20, %r20, ${times};
$W: sub.u32 %r20, %r20, 1; setp.ne.u32 %p3, %r20, 0; @%p3 bra $W;`;

describe('several jobs', () => {
	for (const name of ['bitonic_sort', 'device_heap', 'histogram', 'matmul_tiled'])
		test(`${name}, as one job has it`, () => {
			const r = agree(['run', join(root, `tests/kernels/${name}.ll`), `--launch=${join(root, `tests/kernels/${name}.launch.json`)}`, '-mcpu=sm_90', '--json']);
			assert.equal(r.status, 0, r.stderr);
		});

	test('what is printed is in the order of blocks', () => {
		const r = agree(kernel(`${late(40)}
.local .align 8 .b8 args[8]; mov.u64 %rd2, args; cvta.local.u64 %rd3, %rd2; mov.u64 %rd4, format; cvta.global.u64 %rd4, %rd4;
st.local.u32 [%rd2], %r1; st.local.u32 [%rd2+4], %r0;
{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd4; st.param.b64 [a], %rd3; call.uni (r), vprintf, (f, a); }`, { threads: 2, outside: `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n${text('format', '%u.%u ')}` }));
		assert.equal(r.printf, Array.from({ length: 24 }, (_, b) => `${b}.0 ${b}.1 `).join(''));
	});

	test('atomic operations of all widths, with and without a result, and a lock', () => {
		const r = ptxscope([...kernel(`
red.global.add.u32 [%rd0], 1; atom.global.max.u32 %r3, [%rd0+4], %r1; red.relaxed.gpu.global.add.f64 [%rd0+8], 0d3FF0000000000000;
cvta.to.global.u64 %rd2, %rd0; red.add.u64 [%rd0+16], 3;
$B: ld.volatile.global.u16 %h1, [%rd0+24]; add.u16 %h2, %h1, 1; atom.global.cas.b16 %h3, [%rd0+24], %h1, %h2; setp.ne.u16 %p1, %h1, %h3; @%p1 bra $B;
mov.b128 %q0, {0, 0}; cvt.u64.u32 %rd4, %r1;
$C: mov.b128 {%rd5, %rd6}, %q0; add.u64 %rd7, %rd5, 1; sub.u64 %rd8, %rd6, 1; mov.b128 %q1, {%rd7, %rd8}; atom.global.cas.b128 %q2, [%rd0+32], %q0, %q1; mov.b128 {%rd9, %rd10}, %q2; mov.b128 %q0, %q2; setp.ne.u64 %p1, %rd9, %rd5; @%p1 bra $C;
@!%p0 bra $E;
$L: atom.acquire.gpu.global.cas.b32 %r4, [%rd0+64], 0, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra $L;
ld.global.u32 %r5, [%rd0+128]; add.u32 %r5, %r5, %r1; st.global.u32 [%rd0+128], %r5; atom.release.gpu.global.exch.b32 %r4, [%rd0+64], 0;
$E:`), '--jobs=4', '--jobs-after=1']);
		assert.equal(r.status, 0, r.stderr);
		const v = JSON.parse(r.stdout).buffers.out.values, n = 24 * 64;
		assert.deepEqual([v[0], v[1], v[3], v[4], v[6], v[8], v[10], v[32]], [n, 23, 0x40980000, 3 * n, n, n, 2 ** 32 - n, 276]);
	});

	test('blocks that wait for the one before, in a chain', () => {
		const args = kernel(`
mov.u32 %r5, 0; setp.eq.u32 %p1, %r1, 0; not.pred %p2, %p0; @%p2 bra $E; @%p1 bra $F;
$L: ld.acquire.gpu.global.u32 %r4, [%rd1+508]; setp.eq.u32 %p2, %r4, 0; @%p2 bra $L;
ld.global.u32 %r5, [%rd1+-4];
$F: add.u32 %r5, %r5, %r1; st.global.u32 [%rd1], %r5; membar.gl; st.volatile.global.u32 [%rd1+512], 1;
$E:`, { blocks: 100 });
		const sums = Array.from({ length: 100 }, (_, b) => b * (b + 1) / 2);
		for (const jobs of [2, 5]) {
			const r = ptxscope([...args, `--jobs=${jobs}`, '--jobs-after=1']);
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(JSON.parse(r.stdout).buffers.out.values.slice(0, 100), sums);
		}
	});

	test('blocks that wait for a later one', () => {
		const args = kernel(`
@%p0 red.release.gpu.global.add.u32 [%rd0+512], 1;
$L: ld.acquire.gpu.global.u32 %r4, [%rd0+512]; setp.lt.u32 %p1, %r4, %r2; @%p1 bra $L;
@%p0 st.global.u32 [%rd1], %r4;`, { blocks: 3, threads: 32 });
		assert.deepEqual(JSON.parse(ptxscope([...args, '--jobs=3']).stdout).buffers.out.values.slice(0, 3), [3, 3, 3]);
	});

	test('a cluster is one job\'s: its shared memory and its barrier', () => {
		const r = agree(kernel(`${late(9)}
mov.u32 %r4, sh; mov.u32 %r5, %cluster_ctarank; @%p0 st.shared.u32 [%r4], %r1; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
xor.b32 %r6, %r5, 1; mapa.shared::cluster.u32 %r7, %r4, %r6; ld.shared::cluster.u32 %r8, [%r7]; @%p0 st.global.u32 [%rd1], %r8;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;`, { cluster: [2, 1, 1] }));
		assert.deepEqual(r.buffers.out.values.slice(0, 24), Array.from({ length: 24 }, (_, b) => b ^ 1));
	});

	test('of several faults it is that of the lowest block, and later blocks have written nothing', () => {
		const r = agree(kernel(`setp.ge.u32 %p1, %r1, 5; @!%p1 bra $N; ${late(200)}
st.global.u32 [%rd1+4096], %r0;
$N: st.global.u32 [%rd1], %r1;`));
		assert.equal(r.status, 1);
		assert.match(r.stderr, /out-of-bounds in thread \(0,0,0\) of block \(5,0,0\)/);
		assert.deepEqual(r.buffers.out.values.slice(0, 7), [0, 1, 2, 3, 4, 0, 0]);
	});

	test('too many steps, and too much that is printed', () => {
		assert.match(agree([...kernel('$L: bra $L;'), '--max-steps=300000']).stderr, /step-limit .*stopped after 300000 warp instructions/);
		const much = agree(kernel(`.local .align 8 .b8 args[8]; mov.u64 %rd2, args; cvta.local.u64 %rd3, %rd2; mov.u64 %rd4, format; cvta.global.u64 %rd4, %rd4;
{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd4; st.param.b64 [a], %rd3; call.uni (r), vprintf, (f, a); }`, { blocks: 40, outside: `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n${text('format', 'x'.repeat(1000))}` }));
		assert.match(much.stderr, /memory-limit .*printf wrote more than 1 MiB/);
	});

	test('what needs one job says so, and is as it was', () => {
		const plain = kernel('@%p0 st.global.u32 [%rd1], %r1;');
		for (const [option, why] of [['--sanitize=race', /one job runs, not 4: --sanitize/], ['--profile', /--profile/], ['--schedule=seed:3', /--schedule/]]) {
			const one = ptxscope([...plain, option]), more = ptxscope([...plain, option, '--jobs=4']);
			assert.match(more.stderr, why);
			assert.equal(more.stdout, one.stdout);
		}
		assert.equal(ptxscope([...plain, '--jobs=4']).stderr, '');
		assert.match(ptxscope([...plain, '--jobs=0']).stderr, /jobs/);
		assert.match(ptxscope([...kernel('mov.u64 %rd2, %clock64; @%p0 st.global.u64 [%rd0], %rd2;'), '--jobs=2']).stderr, /the kernel reads a clock/);
	});

	const { run, skip } = hosts.find(({ host }) => host === 'wasm');
	test('a host without threads says so', { skip }, () => {
		const args = kernel('@%p0 st.global.u32 [%rd1], %r1;'), r = run([...args, '--jobs=4']);
		assert.match(r.stderr, /one job runs, not 4: this host has no threads/);
		assert.equal(r.stdout, run(args).stdout);
	});
});
