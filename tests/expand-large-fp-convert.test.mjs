// Conversions between floats and integers wider than 128 bits, against BigInt: every result is rounded once.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const threads = 64;
const low = (x, n) => BigInt.asUintN(n, x);
const wordsOf = (x, n) => Array.from({ length: n }, (_, i) => low(x >> BigInt(64 * i), 64));

let seed = 3n;
const random = () => (seed = low(seed * 6364136223846793005n + 1442695040888963407n, 64)) >> 11n;

/** Of `p` bits of precision, ties to even; past the largest exponent infinite. */
function rounded(x, p, most) {
	const sign = x < 0n, a = sign ? -x : x, drop = Math.max(a.toString(2).length - p, 0);
	let kept = a >> BigInt(drop);
	const rest = a - (kept << BigInt(drop)), half = drop ? 1n << BigInt(drop - 1) : 1n;
	if (drop && (rest > half || (rest === half && kept & 1n)))
		kept++;
	const value = kept << BigInt(drop);
	const result = value.toString(2).length > most ? Infinity : Number(value);
	return sign ? -result : result;
}
const formats = { double: [53, 1024], float: [24, 128], half: [11, 16] };

/** Random lengths, powers of two and their neighbours, ties. */
function integers(w) {
	return Array.from({ length: threads }, (_, i) => {
		let x = 0n;
		for (let k = 0; k < w; k += 50)
			x = x << 50n ^ random();
		const length = BigInt(1 + Number(random()) % w), one = 1n << length - 1n;
		x = low(x, Number(length)) | one;
		if (i % 8 === 1) x = one;
		if (i % 8 === 2) x = one - 1n;
		if (i % 8 === 3) x = one | one >> 11n | one >> 24n | one >> 53n;
		if (i % 8 === 4) x = one | one >> 24n | 1n;
		if (i % 8 === 5) x = one >> BigInt(w) | one | one >> 53n | one >> 52n;
		if (i === 0) x = 0n;
		return low(i % 3 ? x : -x, w);
	});
}

function doubles(w) {
	return Array.from({ length: threads }, (_, i) => {
		const x = (Number(random() & 0xFFFFFFFFFFFFFn) / 2 ** 52 + 1) * 2 ** (Number(random()) % (w - 2) - 3);
		return [0, 0.5, 1, 2 ** 52, 2 ** 53 + 2][i] ?? x;
	});
}
const special = [NaN, Infinity, -Infinity, -0, -0.9, 2 ** 900, -(2 ** 900)];

function program(w) {
	const n = Math.ceil(w / 64), lines = [];
	const out = (type, value, at) => lines.push(`  %o${at} = getelementptr i8, ptr %mine, i32 ${at}`, `  store ${type} ${value}, ptr %o${at}, align 8`);
	let at = 0;
	for (const s of ['s', 'u']) {
		for (const format of Object.keys(formats)) {
			lines.push(`  %${s}${format} = ${s}itofp i${w} %x to ${format}`);
			out(format, `%${s}${format}`, at);
			at += 8;
		}
		lines.push(`  %i${s} = fpto${s}i double %${s === 's' ? 'd' : 'magnitude'} to i${w}`, `  %z${s} = ${s}ext`.replace('uext', 'zext') + ` i${w} %i${s} to i${64 * n + 64}`);
		out(`i${64 * n + 64}`, `%z${s}`, at);
		at += 8 * (n + 1);
		lines.push(`  %t${s} = call i${w} @llvm.fpto${s}i.sat.i${w}.f64(double %any)`, `  %y${s} = zext i${w} %t${s} to i${64 * n + 64}`);
		out(`i${64 * n + 64}`, `%y${s}`, at);
		at += 8 * (n + 1);
	}
	lines.push(`  %v = insertelement <2 x double> poison, double %magnitude, i32 0`, `  %v2 = insertelement <2 x double> %v, double 3.0, i32 1`,
		`  %vi = fptoui <2 x double> %v2 to <2 x i${w}>`, `  %v0 = extractelement <2 x i${w}> %vi, i32 0`, `  %same = icmp eq i${w} %v0, %iu`, '  %same8 = zext i1 %same to i64');
	out('i64', '%same8', at);
	at += 8;
	return { size: at, text: `target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.fabs.f64(double)
declare i${w} @llvm.fptosi.sat.i${w}.f64(double)
declare i${w} @llvm.fptoui.sat.i${w}.f64(double)
define ptx_kernel void @k(ptr %ints, ptr %floats, ptr %others, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pi = getelementptr [${8 * n} x i8], ptr %ints, i32 %t
  %pf = getelementptr double, ptr %floats, i32 %t
  %pa = getelementptr double, ptr %others, i32 %t
  %mine = getelementptr [${at} x i8], ptr %out, i32 %t
  %words = load i${64 * n}, ptr %pi, align 8
  %x = trunc i${64 * n} %words to i${w}
  %d = load double, ptr %pf
  %any = load double, ptr %pa
  %magnitude = call double @llvm.fabs.f64(double %d)
${lines.join('\n')}
  ret void
}
`.replace(w % 64 ? /\0/ : /  %x = trunc .*\n/, w % 64 ? '' : `  %x = add i${w} %words, 0\n`) };
}

const bitsOf = { double: (v) => new BigUint64Array(new Float64Array([v]).buffer)[0], float: (v) => BigInt(new Uint32Array(new Float32Array([v]).buffer)[0]) };
function halfBits(v) {
	const s = v < 0 || Object.is(v, -0) ? 0x8000n : 0n, a = Math.abs(v);
	if (a === Infinity) return s | 0x7C00n;
	if (a === 0) return s;
	const e = Math.floor(Math.log2(a));
	return s | BigInt((e + 15) * 1024 + (a / 2 ** e - 1) * 1024);
}

function saturated(v, w, signed) {
	const top = (1n << BigInt(signed ? w - 1 : w)) - 1n, least = signed ? -top - 1n : 0n;
	if (Number.isNaN(v)) return 0n;
	if (Math.abs(v) === Infinity) return v > 0 ? top : least;
	const x = BigInt(Math.trunc(v));
	return x > top ? top : x < least ? least : x;
}

for (const w of [129, 200, 256, 1100])
	for (const level of ['-O0', '-O3'])
		test(`floats from and to i${w}, ${level}`, { skip }, () => {
			const folder = temporaryFolder(), n = Math.ceil(w / 64), { size, text } = program(w), ints = integers(w);
			const floats = doubles(Math.min(w, 1000)).map((v, i) => (i % 2 ? -v : v)), others = floats.map((v, i) => special[i] ?? v);
			const launch = {
				kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args: ['ints', 'floats', 'others', 'out'].map((buffer) => ({ buffer })),
				buffers: {
					ints: { type: 'u64', count: n * threads, init: { kind: 'values', values: ints.flatMap((x) => wordsOf(x, n)).map(String) } },
					floats: { type: 'u64', count: threads, init: { kind: 'values', values: floats.map((v) => String(bitsOf.double(v))) } },
					others: { type: 'u64', count: threads, init: { kind: 'values', values: others.map((v) => String(bitsOf.double(v))) } },
					out: { type: 'u64', count: threads * size / 8 },
				},
			};
			writeFileSync(join(folder, 'k.ll'), text);
			writeFileSync(join(folder, 'k.json'), JSON.stringify(launch));
			const r = ptxscope(['run', join(folder, 'k.ll'), '--launch', join(folder, 'k.json'), level, '--json']);
			assert.equal(r.status, 0, r.stderr);
			const out = JSON.parse(r.stdout).buffers.out.values.map(BigInt);
			for (let t = 0; t < threads; t++) {
				let at = t * size / 8;
				for (const signed of [true, false]) {
					const x = signed ? BigInt.asIntN(w, ints[t]) : ints[t], v = signed ? floats[t] : Math.abs(floats[t]);
					for (const [format, [p, most]] of Object.entries(formats)) {
						const want = rounded(x, p, most), bits = format === 'half' ? halfBits(want) : bitsOf[format](want);
						assert.equal(low(out[at++], format === 'half' ? 16 : format === 'float' ? 32 : 64), bits, `${signed ? 's' : 'u'}itofp ${x} to ${format}`);
					}
					const number = () => low(Array.from({ length: n + 1 }, () => out[at++]).reduce((sum, word, k) => sum | word << BigInt(64 * k), 0n), w);
					assert.equal(number(), low(BigInt(Math.trunc(v)), w), `${signed ? 'signed' : 'unsigned'} of ${v}`);
					assert.equal(number(), low(saturated(others[t], w, signed), w), `${signed ? 'signed' : 'unsigned'} saturating of ${others[t]}`);
				}
				assert.equal(out[at], 1n, 'vector');
			}
		});
