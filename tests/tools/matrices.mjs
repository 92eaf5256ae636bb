// Numbers of matrix instructions: their bits, matrices of small whole ones, and products.

export const halfBits = (v) => {
	if (v === 0)
		return 0;
	const sign = v < 0 ? 0x8000 : 0, m = Math.abs(v), e = Math.floor(Math.log2(m));
	return sign | (e + 15) << 10 | Math.round((m / 2 ** e - 1) * 1024);
};
export const halfValue = (h) => {
	const e = h >> 10 & 31, m = h & 1023;
	return (h & 0x8000 ? -1 : 1) * (e === 0 ? m * 2 ** -24 : (1 + m / 1024) * 2 ** (e - 15));
};
const f32 = new Float32Array(1), u32 = new Uint32Array(f32.buffer);
export const floatBits = (v) => (f32[0] = v, u32[0]);
export const floatValue = (b) => (u32[0] = b, f32[0]);

/** bits of an element, how a number becomes one and back, and numbers that it can hold */
export const types = {
	f16: { bits: 16, put: halfBits, get: halfValue, pick: (i) => i * 7 % 9 - 4 },
	bf16: { bits: 16, put: (v) => floatBits(v) >>> 16, get: (b) => floatValue(b << 16), pick: (i) => i * 5 % 7 - 3 },
	tf32: { bits: 32, put: floatBits, get: floatValue, pick: (i) => i * 3 % 11 - 5 },
	f32: { bits: 32, put: floatBits, get: floatValue, pick: (i) => i % 13 - 6 },
	s32: { bits: 32, put: (v) => v >>> 0, get: (b) => b | 0, pick: (i) => i * 100 - 5000 },
	s8: { bits: 8, put: (v) => v & 255, get: (b) => b << 24 >> 24, pick: (i) => i * 37 % 255 - 127 },
	u8: { bits: 8, put: (v) => v & 255, get: (b) => b, pick: (i) => i * 37 % 256 },
	s4: { bits: 4, put: (v) => v & 15, get: (b) => b << 28 >> 28, pick: (i) => i * 5 % 16 - 8 },
	u4: { bits: 4, put: (v) => v & 15, get: (b) => b, pick: (i) => i * 5 % 16 },
	b1: { bits: 1, put: (v) => v, get: (b) => b, pick: (i) => (i * i + i >> 1) % 3 & 1 },
	e4m3: { bits: 8, put: (v) => v === 0 ? 0 : (v < 0 ? 128 : 0) | Math.floor(Math.log2(Math.abs(v))) + 7 << 3 | Math.round((Math.abs(v) / 2 ** Math.floor(Math.log2(Math.abs(v))) - 1) * 8), pick: (i) => i % 5 - 2 },
	e5m2: { bits: 8, put: (v) => v === 0 ? 0 : (v < 0 ? 128 : 0) | Math.floor(Math.log2(Math.abs(v))) + 15 << 2 | Math.round((Math.abs(v) / 2 ** Math.floor(Math.log2(Math.abs(v))) - 1) * 4), pick: (i) => i % 3 - 1 },
	e2m3: { bits: 6, put: (v) => (v < 0 ? 32 : 0) | [0, 8, 16, 20, 24][Math.abs(v)], pick: (i) => i % 9 - 4 },
	e3m2: { bits: 6, put: (v) => (v < 0 ? 32 : 0) | [0, 12, 16, 18, 20][Math.abs(v)], pick: (i) => i % 7 - 3 },
	e2m1: { bits: 4, put: (v) => (v < 0 ? 8 : 0) | [0, 2, 4, 5, 6][Math.abs(v)], pick: (i) => i * 3 % 9 - 4 },
};

export const matrix = (rows, cols, type, salt) => Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => types[type].pick(r * cols + c + salt)));
export const product = (a, b, c, bitOp) => c.map((row, i) => row.map((v, j) => {
	for (let k = 0; k < b.length; k++)
		v += bitOp === 'and' ? a[i][k] & b[k][j] : bitOp === 'xor' ? a[i][k] ^ b[k][j] : a[i][k] * b[k][j];
	return v;
}));

/** Elements packed into 32-bit words, lowest bits first. */
export function pack(values, type) {
	const { bits, put } = types[type], words = new Array(Math.ceil(values.length * bits / 32)).fill(0);
	values.forEach((v, i) => words[i * bits >> 5] |= put(v) << (i * bits & 31));
	return words.map((w) => w >>> 0);
}
export function unpack(words, type, n) {
	const { bits, get } = types[type], mask = bits === 32 ? 0xffffffff : 2 ** bits - 1;
	return Array.from({ length: n }, (_, i) => get((words[i * bits >> 5] >>> (i * bits & 31) & mask) >>> 0 | 0));
}
