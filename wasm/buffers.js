// Elements of buffers as launch files and `run --json` have them: types, bits of values, bytes. All of it is little endian, integers in
// two's complement, floats IEEE 754.

export const widths = { i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, i64: 8, u64: 8, f16: 2, f32: 4, f64: 8 };
export const isFloat = (type) => type[0] === 'f';

const scratch = new DataView(new ArrayBuffer(8));

/** The 64 bits of a binary64. */
export function bitsOfDouble(value) {
	scratch.setFloat64(0, value);
	return scratch.getBigUint64(0);
}

/** binary64 to binary16, rounded once, to nearest even. */
function halfBits(value) {
	const bits = bitsOfDouble(value), sign = Number(bits >> 48n) & 0x8000, exponent = Number(bits >> 52n & 0x7FFn) - 1023;
	const mantissa = bits & 0xFFFFFFFFFFFFFn;
	if (exponent === 1024)
		return sign | (mantissa ? 0x7E00 : 0x7C00);
	if (exponent < -25)
		return sign;
	const cut = BigInt(exponent < -14 ? 28 - exponent : 42), whole = mantissa | 1n << 52n, half = 1n << (cut - 1n);
	let kept = Number(whole >> cut);
	const rest = whole & ((1n << cut) - 1n);
	if (rest > half || (rest === half && kept & 1))
		kept++;
	return sign | Math.min(0x7C00, exponent < -14 ? kept : ((exponent + 15) << 10) + kept - 0x400);
}

function halfValue(bits) {
	const exponent = bits >> 10 & 31, mantissa = bits & 0x3FF, sign = bits & 0x8000 ? -1 : 1;
	return exponent === 31 ? (mantissa ? NaN : sign * Infinity) : sign * (exponent ? (1024 + mantissa) * 2 ** (exponent - 25) : mantissa * 2 ** -24);
}

/** A float as launch files write it: a number, "nan", "inf", "-inf"; undefined: it is none. */
export function floatOf(value) {
	if (value === 'nan' || value === 'inf' || value === '-inf')
		return value === 'nan' ? NaN : value === 'inf' ? Infinity : -Infinity;
	if (typeof value === 'string' && value.trim() === '')
		return undefined;
	const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
	return Number.isNaN(number) ? undefined : number;
}

/** An integer as launch files write it: a number or a decimal string; undefined: it is none. */
export function integerOf(value) {
	if (typeof value === 'string' ? /^-?\d{1,20}$/.test(value) : Number.isInteger(value))
		return BigInt(value);
	return undefined;
}

/** A value's bits in an element of `type`, as an unsigned BigInt; undefined: it is no value of such a type. */
export function bitsOf(type, value) {
	if (!isFloat(type)) {
		const v = integerOf(value);
		return v === undefined ? undefined : BigInt.asUintN(8 * widths[type], v);
	}
	const v = floatOf(value);
	if (v === undefined)
		return undefined;
	if (type === 'f16')
		return BigInt(halfBits(v));
	if (type === 'f64')
		return bitsOfDouble(v);
	scratch.setFloat32(0, v);
	return BigInt(scratch.getUint32(0));
}

/** The bytes of an element's bits. */
export function putBits(to, offset, width, bits) {
	for (let i = 0; i < width; i++)
		to[offset + i] = Number(bits >> BigInt(8 * i) & 255n);
}

const shortest = { f32: (view, at) => view.getFloat32(at, true), f64: (view, at) => view.getFloat64(at, true), f16: (view, at) => halfValue(view.getUint16(at, true)) };
const integers = {
	i8: 'getInt8', u8: 'getUint8', i16: 'getInt16', u16: 'getUint16', i32: 'getInt32', u32: 'getUint32', i64: 'getBigInt64', u64: 'getBigUint64',
};

/** The elements of a buffer's bytes as `run --json` prints them: numbers; integers of 64 bits, nan and infinities as strings. */
export function valuesOf(type, bytes) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), width = widths[type];
	const read = isFloat(type) ? shortest[type] : (v, at) => v[integers[type]](at, true);
	return Array.from({ length: Math.floor(bytes.byteLength / width) }, (_, i) => {
		const v = read(view, i * width);
		return typeof v === 'bigint' ? String(v) : Number.isNaN(v) ? 'nan' : v === Infinity ? 'inf' : v === -Infinity ? '-inf' : v;
	});
}

/** The bytes that a service sends as base64. */
export const bytesOf = ({ base64 }) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
