// What the kernels of parallel patterns must give: reductions, scans, histograms, stencils, sorting, sparse matrices, tensor cores,
// asynchronous copies, groups, random numbers.

import { bfloatBits, eighths, filled, launch, linear, product, random, range, sum, values, zeros } from './reference-tools.mjs';

const ascending = (list) => [...list].sort((a, b) => a - b);
const scan = (list, from = 0) => list.map(((s) => (v) => s += v)(from));

/** 18 vertices with edges to two others; starts of each one's list. */
function graph(n) {
	const lists = range(n, (v) => [(v * 5 + 1) % n, (v * v + 3) % n]), start = [0, ...scan(lists.map((l) => l.length))];
	return { lists, start, edge: lists.flat() };
}

function philox(counter, key) {
	let c = counter.map(BigInt), k = key.map(BigInt);
	const word = (v) => BigInt.asUintN(32, v);
	for (let r = 0; r < 10; r++) {
		const p = 0xD2511F53n * c[0], q = 0xCD9E8D57n * c[2];
		c = [(q >> 32n) ^ c[1] ^ k[0], word(q), (p >> 32n) ^ c[3] ^ k[1], word(p)];
		k = [word(k[0] + 0x9E3779B9n), word(k[1] + 0xBB67AE85n)];
	}
	return c.map(Number);
}

/** XORWOW from cuRAND's seed; a sequence is 2^67 steps, which squaring the matrix of a step 67 times makes. */
function xorwow(seed) {
	const low = Math.imul(seed ^ 0xaad26b49, 1099087573) >>> 0, high = Math.imul(0xf7dcefdd, 2591861531) >>> 0;
	return { d: 6615241 + high + low >>> 0, v: [123456789 + low >>> 0, (362436069 ^ low) >>> 0, 521288629 + high >>> 0, (88675123 ^ high) >>> 0, 5783321 + low >>> 0] };
}
const xorshift = (v) => {
	const t = v[0] ^ v[0] >>> 2;
	return [v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4 ^ t ^ t << 1) >>> 0];
};
const bitsOf = (v) => v.reduce((all, w, i) => all | BigInt(w) << BigInt(32 * i), 0n);
function sequenceMatrix() {
	const wordsOf = (b) => range(5, (i) => Number(b >> BigInt(32 * i) & 0xffffffffn));
	const times = (m, b) => {
		let r = 0n;
		for (let i = 0; b; i++, b >>= 1n)
			if (b & 1n)
				r ^= m[i];
		return r;
	};
	let m = range(160, (i) => bitsOf(xorshift(wordsOf(1n << BigInt(i)))));
	for (let k = 0; k < 67; k++)
		m = m.map((column) => times(m, column));
	return (v) => wordsOf(times(m, bitsOf(v)));
}

export const kernels = {
	reduce_atomic() {
		const x = random('i32', 300, 1, -1000, 1000);
		return launch('reduce_atomic', 3, 128, { x, sum: zeros('i32', 1), n: { i32: 300 } }, { sum: [sum(x.v)] });
	},
	reduce_interleaved() {
		const x = random('i32', 512, 2, -1000, 1000);
		return launch('reduce_interleaved', 4, 128, { x, sums: zeros('i32', 4) }, { sums: range(4, (b) => sum(x.v.slice(b * 128, b * 128 + 128))) }, { sharedBytes: 512 });
	},
	reduce_unrolled() {
		const x = random('i32', 700, 3, -1000, 1000), mine = (b) => x.v.filter((_, i) => Math.floor(i / 256) % 2 === b);
		return launch('reduce_unrolled', 2, 128, { x, sums: zeros('i32', 2), n: { u32: 700 } }, { sums: range(2, (b) => sum(mine(b))) });
	},
	reduce_last_block() {
		const x = random('f32', 1000, 4, 0, 1);
		return launch('reduce_last_block', 5, 64, { x, result: zeros('f32', 1), n: { i32: 1000 } }, { result: { values: [sum(x.v)], rel: 1e-5 } });
	},
	reduce_float4() {
		const x = random('f32', 400, 5, -3, 8);
		return launch('reduce_float4', 2, 64, { x, most: filled('i32', 1, -100000), n: { i32: 100 } }, { most: [Math.floor(Math.fround(Math.max(...x.v) * 1000))] });
	},
	argmax() {
		const x = random('f32', 500, 6, -9, 9), most = Math.max(...x.v), bits = BigInt(new Uint32Array(new Float32Array([most]).buffer)[0] | 0x80000000) & 0xffffffffn;
		return launch('argmax', 2, 64, { x, best: zeros('u64', 1), n: { i32: 500 } }, { best: [String(bits << 32n | BigInt(0xffffffff - x.v.indexOf(most)))] });
	},
	mean_variance() {
		const x = random('f64', 333, 7, 10, 20), mean = sum(x.v) / 333;
		return launch('mean_variance', 1, 64, { x, result: zeros('f64', 2), n: { i32: 333 } }, { result: { values: [mean, sum(x.v.map((v) => (v - mean) ** 2)) / 332], rel: 1e-12 } });
	},
	scan_blelloch() {
		const x = random('i32', 256, 8, -9, 99);
		return launch('scan_blelloch', 1, 128, { x, y: zeros('i32', 256), n: { i32: 256 } }, { y: [0, ...scan(x.v)].slice(0, 256) });
	},
	scan_lookback() {
		const x = random('i32', 1280, 9, -9, 99);
		return launch('scan_lookback', 10, 128, { x, y: zeros('i32', 1280) }, { y: scan(x.v) });
	},
	scan_segmented() {
		const x = random('i32', 128, 10, 0, 9), head = random('u8', 128, 11, 0, 4), begins = head.v.map((h) => h === 0 ? 1 : 0);
		let s = 0;
		const y = x.v.map((v, i) => s = begins[i] || i % 32 === 0 ? v : s + v);
		return launch('scan_segmented', 2, 64, { x, head: values('u8', begins), y: zeros('i32', 128) }, { y });
	},
	compact_stream() {
		const x = random('i32', 250, 12, -20, 20), kept = x.v.filter((v) => v > 0);
		return launch('compact_stream', 2, 128, { x, kept: zeros('i32', 250), count: zeros('u32', 1), n: { i32: 250 } },
			{ kept: { values: [...kept, ...Array(250 - kept.length).fill(0)], order: 'any' }, count: [kept.length] });
	},
	histogram_match() {
		const x = random('u8', 600, 13, 0, 255);
		return launch('histogram_match', 2, 96, { x, bins: zeros('u32', 32), n: { i32: 600 } }, { bins: range(32, (b) => x.v.filter((v) => v >> 3 === b).length) });
	},
	histogram_float() {
		const x = random('f32', 400, 14, -0.1, 1.1), weight = eighths('f64', 400, 15), bin = (v) => Math.min(15, Math.max(0, Math.floor(v * 16)));
		return launch('histogram_float', 2, 64, { x, weight, bins: zeros('f64', 16), n: { i32: 400 } }, { bins: range(16, (b) => sum(weight.v.filter((_, i) => bin(x.v[i]) === b))) });
	},
	transpose_swizzle() {
		const a = linear('f32', 4096, 0, 1);
		return launch('transpose_swizzle', [2, 2], [32, 8], { in: a, out: zeros('f32', 4096), n: { i32: 64 } }, { out: range(4096, (i) => i % 64 * 64 + Math.floor(i / 64)) });
	},
	game_of_life() {
		const now = random('u8', 20 * 12, 16, 0, 1), at = (x, y) => now.v[(y + 12) % 12 * 20 + (x + 20) % 20];
		const next = range(240, (i) => {
			const x = i % 20, y = Math.floor(i / 20), n = sum([-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => at(x + dx, y + dy)))) - at(x, y);
			return n === 3 || (n === 2 && at(x, y)) ? 1 : 0;
		});
		return launch('game_of_life', [2, 2], [16, 8], { now, next: zeros('u8', 240), w: { i32: 20 }, h: { i32: 12 } }, { next });
	},
	heat3d() {
		const n = 8, a = random('f32', 512, 17, 0, 100), at = (x, y, z) => a.v[(z * n + y) * n + x];
		const out = range(512, (i) => {
			const x = i % n, y = Math.floor(i / n) % n, z = Math.floor(i / 64), inside = [x, y, z].every((c) => c > 0 && c < n - 1);
			return inside ? at(x, y, z) + 0.125 * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1) - 6 * at(x, y, z)) : 0;
		});
		return launch('heat3d', 1, [6, 6], { in: a, out: zeros('f32', 512), n: { i32: n }, k: { f32: 0.125 } }, { out: { values: out, tolerance: 1e-4 } });
	},
	conv_separable() {
		const a = random('f32', 256, 18, 0, 1), w = [0.0625, 0.25, 0.375, 0.25, 0.0625], inside = (v) => Math.min(15, Math.max(0, v));
		const out = range(256, (i) => sum(w.flatMap((wy, dy) => w.map((wx, dx) => wy * wx * a.v[inside(Math.floor(i / 16) + dy - 2) * 16 + inside(i % 16 + dx - 2)]))));
		return launch('conv_separable', 1, [16, 16], { in: a, out: zeros('f32', 256) }, { out: { values: out, rel: 1e-5 } });
	},
	sobel() {
		const a = random('u8', 24 * 10, 19, 0, 255), at = (x, y) => a.v[Math.min(9, Math.max(0, y)) * 24 + Math.min(23, Math.max(0, x))];
		const out = range(240, (i) => {
			const x = i % 24, y = Math.floor(i / 24), slope = (f) => f(1, -1) + 2 * f(1, 0) + f(1, 1) - f(-1, -1) - 2 * f(-1, 0) - f(-1, 1);
			return Math.min(255, Math.abs(slope((a, b) => at(x + a, y + b))) + Math.abs(slope((a, b) => at(x + b, y + a))));
		});
		return launch('sobel', [2, 2], [16, 8], { in: a, out: zeros('u8', 240), w: { i32: 24 }, h: { i32: 10 } }, { out });
	},
	radix_sort() {
		const keys = random('u32', 256, 20, 0, 65535);
		return launch('radix_sort', 1, 256, { keys }, { keys: ascending(keys.v) });
	},
	odd_even_sort() {
		const x = values('i16', range(63, (i) => (i * 37 + 11) % 63 - 30)), list = [...x.v];
		let rounds = 0;
		for (let swapped = true; swapped; rounds++) {
			swapped = false;
			for (const phase of [0, 1])
				for (let i = phase; i + 1 < 63; i += 2)
					if (list[i] > list[i + 1])
						[list[i], list[i + 1], swapped] = [list[i + 1], list[i], true];
		}
		return launch('odd_even_sort', 1, 32, { x, rounds: zeros('i32', 1), n: { i32: 63 } }, { x: ascending(x.v), rounds: [rounds] });
	},
	merge_path() {
		const a = values('i32', ascending(random('i32', 150, 21, -99, 99).v)), b = values('i32', ascending(random('i32', 90, 22, -99, 99).v));
		return launch('merge_path', 2, 32, { a, na: { i32: 150 }, b, nb: { i32: 90 }, out: zeros('i32', 240) }, { out: ascending([...a.v, ...b.v]) });
	},
	warp_bitonic() {
		const keys = values('u32', range(64, (i) => (i * 29 + 5) % 64 + (i > 31 ? 100 : 0))), v = linear('f32', 64, 0, 1), order = (w) => range(32, (i) => w * 32 + i).sort((p, q) => keys.v[p] - keys.v[q]);
		const all = [...order(0), ...order(1)];
		return launch('warp_bitonic', 1, 64, { keys, values: v }, { keys: all.map((i) => keys.v[i]), values: all });
	},
	spmv_ell() {
		const rows = 50, k = 4, column = random('i32', rows * k, 23, -1, rows - 1), value = eighths('f32', rows * k, 24), x = eighths('f32', rows, 25);
		return launch('spmv_ell', 1, 64, { column, value, x, y: zeros('f32', rows), rows: { i32: rows }, k: { i32: k } },
			{ y: range(rows, (r) => sum(range(k, (j) => column.v[j * rows + r] < 0 ? 0 : value.v[j * rows + r] * x.v[column.v[j * rows + r]]))) });
	},
	spmv_coo() {
		const place = random('i32', 400, 26, 0, 29), value = eighths('f64', 200, 27), x = eighths('f64', 30, 28);
		return launch('spmv_coo', 2, 128, { place, value, x, y: zeros('f64', 30), n: { i32: 200 } },
			{ y: range(30, (r) => sum(value.v.map((v, i) => place.v[2 * i] === r ? v * x.v[place.v[2 * i + 1]] : 0))) });
	},
	bfs() {
		const { lists, start, edge } = graph(60), level = Array(60).fill(-1), queue = [0];
		for (level[0] = 0; queue.length;) {
			const v = queue.shift();
			for (const w of lists[v])
				if (level[w] < 0) {
					level[w] = level[v] + 1;
					queue.push(w);
				}
		}
		return launch('bfs', 1, 60, { start: values('i32', start), edge: values('i32', edge), level: zeros('i32', 60), n: { i32: 60 } }, { level });
	},
	bellman_ford() {
		const edges = graph(40).lists.flatMap((list, v) => list.map((w, i) => [v, w, (v * 7 + i * 13) % 23 + 1])), distance = [0, ...Array(39).fill(4294967295)], done = new Set();
		for (;;) {
			const v = range(40, (i) => i).filter((i) => !done.has(i) && distance[i] < 4294967295).sort((a, b) => distance[a] - distance[b])[0];
			if (v === undefined)
				break;
			done.add(v);
			edges.forEach(([from, to, length]) => from === v && (distance[to] = Math.min(distance[to], distance[v] + length)));
		}
		return launch('bellman_ford', 1, 64, { edges: values('u32', edges.flat()), m: { i32: 80 }, distance: values('u32', [0, ...Array(39).fill(4294967295)]) }, { distance });
	},
	pagerank() {
		const { lists } = graph(50), into = range(50, (v) => range(50, (u) => lists[u].filter((w) => w === v).map(() => u)).flat()), start = [0, ...scan(into.map((l) => l.length))], rank = random('f64', 50, 29, 0, 1);
		return launch('pagerank', 1, 64, { start: values('i32', start), source: values('i32', into.flat()), degree: filled('i32', 50, 2), rank, next: zeros('f64', 50), n: { i32: 50 }, damping: { f64: 0.85 } },
			{ next: { values: into.map((list) => 0.15 / 50 + 0.85 * sum(list.map((u) => rank.v[u] / 2))), rel: 1e-12 } });
	},
	nbody() {
		const body = random('f32', 4 * 128, 30, -1, 1), p = (i, c) => body.v[4 * i + c];
		const force = range(128, (i) => [0, 1, 2].map((c) => sum(range(128, (j) => {
			const d = [0, 1, 2].map((k) => p(j, k) - p(i, k));
			return d[c] * p(j, 3) / (d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + 0.01) ** 1.5;
		})))).flat();
		return launch('nbody', 2, 64, { body, force: zeros('f32', 384), n: { i32: 128 } }, { force: { values: force, rel: 1e-3, abs: 1e-3 } });
	},
	pi_xorwow() {
		const next = sequenceMatrix(), uniform = (x) => Math.fround(Math.fround(x * 2 ** -32) + 2 ** -33);
		let { d: first, v: start } = xorwow(1234);
		const inside = range(64, (i) => {
			let d = first, v = start, n = 0;
			const draw = () => (v = xorshift(v), d = d + 362437 >>> 0, uniform(Math.fround(v[4] + d >>> 0)));
			for (let k = 0; k < 8; k++) {
				const x = draw(), y = draw();
				n += Math.fround(x * x + Math.fround(y * y)) <= 1 ? 1 : 0;
			}
			start = next(start);
			return n;
		});
		return launch('pi_xorwow', 2, 32, { seed: { u64: 1234 }, points: { i32: 8 }, inside: zeros('u32', 64) }, { inside });
	},
	philox_dice() {
		const faces = Array(6).fill(0);
		for (let i = 0; i < 300; i++)
			faces[Math.floor(philox([0, 0, i, 0], [77, 0])[0] * 6 / 2 ** 32)]++;
		return launch('philox_dice', 2, 64, { seed: { u64: 77 }, faces: zeros('u32', 6), throws: { i32: 300 } }, { faces });
	},
	black_scholes() {
		const spot = random('f32', 64, 31, 5, 30), strike = random('f32', 64, 32, 1, 40), years = random('f32', 64, 33, 0.25, 5), r = 0.02, v = 0.3;
		const cumulative = (d) => { /* by Simpson's rule */
			const n = 400, h = d / n, f = (t) => Math.exp(-t * t / 2) / Math.sqrt(2 * Math.PI);
			return 0.5 + h / 3 * sum(range(n + 1, (k) => (k === 0 || k === n ? 1 : k % 2 ? 4 : 2) * f(k * h)));
		};
		const price = (i) => {
			const s = spot.v[i], k = strike.v[i], t = years.v[i], d1 = (Math.log(s / k) + (r + v * v / 2) * t) / (v * Math.sqrt(t)), d2 = d1 - v * Math.sqrt(t), discount = Math.exp(-r * t);
			return [s * cumulative(d1) - k * discount * cumulative(d2), k * discount * cumulative(-d2) - s * cumulative(-d1)];
		};
		const all = range(64, price), near = (k) => ({ values: all.map((p) => p[k]), abs: 2e-4, rel: 1e-4 });
		return launch('black_scholes', 1, 64, { spot, strike, years, call: zeros('f32', 64), put: zeros('f32', 64), rate: { f32: r }, volatility: { f32: v } }, { call: near(0), put: near(1) });
	},
	wmma_half() {
		const a = eighths('f16', 16 * 48, 34), b = eighths('f16', 16 * 48, 35), c = eighths('f32', 256, 36);
		return launch('wmma_half', 1, 32, { a, b, c, k: { i32: 48 }, alpha: { f32: 0.5 } }, { c: { values: product(a.v, b.v, 16, 16, 48, true).map((v, i) => 0.5 * v + c.v[i]), tolerance: 1e-5 } });
	},
	wmma_bytes() {
		const a = random('i8', 512, 37, -128, 127), b = random('i8', 128, 38, -128, 127);
		return launch('wmma_bytes', 1, 32, { a, b, c: zeros('i32', 256) }, { c: product(a.v, b.v, 32, 8, 16).map((v) => v + 7) });
	},
	wmma_double() {
		const a = random('f64', 128, 39, -1, 1), b = random('f64', 128, 40, -1, 1), c = product(a.v, b.v, 8, 8, 16, true);
		return launch('wmma_double', 1, 32, { a, b, c: zeros('f64', 64) }, { c: { values: range(64, (i) => c[i % 8 * 8 + Math.floor(i / 8)]), tolerance: 1e-12 } });
	},
	wmma_tf32() {
		const a = eighths('f32', 128, 41), b = eighths('f32', 128, 42);
		return launch('wmma_tf32', 1, 32, { a, b, c: zeros('f32', 256) }, { c: { values: product(a.v, b.v, 16, 16, 8), tolerance: 1e-5 } });
	},
	wmma_bf16() {
		const a = eighths('f32', 128, 43), b = eighths('f32', 512, 44);
		return launch('wmma_bf16', 1, 32, { a: values('u16', bfloatBits(a.v)), b: values('u16', bfloatBits(b.v)), c: zeros('f32', 256) }, { c: { values: product(a.v, b.v, 8, 32, 16), tolerance: 1e-5 } });
	},
	pipeline_stages() {
		const x = random('i32', 2 * 7 * 64, 45, -9, 9);
		return launch('pipeline_stages', 2, 64, { x, sums: zeros('i32', 128), tiles: { i32: 7 } },
			{ sums: range(128, (i) => range(7, (t) => x.v[(Math.floor(i / 64) * 7 + t) * 64 + 63 - i % 64]).reduce((s, v) => s * 3 + v, 0)) });
	},
	barrier_copy() {
		const x = random('f32', 384, 46, -9, 9);
		return launch('barrier_copy', 1, 128, { x, y: zeros('f32', 384) }, { y: range(384, (i) => x.v[i - i % 128 + 127 - i % 128]) });
	},
	producer_consumer() {
		const x = random('i32', 160, 47, -99, 99);
		return launch('producer_consumer', 1, 128, { x, y: zeros('i32', 96), rounds: { i32: 5 } }, { y: range(96, (i) => Math.floor(i / 32 + 1) * sum(range(5, (r) => x.v[r * 32 + (i + r) % 32]))) });
	},
	copy_primitives() {
		const x = linear('i32', 512, 0, 3);
		return launch('copy_primitives', 1, 32, { x, y: zeros('i32', 512), rounds: { i32: 4 } }, { y: range(512, (i) => 3 * (i - i % 128 + 127 - i % 128) + (i % 4 === 3 ? Math.floor(i / 128) : 0)) });
	},
	grid_sync() {
		const a = random('f64', 100, 48, 0, 1), rounds = range(6, (i) => i).reduce((v) => v.map((x, i) => i === 0 || i === 99 ? x : 0.5 * (v[i - 1] + v[i + 1])), a.v);
		const fifth = range(5, (i) => i).reduce((v) => v.map((x, i) => i === 0 || i === 99 ? x : 0.5 * (v[i - 1] + v[i + 1])), a.v);
		return launch('grid_sync', 3, 32, { a, b: zeros('f64', 100), n: { i32: 100 }, steps: { i32: 6 } }, { a: rounds, b: fifth });
	},
	cg_labels() {
		const label = random('i32', 64, 49, 0, 5), x = random('i32', 64, 50, -9, 9), peers = (i) => range(64, (j) => j).filter((j) => j >> 5 === i >> 5 && label.v[j] === label.v[i]);
		return launch('cg_labels', 1, 64, { label, x, sum: zeros('i32', 64), rank: zeros('i32', 64) },
			{ sum: range(64, (i) => sum(peers(i).map((j) => x.v[j]))), rank: range(64, (i) => peers(i).indexOf(i) * 100 + peers(i).length) });
	},
	cg_aggregate() {
		const x = random('i32', 128, 51, 1, 999), kept = x.v.filter((v) => v % 3 === 0);
		return launch('cg_aggregate', 2, 64, { x, kept: zeros('i32', 128), counter: zeros('i32', 1) }, { kept: { values: [...kept, ...Array(128 - kept.length).fill(0)], order: 'any' }, counter: [kept.length] });
	},
	cg_tile_scan() {
		const x = random('i32', 64, 52, -9, 9), upto = (i, k) => x.v.slice(i - i % 8, i + k);
		return launch('cg_tile_scan', 1, 64, { x, inclusive: zeros('i32', 64), before: zeros('i32', 64), most: zeros('i32', 64) },
			{ inclusive: range(64, (i) => sum(upto(i, 1))), before: range(64, (i) => sum(upto(i, 0))), most: range(64, (i) => Math.max(...upto(i, 1))) });
	},
	cg_any_group() {
		const x = random('i32', 128, 53, -99, 99);
		return launch('cg_any_group', 1, 128, { x, all: zeros('i32', 1), tiles: zeros('i32', 8) }, { all: [sum(x.v)], tiles: range(8, (t) => sum(x.v.slice(t * 16, t * 16 + 16))) });
	},
};
