// tcgen05: tensor memory, its loads and stores, copies from shared memory, and products against those computed here. Numbers are
// small and whole, so that every order of sums gives the same.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { matrix, pack, product, types } from './tools/matrices.mjs';
import { image, lay } from './tools/smem-layout.mjs';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder(), BASE = 1024, WORDS = 12288, COLUMNS = 128;
const hex = (v) => `0x${v.toString(16)}`;
const list = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const braces = (n, make) => `{${list(n, make).join(', ')}}`;

/** Runs `body` with %t0 the address of 128 columns that hold `tmem` ([lane][column]); returns them afterwards, and `out`. */
function execute(run, { body, words = [], tmem = [], options = [], data = [], closing = true }) {
	const file = join(work, 't.ptx'), launch = join(work, 't.json');
	const lanes = (load) => `mul.wide.u32 %rd5, %r0, ${4 * COLUMNS}; add.u64 %rd5, %rd3, %rd5; mov.u32 %r7, 0; mov.u32 %r8, %t1;
$${load}: ${load === 'S'
		? `ld.global.v4.u32 ${braces(4, (i) => `%x${i}`)}, [%rd5]; tcgen05.st.sync.aligned.32x32b.x4.b32 [%r8], ${braces(4, (i) => `%x${i}`)}; tcgen05.wait::st.sync.aligned;`
		: `tcgen05.ld.sync.aligned.32x32b.x4.b32 ${braces(4, (i) => `%x${i}`)}, [%r8]; tcgen05.wait::ld.sync.aligned; st.global.v4.u32 [%rd5], ${braces(4, (i) => `%x${i}`)};`}
add.u64 %rd5, %rd5, 16; add.u32 %r8, %r8, 4; add.u32 %r7, %r7, 4; setp.lt.u32 %p1, %r7, ${COLUMNS}; @%p1 bra $${load};`;
	writeFileSync(file, `.version 8.8\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p_in, .param .u64 p_tmem, .param .u64 p_out)\n{
.reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<16>; .reg .b32 %x<64>; .reg .b32 %t<2>; .reg .b32 %m<8>;
.shared .align 1024 .b8 sh[${4 * WORDS}]; .shared .align 8 .b64 bar; .shared .b32 place;
ld.param.u64 %rd1, [p_in]; ld.param.u64 %rd3, [p_tmem]; ld.param.u64 %rd4, [p_out];
mov.u32 %r0, %tid.x; mov.u32 %r1, sh; mul.lo.u32 %r2, %r0, 4; add.u32 %r1, %r1, %r2; mul.wide.u32 %rd5, %r0, 4; add.u64 %rd1, %rd1, %rd5;
mov.u32 %r3, 0;
$L: ld.global.u32 %r4, [%rd1]; st.shared.u32 [%r1], %r4; add.u64 %rd1, %rd1, 512; add.u32 %r1, %r1, 512; add.u32 %r3, %r3, 128; setp.lt.u32 %p1, %r3, ${WORDS}; @%p1 bra $L;
setp.lt.u32 %p2, %r0, 32; setp.eq.u32 %p3, %r0, 0;
@%p3 mbarrier.init.shared.b64 [bar], 1;
@%p2 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], ${COLUMNS};
@%p2 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
bar.sync 0;
ld.shared.u32 %t0, [place]; and.b32 %r5, %r0, 96; shl.b32 %r5, %r5, 16; add.u32 %t1, %t0, %r5;
mul.wide.u32 %rd9, %r0, 256; add.u64 %rd9, %rd4, %rd9;
${lanes('S')}
bar.sync 0;
${body}
bar.sync 0;
${lanes('G')}
bar.sync 0;
${closing ? `@%p2 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t0, ${COLUMNS};` : ''}
ret;\n}\n`);
	const flat = list(128, (l) => list(COLUMNS, (c) => tmem[l]?.[c] ?? 0)).flat();
	const buffer = (values, count) => ({ type: 'u32', count, init: { kind: 'values', values } });
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [128, 1, 1], args: ['in', 'tmem', 'out'].map((name) => ({ buffer: name })),
		buffers: { in: buffer(words, WORDS), tmem: buffer(flat, 128 * COLUMNS), out: buffer(data, 128 * 64) },
	}));
	const r = run(['run', file, `--launch=${launch}`, '--json', ...options]);
	const buffers = r.stdout ? JSON.parse(r.stdout).buffers : null;
	return { ...r, report: r.stderr.replaceAll(file, 'T'), tmem: buffers && list(128, (l) => buffers.tmem.values.slice(l * COLUMNS, (l + 1) * COLUMNS)), out: buffers?.out.values };
}

const message = (...args) => execute(...args).report.split('\n')[0].replace(/^T:\d+: error: /, '');
const numbered = list(128, (l) => list(COLUMNS, (c) => (l << 16 | c) + 7));
const transposed = (M) => M[0].map((_, j) => M.map((row) => row[j]));

const pointers = `target triple = "nvptx64-nvidia-cuda"
@place = internal addrspace(3) global ptr addrspace(6) undef, align 4
define ptx_kernel void @k(ptr addrspace(1) %out) {
  call void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3) @place, i32 32)
  %t = load ptr addrspace(6), ptr addrspace(3) @place, align 4
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = add i32 %x, 100
  %v = insertelement <2 x i32> undef, i32 %x, i64 0
  %w = insertelement <2 x i32> %v, i32 %y, i64 1
  call void @llvm.nvvm.tcgen05.st.32x32b.x2(ptr addrspace(6) %t, <2 x i32> %w, i1 false)
  call void @llvm.nvvm.tcgen05.wait.st()
  %next = getelementptr i8, ptr addrspace(6) %t, i32 1
  %r = call i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6) %next, i1 false)
  call void @llvm.nvvm.tcgen05.wait.ld()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %r, ptr addrspace(1) %p
  call void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6) %t, i32 32)
  ret void
}
`;

/* ---- products */

const codes = { f16: 0, bf16: 1, tf32: 2, u8: 0, s8: 1, e4m3: 0, e5m2: 1, e2m3: 3, e3m2: 4, e2m1: 5 };
const kindOf = (type) => ({ f16: 'f16', bf16: 'f16', tf32: 'tf32', u8: 'i8', s8: 'i8' })[type] ?? 'f8f6f4';

/** Lane and word of D: for 64 and 32 rows as the manual's layouts F, E and G. */
function place(M, N, ws, row, n) {
	if (M === 64 && !ws)
		return [32 * (row >> 4) + row % 16, n];
	const parts = ws ? 128 / M : 1, width = N / parts;
	return [row + M * Math.floor(n / width), n % width];
}

function check(run, { M = 128, N = 32, a, b = a, d = 'f32', swizzle = '128B', major = [false, false], negate = [0, 0], keep = true, inTmem = false, ws = false, zero = null, zeroColumns = [], disabled = null, scaleD = 0, scaled = null, kind = kindOf(a), sat = 0, block = '' }) {
	const fp4 = kind.startsWith('mxf4'), narrow = kind.includes('f8f6f4'), room = (t) => (narrow ? 8 : types[t].bits);
	const K = 256 / (fp4 ? 4 : narrow ? 8 : types[a].bits), D_AT = 32;
	const A = matrix(M, K, a, 3), Bt = transposed(matrix(K, N, b, 8)), D = matrix(M, N, d, 1);
	if (d === 'f16')
		for (const X of [A, Bt])
			X.forEach((row) => row.forEach((v, i) => { row[i] = Math.sign(v); }));
	const laidA = lay(A, a, swizzle, major[0], BASE, room(a)), laidB = lay(Bt, b, swizzle, major[1], BASE + 24576, room(b));
	const words = image(WORDS + BASE / 4, ...(inTmem ? [] : [laidA]), laidB).slice(BASE / 4);
	const tmem = list(128, () => list(COLUMNS, () => 0x5a5a));
	D.forEach((row, i) => row.forEach((v, n) => { const [l, c] = place(M, N, ws, i, n); tmem[l][D_AT + c] = types[d].put(v) >>> 0; }));
	if (inTmem) // columns 0 to 31
		A.forEach((row, i) => {
			const bytes = room(a) === 8 && types[a].bits < 8 ? row.map((v) => types[a].put(v) << (types[a].bits === 4 ? 2 : 0)) : null;
			const packed = bytes ? list(K / 4, (w) => bytes.slice(4 * w, 4 * w + 4).reduce((sum, v, k) => (sum | v << 8 * k) >>> 0, 0)) : pack(row, a);
			packed.forEach((w, c) => { tmem[place(M, N, false, i, 0)[0]][c] = w; });
		});
	let descriptor = 0, scaleOf = () => 1;
	if (scaled) { // exponents of two around 1, one for each part of K: those of A in columns 96 on, of B 104 on
		const { count, id } = scaled, exponent = (which, index, part) => (index * 5 + part * 3 + which) % 4 - 1, byte = (e) => (scaled.e4m3 ? e + 7 << 3 : e + 127);
		for (const [which, rows, first] of [[0, M, 96], [1, N, 104]])
			for (let index = 0; index < rows; index++)
				for (let part = 0; part < count; part++)
					for (let warp = 0; warp < 4; warp++) {
						const lane = warp * 32 + index % 32, column = first + (index >> 5), shift = 8 * ((id[which] + part) % 4);
						tmem[lane][column] = ((part === 0 && index < 128 && id[which] === 0 ? 0x5a5a5a5a : tmem[lane][column]) & ~(255 << shift) | byte(exponent(which, index, part)) << shift) >>> 0;
					}
		scaleOf = (which, index, k) => 2 ** exponent(which, index, Math.floor(k * count / K));
		descriptor = (id[1] << 4 | (scaled.e4m3 ? 0 : 1) << 23 | id[0] << 29 | M >> 7 << 27 | (fp4 ? 1 : codes[a]) << 7 | (fp4 ? 1 : codes[b]) << 10) >>> 0;
	} else {
		descriptor = ({ f16: 0, f32: 1, s32: 2 }[d] << 4 | sat << 3 | codes[a] << 7 | codes[b] << 10 | M >> 4 << 24) >>> 0;
	}
	descriptor = (descriptor | negate[0] << 13 | negate[1] << 14 | +major[0] << 15 | +major[1] << 16 | N >> 3 << 17) >>> 0;
	const sign = (which) => (negate[which] ? -1 : 1);
	const want = product(A.map((row, i) => row.map((v, k) => sign(0) * v * scaleOf(0, i, k))), transposed(Bt.map((row, n) => row.map((v, k) => (zeroColumns.includes(n) ? 0 : sign(1) * v * scaleOf(1, n, k))))), D.map((row) => row.map((v) => (keep ? v / 2 ** scaleD : 0))));
	const expected = tmem.map((row) => [...row]);
	want.forEach((row, i) => row.forEach((v, n) => {
		const [l, c] = place(M, N, ws, i, n);
		if (!disabled || !(disabled[l >> 5] >>> l % 32 & 1))
			expected[l][D_AT + c] = types[d].put(v) >>> 0;
	}));
	const r = execute(run, {
		words, tmem, body: `
add.u32 %r9, %t0, ${D_AT}; mov.b32 %r10, ${hex(descriptor)}; mov.b64 %rd10, ${hex(laidA.descriptor5)}; mov.b64 %rd11, ${hex(laidB.descriptor5)}; mov.b64 %rd12, ${hex(zero ?? 0n)};
add.u32 %r11, %t0, 96; add.u32 %r12, %t0, 104; setp.eq.u32 %p1, ${+keep}, 1; ${(disabled ?? []).map((v, i) => `mov.b32 %m${i}, ${hex(v)};`).join(' ')}
@%p3 tcgen05.mma${ws ? '.ws' : ''}.cta_group::1.kind::${kind}${block} [%r9], ${inTmem ? '[%t0]' : '%rd10'}, %rd11, %r10, ${scaled ? '[%r11], [%r12], ' : ''}${disabled ? '{%m0, %m1, %m2, %m3}, ' : ''}%p1${zero === null ? '' : ', %rd12'}${scaleD ? `, ${scaleD}` : ''};
@%p3 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;
tcgen05.fence::after_thread_sync;`,
	});
	assert.equal(r.status, 0, r.report);
	assert.deepEqual(r.tmem, expected);
}

for (const { host, run, skip } of hosts)
	describe(`tcgen05 (${host})`, { skip }, () => {
		test('loads and stores: which thread holds which cell', () => {
			// written down from the figures: the cell of thread t and register r
			const shapes = {
				'32x32b': [1, (t, r) => [t, r]], '16x64b': [1, (t, r) => [(t >> 2) + (t & 1) * 8, 2 * r + (t >> 1 & 1)]], '16x128b': [2, (t, r) => [(t >> 2) + (r & 1) * 8, (r >> 1) * 4 + (t & 3)]],
				'16x256b': [4, (t, r) => [(t >> 2) + (r >> 1 & 1) * 8, (r >> 2) * 8 + (t & 3) * 2 + (r & 1)]], '16x32bx2': [1, (t, r) => [t & 15, r + (t >> 4) * 40]],
			};
			for (const [shape, [each, cell]] of Object.entries(shapes)) {
				const n = 4 * each, half = shape === '16x32bx2' ? ', 40' : '', second = shape === '32x32b' ? 0 : 16;
				const { status, out, tmem, report } = execute(run, {
					tmem: numbered, body: `add.u32 %r9, %t1, ${(second << 16) + 8}; tcgen05.ld.sync.aligned.${shape}.x4.b32 ${braces(n, (i) => `%x${i}`)}, [%r9]${half}; tcgen05.wait::ld.sync.aligned;
${list(n, (i) => `st.global.u32 [%rd9+${4 * i}], %x${i}; add.u32 %x${i}, %x${i}, 1000;`).join(' ')}
tcgen05.st.sync.aligned.${shape}.x4.b32 [%r9+1]${half}, ${braces(n, (i) => `%x${i}`)}; tcgen05.wait::st.sync.aligned;`,
				});
				assert.equal(status, 0, report);
				const expected = numbered.map((row) => [...row]);
				for (let t = 0; t < 128; t++)
					for (let r = 0; r < n; r++) {
						const [l, c] = cell(t % 32, r), lane = (t & 96) + second + l;
						assert.equal(out[t * 64 + r], numbered[lane][8 + c], `${shape} thread ${t} register ${r}`);
						expected[lane][9 + c] = numbered[lane][8 + c] + 1000;
					}
				assert.deepEqual(tmem, expected, shape);
			}
			const { out } = execute(run, { tmem: numbered, body: 'tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%x0, %x1}, [%t1+3]; tcgen05.wait::ld.sync.aligned; st.global.v2.u32 [%rd9], {%x0, %x1}; tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [%t1+60], {%x1};' });
			for (let t = 0; t < 128; t++)
				assert.deepEqual(out.slice(t * 64, t * 64 + 2), [0, 1].map((r) => ((numbered[t][3 + 2 * r] & 0xffff) | numbered[t][4 + 2 * r] << 16) >>> 0));
		});

		test('copies from shared memory', () => {
			const rows = (n, bytes) => list(n, (i) => list(bytes, (j) => (i * 31 + j * 7) & 255));
			const cases = [['128x256b', '', 128, 32, (i) => [i]], ['4x256b', '', 4, 32, (i) => [32 * i]], ['128x128b', '', 128, 16, (i) => [i]], ['64x128b', '.warpx2::02_13', 64, 16, (i) => [i, 64 + i]],
				['64x128b', '.warpx2::01_23', 64, 16, (i) => (i < 32 ? [i, 32 + i] : [32 + i, 64 + i])], ['32x128b', '.warpx4', 32, 16, (i) => [i, 32 + i, 64 + i, 96 + i]]];
			for (const [shape, qualifier, n, bytes, lanes] of cases) {
				const M = rows(n, bytes), laid = lay(M, 'u8', bytes === 32 ? '32B' : 'none', false, BASE), expected = numbered.map((row) => [...row]);
				M.forEach((row, i) => lanes(i).forEach((l) => pack(row, 'u8').forEach((w, c) => { expected[l][16 + c] = w; })));
				const r = execute(run, { words: image(WORDS + BASE / 4, laid).slice(BASE / 4), tmem: numbered, body: `mov.b64 %rd10, ${hex(laid.descriptor5)};\n@%p3 tcgen05.cp.cta_group::1.${shape}${qualifier} [%t0+16], %rd10;` });
				assert.equal(r.status, 0, r.report);
				assert.deepEqual(r.tmem, expected, shape + qualifier);
			}
			for (const [format, type] of [['b6x16_p32', 'e3m2'], ['b4x16_p64', 'e2m1']]) {
				const M = matrix(128, 16, type, 2), laid = lay(M, type, 'none', false, BASE, 8), expected = numbered.map((row) => [...row]);
				M.forEach((row, l) => list(4, (w) => { expected[l][w] = row.slice(4 * w, 4 * w + 4).reduce((sum, v, k) => (sum | types[type].put(v) << (type === 'e2m1' ? 2 : 0) << 8 * k) >>> 0, 0); }));
				const r = execute(run, { words: image(WORDS + BASE / 4, laid).slice(BASE / 4), tmem: numbered, body: `mov.b64 %rd10, ${hex(laid.descriptor5)};\n@%p3 tcgen05.cp.cta_group::1.128x128b.b8x16.${format} [%t0], %rd10;` });
				assert.deepEqual(r.tmem, expected, format);
			}
			const { tmem } = execute(run, { tmem: numbered, body: '@%p3 tcgen05.shift.cta_group::1.down [%t0+8];' });
			assert.deepEqual(tmem, numbered.map((row, l) => row.map((v, c) => (l > 0 && l < 32 && c >= 8 && c < 16 ? numbered[l - 1][c] : v))));
		});

		test('products: types, layouts, 64 rows, A in tensor memory', () => {
			for (const [a, b, d] of [['f16', 'f16', 'f32'], ['f16', 'f16', 'f16'], ['bf16', 'bf16', 'f32'], ['tf32', 'tf32', 'f32'], ['s8', 'u8', 's32'], ['e4m3', 'e5m2', 'f32'], ['e2m3', 'e2m1', 'f32'], ['e2m1', 'e3m2', 'f32']])
				check(run, { a, b, d });
			for (const [swizzle, major] of [['none', [false, false]], ['none', [true, true]], ['32B', [false, true]], ['64B', [true, false]], ['128B', [true, true]]])
				check(run, { a: 'f16', N: 64, swizzle, major });
			check(run, { M: 64, a: 'bf16' });
			for (const a of ['f16', 'tf32', 'e2m3', 'e2m1'])
				check(run, { a, inTmem: true });
			check(run, { M: 64, a: 's8', d: 's32', inTmem: true });
		});

		test('products: signs, without D, D halved, lanes and columns left out', () => {
			check(run, { a: 'f16', negate: [1, 0], keep: false });
			check(run, { a: 'tf32', negate: [0, 1] });
			check(run, { a: 'f16', scaleD: 1 });
			check(run, { a: 'f16', disabled: [0xffff0000, 0, 0x1, 0x80000000] });
			check(run, { a: 'f16', ws: true, N: 64 });
			check(run, { M: 64, N: 64, a: 'f16', ws: true });
			check(run, { M: 32, N: 128, a: 'e4m3', ws: true });
			// the manual's second example: four columns take part, three do not
			check(run, { a: 'f16', ws: true, N: 64, zero: 1n << 39n | 2n << 40n | 3n << 48n, zeroColumns: list(64, (n) => n).filter((n) => n % 7 >= 4) });
			// its third example, for 64 rows
			check(run, { M: 64, a: 'f16', ws: true, N: 64, zero: 1n << 39n | 2n << 40n | 3n << 48n | 1n << 32n, zeroColumns: list(64, (n) => n).filter((n) => (n < 32 ? n % 7 < 3 : n % 32 % 7 >= 4)) });
		});

		test('products with scales', () => {
			check(run, { a: 'e4m3', b: 'e2m1', kind: 'mxf8f6f4', scaled: { count: 1, id: [0, 2] }, block: '.block_scale.scale_vec::1X' });
			check(run, { a: 'e2m1', kind: 'mxf4', scaled: { count: 2, id: [2, 0] }, block: '.block_scale.scale_vec::2X', N: 64 });
			check(run, { a: 'e2m1', kind: 'mxf4nvf4', scaled: { count: 4, id: [0, 0], e4m3: true }, block: '.block_scale.scale_vec::4X' });
		});

		test('a sparse A: row by row, four bits for each chunk', () => {
			const A = matrix(128, 16, 'f16', 3), Bt = transposed(matrix(32, 16, 'f16', 8)), pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], pick = (row, c) => pairs[(row * 5 + c) % 6];
			const dense = A.map((row, i) => { const out = new Array(32).fill(0); for (let c = 0; c < 8; c++) pick(i, c).forEach((p, k) => { out[4 * c + p] = row[2 * c + k]; }); return out; });
			const laidA = lay(A, 'f16', 'none', false, BASE), laidB = lay(Bt, 'f16', '64B', false, BASE + 24576), tmem = list(128, (l) => [list(8, (c) => pick(l, c)[0] | pick(l, c)[1] << 2).reduce((sum, v, c) => (sum | v << 4 * c) >>> 0, 0)]);
			const r = execute(run, {
				words: image(WORDS + BASE / 4, laidA, laidB).slice(BASE / 4), tmem,
				body: `add.u32 %r9, %t0, 32; mov.b32 %r10, ${hex((1 << 2 | 1 << 4 | 16 >> 3 << 17 | 128 >> 4 << 24) >>> 0)}; mov.b64 %rd10, ${hex(laidA.descriptor5)}; mov.b64 %rd11, ${hex(laidB.descriptor5)}; setp.eq.u32 %p1, 0, 1;
@%p3 tcgen05.mma.sp.cta_group::1.kind::f16 [%r9], %rd10, %rd11, [%t0], %r10, %p1;`,
			});
			assert.equal(r.status, 0, r.report);
			assert.deepEqual(r.tmem.map((row) => row.slice(32, 48)), product(dense, transposed(Bt), list(128, () => new Array(16).fill(0))).map((row) => row.map((v) => types.f32.put(v))));
		});

		test('pointers to it have 32 bits in LLVM IR, too, and are advanced by columns', () => {
			const file = join(work, 'p.ll'), launch = join(work, 'p.json');
			writeFileSync(file, pointers);
			writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: [{ buffer: 'out' }], buffers: { out: { type: 'i32', count: 32 } } }));
			const r = run(['run', file, `--launch=${launch}`, '-mcpu=sm_100a', '--level=ptx', '--json']);
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(JSON.parse(r.stdout).buffers.out.values, list(32, (i) => 100 + i));
			const checked = run(['check', file, `--launch=${launch}`, '-mcpu=sm_100a', '-O0']);
			assert.equal(checked.stderr, '');
		});

		test('faults', () => {
			assert.match(message(run, { body: 'tcgen05.ld.sync.aligned.32x32b.x1.b32 {%x0}, [%t0];' }), /bad-tensor-memory .*from lane 0 on: the lanes of this warp are (32|64|96) to/);
			assert.match(message(run, { body: 'tcgen05.ld.sync.aligned.32x32b.x1.b32 {%x0}, [%t1+128];' }), /columns 128 to 128 of lane \d+, which are not all allocated/);
			assert.match(message(run, { body: '@%p2 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 64;' }), /given up the right to allocate/);
			assert.match(message(run, { body: '@%p2 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t0, 64;' }), /0x0 is no allocation of 64 columns/);
			assert.match(message(run, { body: 'mov.b32 %r10, 0; @%p3 tcgen05.mma.cta_group::1.kind::f16 [%t0], %rd1, %rd1, %r10, %p3;' }), /no product has M = 0, N = 0/);
			assert.match(message(run, { body: '@%p3 tcgen05.mma.cta_group::2.kind::f16 [%t0], %rd1, %rd1, %r10, %p3;' }), /bad-tensor-memory .*would be the other of the pair/);
		});
	});
