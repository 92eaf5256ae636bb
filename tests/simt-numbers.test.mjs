// Numbers as the hardware makes them: the carry flag, stochastic rounding, and division of 128 bits as nvcc writes it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const work = temporaryFolder();

/** Runs `body` in 32 threads with %x, %y, %z of each; returns `outs` words of each thread. */
function execute(run, body, rows, outs) {
	const file = join(work, 'n.ptx'), launch = join(work, 'n.json'), n = rows[0].length;
	writeFileSync(file, `.version 8.8\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p_in, .param .u64 p_out)\n{
.reg .b32 %in<${n}>; .reg .b32 %out<${outs}>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b16 %h<4>; .reg .b64 %rd<8>; .reg .u32 %t;
mov.u32 %t, %tid.x; ld.param.u64 %rd0, [p_in]; ld.param.u64 %rd1, [p_out];
mad.wide.u32 %rd0, %t, ${4 * n}, %rd0; mad.wide.u32 %rd1, %t, ${4 * outs}, %rd1;
${Array.from({ length: n }, (_, i) => `ld.global.u32 %in${i}, [%rd0+${4 * i}];`).join(' ')}
${body}
${Array.from({ length: outs }, (_, i) => `st.global.u32 [%rd1+${4 * i}], %out${i};`).join(' ')}
ret;\n}\n`);
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [rows.length, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }],
		buffers: { in: { type: 'u32', count: n * rows.length, init: { kind: 'values', values: rows.flat() } }, out: { type: 'u32', count: outs * rows.length } },
	}));
	const r = run(['run', file, `--launch=${launch}`, '--json']);
	assert.equal(r.status, 0, r.stderr);
	const { values } = JSON.parse(r.stdout).buffers.out;
	return rows.map((_, i) => values.slice(i * outs, (i + 1) * outs));
}

const edges = [0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x12345678];
const M = 0xffffffffn, M64 = 2n ** 64n - 1n;

/* ---- stochastic rounding, with exact fractions */

const formats = { f16: [10, 5, true, 13], bf16: [7, 8, true, 16], e4m3: [3, 4, false, 16], e5m2: [2, 5, false, 16], e2m3: [3, 2, false, 16], e3m2: [2, 3, false, 16], e2m1: [1, 2, false, 8] };
const f32 = new Float32Array(1), u32 = new Uint32Array(f32.buffer);

function stochastic(format, bits, random, satfinite, relu) {
	const [mant, exp, wide, noise] = formats[format], bias = 2 ** (exp - 1) - 1, sign = bits >>> 31, e = bits >>> 23 & 255;
	u32[0] = bits & 0x7fffffff;
	const x = f32[0], largest = { f16: 65504, bf16: 2 ** 127 * (2 - 2 ** -7), e4m3: 448, e5m2: 57344, e2m3: 7.5, e3m2: 28, e2m1: 6 }[format], small = format[1] < '4' && format[0] === 'e';
	if (Number.isNaN(x)) // formats without NaN give the largest number
		return { f16: 0x7fff, bf16: 0x7fff, e4m3: 0x7f, e5m2: 0x7f, e2m3: 0x1f, e3m2: 0x1f, e2m1: 7 }[format];
	if (relu && sign)
		return 0;
	const scale = Math.max(e - 127, 1 - bias), ulp = 2 ** (scale - mant), n = Math.floor(x / ulp), rest = x / ulp - n;
	let v = (n + (rest + (random & 2 ** noise - 1) / 2 ** noise >= 1 ? 1 : 0)) * ulp;
	if (v > largest && (satfinite || small))
		v = largest;
	const top = sign * 2 ** (mant + exp);
	if (v > largest)
		return top | (wide ? Math.pow(2, exp) - 1 << mant : 0);
	const scale2 = v === 0 ? 1 - bias : Math.max(Math.floor(Math.log2(v)), 1 - bias), q = v / 2 ** (scale2 - mant);
	return top | (q >= 2 ** mant ? scale2 + bias << mant | q - 2 ** mant : q);
}

for (const { host, run, skip } of hosts)
	describe(`numbers (${host})`, { skip }, () => {
		test('the carry flag: subtraction leaves the carry of a + ~b + 1', () => {
			const rows = edges.flatMap((a) => edges.map((b) => [a, b, a ^ b >>> 3, b ^ 0x5555])).slice(0, 64);
			const got = execute(run, `
sub.cc.u32 %out0, %in0, %in1; addc.u32 %out1, 0, 0;
add.cc.u32 %out2, %in0, %in1; addc.u32 %out3, 0, 0;
add.cc.u32 %r1, %in0, %in1; subc.u32 %out4, %in2, %in3;
sub.cc.u32 %r1, %in0, %in1; subc.cc.u32 %out5, %in2, %in3; addc.u32 %out6, 7, 0;
mov.b64 %rd2, {%in0, %in2}; mov.b64 %rd3, {%in1, %in3};
sub.cc.u64 %rd4, %rd2, %rd3; addc.u64 %rd5, 0, 0; cvt.u32.u64 %out7, %rd5;
add.cc.u64 %rd4, %rd2, %rd3; subc.cc.u64 %rd6, %rd3, %rd2; addc.u64 %rd5, 0, 0; mov.b64 {%out8, %out9}, %rd6; cvt.u32.u64 %out10, %rd5;
mad.lo.cc.u32 %out11, %in0, %in1, %in2; madc.hi.u32 %out12, %in0, %in1, %in3;`, rows, 13);
			rows.forEach((row, i) => {
				const [a, b, c, d] = row.map((v) => BigInt(v >>> 0)), x = a | c << 32n, y = b | d << 32n, cs = a >= b ? 1n : 0n, ca = a + b > M ? 1n : 0n, wide = x + y > M64 ? 1n : 0n;
				const inner = c + (~d & M) + cs, wider = y + (~x & M64) + wide, low = (a * b & M) + c;
				const want = [a - b & M, cs, a + b & M, ca, c + (~d & M) + ca & M, inner & M, 7n + (inner >> 32n), x >= y ? 1n : 0n, wider & M, wider >> 32n & M, wider >> 64n, low & M, (a * b >> 32n) + d + (low >> 32n) & M];
				assert.deepEqual(got[i].map(BigInt), want, row.map((v) => v.toString(16)).join(' '));
			});
		});

		test('128-bit division as nvcc writes it', () => {
			const numbers = [0n, 1n, 7n, 0xffffffffn, 2n ** 64n - 1n, 2n ** 64n, 2n ** 64n + 12345n, 2n ** 127n, 2n ** 128n - 1n, 0x123456789abcdef0fedcba9876543210n, 10n ** 30n];
			const pairs = numbers.flatMap((a) => numbers.filter((b) => b).map((b) => [a, b])), split = (list) => list.flatMap((v) => [v & M64, v >> 64n]).map(String);
			const launch = join(work, 'd.json');
			writeFileSync(launch, JSON.stringify({
				kernel: 'd', grid: [1, 1, 1], block: [pairs.length, 1, 1], args: ['a', 'b', 'q'].map((buffer) => ({ buffer })),
				buffers: {
					a: { type: 'u64', count: 2 * pairs.length, init: { kind: 'values', values: split(pairs.map(([a]) => a)) } }, b: { type: 'u64', count: 2 * pairs.length, init: { kind: 'values', values: split(pairs.map(([, b]) => b)) } },
					q: { type: 'u64', count: 4 * pairs.length },
				},
			}));
			const texts = [join(root, 'tests/ptx/divide128.ptx')];
			try { // what the nvcc that is here writes, too
				const source = join(work, 'd.cu'), own = join(work, 'd.ptx');
				writeFileSync(source, readFileSync(texts[0], 'utf8').match(/^\/\/ source: (.*)$/m)[1]);
				execFileSync('nvcc', ['-arch=sm_90', '-ptx', '-o', own, source], { stdio: 'ignore' });
				texts.push(own);
			} catch { /* there is none */ }
			for (const text of texts) {
				const r = run(['run', text, `--launch=${launch}`, '--json']);
				assert.equal(r.status, 0, r.stderr);
				const q = JSON.parse(r.stdout).buffers.q.values.map(BigInt);
				pairs.forEach(([a, b], i) => assert.deepEqual([q[4 * i] | q[4 * i + 1] << 64n, q[4 * i + 2] | q[4 * i + 3] << 64n], [a / b, a % b], `${a} / ${b} in ${text}`));
			}
		});

		test('stochastic rounding', () => {
			const floats = [0, 0x80000000, 0x3f800000, 0x3f800001, 0x3f8fffff, 0xbf9abcde, 0x40490fdb, 0x477fefff, 0x477fffff, 0xc77fffff, 0x38000001, 0x33812345, 0x387fc001, 0x43e7ffff, 0x43efffff, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x3c800001, 0x3e123456, 0x41eeeeee, 0x40dfffff, 0x2f000000];
			const rows = floats.map((a, i) => [a, floats[(i * 7 + 3) % floats.length], floats[(i * 5 + 1) % floats.length], floats[(i * 11 + 2) % floats.length], (0x9e3779b9 * (i + 1)) >>> 0]);
			const mov = 'mov.b32 %f0, %in0; mov.b32 %f1, %in1; mov.b32 %f2, %in2; mov.b32 %f3, %in3;';
			const got = execute(run, `${mov}
cvt.rs.f16x2.f32 %out0, %f0, %f1, %in4; cvt.rs.satfinite.bf16x2.f32 %out1, %f0, %f1, %in4; cvt.rs.relu.f16x2.f32 %out2, %f0, %f1, %in4;
cvt.rs.satfinite.e4m3x4.f32 %out3, {%f0, %f1, %f2, %f3}, %in4; cvt.rs.satfinite.e5m2x4.f32 %out4, {%f0, %f1, %f2, %f3}, %in4; cvt.rs.satfinite.e2m3x4.f32 %out5, {%f0, %f1, %f2, %f3}, %in4;
cvt.rs.relu.satfinite.e3m2x4.f32 %out6, {%f0, %f1, %f2, %f3}, %in4; cvt.rs.satfinite.e2m1x4.f32 %h1, {%f0, %f1, %f2, %f3}, %in4; cvt.u32.u16 %out7, %h1;`, rows, 8);
			rows.forEach(([a, b, e, f, r], i) => {
				const two = (format, sat, relu) => (stochastic(format, a, r >>> 16, sat, relu) << 16 | stochastic(format, b, r, sat, relu)) >>> 0;
				const four = (format, relu, width = 8) => [[a, r >>> (width === 4 ? 24 : 16)], [b, r >>> (width === 4 ? 8 : 16)], [e, width === 4 ? r >>> 16 : r], [f, r]].reduce((sum, [v, n]) => (sum << width | stochastic(format, v, n, true, relu)) >>> 0, 0);
				assert.deepEqual(got[i], [two('f16'), two('bf16', true), two('f16', false, true), four('e4m3'), four('e5m2'), four('e2m3'), four('e3m2', true), four('e2m1', false, 4)], rows[i].map((v) => v.toString(16)).join(' '));
			});
		});
	});
