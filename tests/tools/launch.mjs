// Launch files' expectations: what the buffers of `run --json` must hold (tests/kernels/README.md).

import { createHash } from 'node:crypto';

const width = { i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, i64: 8, u64: 8, f16: 2, f32: 4, f64: 8 };
const float = (type) => type[0] === 'f';

function halfBits(v) {
	const f = new Float32Array([v]), u = new Uint32Array(f.buffer)[0];
	const sign = u >>> 16 & 0x8000, exp = (u >>> 23 & 255) - 112, man = u & 0x7fffff;
	if (exp >= 31) return sign | (Number.isNaN(v) ? 0x7e00 : 0x7c00);
	if (exp <= 0) {
		const scaled = Math.abs(v) * 2 ** 24, low = Math.floor(scaled), rest = scaled - low;
		return sign | (rest > 0.5 || (rest === 0.5 && low & 1) ? low + 1 : low);
	}
	const cut = man & 0x1fff, base = sign | exp << 10 | man >>> 13;
	return cut > 0x1000 || (cut === 0x1000 && base & 1) ? base + 1 : base;
}
const number = (v) => v === 'nan' ? NaN : v === 'inf' ? Infinity : v === '-inf' ? -Infinity : Number(v);

/** Values of a buffer as its bytes, little endian. */
export function bytesOf(type, values) {
	const b = Buffer.alloc(values.length * width[type]);
	values.forEach((v, i) => {
		const at = i * width[type];
		if (type === 'f64') b.writeDoubleLE(number(v), at);
		else if (type === 'f32') b.writeFloatLE(number(v), at);
		else if (type === 'f16') b.writeUInt16LE(halfBits(number(v)), at);
		else if (width[type] === 8) b.writeBigUInt64LE(BigInt.asUintN(64, BigInt(v)), at);
		else b.writeUIntLE(Number(BigInt.asUintN(8 * width[type], BigInt(v))), at, width[type]);
	});
	return b;
}

const rounded = (type, v) => type === 'f32' ? Math.fround(number(v)) : number(v);

/** What is wrong with a buffer, or null. */
export function compare(type, expect, values) {
	if (expect.sha256) {
		const hash = createHash('sha256').update(bytesOf(type, values)).digest('hex');
		return hash === expect.sha256 ? null : `sha256 is ${hash}`;
	}
	let want = expect.values, got = values;
	if (want.length !== got.length) return `${got.length} elements, ${want.length} wanted`;
	if (expect.order === 'any') {
		const sorted = (list) => list.map(number).sort((a, b) => a - b);
		[want, got] = [sorted(want), sorted(got)];
	}
	const abs = expect.tolerance ?? expect.abs ?? 0, rel = expect.tolerance ?? expect.rel ?? 0;
	for (let i = 0; i < want.length; i++) {
		const e = float(type) ? rounded(type, want[i]) : BigInt(want[i]), g = float(type) ? rounded(type, got[i]) : BigInt(got[i]);
		const same = !float(type) ? e === g : Number.isNaN(e) || Number.isNaN(g) ? Number.isNaN(e) && Number.isNaN(g)
			: !Number.isFinite(e) || !Number.isFinite(g) ? e === g : Math.abs(g - e) <= Math.max(abs, rel * Math.abs(e));
		if (!same) return `element ${i} is ${g}, ${e} wanted`;
	}
	return null;
}

/** All complaints about a result against a launch's expectations. */
export function complaints(launch, result) {
	return Object.entries(launch.expect).map(([name, expect]) => {
		const b = result.buffers[name], wrong = b ? compare(b.type, expect, b.values) : 'missing';
		return wrong && `${name}: ${wrong}`;
	}).filter(Boolean);
}
