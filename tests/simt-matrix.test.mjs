// Matrix instructions of a warp: wmma and mma.sync of every shape and type, against products computed here. Numbers are small
// and whole, so that every order of sums gives the same. Who holds which element in mma.sync is written down a second time.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { matrix, pack, product, types, unpack } from './tools/matrices.mjs';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const folder = temporaryFolder();

function execute(body, buffers) {
	const file = join(folder, 'm.ptx'), launch = join(folder, 'm.json'), names = Object.keys(buffers);
	writeFileSync(file, `.version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry k(${names.map((n) => `.param .u64 p_${n}`).join(', ')})\n{\n` +
		`.reg .pred %p<4>; .reg .b32 %r<90>; .reg .b64 %rd<30>; .reg .f32 %f<40>; .reg .f64 %fd<20>;\n` +
		names.map((n) => `.reg .b64 %${n};\nld.param.u64 %${n}, [p_${n}];\ncvta.to.global.u64 %${n}, %${n};\n`).join('') +
		`mov.u32 %r0, %tid.x;\n${body}\nret;\n}\n`);
	const count = (v) => Array.isArray(v) ? { type: 'u32', count: v.length, init: { kind: 'values', values: v } } : { type: 'u32', count: v };
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: names.map((buffer) => ({ buffer })),
		buffers: Object.fromEntries(Object.entries(buffers).map(([n, v]) => [n, count(v)])),
	}));
	const { status, stdout, stderr } = ptxscope(['run', file, `--launch=${launch}`, '--json']);
	assert.equal(status, 0, stderr);
	return JSON.parse(stdout).buffers;
}

const regs = (first, n, kind = 'r') => `{${Array.from({ length: n }, (_, i) => `%${kind}${first + i}`).join(', ')}}`;

describe('wmma', { skip }, () => {
	const shapes = { m16n16k16: [16, 16, 16], m32n8k16: [32, 8, 16], m8n32k16: [8, 32, 16], m16n16k8: [16, 16, 8], m8n8k32: [8, 8, 32], m8n8k128: [8, 8, 128] };
	const wide = ['m16n16k16', 'm32n8k16', 'm8n32k16'];
	const cases = [
		...wide.flatMap((shape) => [['f16', 'f16'], ['f32', 'f32'], ['f16', 'f32'], ['f32', 'f16']].map(([d, c]) => [shape, d, 'f16', c])),
		...wide.flatMap((shape) => [[shape, 'f32', 'bf16', 'f32'], [shape, 's32', 's8', 's32'], [shape, 's32', 'u8', 's32']]),
		['m16n16k8', 'f32', 'tf32', 'f32'], ['m8n8k32', 's32', 's4', 's32'], ['m8n8k32', 's32', 'u4', 's32'],
		['m8n8k128', 's32', 'b1', 's32', 'and'], ['m8n8k128', 's32', 'b1', 's32', 'xor'],
	];
	for (const [shape, d, ab, c, bitOp] of cases)
		for (const [la, lb] of types[ab].bits < 8 ? [['row', 'col']] : [['row', 'col'], ['col', 'row'], ['row', 'row']])
			test(`${shape} ${d} ${ab} ${c} ${bitOp ?? ''} ${la} ${lb}`, () => {
				const [m, n, k] = shapes[shape];
				const A = matrix(m, k, ab, 3), B = matrix(k, n, ab, 8), C = matrix(m, n, c, 1);
				if (d === 'f16') // sums must fit 11 bits
					A.forEach((row) => row.forEach((v, i) => row[i] = Math.sign(v)));
				const pad = types[ab].bits < 8 ? 0 : 16, lay = (M, by, extra) => {
					const rows = by === 'row' ? M : M[0].map((_, j) => M.map((row) => row[j]));
					return { stride: rows[0].length + extra, values: rows.flatMap((row) => [...row, ...new Array(extra).fill(0)]) };
				};
				const a = lay(A, la, pad), b = lay(B, lb, pad), cc = lay(C, 'row', 0);
				const count = (M, t, fragment) => fragment ? 8 : Math.max(M.length * M[0].length * types[t].bits / 1024, 1);
				const na = count(A, ab, ab === 'f16'), nb = count(B, ab, ab === 'f16'), nc = count(C, c), nd = count(C, d);
				const kind = (t) => t === 'f32' ? 'f' : 'r', mma = ab === 'f16' ? `${d}.${c}` : bitOp ? `s32.b1.b1.s32` : `${d}.${ab}.${ab}.${c}`;
				const { out } = execute([
					`wmma.load.a.sync.aligned.${la}.${shape}.global.${ab} ${regs(1, na)}, [%a], ${a.stride};`,
					`wmma.load.b.sync.aligned.${lb}.${shape}.global.${ab} ${regs(10, nb)}, [%b], ${b.stride};`,
					`wmma.load.c.sync.aligned.row.${shape}.global.${c} ${regs(20, nc, kind(c))}, [%c];`,
					`wmma.mma.${bitOp ? `${bitOp}.popc.` : ''}sync.aligned.${la}.${lb}.${shape}.${mma} ${regs(30, nd, kind(d))}, ${regs(1, na)}, ${regs(10, nb)}, ${regs(20, nc, kind(c))};`,
					`wmma.store.d.sync.aligned.col.${shape}.global.${d} [%out], ${regs(30, nd, kind(d))}, ${m};`,
				].join('\n'), { a: pack(a.values, ab), b: pack(b.values, ab), c: pack(cc.values, c), out: m * n });
				const got = unpack(out.values, d, m * n), want = product(A, B, C, bitOp);
				assert.deepEqual(got, want[0].flatMap((_, j) => want.map((row) => row[j])));
			});

	test('f64, and the rounding that is asked for', () => {
		const f64 = new Float64Array(1), words = new Uint32Array(f64.buffer), bits = (v) => (f64[0] = v, [...words]);
		const A = [...Array(32).keys()].map((i) => i === 0 ? 1 : 0), B = A.map((_, i) => i === 0 ? 2 ** -60 : 0), C = new Array(64).fill(1);
		for (const [rnd, want] of [['rn', 1], ['rz', 1], ['rm', 1], ['rp', 1 + 2 ** -52]]) {
			const { out } = execute([
				'wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd1}, [%a], 4;', 'wmma.load.b.sync.aligned.row.m8n8k4.global.f64 {%fd2}, [%b], 8;',
				'wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%fd3, %fd4}, [%c], 8;',
				`wmma.mma.sync.aligned.row.row.m8n8k4.${rnd}.f64.f64.f64.f64 {%fd5, %fd6}, {%fd1}, {%fd2}, {%fd3, %fd4};`,
				'wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%out], {%fd5, %fd6}, 8;',
			].join('\n'), { a: A.flatMap(bits), b: B.flatMap(bits), c: C.flatMap(bits), out: 128 });
			words.set(out.values.slice(0, 2));
			assert.equal(f64[0], want, rnd);
			words.set(out.values.slice(2, 4));
			assert.equal(f64[0], 1);
		}
	});
});

describe('mma.sync', { skip }, () => {
	/** Row and column of element i of lane l, as the PTX manual has them, for a part whose registers hold e elements each. */
	const place = {
		a: (m, e, l, i) => [(l >> 2) + (m === 16 && (i / e | 0) % 2 ? 8 : 0), (l & 3) * e + i % e + 4 * e * (i / (e * m / 8) | 0)],
		b: (e, l, i) => [(l & 3) * e + i % e + 4 * e * (i / e | 0), l >> 2],
		c: (l, i) => [(l >> 2) + (i >= 2 ? 8 : 0), (l & 3) * 2 + (i & 1)],
	};
	const cases = [
		['m16n8k8', 'f16', 'f16', 'f16'], ['m16n8k8', 'f32', 'f16', 'f32'], ['m16n8k16', 'f32', 'f16', 'f32'], ['m16n8k16', 'f16', 'f16', 'f16'],
		['m16n8k8', 'f32', 'bf16', 'f32'], ['m16n8k16', 'f32', 'bf16', 'f32'], ['m16n8k4', 'f32', 'tf32', 'f32'], ['m16n8k8', 'f32', 'tf32', 'f32'],
		['m8n8k16', 's32', 's8', 's32'], ['m16n8k16', 's32', 'u8', 's32'], ['m16n8k32', 's32', 's8', 's32'], ['m8n8k32', 's32', 's4', 's32'],
		['m16n8k32', 's32', 'u4', 's32'], ['m16n8k64', 's32', 's4', 's32'], ['m16n8k32', 'f32', 'e4m3', 'f32'], ['m16n8k32', 'f32', 'e5m2', 'f32'],
		['m8n8k128', 's32', 'b1', 's32', 'xor'], ['m16n8k128', 's32', 'b1', 's32', 'and'], ['m16n8k256', 's32', 'b1', 's32', 'xor'],
	];
	for (const [shape, d, ab, c, bitOp] of cases)
		test(`${shape} ${d} ${ab} ${c} ${bitOp ?? ''}`, () => {
			const [, m, n, k] = /m(\d+)n(\d+)k(\d+)/.exec(shape).map(Number), e = 32 / types[ab].bits;
			const A = matrix(m, k, ab, 3), B = matrix(k, n, ab, 8), C = matrix(m, n, c, 1);
			if (d === 'f16')
				A.forEach((row) => row.forEach((v, i) => row[i] = Math.sign(v)));
			const held = (M, where, each) => Array.from({ length: 32 }, (_, l) => Array.from({ length: each }, (_, i) => where(l, i)).map(([r, s]) => M[r][s]));
			const na = m * k / 32, nb = k * n / 32, nc = m * n / 32, words = (count, t) => count * types[t].bits / 32;
			const a = held(A, (l, i) => place.a(m, e, l, i), na).flatMap((v) => pack(v, ab)), b = held(B, (l, i) => place.b(e, l, i), nb).flatMap((v) => pack(v, ab));
			const cc = held(C, (l, i) => place.c(l, i), nc).flatMap((v) => pack(v, c));
			const load = (name, first, count) => Array.from({ length: count }, (_, i) => `ld.global.u32 %r${first + i}, [%${name}+${4 * i}];`);
			const base = (name, count) => `mul.wide.u32 %rd1, %r0, ${4 * count};\nadd.s64 %${name}, %${name}, %rd1;`;
			const [wa, wb, wc, wd] = [words(na, ab), words(nb, ab), words(nc, c), words(nc, d)];
			const kind = (t) => t === 'f32' ? 'f' : 'r';
			const { out } = execute([
				base('a', wa), base('b', wb), base('c', wc), base('out', wd), ...load('a', 10, wa), ...load('b', 30, wb),
				...Array.from({ length: wc }, (_, i) => `ld.global.b32 %${kind(c)}${20 + i}, [%c+${4 * i}];`),
				`mma.sync.aligned.${shape}.row.col.${d}.${ab}.${ab}.${c}${bitOp ? `.${bitOp}.popc` : ''} ${regs(24, wd, kind(d))}, ${regs(10, wa)}, ${regs(30, wb)}, ${regs(20, wc, kind(c))};`,
				...Array.from({ length: wd }, (_, i) => `st.global.b32 [%out+${4 * i}], %${kind(d)}${24 + i};`),
			].join('\n'), { a, b, c: cc, out: 32 * wd });
			const want = held(product(A, B, C, bitOp), (l, i) => place.c(l, i), nc);
			for (let l = 0; l < 32; l++)
				assert.deepEqual(unpack(out.values.slice(l * wd, (l + 1) * wd), d, nc), want[l], `lane ${l}`);
		});

	// Four products at once; see "Matrix Fragments for mma.m8n8k4 with .f16" of the PTX manual.
	for (const [la, lb] of [['row', 'col'], ['col', 'row'], ['row', 'row'], ['col', 'col']])
		for (const d of ['f16', 'f32'])
			test(`m8n8k4 of halves ${la} ${lb} ${d}`, () => {
				const quad = (l) => (l & 15) >> 2, upper = (l) => l >= 16 ? 4 : 0;
				const A = [0, 1, 2, 3].map((q) => matrix(8, 4, 'f16', q)), B = [0, 1, 2, 3].map((q) => matrix(4, 8, 'f16', 5 + q)), C = [0, 1, 2, 3].map((q) => matrix(8, 8, 'f32', q));
				const lanes = [...Array(32).keys()], four = [0, 1, 2, 3], eight = [...Array(8).keys()];
				const a = lanes.flatMap((l) => pack(four.map((i) => la === 'row' ? A[quad(l)][(l & 3) + upper(l)][i] : A[quad(l)][i + upper(l)][l & 3]), 'f16'));
				const b = lanes.flatMap((l) => pack(four.map((i) => lb === 'row' ? B[quad(l)][l & 3][i + upper(l)] : B[quad(l)][i][(l & 3) + upper(l)]), 'f16'));
				const where = (l, i) => d === 'f16' ? [(l & 3) + upper(l), i] : [(l & 1) + (i & 2) + upper(l), (i & 4) + (l & 2) + (i & 1)];
				const c = lanes.flatMap((l) => pack(eight.map((i) => C[quad(l)][where(l, i)[0]][where(l, i)[1]]), d));
				const wd = d === 'f16' ? 4 : 8, kind = d === 'f16' ? 'r' : 'f';
				const { out } = execute([
					'mul.wide.u32 %rd1, %r0, 8;', 'add.s64 %a, %a, %rd1;', 'add.s64 %b, %b, %rd1;', `mul.wide.u32 %rd1, %r0, ${4 * wd};`, 'add.s64 %c, %c, %rd1;', 'add.s64 %out, %out, %rd1;',
					'ld.global.v2.u32 {%r1, %r2}, [%a];', 'ld.global.v2.u32 {%r3, %r4}, [%b];', ...Array.from({ length: wd }, (_, i) => `ld.global.b32 %${kind}${20 + i}, [%c+${4 * i}];`),
					`mma.sync.aligned.m8n8k4.${la}.${lb}.${d}.f16.f16.${d} ${regs(10, wd, kind)}, {%r1, %r2}, {%r3, %r4}, ${regs(20, wd, kind)};`,
					...Array.from({ length: wd }, (_, i) => `st.global.b32 [%out+${4 * i}], %${kind}${10 + i};`),
				].join('\n'), { a, b, c, out: 32 * wd });
				const want = four.map((q) => product(A[q], B[q], C[q]));
				for (const l of lanes)
					assert.deepEqual(unpack(out.values.slice(l * wd, (l + 1) * wd), d, 8), eight.map((i) => want[quad(l)][where(l, i)[0]][where(l, i)[1]]), `lane ${l}`);
			});
});
