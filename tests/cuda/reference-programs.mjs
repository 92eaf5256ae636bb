// What the kernels of smaller programs must give: textures, atomics, the language, bytes and halves, algorithms.

import { bfloatBits, eighths, filled, launch, linear, picture, random, range, sum, values, zeros } from './reference-tools.mjs';

const word = (v) => v >>> 0;
/** Applies f to the lanes of two words; bits wide, signed or not. */
const lanes = (a, b, bits, signed, f) => {
	const take = (v, at) => signed ? v << 32 - bits - at >> 32 - bits : v >>> at & (bits === 16 ? 0xffff : 0xff);
	return word(range(32 / bits, (i) => (f(take(a, i * bits), take(b, i * bits)) & (bits === 16 ? 0xffff : 0xff)) << i * bits).reduce((r, v) => r | v, 0));
};
const f32 = Math.fround;

export const kernels = {
	texture_rotate() {
		const w = 16, texels = picture(linear('f32', 256, 0, 1), 'texture', { dim: 2, channels: 1, width: w, height: w });
		const out = range(256, (i) => {
			const u = i % w - 8, v = Math.floor(i / w) - 8, at = (c) => Math.min(15, Math.max(0, Math.floor(c)));
			return at(0.5 * u + 0.75 * v + 8.5) * 16 + at(0.75 * u - 0.5 * v + 8.5);
		});
		return launch('texture_rotate', 1, [16, 16], { picture: texels, out: zeros('f32', 256), w: { i32: w }, c: { f32: 0.75 }, s: { f32: 0.5 } }, { out });
	},
	texture_table() {
		const index = random('u8', 64, 60, 0, 255), table = linear('f32', 64, 1, 0.5), at = (i, c) => table.v[index.v[i] % 16 * 4 + c];
		return launch('texture_table', 1, 64, { table: picture(table, 'texture', { dim: 1, channels: 4, width: 16 }), index, out: zeros('f32', 256) },
			{ out: range(64, (i) => [at(i, 3), at(i, 2) + at(i, 1), at(i, 0), i]).flat() });
	},
	surface_invert() {
		const v = linear('u32', 128, 5, 3);
		return launch('surface_invert', 1, [16, 8], { picture: picture(v, 'surface', { dim: 2, channels: 1, width: 16, height: 8 }), w: { i32: 16 } },
			{ picture: range(128, (i) => word(~v.v[i - i % 16 + 15 - i % 16])) });
	},
	ticket_lock() {
		return launch('ticket_lock', 2, 40, { account: zeros('i64', 2), times: { i32: 2 } }, { account: [2 * sum(range(80, (i) => i)), -160] });
	},
	hash_table() {
		const keys = random('u32', 128, 61, 0, 70), lookup = random('u32', 128, 62, 0, 99), count = (k) => keys.v.filter((v) => v === k).length;
		const l = launch('hash_table', 1, 128, { keys, lookup, slots: filled('u32', 256, 4294967295), sums: zeros('u32', 256), found: zeros('u32', 128), mask: { u32: 255 } }, { found: lookup.v.map(count) });
		/* Which slot a key has depends on who comes first; what is in the table does not. */
		const all = [...new Set(keys.v)];
		l.expect.slots = { values: [...all, ...Array(256 - all.length).fill(4294967295)], order: 'any' };
		l.expect.sums = { values: [...all.map(count), ...Array(256 - all.length).fill(0)], order: 'any' };
		return l;
	},
	atomic_max_double() {
		const x = random('f64', 200, 63, -50, 50);
		return launch('atomic_max_double', 4, 64, { x, most: filled('f64', 4, -1000), n: { i32: 200 } }, { most: range(4, (k) => Math.max(...x.v.filter((_, i) => i % 4 === k))) });
	},
	atomic_scopes() {
		const xor = range(64, (i) => i).reduce((a, b) => a ^ b, 0);
		let times = 1;
		for (let i = 0; i < 64; i++)
			times = Math.imul(times, 3) + 1 | 0;
		return launch('atomic_scopes', 1, 64, { x: values('i32', [0, 0, 0, 1]), f: values('f32', [1]), bytes: zeros('u8', 4) },
			{ x: [189, -63, xor, times], f: [33], bytes: range(4, (k) => sum(range(16, (i) => 4 * i + k)) & 255) });
	},
	dynamic_shared() {
		const x = random('i32', 32, 64, -99, 99), d = range(32, (t) => x.v[31 - t] * 0.5 + (x.v[(t + 1) % 32] >> 2));
		return launch('dynamic_shared', 1, 32, { x, out: zeros('f64', 32), n: { i32: 32 } }, { out: range(32, (t) => d[t ^ 1]) }, { sharedBytes: 32 * 14 });
	},
	template_functors() {
		const x = random('i32', 64, 65, -99, 99);
		return launch('template_functors', 1, 64, { x, y: zeros('i32', 64) }, { y: x.v.map((v, i) => Math.min(5000, Math.max(10, (v + 3) ** 2)) * 2 + i) });
	},
	virtual_shapes() {
		const size = eighths('f32', 33, 66);
		return launch('virtual_shapes', 1, 33, { size, area: zeros('f32', 33), corners: zeros('i32', 33) },
			{ area: size.v.map((s, i) => i % 3 ? 2 * s : 3 * s * s), corners: range(33, (i) => i % 3 ? 4 : 0) });
	},
	struct_fields() {
		const at = eighths('f32', 60, 67), bytes = Buffer.alloc(20 * 32);
		for (let i = 0; i < 20; i++) {
			for (let c = 0; c < 3; c++)
				bytes.writeFloatLE(at.v[3 * i + c], 32 * i + 4 * c);
			bytes.writeInt8(i - 9, 32 * i + 12);
			bytes.writeDoubleLE(1.5 * i, 32 * i + 16);
			[i, 2 * i, -i].forEach((v, c) => bytes.writeInt16LE(v, 32 * i + 24 + 2 * c));
		}
		return launch('struct_fields', 1, 20, { p: values('u8', [...bytes]), norm: zeros('f32', 20), mass: zeros('f64', 20), charge: zeros('i32', 20) },
			{ norm: range(20, (i) => sum(at.v.slice(3 * i, 3 * i + 3).map((v) => v * v))), mass: range(20, (i) => 1.5 * i * (i - 9)), charge: range(20, (i) => i + 20 * i - 100 * i) });
	},
	constant_table() {
		const x = eighths('f32', 48, 68, 8), rows = [[1, 2, 3, 4], [0.5, 0, -1, 0], [0, 0, 0, 1]];
		return launch('constant_table', 1, 48, { x, y: zeros('f32', 48) }, { y: x.v.map((v, i) => sum(rows[i % 3].map((c, k) => c * v ** k))) });
	},
	list_of_nodes() {
		const x = random('i32', 70, 69, -999, 999);
		return launch('list_of_nodes', 1, 70, { x, result: zeros('i64', 2) }, { result: [sum(x.v), 70] });
	},
	complex_julia() {
		const out = range(32 * 16, (i) => {
			let re = f32((i % 32 - 16) * 0.125), im = f32((Math.floor(i / 32) - 8) * 0.125), n = 0;
			for (; n < 100 && f32(f32(re * re) + f32(im * im)) < 4; n++)
				[re, im] = [f32(f32(f32(re * re) - f32(im * im)) - 0.75), f32(f32(f32(re * im) + f32(im * re)) + 0.125)];
			return n;
		});
		return launch('complex_julia', [2, 2], [16, 8], { out: zeros('u8', 512), w: { i32: 32 }, h: { i32: 16 } }, { out });
	},
	bytes_simd() {
		const a = random('u32', 32, 70, 0, 4294967295), b = random('u32', 32, 71, 0, 4294967295), limit = (v, low, high) => Math.min(high, Math.max(low, v));
		const each = (bits, signed, f) => range(32, (i) => lanes(a.v[i], b.v[i], bits, signed, f));
		const bytes = (v) => range(4, (k) => v >>> 8 * k & 255);
		return launch('bytes_simd', 1, 32, { a, b, out: zeros('u32', 224), n: { i32: 32 } }, { out: [
			...each(8, false, (x, y) => x + y + 1 >> 1), ...each(8, false, (x, y) => Math.abs(x - y)), ...each(8, false, (x, y) => limit(x + y, 0, 255)), ...each(8, false, (x, y) => x > y ? 255 : 0),
			...range(32, (i) => sum(bytes(a.v[i]).map((x, k) => Math.abs(x - bytes(b.v[i])[k])))), ...each(16, true, Math.max), ...each(16, true, (x, y) => limit(x - y, -32768, 32767)),
		] });
	},
	quantised_dot() {
		const a = random('i8', 40 * 32, 72, -128, 127), b = random('i8', 32, 73, -128, 127);
		return launch('quantised_dot', 1, 40, { a, b, y: zeros('i32', 40), words: { i32: 8 } }, { y: range(40, (r) => sum(b.v.map((v, k) => v * a.v[r * 32 + k]))) });
	},
	half_polynomial() {
		const x = eighths('f16', 64, 74, 12), r = (i) => (x.v[i] * 0.5 + (i % 2 ? -1 : 1)) * x.v[i];
		return launch('half_polynomial', 1, 32, { x, y: zeros('f16', 64) }, { y: range(64, (i) => x.v[i - i % 2] > 0 ? r(i) : -r(i)) });
	},
	tiny_floats() {
		const numbers = (fraction, bias, count) => range(count, (c) => (c >> fraction ? 2 ** fraction + c % 2 ** fraction : c % 2 ** fraction) * 2 ** (Math.max(c >> fraction, 1) - bias - fraction));
		/* The largest codes of 8 bits are no numbers. */
		const formats = { e4m3: [numbers(3, 7, 127), 8], e5m2: [numbers(2, 15, 124), 8], e2m3: [numbers(3, 1, 32), 6], e3m2: [numbers(2, 3, 32), 6], e2m1: [numbers(1, 1, 8), 4] };
		const sign = (x, bits) => x < 0 || Object.is(x, -0) ? 1 << (bits - 1) : 0;
		const decode = ([list, bits], c) => (c >> (bits - 1) & 1 ? -1 : 1) * (list[c & ((1 << (bits - 1)) - 1)] ?? (bits === 8 && list.length === 124 && (c & 127) === 124 ? Infinity : NaN));
		/* The nearest in the list; of two that are as near the one of an even code. */
		const encode = ([list, bits], x) => sign(x, bits) | list.reduce((best, v, c) => {
			const d = Math.abs(Math.abs(x) - v) - Math.abs(Math.abs(x) - list[best]);
			return d < 0 || (d === 0 && c % 2 === 0) ? c : best;
		}, 0);
		const x = values('f32', range(256, (i) => {
			const step = Math.floor(i / 8);
			return (i % 2 ? -1 : 1) * (1 + (step % 8) / 8 + (i % 3 ? 0 : 2 ** -7)) * 2 ** (i % 32 - 18);
		}));
		const { e4m3, e5m2, e2m3, e3m2, e2m1 } = formats, all = range(256, (i) => i);
		const codes = [
			...x.v.map((v) => encode(e4m3, v)), ...x.v.map((v) => Math.abs(v) >= 61440 ? sign(v, 8) | 0x7c : encode(e5m2, v)), ...x.v.map((v) => encode(e2m3, v)), ...x.v.map((v) => encode(e3m2, v)),
			...x.v.map((v) => encode(e2m1, v) | encode(e2m1, -v) << 4), ...x.v.map((v) => Math.ceil(Math.log2(Math.abs(v))) + 127),
		];
		const decoded = [...all.map((c) => decode(e4m3, c)), ...all.map((c) => decode(e5m2, c)), ...all.map((c) => decode(e2m3, c & 63)), ...all.map((c) => decode(e3m2, c & 63)), ...all.map((c) => decode(e2m1, c & 15) + 16 * decode(e2m1, c >> 4))];
		const written = (v) => Number.isFinite(v) ? v : Number.isNaN(v) ? 'nan' : v > 0 ? 'inf' : '-inf';
		return launch('tiny_floats', 4, 64, { x, value: zeros('f32', 1280), code: zeros('u8', 1536) }, { value: decoded.map(written), code: codes });
	},
	latch_semaphore() {
		const z = eighths('f32', 256, 79, 20), at = (i) => [z.v[2 * i], z.v[2 * i + 1]];
		z.v.forEach((v, i) => { z.v[i] = v || 1; });
		const length = range(128, (i) => Math.hypot(...at(i)) + at(i)[0] ** 2 - at(i)[1] ** 2 + at(i)[0]);
		return launch('latch_semaphore', 1, 128, { z, length: zeros('f32', 128), tile: zeros('i32', 128), most: zeros('i32', 4) }, {
			length: { values: length, tolerance: 1e-5 }, tile: range(128, (i) => (i >> 3) * 100 + 160 + ((i & 120) + 3) % 10), most: [1, 1, 1, 1],
		});
	},
	bf16_softmax() {
		const x = eighths('f32', 96, 75, 24), e = x.v.map(Math.exp);
		return launch('bf16_softmax', 3, 32, { x: values('u16', bfloatBits(x.v)), y: zeros('f32', 96) }, { y: { values: range(96, (i) => e[i] / sum(e.slice(i - i % 32, i - i % 32 + 32))), rel: 1e-5 } });
	},
	layer_norm() {
		const x = random('f32', 128, 76, -3, 5), scale = eighths('f32', 64, 77), shift = eighths('f32', 64, 78);
		const y = range(128, (i) => {
			const row = x.v.slice(i - i % 64, i - i % 64 + 64), mean = sum(row) / 64, variance = sum(row.map((v) => (v - mean) ** 2)) / 64;
			return (x.v[i] - mean) / Math.sqrt(variance + 1e-5) * scale.v[i % 64] + shift.v[i % 64];
		});
		return launch('layer_norm', 2, 64, { x, scale, shift, y: zeros('f32', 128) }, { y: { values: y, tolerance: 1e-4 } });
	},
	edit_distance() {
		const a = 'the quick brown fox jumps over the lazy dog', b = 'that thick broom foxes jump under a lazier dot', memo = new Map();
		const d = (i, j) => {
			if (i === 0 || j === 0)
				return i + j;
			const key = i * 100 + j;
			if (!memo.has(key))
				memo.set(key, Math.min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)));
			return memo.get(key);
		};
		const text = (s) => values('i8', [...s].map((c) => c.charCodeAt(0)));
		return launch('edit_distance', 1, 64, { a: text(a), n: { i32: a.length }, b: text(b), m: { i32: b.length }, result: zeros('i32', 1) }, { result: [d(a.length, b.length)] });
	},
	knapsack() {
		const weight = random('i32', 9, 79, 5, 60), value = random('i32', 9, 80, 1, 99), best = range(257, () => 0);
		for (let set = 0; set < 512; set++) {
			const chosen = range(9, (k) => k).filter((k) => set >> k & 1), w = sum(chosen.map((k) => weight.v[k])), v = sum(chosen.map((k) => value.v[k]));
			for (let limit = w; limit <= 256; limit++)
				best[limit] = Math.max(best[limit], v);
		}
		return launch('knapsack', 1, 257, { weight, value, items: { i32: 9 }, best: zeros('i32', 257) }, { best });
	},
	lu_decomposition() {
		const n = 12, a = random('f64', n * n, 81, -5, 5), m = range(n, (i) => a.v.slice(i * n, i * n + n)), pivot = [];
		for (let k = 0; k < n; k++) {
			const row = range(n - k, (i) => i + k).reduce((best, i) => Math.abs(m[i][k]) > Math.abs(m[best][k]) ? i : best, k);
			pivot.push(row);
			[m[k], m[row]] = [m[row], m[k]];
			for (let i = k + 1; i < n; i++) {
				m[i][k] /= m[k][k];
				for (let j = k + 1; j < n; j++)
					m[i][j] -= m[i][k] * m[k][j];
			}
		}
		return launch('lu_decomposition', 1, 16, { a, pivot: zeros('i32', n), n: { i32: n } }, { a: m.flat(), pivot });
	},
	kmeans() {
		const centres = [[0, 0], [8, 0], [0, 8], [8, 8]], noise = eighths('f32', 192, 82), point = range(96, (i) => centres[i % 4].map((c, k) => c + noise.v[2 * i + k]));
		return launch('kmeans', 1, 96, { point: values('f32', point.flat()), centre: values('f32', [1, 1, 7, 1, 1, 7, 7, 7]), nearest: zeros('i32', 96), rounds: { i32: 4 } },
			{ nearest: range(96, (i) => i % 4), centre: { values: range(4, (c) => [0, 1].map((k) => sum(point.filter((_, i) => i % 4 === c).map((p) => p[k])) / 24)).flat(), tolerance: 1e-5 } });
	},
	crc32() {
		const data = random('u8', 256 * 5, 83, 0, 255), crc = (bytes) => word(~bytes.reduce((c, b) => {
			c ^= b;
			for (let k = 0; k < 8; k++)
				c = c & 1 ? c >>> 1 ^ 0xedb88320 : c >>> 1;
			return c;
		}, -1));
		return launch('crc32', 1, 256, { data, bytes: { i32: 5 }, crc: zeros('u32', 256) }, { crc: range(256, (i) => crc(data.v.slice(i * 5, i * 5 + 5))) });
	},
	base64() {
		const a = random('u8', 150, 84, 0, 255);
		return launch('base64', 1, 64, { in: a, out: zeros('i8', 200), n: { i32: 50 } }, { out: [...Buffer.from(Buffer.from(a.v).toString('base64'))] });
	},
	sieve() {
		const prime = (p) => p > 1 && range(p - 2, (d) => d + 2).every((d) => p % d);
		return launch('sieve', 1, 64, { bits: zeros('u32', 32), count: zeros('u32', 1), n: { i32: 1024 } },
			{ bits: range(32, (w) => word(range(32, (b) => (prime(32 * w + b) ? 1 : 0) << b).reduce((r, v) => r | v, 0))), count: [range(1024, (p) => p).filter(prime).length] });
	},
	word_count() {
		const text = 'Threads, blocks and grids: how many words are in this text?  Some-words are joined; 42 is not one, supercalifragilistic is.', words = text.match(/[a-z]+/gi);
		return launch('word_count', 1, 64, { text: values('i8', [...Buffer.from(text)]), n: { i32: text.length }, words: zeros('i32', 1), longest: zeros('i32', 1) },
			{ words: [words.length], longest: [Math.max(...words.map((w) => w.length))] });
	},
	print_table() {
		const x = random('i32', 8, 85, -30, 30);
		return launch('print_table', 1, 8, { x, squares: zeros('i32', 8) }, { squares: x.v.map((v) => v * v) });
	},
	queens() {
		const solve = (row, places) => row === 8 ? 1 : sum(range(8, (c) => places.every((p, r) => p !== c && Math.abs(p - c) !== row - r) ? solve(row + 1, [...places, c]) : 0));
		return launch('queens', 8, 64, { ways: zeros('u32', 1) }, { ways: [solve(0, [])] });
	},
	fft_shuffle() {
		const a = eighths('f32', 128, 86), out = range(64, (i) => {
			const first = i - i % 32, terms = (re, im, angle) => [re * Math.cos(angle) - im * Math.sin(angle), re * Math.sin(angle) + im * Math.cos(angle)];
			const all = range(32, (k) => terms(a.v[2 * (first + k)], a.v[2 * (first + k) + 1], -2 * Math.PI * (i % 32) * k / 32));
			return [sum(all.map((t) => t[0])), sum(all.map((t) => t[1]))];
		});
		return launch('fft_shuffle', 2, 32, { in: a, out: zeros('f32', 128) }, { out: { values: out.flat(), abs: 1e-4, rel: 1e-5 } });
	},
	big_add() {
		const a = random('u32', 64, 87, 0, 4294967295), b = random('u32', 64, 88, 0, 4294967295), big = (v, k) => v.slice(32 * k, 32 * k + 32).reduceRight((n, w) => n << 32n | BigInt(w), 0n);
		/* A run of words whose sum is all ones, for a carry to run through. */
		range(10, (i) => b.v[i + 5] = word(~a.v[i + 5]));
		[a.v[4], b.v[4]] = [4294967295, 1];
		const sums = range(2, (k) => range(32, (i) => Number(big(a.v, k) + big(b.v, k) >> BigInt(32 * i) & 0xffffffffn))).flat();
		return launch('big_add', 2, 32, { a: values('u32', a.v), b: values('u32', b.v), sum: zeros('u32', 64) }, { sum: sums });
	},
};
