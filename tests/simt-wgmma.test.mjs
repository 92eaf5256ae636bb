// wgmma: products of a warp group, against products computed here. The layouts of shared memory are those that the PTX manual
// gives as shapes and strides; numbers are small and whole, so that every order of sums gives the same.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { matrix, pack, product, types } from './tools/matrices.mjs';
import { image, lay, modes } from './tools/smem-layout.mjs';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder();
const BASE = 1024, WORDS = 16384; // shared memory begins at 1024

function execute(run, { instruction, words, d, nd, a = null, metadata = null, keep }) {
	const file = join(work, 'w.ptx'), launch = join(work, 'w.json');
	writeFileSync(file, `.version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p_in, .param .u64 p_out, .param .u64 p_a, .param .u64 p_e)\n{
.reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<10>; .reg .b32 %d<${nd}>; .reg .b32 %a<4>;
.shared .align 1024 .b8 sh[${4 * WORDS}];
ld.param.u64 %rd1, [p_in]; ld.param.u64 %rd2, [p_out]; ld.param.u64 %rd3, [p_a]; ld.param.u64 %rd4, [p_e];
mov.u32 %r0, %tid.x; mov.u32 %r1, sh; mul.lo.u32 %r2, %r0, 4; add.u32 %r1, %r1, %r2;
mul.wide.u32 %rd5, %r0, 4; add.u64 %rd1, %rd1, %rd5; add.u64 %rd4, %rd4, %rd5;
mov.u32 %r3, 0;
$L: ld.global.u32 %r4, [%rd1]; st.shared.u32 [%r1], %r4; add.u64 %rd1, %rd1, 512; add.u32 %r1, %r1, 512; add.u32 %r3, %r3, 128; setp.lt.u32 %p1, %r3, ${WORDS}; @%p1 bra $L;
bar.sync 0;
ld.global.u32 %r9, [%rd4];
mul.wide.u32 %rd6, %r0, 16; add.u64 %rd6, %rd3, %rd6; ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%rd6];
mul.wide.u32 %rd7, %r0, ${4 * nd}; add.u64 %rd7, %rd2, %rd7;
${Array.from({ length: nd }, (_, i) => `ld.global.u32 %d${i}, [%rd7+${4 * i}];`).join('\n')}
setp.eq.u32 %p2, ${keep ? 1 : 0}, 1;
wgmma.fence.sync.aligned;
${instruction.replace('{d}', `{${Array.from({ length: nd }, (_, i) => `%d${i}`).join(', ')}}`)}
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
${Array.from({ length: nd }, (_, i) => `st.global.u32 [%rd7+${4 * i}], %d${i};`).join('\n')}
ret;\n}\n`);
	const list = (values, count) => ({ type: 'u32', count: count ?? values.length, init: { kind: 'values', values } });
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [128, 1, 1], args: ['in', 'out', 'a', 'e'].map((buffer) => ({ buffer })),
		buffers: { in: list(words), out: list(d), a: list(a ?? [], 512), e: list(metadata ?? [], 128) },
	}));
	const r = run(['run', file, `--launch=${launch}`, '--json']);
	assert.equal(r.status, 0, r.stderr);
	return JSON.parse(r.stdout).buffers.out.values;
}

/** Words of D's registers by thread, from the fragments' figure: row 16 * warp + lane / 4 (+ 8), columns 8 * j + 2 * (lane % 4). */
function fragments(D, type) {
	const n = D[0].length, E = 32 / types[type].bits, out = [];
	for (let t = 0; t < 128; t++) {
		const values = [];
		for (let j = 0; j < n / 8; j++)
			for (const half of [0, 8])
				for (const odd of [0, 1])
					values.push(D[16 * (t >> 5) + (t % 32 >> 2) + half][8 * j + 2 * (t % 4) + odd]);
		for (let i = 0; i < values.length; i += E)
			out.push(...pack(values.slice(i, i + E), type));
	}
	return out;
}

/** A in registers: register (column / 8 halves) * 2 + row / 8, as in mma.m16n8. */
function registersOfA(A, type) {
	const E = 32 / types[type].bits, out = [];
	for (let t = 0; t < 128; t++)
		for (let r = 0; r < 4; r++) {
			const row = 16 * (t >> 5) + (t % 32 >> 2) + 8 * (r % 2), col = (r >> 1) * 4 * E + (t % 4) * E;
			out.push(...pack(A[row].slice(col, col + E), type));
		}
	return out;
}

const transposed = (M) => M[0].map((_, j) => M.map((row) => row[j]));

function check(run, { n, k, d, a, b = a, swizzle = ['128B', '128B'], major = [false, false], scale = [1, 1], keep = true, inRegisters = false, sat = '', sparse = null }) {
	const stored = sparse ? k / 2 : k;
	const As = matrix(64, stored, a, 3), Bt = transposed(matrix(k, n, b, 8)), D0 = matrix(64, n, d, 1);
	if (d === 'f16') { // sums must fit 11 bits
		As.forEach((row) => row.forEach((v, i) => { row[i] = Math.sign(v); }));
		Bt.forEach((row) => row.forEach((v, i) => { row[i] = Math.sign(v); }));
	}
	const A = sparse ? sparse.spread(As) : As;
	const laidA = lay(As, a, swizzle[0], major[0], BASE), laidB = lay(Bt, b, swizzle[1], major[1], BASE + 32768);
	const words = image(WORDS + BASE / 4, ...(inRegisters ? [] : [laidA]), laidB).slice(BASE / 4);
	const start = D0.map((row) => row.map((v) => (keep ? v : 0)));
	const want = product(A.map((row) => row.map((v) => v * scale[0])), transposed(Bt).map((row) => row.map((v) => v * scale[1])), start, a === 'b1' ? 'and' : undefined);
	const hex = (v) => `0x${v.toString(16)}`, numbers = a === 'b1' || types[a].get === types.s8.get || ['s8', 'u8'].includes(a);
	const immediates = numbers ? '' : `, ${scale[0]}, ${scale[1]}${['f16', 'bf16'].includes(a) ? `${inRegisters ? '' : `, ${+major[0]}`}, ${+major[1]}` : ''}`;
	const got = execute(run, {
		words, d: fragments(D0, d), nd: 64 * n * types[d].bits / (32 * 128), keep, a: inRegisters ? registersOfA(As, a) : null, metadata: sparse?.metadata,
		instruction: `mov.b64 %rd8, ${hex(laidA.descriptor)}; mov.b64 %rd9, ${hex(laidB.descriptor)};\nwgmma.mma_async${sparse ? '.sp' : ''}.sync.aligned.m64n${n}k${k}.${d}.${a}.${b}${sat}${a === 'b1' ? '.and.popc' : ''} {d}, ${inRegisters ? '{%a0, %a1, %a2, %a3}' : '%rd8'}, %rd9, ${sparse ? `%r9, ${sparse.selector}, ` : ''}%p2${immediates};`,
	});
	assert.deepEqual(got, fragments(sat ? want.map((row) => row.map((v) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, v)))) : want, d));
}

/** The indices of a sparse A: two of four (one of two for tf32), different in every chunk; metadata of the warps' threads. */
function sparseA(k, type, selector) {
	const chunk = type === 'tf32' ? 2 : 4, pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
	const pick = (row, c) => (chunk === 2 ? (row + c) % 2 : pairs[(row * 5 + c * 3) % 6]);
	const nibble = (row, c) => (chunk === 2 ? [0b0100, 0b1110][pick(row, c)] : pick(row, c)[0] | pick(row, c)[1] << 2);
	const spread = (As) => As.map((stored, row) => {
		const out = new Array(k).fill(0);
		for (let c = 0; c < k / chunk; c++)
			if (chunk === 2)
				out[2 * c + pick(row, c)] = stored[c];
			else
				pick(row, c).forEach((p, i) => { out[4 * c + p] = stored[2 * c + i]; });
		return out;
	});
	// 16-bit halves of a thread: rows g and g + 8 of four chunks; 8-bit types: eight chunks of one row
	const metadata = new Array(128).fill(0xdead);
	for (let warp = 0; warp < 4; warp++)
		for (let g = 0; g < 8; g++)
			for (let h = 0; h < k / chunk * 2 * 4 / 32; h++) {
				let word = 0;
				for (let i = 0; i < 8; i++)
					word |= (types[type].bits >= 16 ? nibble(16 * warp + g + 8 * (i >> 2), 4 * h + i % 4) : nibble(16 * warp + g + 8 * (h % 2), 8 * (h >> 1) + i)) << 4 * i;
				metadata[32 * warp + 4 * g + 2 * selector + h] = word >>> 0;
			}
	return { spread, metadata, selector };
}

for (const { host, run, skip } of hosts)
	describe(`wgmma (${host})`, { skip }, () => {
		test('types', () => {
			for (const [d, a, b, k] of [['f32', 'f16', 'f16', 16], ['f16', 'f16', 'f16', 16], ['f32', 'bf16', 'bf16', 16], ['f32', 'tf32', 'tf32', 8], ['f32', 'e4m3', 'e5m2', 32], ['f32', 'e5m2', 'e4m3', 32], ['s32', 's8', 'u8', 32], ['s32', 'u8', 's8', 32], ['s32', 'b1', 'b1', 256]])
				check(run, { n: 24, k, d, a, b });
		});
		test('layouts by k and by m or n, with every swizzle', () => {
			for (const swizzle of Object.keys(modes))
				for (const major of [[false, false], [true, false], [false, true], [true, true]])
					check(run, { n: 64, k: 16, d: 'f32', a: 'f16', swizzle: [swizzle, swizzle === 'none' ? '64B' : swizzle], major });
			check(run, { n: 16, k: 8, d: 'f32', a: 'tf32', swizzle: ['none', 'none'] });
		});
		test('256 columns; without D; negated; A in registers', () => {
			check(run, { n: 256, k: 16, d: 'f32', a: 'bf16' });
			check(run, { n: 8, k: 16, d: 'f32', a: 'f16', keep: false });
			check(run, { n: 16, k: 16, d: 'f32', a: 'f16', scale: [-1, 1] });
			check(run, { n: 16, k: 8, d: 'f32', a: 'tf32', scale: [1, -1] });
			for (const [d, a, k] of [['f32', 'f16', 16], ['f32', 'tf32', 8], ['s32', 's8', 32], ['f32', 'e4m3', 32]])
				check(run, { n: 32, k, d, a, inRegisters: true });
		});
		test('sparse A', () => {
			for (const [d, a, k, selector] of [['f32', 'f16', 32, 0], ['f32', 'bf16', 32, 1], ['f32', 'tf32', 16, 1], ['s32', 's8', 64, 0], ['f32', 'e4m3', 64, 0]])
				for (const inRegisters of [false, true])
					check(run, { n: 16, k, d, a, inRegisters, sparse: sparseA(k, a, selector) });
		});
	});
