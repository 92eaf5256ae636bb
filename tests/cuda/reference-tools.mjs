// Buffers of launch files with their initial values, as tests/kernels/README.md defines them, for the references of kernels.

import { randoms } from '../tools/math-bounds.mjs';

const isFloat = (type) => type[0] === 'f';
const range = (n, f) => Array.from({ length: n }, (_, i) => f(i));
export { range };

/** A buffer: what the launch file says of it, and its values. */
const buffer = (type, v, init) => ({ launch: { type, count: v.length, ...(init && { init }) }, v });
export const zeros = (type, count) => buffer(type, Array(count).fill(0));
export const values = (type, v) => buffer(type, v, { kind: 'values', values: v });
export const filled = (type, count, value) => buffer(type, Array(count).fill(value), { kind: 'constant', value });
export const linear = (type, count, start, step) => buffer(type, range(count, (i) => start + step * i), { kind: 'linear', start, step });

/** Splitmix64, an element at a time. Integers of up to 32 bits. */
export function random(type, count, seed, min, max) {
	const init = { kind: 'random', seed, min, max };
	if (isFloat(type)) {
		const next = randoms(seed);
		return buffer(type, range(count, () => type === 'f32' ? Math.fround(min + next() * (max - min)) : min + next() * (max - min)), init);
	}
	let state = BigInt(seed);
	const span = BigInt(max - min + 1);
	return buffer(type, range(count, () => {
		state = BigInt.asUintN(64, state + 0x9E3779B97F4A7C15n);
		let z = state;
		z = BigInt.asUintN(64, (z ^ z >> 30n) * 0xBF58476D1CE4E5B9n);
		z = BigInt.asUintN(64, (z ^ z >> 27n) * 0x94D049BB133111EBn);
		return min + Number((z ^ z >> 31n) % span);
	}), init);
}

/** Numbers with few bits, exact in every format: k / 8 for k from -span to span. */
export const eighths = (type, count, seed, span = 16) => values(type, random('i32', count, seed, -span, span).v.map((k) => k / 8));
/** Bits of bfloat16. */
export const bfloatBits = (list) => list.map((x) => new Uint32Array(new Float32Array([x]).buffer)[0] >>> 16);

/** A launch: `args` are buffers and scalars ({ i32: 3 }) by name, in order; `expect` gives buffers' values, or { values, rel, abs, order }. */
export function launch(kernel, grid, block, args, expect, more = {}) {
	const three = (v) => [...[v].flat(), 1, 1].slice(0, 3), buffers = {};
	const list = Object.entries(args).map(([name, a]) => {
		if (!a.launch)
			return a;
		buffers[name] = a.launch;
		return a.picture ? { texture: `${name}_object` } : { buffer: name };
	});
	const pictures = Object.entries(args).filter(([, a]) => a.picture).map(([name, a]) => [`${name}_object`, { ...a.picture, type: a.launch.type, buffer: name }]);
	return {
		kernel, grid: three(grid), block: three(block), ...more, args: list, buffers, ...(pictures.length && { textures: Object.fromEntries(pictures) }),
		expect: Object.fromEntries(Object.entries(expect).map(([name, e]) => [name, Array.isArray(e) ? { values: e } : e])),
	};
}
export const picture = (b, kind, shape) => ({ ...b, picture: { object: kind, ...shape, ...(kind === 'texture' && { address: 'clamp', filter: 'point', normalized: false }) } });

export const sum = (list) => list.reduce((a, b) => a + b, 0);
/** a (m x k) times b (k x n), rows first; `bt`: b is given by columns. */
export const product = (a, b, m, n, k, bt = false) => range(m * n, (i) => sum(range(k, (l) => a[Math.floor(i / n) * k + l] * (bt ? b[i % n * k + l] : b[l * n + i % n]))));
