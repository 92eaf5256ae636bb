// 128-bit division has no instruction: what selection makes of it is executed on edge cases and on random numbers.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const all = (1n << 128n) - 1n, word = (1n << 64n) - 1n, threads = 256;
const signed = (x) => x >> 127n ? x - (1n << 128n) : x;

let seed = 12345n;
const random = () => {
	seed = seed * 6364136223846793005n + 1442695040888963407n & word;
	return seed >> 11n;
};
const wide = () => ((random() << 106n | random() << 53n | random()) & all) >> random() % 128n;

const edges = [1n, 2n, 10n, word, 1n << 64n, (1n << 64n) + 1n, all, all - 1n, 1n << 127n, (1n << 127n) - 1n, 1n << 63n, (1n << 96n) - 1n];
const pairs = [0n, ...edges].flatMap((a) => edges.map((b) => [a, b]));
while (pairs.length < threads)
	pairs.push([wide(), wide() || 7n]);

const operations = ['udiv', 'urem', 'sdiv', 'srem'];
const program = `target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = mul i32 %t, 2
  %pa = getelementptr i128, ptr %in, i32 %i
  %pb = getelementptr i128, ptr %pa, i32 1
  %a = load i128, ptr %pa
  %b = load i128, ptr %pb
  %o = mul i32 %t, 4
  %p = getelementptr i128, ptr %out, i32 %o
${operations.map((op, k) => `  %r${k} = ${op} i128 %a, %b\n  %p${k} = getelementptr i128, ptr %p, i32 ${k}\n  store i128 %r${k}, ptr %p${k}`).join('\n')}
  ret void
}
`;

test('128-bit quotients and remainders are right', { skip }, () => {
	const folder = temporaryFolder();
	const values = pairs.flat().flatMap((x) => [String(x & word), String(x >> 64n)]);
	const launch = {
		kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args: [{ buffer: 'out' }, { buffer: 'in' }],
		buffers: { out: { type: 'u64', count: threads * 8 }, in: { type: 'u64', count: threads * 4, init: { kind: 'values', values } } },
	};
	writeFileSync(join(folder, 'k.ll'), program);
	writeFileSync(join(folder, 'k.json'), JSON.stringify(launch));
	const run = ptxscope(['run', join(folder, 'k.ll'), '--launch', join(folder, 'k.json'), '--level=ptx', '--json']);
	assert.equal(run.status, 0, run.stderr);
	const out = JSON.parse(run.stdout).buffers.out.values.map(BigInt);
	pairs.forEach(([a, b], i) => {
		const want = [a / b, a % b, signed(a) / signed(b) & all, signed(a) % signed(b) & all];
		want.forEach((w, k) => {
			const undefinedResult = k >= 2 && a === 1n << 127n && b === all;
			if (!undefinedResult)
				assert.equal(out[i * 8 + 2 * k] | out[i * 8 + 2 * k + 1] << 64n, w, `${operations[k]} ${a} ${b}`);
		});
	});
});

// The multipliers of division by constants: near the ends of each width the arithmetic behind them has the least room.
for (const width of [16, 32, 64])
	test(`division of ${width} bits by constants is right`, { skip }, () => {
		const top = 1n << BigInt(width), half = top >> 1n, sign = (x) => x >= half ? x - top : x;
		const divisors = [3n, 7n, 10n, 641n, half - 1n, half + 1n, half + 2n, top - 3n, top - 4n, top - 5n, top - 6n, top - 7n, top - 12n, top - 100n];
		const dividends = [0n, 1n, 9n, half - 1n, half, half + 1n, half + 3n, top - 2n, top - 3n, top - 4n, top - 1n, top / 3n, top / 7n * 5n, top / 10n];
		const text = `target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i64, ptr %in, i32 %t
  %w = load i64, ptr %pa
  %a = ${width === 64 ? 'add i64 %w, 0' : `trunc i64 %w to i${width}`}
  %o = mul i32 %t, ${divisors.length * 4}
${divisors.flatMap((d, i) => operations.map((op, k) => [
		`  %r${i}_${k} = ${op} i${width} %a, ${sign(d)}`,
		`  %x${i}_${k} = ${width === 64 ? `add i64 %r${i}_${k}, 0` : `zext i${width} %r${i}_${k} to i64`}`,
		`  %i${i}_${k} = add i32 %o, ${i * 4 + k}`,
		`  %p${i}_${k} = getelementptr i64, ptr %out, i32 %i${i}_${k}`,
		`  store i64 %x${i}_${k}, ptr %p${i}_${k}`,
	].join('\n'))).join('\n')}
  ret void
}
`;
		const folder = temporaryFolder(), n = dividends.length * divisors.length * 4;
		const launch = {
			kernel: 'k', grid: [1, 1, 1], block: [dividends.length, 1, 1], args: [{ buffer: 'out' }, { buffer: 'in' }],
			buffers: { out: { type: 'u64', count: n }, in: { type: 'u64', count: dividends.length, init: { kind: 'values', values: dividends.map(String) } } },
		};
		writeFileSync(join(folder, 'k.ll'), text);
		writeFileSync(join(folder, 'k.json'), JSON.stringify(launch));
		const run = ptxscope(['run', join(folder, 'k.ll'), '--launch', join(folder, 'k.json'), '--level=ptx', '--json']);
		assert.equal(run.status, 0, run.stderr);
		const out = JSON.parse(run.stdout).buffers.out.values.map(BigInt);
		dividends.forEach((a, t) => divisors.forEach((d, i) => {
			const wrap = (x) => (x % top + top) % top;
			const want = [a / d, a % d, wrap(sign(a) / sign(d)), wrap(sign(a) % sign(d))];
			want.forEach((w, k) => assert.equal(out[(t * divisors.length + i) * 4 + k], w, `${operations[k]} i${width} ${a}, ${d}`));
		}));
	});

// A constant divisor is shifted when the program is compiled: also by 0, where its highest bit is set.
for (const bits of [128, 127, 96, 72, 65])
	test(`i${bits} is divided by constants`, { skip }, () => {
		const folder = temporaryFolder(), T = `i${bits}`, mask = (1n << BigInt(bits)) - 1n;
		const low = (x) => x & mask, asSigned = (x) => BigInt.asIntN(bits, x), count = 32;
		const divisors = [3n, 10n, mask, mask - 1n, mask - 4n, mask >> 1n, (mask >> 1n) + 1n, (mask >> 1n) + 2n, word & mask, low(1n << 64n), low((1n << 64n) + 5n)];
		const dividends = [0n, 1n, mask, mask >> 1n, (mask >> 1n) + 1n, word & mask, ...Array.from({ length: count - 6 }, () => low(wide()))];
		const body = divisors.flatMap((d, i) => operations.map((op, k) => `  %r${i}_${k} = ${op} ${T} %a, ${d}
  %w${i}_${k} = zext ${T} %r${i}_${k} to i256
  %n${i}_${k} = trunc i256 %w${i}_${k} to i128
  %p${i}_${k} = getelementptr i128, ptr %p, i32 ${i * operations.length + k}
  store i128 %n${i}_${k}, ptr %p${i}_${k}`));
		const each = divisors.length * operations.length;
		writeFileSync(join(folder, 'c.ll'), `target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i128, ptr %in, i32 %t
  %full = load i128, ptr %pa
  %a = ${bits === 128 ? 'add i128 %full, 0' : `trunc i128 %full to ${T}`}
  %o = mul i32 %t, ${each}
  %p = getelementptr i128, ptr %out, i32 %o
${body.join('\n')}
  ret void
}
`);
		const words = (x) => [String(x & word), String(x >> 64n)];
		writeFileSync(join(folder, 'c.json'), JSON.stringify({
			kernel: 'k', grid: [1, 1, 1], block: [count, 1, 1], args: [{ buffer: 'out' }, { buffer: 'in' }],
			buffers: { out: { type: 'u64', count: count * each * 2 }, in: { type: 'u64', count: count * 2, init: { kind: 'values', values: dividends.flatMap(words) } } },
		}));
		const { status, stdout, stderr } = ptxscope(['run', join(folder, 'c.ll'), '--launch', join(folder, 'c.json'), '--json']);
		assert.deepEqual([status, stderr], [0, '']);
		const values = JSON.parse(stdout).buffers.out.values.map(BigInt);
		const meaning = { udiv: (a, b) => a / b, urem: (a, b) => a % b, sdiv: (a, b) => asSigned(a) / asSigned(b), srem: (a, b) => asSigned(a) % asSigned(b) };
		for (const [t, a] of dividends.entries())
			for (const [i, d] of divisors.entries())
				for (const [k, op] of operations.entries()) {
					const at = (t * each + i * operations.length + k) * 2;
					if (!(op[0] === 's' && asSigned(d) === -1n && a === (mask >> 1n) + 1n)) // which overflows
						assert.equal(values[at] | values[at + 1] << 64n, low(meaning[op](a, d)), `${op} ${T} ${a}, ${d}`);
				}
	});
