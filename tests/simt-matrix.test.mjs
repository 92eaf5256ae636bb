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

	// Thread 4g + t: rows g and g + 8 of A and D, columns from 2t (D), E * t (A, and 4E more in the upper registers).
	const fragment = {
		a: (A, type, room) => Array.from({ length: 32 }, (_, l) => Array.from({ length: 4 }, (_, r) => {
			const E = 32 / room, row = (l >> 2) + 8 * (r % 2), col = (r >> 1) * 4 * E + (l % 4) * E;
			return A[row].slice(col, col + E).reduce((sum, v, i) => (sum | types[type].put(v) << (room === 8 && types[type].bits === 4 ? 2 : 0) << i * room) >>> 0, 0);
		})),
		b: (B, type, room, n) => Array.from({ length: 32 }, (_, l) => Array.from({ length: n }, (_, r) => {
			const E = 32 / room, first = r * 4 * E + (l % 4) * E;
			return Array.from({ length: E }, (_, i) => B[first + i][l >> 2]).reduce((sum, v, i) => (sum | types[type].put(v) << (room === 8 && types[type].bits === 4 ? 2 : 0) << i * room) >>> 0, 0);
		})),
		d: (D) => Array.from({ length: 32 }, (_, l) => [0, 1, 2, 3].map((i) => D[(l >> 2) + 8 * (i >> 1)][2 * (l % 4) + i % 2])),
	};
	const inputs = (name, first, n) => `mul.wide.u32 %rd1, %r0, ${4 * n};\nadd.s64 %${name}, %${name}, %rd1;\n${Array.from({ length: n }, (_, i) => `ld.global.u32 %r${first + i}, [%${name}+${4 * i}];`).join('\n')}`;

	/** D = A B + C of m16n8: statement gets the registers of D, A, B and C. */
	function check({ k, d, a, b = a, statement, kind = '', sparse = null, scales = null, room = null }) {
		const stored = sparse ? k / 2 : k, [ra, rb] = [a, b].map((t) => room ?? types[t].bits), nb = k * rb / 128;
		const As = matrix(16, stored, a, 3), B = matrix(k, 8, b, 8), C = matrix(16, 8, d, 1), A = sparse ? As.map((row, i) => sparse.spread(row, i)) : As;
		const scaled = (M, which) => (scales ? M.map((row, i) => row.map((v, j) => v * (which ? scales.of(1, j, i) : scales.of(0, i, j)))) : M);
		const want = fragment.d(product(scaled(A, 0), scaled(B, 1), C)).map((row) => row.map((v) => types[d].put(v) >>> 0));
		const { out } = execute([
			inputs('a', 10, 4), inputs('b', 30, nb), inputs('c', 20, 4), inputs('e', 40, 4), 'mul.wide.u32 %rd1, %r0, 16;', 'add.s64 %out, %out, %rd1;',
			statement(`${regs(24, 4)}, ${regs(10, 4)}, ${regs(30, nb)}, ${regs(20, 4)}`), ...[0, 1, 2, 3].map((i) => `st.global.b32 [%out+${4 * i}], %r${24 + i};`),
		].join('\n'), { a: fragment.a(As, a, ra).flat(), b: fragment.b(B, b, rb, nb).flat(), c: fragment.d(C).flat().map((v) => types[d].put(v) >>> 0), e: Array.from({ length: 32 }, (_, l) => [sparse?.metadata[l] ?? 0, scales?.words[0][l] ?? 0, scales?.words[1][l] ?? 0, 0]).flat(), out: 128 });
		for (let l = 0; l < 32; l++)
			assert.deepEqual(out.values.slice(4 * l, 4 * l + 4), want[l], `lane ${l} ${kind}`);
	}

	/** Which elements of a chunk are there, different in every chunk, and the words of the threads that say it. */
	function sparse(k, type, chunk, selector) {
		const pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], pick = (row, c) => pairs[(row * 5 + c * 3) % 6], one = (row, c) => (row + c) % 2;
		const nibble = (row, c) => (chunk === 2 ? [0b0100, 0b1110][one(row, c)] : pick(row, c)[0] | pick(row, c)[1] << 2), threads = k / chunk * 2 * 4 / 32;
		const metadata = new Array(32).fill(0xbad);
		for (let g = 0; g < 8; g++)
			for (let h = 0; h < threads; h++) {
				let word = 0;
				for (let i = 0; i < 8; i++)
					word |= (types[type].bits >= 16 ? nibble(g + 8 * (i >> 2), 4 * h + i % 4) : nibble(g + 8 * (h % 2), 8 * (h >> 1) + i)) << 4 * i;
				metadata[4 * g + selector * threads + h] = word >>> 0;
			}
		const spread = (stored, row) => {
			const out = new Array(k).fill(0);
			for (let c = 0; c < k / chunk; c++)
				if (chunk === 2)
					out[2 * c + one(row, c)] = stored[c];
				else
					pick(row, c).forEach((p, i) => { for (let e = 0; e < chunk / 4; e++) out[chunk * c + p * chunk / 4 + e] = stored[c * chunk / 2 + i * chunk / 4 + e]; });
			return out;
		};
		return { metadata, spread };
	}

	test('sparse A', () => {
		for (const [k, d, a, b, chunk, selector] of [[32, 'f32', 'f16', 'f16', 4, 1], [32, 'f32', 'bf16', 'bf16', 4, 0], [16, 'f32', 'tf32', 'tf32', 2, 1], [64, 's32', 's8', 'u8', 4, 0], [128, 's32', 's4', 'u4', 8, 0], [64, 'f32', 'e4m3', 'e5m2', 4, 0]])
			for (const ordered of ['', '::ordered_metadata'])
				check({ k, d, a, b, sparse: sparse(k, a, chunk, selector), kind: a, statement: (list) => `mma.sp${ordered}.sync.aligned.m16n8k${k}.row.col.${d}.${a}.${b}.${d} ${list}, %r40, ${selector};` });
	});

	test('narrow floats in bytes, and scales of blocks', () => {
		for (const [a, b] of [['e2m3', 'e3m2'], ['e2m1', 'e2m3'], ['e4m3', 'e2m1']])
			check({ k: 32, d: 'f32', a, b, room: 8, kind: a, statement: (list) => `mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.${a}.${b}.f32 ${list};` });
		// scales are powers of two; of A in threads 0 and 1 (or 2 and 3) of each four: rows g and g + 8; of B in the one that is named
		const scales = (k, count, { threads, bytes, e4m3 }) => {
			const exponent = (which, index, part) => (index * 3 + part * 5 + which) % 4 - 1, words = [new Array(32).fill(0xbadbad), new Array(32).fill(0xbadbad)];
			for (const [which, rows, lane] of [[0, 16, (i) => 4 * (i % 8) + 2 * threads[0] + (i >> 3)], [1, 8, (i) => 4 * i + threads[1]]])
				for (let i = 0; i < rows; i++)
					for (let part = 0; part < count; part++)
						words[which][lane(i)] = ((words[which][lane(i)] & ~(255 << 8 * (bytes[which] + part))) | (e4m3 ? exponent(which, i, part) + 7 << 3 : exponent(which, i, part) + 127) << 8 * (bytes[which] + part)) >>> 0;
			return { words, of: (which, index, at) => 2 ** exponent(which, index, Math.floor(at * count / k)) };
		};
		const how = { threads: [1, 2], bytes: [3, 1] }, pairs = { threads: [0, 3], bytes: [2, 0] }, all = { threads: [0, 1], bytes: [0, 0], e4m3: true };
		check({ k: 32, d: 'f32', a: 'e4m3', b: 'e3m2', room: 8, scales: scales(32, 1, how), statement: (list) => `mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e3m2.f32.ue8m0 ${list}, %r41, {3, 1}, %r42, {1, 2};` });
		check({ k: 64, d: 'f32', a: 'e2m1', scales: scales(64, 2, pairs), statement: (list) => `mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 ${list}, %r41, {2, 0}, %r42, {0, 3};` });
		check({ k: 64, d: 'f32', a: 'e2m1', scales: scales(64, 4, all), statement: (list) => `mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 ${list}, %r41, {0, 0}, %r42, {0, 1};` });
	});

	test('matrices of bytes in shared memory', () => {
		const bytes = Array.from({ length: 1024 }, (_, i) => (i * 37 + (i >> 4) * 11) & 255), words = Array.from({ length: 256 }, (_, i) => bytes.slice(4 * i, 4 * i + 4).reduce((sum, v, k) => (sum | v << 8 * k) >>> 0, 0));
		const fill = `.shared .align 16 .b8 sh[1024];\nmov.u32 %r1, sh; mul.lo.u32 %r2, %r0, 4; add.u32 %r3, %r1, %r2; mul.wide.u32 %rd1, %r0, 4; add.u64 %in, %in, %rd1;\n${Array.from({ length: 8 }, (_, i) => `ld.global.u32 %r4, [%in+${128 * i}]; st.shared.u32 [%r3+${128 * i}], %r4;`).join('\n')}\nmad.lo.u32 %r5, %r0, 16, %r1; mul.wide.u32 %rd1, %r0, 16; add.u64 %out, %out, %rd1;`;
		const load = (statement, n) => execute(`${fill}\n${statement}\n${Array.from({ length: n }, (_, i) => `st.global.u32 [%out+${4 * i}], %r${10 + i};`).join('\n')}`, { in: words, out: 128 }).out.values;
		const unpacked = (row, bits) => Array.from({ length: 16 }, (_, i) => { const at = i * bits, v = (bytes[16 * row + (at >> 3)] | bytes[16 * row + (at >> 3) + 1] << 8) >> at % 8 & 2 ** bits - 1; return bits === 8 ? bytes[16 * row + i] : bits === 4 ? v << 2 : v; });
		const word = (list) => list.reduce((sum, v, k) => (sum | v << 8 * k) >>> 0, 0), four = [0, 1, 2, 3];
		for (const [text, bits, n] of [['m16n16.x1.trans.shared.b8', 8, 1], ['m16n16.x2.trans.shared.b8', 8, 2], ['m16n16.x2.trans.shared.b8x16.b6x16_p32', 6, 2]]) {
			const out = load(`ldmatrix.sync.aligned.${text} ${regs(10, 2 * n)}, [%r5];`, 2 * n);
			for (let l = 0; l < 32; l++)
				for (let r = 0; r < 2 * n; r++)
					assert.equal(out[4 * l + r], word(four.map((j) => unpacked(16 * (r >> 1) + 4 * (l % 4) + j, bits)[(l >> 2) + 8 * (r % 2)])), `${text} lane ${l}`);
		}
		for (const [text, bits, n] of [['m8n16.x1.shared.b8x16.b4x16_p64', 4, 1], ['m8n16.x4.shared.b8x16.b6x16_p32', 6, 4]]) {
			const out = load(`ldmatrix.sync.aligned.${text} ${regs(10, n)}, [%r5];`, n);
			for (let l = 0; l < 32; l++)
				for (let r = 0; r < n; r++)
					assert.equal(out[4 * l + r], word(four.map((j) => unpacked(8 * r + (l >> 2), bits)[4 * (l % 4) + j])), `${text} lane ${l}`);
		}
		const { out } = execute(`${fill.replace('%out, %out, %rd1', '%rd2, %out, %rd1')}\nld.global.u32 %r10, [%in]; ld.global.u32 %r11, [%in+128]; stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%r5], {%r10, %r11};\nadd.u32 %r6, %r1, %r2; ${four.map((i) => `ld.shared.u32 %r7, [%r6+${128 * i}]; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %out, %rd3; st.global.u32 [%rd3+${128 * i}], %r7;`).join(' ')}`, { in: words, out: 128 });
		const memory = out.values.flatMap((w) => four.map((k) => w >>> 8 * k & 255));
		for (let l = 0; l < 32; l++)
			for (const i of [0, 1])
				four.forEach((b) => assert.equal(memory[16 * (8 * i + 2 * (l % 4) + b % 2) + (l >> 2) + 8 * (b >> 1)], words[l + 32 * i] >>> 8 * b & 255, `lane ${l} matrix ${i} byte ${b}`));
	});
});
