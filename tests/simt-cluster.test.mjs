// Clusters of blocks: shared memory of the others, the cluster's barrier, copies to several blocks, pairs of blocks that multiply, what
// launches may ask for. Results are computed here in another way.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { matrix, product, types } from './tools/matrices.mjs';
import { image, lay } from './tools/smem-layout.mjs';
import { hosts, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder();
const list = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const hex = (v) => `0x${v.toString(16)}`;

/** Runs a body with %r0 the thread, %r1 its block's rank, %rd1 its word of `out` (by block in x, then thread). */
function execute(run, body, { grid = [2, 1, 1], cluster = [2, 1, 1], threads = 32, directives = '', buffers = {}, args = [], out = 256, options = [], outside = '', target = 'sm_100a' } = {}) {
	const file = join(work, 'c.ptx'), launch = join(work, 'c.json'), all = [...Object.keys(buffers).map((buffer) => ({ buffer })), ...args];
	writeFileSync(file, `.version 8.8\n.target ${target}\n.address_size 64\n${outside}
.visible .entry k(.param .u64 p_out${Object.keys(buffers).map((_, i) => `, .param .u64 p${i}`).join('')}${args.map((_, i) => `, .param .align 128 .b8 map${i}[128]`).join('')})\n${directives}\n{
.reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .b128 %q<2>; .reg .b32 %x<32>;
.shared .align 1024 .b8 sh[4096]; .shared .align 8 .b64 bar; .shared .align 4 .b32 place;
ld.param.u64 %rd0, [p_out]; ${Object.keys(buffers).map((_, i) => `.reg .b64 %a${i}; ld.param.u64 %a${i}, [p${i}];`).join(' ')}
mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r3, %r2, %r3, %r0; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1;
setp.eq.u32 %p0, %r0, 0;
${body}\nret;\n}\n`);
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid, block: [threads, 1, 1], ...(cluster ? { cluster } : {}), args: [{ buffer: 'out' }, ...all],
		buffers: { out: { type: 'u32', count: out }, ...buffers },
	}));
	const r = run(['run', file, `--launch=${launch}`, '--json', ...options]);
	return { ...r, report: r.stderr.replaceAll(file, 'F'), values: r.stdout ? JSON.parse(r.stdout).buffers.out.values : null };
}
const message = (...args) => execute(...args).report.split('\n')[0].split('): ').slice(1).join('): ') || execute(...args).report.split('\n')[0];
const met = 'barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;';

for (const { host, run, skip } of hosts)
	describe(`clusters (${host})`, { skip }, () => {
		test('where a block is: special registers', () => {
			const names = ['%clusterid.x', '%clusterid.y', '%clusterid.z', '%nclusterid.x', '%nclusterid.y', '%nclusterid.z', '%cluster_ctaid.x', '%cluster_ctaid.y', '%cluster_ctaid.z', '%cluster_nctaid.x', '%cluster_nctaid.y', '%cluster_nctaid.z', '%cluster_ctarank', '%cluster_nctarank'];
			const grid = [4, 6, 2], cluster = [2, 3, 1], n = names.length + 1;
			const r = execute(run, `mov.u32 %r4, %ctaid.y; mov.u32 %r5, %ctaid.z; mad.lo.u32 %r4, %r5, ${grid[1]}, %r4; mad.lo.u32 %r4, %r4, ${grid[0]}, %r2; mul.wide.u32 %rd2, %r4, ${4 * n}; add.u64 %rd2, %rd0, %rd2;
${names.map((name, i) => `mov.u32 %r6, ${name}; st.global.u32 [%rd2+${4 * i}], %r6;`).join('\n')}
mov.pred %p1, %is_explicit_cluster; selp.u32 %r6, 1, 0, %p1; st.global.u32 [%rd2+${4 * (n - 1)}], %r6;`, { grid, cluster, threads: 1, out: 48 * n });
			assert.equal(r.status, 0, r.report);
			for (let b = 0; b < 48; b++) {
				const id = [b % 4, b / 4 >> 0, 0].map((v, i) => (i === 1 ? v % 6 : i === 2 ? Math.floor(b / 24) : v)), inside = id.map((v, i) => v % cluster[i]);
				const want = [...id.map((v, i) => Math.floor(v / cluster[i])), 2, 2, 2, ...inside, ...cluster, inside[1] * 2 + inside[0], 6, 1];
				assert.deepEqual(r.values.slice(b * n, (b + 1) * n), want, `block ${id}`);
			}
		});

		test('each block reads and adds to the shared memory of all others, by both kinds of addresses', () => {
			const r = execute(run, `
mov.u32 %r4, sh; mad.lo.u32 %r4, %r0, 4, %r4; mad.lo.u32 %r5, %r2, 1000, %r0; st.shared.u32 [%r4], %r5; st.shared.u32 [%r4+512], 0; ${met}
mov.u32 %r6, 0; mov.u32 %r7, 0; cvt.u64.u32 %rd2, %r4; cvta.shared.u64 %rd3, %rd2;
$L: mapa.shared::cluster.u32 %r8, %r4, %r6; ld.shared::cluster.u32 %r9, [%r8]; mad.lo.u32 %r7, %r7, 3, %r9;
atom.relaxed.cluster.shared::cluster.add.u32 %r9, [%r8+512], 1; red.relaxed.cluster.shared::cluster.add.u32 [%r8+512], %r6;
getctarank.shared::cluster.u32 %r10, %r8; add.u32 %r7, %r7, %r10;
mapa.u64 %rd4, %rd3, %r6; ld.u32 %r9, [%rd4]; add.u32 %r7, %r7, %r9; getctarank.u64 %r10, %rd4; add.u32 %r7, %r7, %r10; isspacep.shared::cluster %p1, %rd4; selp.u32 %r9, 1, 0, %p1; add.u32 %r7, %r7, %r9;
isspacep.shared::cta %p1, %rd4; selp.u32 %r9, 100, 0, %p1; add.u32 %r7, %r7, %r9; isspacep.global %p1, %rd4; selp.u32 %r9, 10000, 0, %p1; add.u32 %r7, %r7, %r9;
add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 4; @%p1 bra $L;
${met} ld.shared.u32 %r9, [%r4+512]; shl.b32 %r9, %r9, 24; add.u32 %r7, %r7, %r9; st.global.u32 [%rd1], %r7;`, { grid: [8, 1, 1], cluster: [4, 1, 1], options: ['--sanitize=all'] });
			assert.equal(r.status, 0, r.report);
			for (let b = 0; b < 8; b++)
				for (let t = 0; t < 32; t++) {
					let sum = 0;
					for (let k = 0; k < 4; k++) {
						const v = ((b & 4) + k) * 1000 + t;
						sum = sum * 3 + v + k + v + k + 1 + (k === b % 4 ? 100 : 0);
					}
					assert.equal(r.values[b * 32 + t], (sum + (4 + 4 * (b % 4)) * 2 ** 24) % 2 ** 32, `block ${b}, thread ${t}`);
				}
		});

		test('mbarriers of other blocks: arrivals, st.async, red.async, copies from block to block', () => {
			// a ring: each block tells the next one
			const r = execute(run, `
mov.u32 %r4, sh; mov.u32 %r5, bar; add.u32 %r6, %r1, 1; mov.u32 %r7, %cluster_nctarank; rem.u32 %r6, %r6, %r7; mapa.shared::cluster.u32 %r8, %r4, %r6; mapa.shared::cluster.u32 %r9, %r5, %r6;
@%p0 mbarrier.init.shared.b64 [bar], 33; mad.lo.u32 %r10, %r0, 4, %r4; mad.lo.u32 %r11, %r2, 100, %r0; st.shared.u32 [%r10], %r11; st.shared.u32 [%r10+512], 1000; st.shared.u32 [%r10+1024], 0;
fence.proxy.async; ${met}
@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], ${128 + 128 + 128};
mad.lo.u32 %r12, %r0, 4, %r8; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r12+512], %r11, [%r9];
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r12+1024], %r11, [%r9];
add.u32 %r13, %r8, 2048; @%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r13], [%r4], 128, [%r9];
$W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [bar], 0; @!%p1 bra $W;
ld.shared.u32 %r14, [%r10+512]; ld.shared.u32 %r15, [%r10+1024]; ld.shared.u32 %r16, [%r10+2048]; mad.lo.u32 %r14, %r15, 10000, %r14; xor.b32 %r16, %r16, %r15; add.u32 %r14, %r14, %r16; st.global.u32 [%rd1], %r14; ${met}`, { grid: [6, 1, 1], cluster: [3, 1, 1], options: ['--sanitize=all'] });
			assert.equal(r.status, 0, r.report);
			for (let b = 0; b < 6; b++)
				for (let t = 0; t < 32; t++) {
					const from = (b < 3 ? 0 : 3) + (b + 2) % 3, v = from * 100 + t;
					assert.equal(r.values[b * 32 + t], v * 10000 + 1000 + v, `block ${b}, thread ${t}`);
				}
		});

		test('one copy to several blocks: bulk and tensor, those that the mask names', () => {
			const numbers = { type: 'u32', count: 256, init: { kind: 'linear', start: 5, step: 3 } };
			const r = execute(run, `
mov.u32 %r4, sh; mov.u32 %r5, bar; @%p0 mbarrier.init.shared.b64 [bar], 1; mad.lo.u32 %r10, %r0, 4, %r4; st.shared.u32 [%r10], 9; st.shared.u32 [%r10+128], 9; fence.proxy.async; ${met}
setp.eq.u32 %p2, %r1, 2; and.pred %p3, %p2, %p0; mov.u32 %r6, 128; @%p2 mov.u32 %r6, 0; setp.eq.u32 %p2, %r1, 3; @%p2 mov.u32 %r6, 256; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r6;
mov.b16 %h0, 0x000b; mov.b16 %h1, 0x0008; add.u32 %r7, %r4, 128; mov.u64 %rd3, map0; cvta.param.u64 %rd3, %rd3; mov.u32 %r8, 64;
@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], [%a0], 128, [%r5], %h0;
@%p3 cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%r7], [%rd3, {%r8}], [%r5], %h1;
$W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [bar], 0; @!%p1 bra $W;
ld.shared.u32 %r14, [%r10]; ld.shared.u32 %r15, [%r10+128]; mad.lo.u32 %r14, %r15, 1000, %r14; st.global.u32 [%rd1], %r14; ${met}`, {
				grid: [4, 1, 1], cluster: [4, 1, 1], buffers: { in: numbers }, options: ['--sanitize=all'],
				args: [{ tensorMap: { buffer: 'in', type: 'u32', dims: [256], box: [32] } }],
			});
			assert.equal(r.status, 0, r.report);
			for (let b = 0; b < 4; b++)
				for (let t = 0; t < 32; t++)
					assert.equal(r.values[b * 32 + t], (b === 2 ? 9 : 5 + 3 * t) + 1000 * (b === 3 ? 5 + 3 * (64 + t) : 9), `block ${b}, thread ${t}`);
		});

		test('work stealing: a cluster takes another one', () => {
			const r = execute(run, `
mov.u32 %r4, sh; mov.u32 %r5, bar; mbarrier.init.shared.b64 [bar], 1; mov.u32 %r6, 0; mov.u32 %r7, %r2; fence.proxy.async; ${met}
$NEXT: add.u32 %r8, %r7, 0; mul.wide.u32 %rd2, %r8, 4; add.u64 %rd2, %rd0, %rd2; mad.lo.u32 %r9, %r6, 100, %r2; add.u32 %r9, %r9, 1; atom.global.add.u32 %r9, [%rd2], %r9;
mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16; ${met} setp.eq.u32 %p1, %r1, 0;
@%p1 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%r4], [%r5]; and.b32 %r9, %r6, 1;
$W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [bar], %r9; @!%p1 bra $W;
ld.shared.b128 %q1, [%r4]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q1; @!%p2 bra $END;
clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r7, %q1; add.u32 %r7, %r7, %r1; add.u32 %r6, %r6, 1; bra $NEXT;
$END: ${met}`, { grid: [8, 1, 1], threads: 1, out: 8, options: ['--sanitize=all'] });
			assert.equal(r.status, 0, r.report);
			assert.deepEqual(r.values, [1, 2, 101, 102, 201, 202, 301, 302]);
		});

		for (const [M, a, d] of [[256, 'f16', 'f32'], [128, 'bf16', 'f32'], [256, 'e4m3', 'f32'], [128, 's8', 's32']])
			test(`tcgen05 of two blocks: M = ${M}, ${a}`, () => {
				const N = 32, K = 256 / types[a].bits, half = M / 2, BASE = 1024;
				const A = matrix(M, K, a, 3), Bt = matrix(K, N, a, 8)[0].map((_, j) => matrix(K, N, a, 8).map((row) => row[j]));
				const of = (rank, X) => X.slice(rank * X.length / 2, (rank + 1) * X.length / 2);
				const laid = [0, 1].map((rank) => [lay(of(rank, A), a, '128B', false, BASE), lay(of(rank, Bt), a, '128B', false, BASE + 16384)]);
				const words = laid.flatMap((both) => image(8192, ...both).slice(BASE / 4, BASE / 4 + 5120));
				const code = { f16: [0, 1], bf16: [1, 1], e4m3: [0, 1], s8: [1, 2] }[a], kind = { f16: 'f16', bf16: 'f16', e4m3: 'f8f6f4', s8: 'i8' }[a];
				const descriptor = (code[1] << 4 | code[0] << 7 | code[0] << 10 | N >> 3 << 17 | M >> 4 << 24) >>> 0;
				const r = execute(run, `
mov.u32 %r4, sm; mad.lo.u32 %r5, %r0, 4, %r4; mul.lo.u32 %r6, %r1, ${4 * 5120}; cvt.u64.u32 %rd2, %r6; add.u64 %rd2, %a0, %rd2; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd2, %rd2, %rd3; mov.u32 %r6, 0;
$L: ld.global.u32 %r7, [%rd2]; st.shared.u32 [%r5], %r7; add.u64 %rd2, %rd2, 512; add.u32 %r5, %r5, 512; add.u32 %r6, %r6, 128; setp.lt.u32 %p1, %r6, 5120; @%p1 bra $L;
setp.lt.u32 %p2, %r0, 32; @%p0 mbarrier.init.shared.b64 [bar], 1; @%p2 tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [place], 32; @%p2 tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
fence.proxy.async; bar.sync 0; ${met}
ld.shared.u32 %r8, [place]; setp.eq.u32 %p3, %r1, 0; and.pred %p3, %p3, %p0; mov.b64 %rd4, ${hex(laid[0][0].descriptor5)}; mov.b64 %rd5, ${hex(laid[0][1].descriptor5)}; mov.b32 %r9, ${hex(descriptor)}; mov.b16 %h0, 3; mov.u32 %r10, bar; setp.eq.u32 %p4, 0, 1;
@%p3 tcgen05.mma.cta_group::2.kind::${kind} [%r8], %rd4, %rd5, %r9, %p4;
@%p3 tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r10], %h0;
$W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [bar], 0; @!%p1 bra $W;
tcgen05.fence::after_thread_sync; and.b32 %r11, %r0, 96; shl.b32 %r11, %r11, 16; add.u32 %r11, %r11, %r8; mul.wide.u32 %rd6, %r3, 128; add.u64 %rd6, %rd0, %rd6;
tcgen05.ld.sync.aligned.32x32b.x32.b32 {${list(32, (i) => `%x${i}`).join(', ')}}, [%r11]; tcgen05.wait::ld.sync.aligned;
${list(32, (i) => `st.global.u32 [%rd6+${4 * i}], %x${i};`).join(' ')}
bar.sync 0; ${met} @%p2 tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r8, 32;`, {
					threads: 128, out: 256 * 32, buffers: { in: { type: 'u32', count: 10240, init: { kind: 'values', values: words } } },
					outside: `.shared .align 1024 .b8 sm[${5120 * 4}];\n`,
				});
				assert.equal(r.status, 0, r.report);
				const want = product(A, Bt[0].map((_, j) => Bt.map((row) => row[j])), list(M, () => new Array(N).fill(0)));
				const cells = [0, 1].map((rank) => list(128, (lane) => r.values.slice((rank * 128 + lane) * 32, (rank * 128 + lane) * 32 + 32)));
				want.forEach((row, i) => row.forEach((v, n) => {
					const [rank, lane, column] = M === 256 ? [i >> 7, i % 128, n] : [Math.floor(i / half), i % half + 64 * Math.floor(n / (N / 2)), n % (N / 2)];
					assert.equal(cells[rank][lane][column], types[d].put(v) >>> 0, `row ${i}, column ${n}`);
				}));
			});

		test('what is wrong at run time', () => {
			const last = `mov.u32 %r4, sh; mapa.shared::cluster.u32 %r4, %r4, 1; setp.eq.u32 %p1, %r1, 1;`;
			assert.match(message(run, `${last} @%p1 exit; mov.u32 %r5, 0; $L: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 100000; @%p2 bra $L; ld.shared::cluster.u32 %r6, [%r4];`), /4-byte read at 0x400 of the shared memory of the cluster's block 1, which has exited/);
			assert.match(message(run, 'mov.u32 %r4, sh; mapa.shared::cluster.u32 %r4, %r4, 5; ld.shared::cluster.u32 %r6, [%r4];'), /out of shared memory|of shared memory, which ends/);
			assert.match(message(run, 'barrier.cluster.arrive; barrier.cluster.arrive;'), /arrives at the cluster's barrier a second time/);
			assert.match(message(run, 'barrier.cluster.wait;'), /waits at the cluster's barrier, at which it has not arrived/);
			assert.match(message(run, `${last} @%p1 bra $E; ${met} $E: @%p1 bar.sync 1, 64;`), /32 of 64 threads have come to (the cluster's barrier|barrier 1); nobody is left to come/);
			assert.match(message(run, 'mov.u32 %r4, bar; mov.u32 %r5, 1; mapa.shared::cluster.u32 %r4, %r4, %r5; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r4], 1;'), /another block's: that block alone sets it up/);
			assert.match(message(run, 'mov.b64 %rd2, 0; mov.b32 %r4, 0x08080490; @%p0 tcgen05.mma.cta_group::2.kind::f16 [%r4], %rd2, %rd2, %r4, %p0;', { cluster: [1, 1, 1] }), /block 1 of the cluster, which would be the other of the pair, does not exist/);
		});

		test('a thread that exits has arrived', () => {
			const r = execute(run, `setp.eq.u32 %p1, %r1, 1; setp.gt.u32 %p2, %r0, 3; and.pred %p1, %p1, %p2; @%p1 exit; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%rd1], 7;`);
			assert.equal(r.status, 0, r.report);
			assert.deepEqual(r.values.slice(0, 64), list(64, (i) => (i < 36 ? 7 : 0)));
		});
	});

const launchError = (options) => execute(ptxscope, 'st.global.u32 [%rd1], 1;', options);
test('what kernel and launch say of clusters has to agree', () => {
	assert.equal(launchError({ cluster: null, directives: '.reqnctapercluster 2, 1, 1' }).status, 0);
	assert.equal(launchError({ directives: '.explicitcluster\n.reqnctapercluster 2' }).status, 0);
	assert.match(launchError({ cluster: [1, 1, 1], directives: '.reqnctapercluster 2, 1, 1' }).report, /a cluster of 1, 1, 1 blocks, but 'k' says 2, 1, 1/);
	assert.match(launchError({ cluster: null, directives: '.explicitcluster' }).report, /'k' wants the launch to say how many blocks a cluster has/);
	assert.match(launchError({ grid: [16, 1, 1], cluster: [8, 1, 1], directives: '.maxclusterrank 4' }).report, /a cluster of 8 blocks: 'k' allows 4/);
	assert.match(launchError({ grid: [3, 1, 1] }).report, /a grid of 3, 1, 1 blocks is no whole number of clusters of 2, 1, 1/);
	assert.match(launchError({ grid: [32, 1, 1], cluster: [32, 1, 1] }).report, /16 blocks for a cluster|32/);
	assert.match(launchError({ cluster: [2, 0, 1] }).report, /positive integer/);
	const counted = execute(ptxscope, 'st.global.u32 [%rd1], 1;', { grid: [3, 1, 1], cluster: null, threads: 1, out: 8, directives: '.reqntid 1\n.reqnctapercluster 2, 1, 1\n.blocksareclusters' });
	assert.deepEqual(counted.values ?? counted.report, [1, 1, 1, 1, 1, 1, 0, 0]);
});

test('the same at every level: IR, machine code, PTX', () => {
	const file = join(work, 'k.ll'), launch = join(work, 'k.json');
	writeFileSync(file, `target triple = "nvptx64-nvidia-cuda"
@sh = internal addrspace(3) global [64 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare ptr @llvm.nvvm.mapa(ptr, i32)
define ptx_kernel void @k(ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %place = getelementptr inbounds [64 x i32], ptr addrspace(3) @sh, i32 0, i32 %t
  %id = mul i32 %b, 1000
  %v = add i32 %id, %t
  store i32 %v, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %peer = xor i32 %rank, 1
  %there = call ptr @llvm.nvvm.mapa(ptr addrspacecast (ptr addrspace(3) getelementptr inbounds ([64 x i32], ptr addrspace(3) @sh, i32 0, i32 4) to ptr), i32 %peer)
  %w = load i32, ptr %there
  %own = load i32, ptr addrspace(3) getelementptr inbounds ([64 x i32], ptr addrspace(3) @sh, i32 0, i32 5)
  %far = mul i32 %w, 100000
  %sum = add i32 %far, %own
  %wide = zext i32 %b to i64
  %slot = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %wide
  store i32 %sum, ptr addrspace(1) %slot
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  ret void
}
attributes #0 = { "nvvm.cluster_dim"="2,1,1" }
`);
	writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [4, 1, 1], block: [64, 1, 1], args: [{ buffer: 'out' }], buffers: { out: { type: 'u32', count: 4 } } }));
	const want = list(4, (b) => ((b ^ 1) * 1000 + 4) * 100000 + b * 1000 + 5);
	for (const level of ['ir', 'mir', 'ptx']) {
		const r = ptxscope(['run', file, `--launch=${launch}`, '--json', `--level=${level}`, '-mcpu=sm_90', '--sanitize=race,sync,memory']);
		assert.equal(r.status, 0, `${level}: ${r.stderr}`);
		assert.deepEqual(JSON.parse(r.stdout).buffers.out.values, want.map((v) => v >>> 0), level);
	}
	assert.match(ptxscope(['check', file, `--launch=${launch}`, '-mcpu=sm_90']).stdout, /stages agree/);
});
