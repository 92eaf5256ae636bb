// Integers of odd width are passed within a module, and stored, with zeros above them: a callee relies on what its callers clear, at every
// optimization level. And arithmetic on them says when it overflows. Executed on random numbers.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const threads = 64;
const low = (x, bits) => x & (1n << BigInt(bits)) - 1n;

let seed = 99n;
const random = () => {
	seed = low(seed * 6364136223846793005n + 1442695040888963407n, 64);
	return low(seed >> 20n | seed << 44n, 64);
};
const inputs = Array.from({ length: threads }, random);

const program = `target triple = "nvptx64-nvidia-cuda"
define internal i13 @f(i13 %a, i25 %b, i37 %c, { i9, i55 } %d, i5 zeroext %e, i11 signext %g) noinline {
  %b1 = trunc i25 %b to i13
  %c1 = lshr i37 %c, 20
  %c2 = trunc i37 %c1 to i13
  %d0 = extractvalue { i9, i55 } %d, 0
  %d1 = extractvalue { i9, i55 } %d, 1
  %d2 = zext i9 %d0 to i13
  %d3 = lshr i55 %d1, 33
  %d4 = trunc i55 %d3 to i13
  %e1 = zext i5 %e to i13
  %g1 = sext i11 %g to i13
  %x0 = add i13 %a, %b1
  %x1 = xor i13 %x0, %c2
  %x2 = mul i13 %x1, %d2
  %x3 = add i13 %x2, %d4
  %x4 = udiv i13 %x3, 3
  %x5 = xor i13 %x4, %e1
  %x6 = add i13 %x5, %g1
  ret i13 %x6
}
define void @k(ptr %in, ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %pi = getelementptr i64, ptr %in, i64 %i
  %v = load i64, ptr %pi
  %a = trunc i64 %v to i13
  %b = trunc i64 %v to i25
  %c = trunc i64 %v to i37
  %e = trunc i64 %v to i5
  %g = trunc i64 %v to i11
  %d0 = trunc i64 %v to i9
  %s = lshr i64 %v, 3
  %d1 = trunc i64 %s to i55
  %d2 = insertvalue { i9, i55 } undef, i9 %d0, 0
  %d3 = insertvalue { i9, i55 } %d2, i55 %d1, 1
  %r = call i13 @f(i13 %a, i25 %b, i37 %c, { i9, i55 } %d3, i5 zeroext %e, i11 signext %g)
  %po = getelementptr i64, ptr %out, i64 %i
  store i13 %r, ptr %po
  %w = load i13, ptr %po
  %q = udiv i13 %w, 7
  %p2 = getelementptr i8, ptr %po, i64 2
  %p4 = getelementptr i8, ptr %po, i64 4
  store i13 %q, ptr %p2
  %z = trunc i64 %v to i25
  %z1 = add i25 %z, 12345
  store i25 %z1, ptr %p4
  %z2 = load i25, ptr %p4
  %z3 = lshr i25 %z2, 1
  store i25 %z3, ptr %p4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
`;

/** What @f makes of it, its seventh behind it, and a sum of 25 bits, halved. */
function expected(v) {
	const g = low(v, 11), signed = g >> 10n ? g - 2048n : g;
	let x = low(low(v, 13) + low(v, 25), 13) ^ low(low(v, 37) >> 20n, 13);
	x = low(x * low(v, 9), 13);
	x = low(x + (low(v >> 3n, 55) >> 33n), 13) / 3n;
	x = low((x ^ low(v, 5)) + signed, 13);
	return [x | x / 7n << 16n, low(low(v, 25) + 12345n, 25) >> 1n];
}

for (const level of ['-O0', '-O3'])
	test(`odd widths are passed and stored right at ${level}`, { skip }, () => {
		const folder = temporaryFolder();
		const launch = {
			kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }, { i32: 1 }],
			buffers: {
				in: { type: 'u64', count: threads, init: { kind: 'values', values: inputs.map(String) } },
				out: { type: 'u32', count: threads * 2 },
			},
		};
		writeFileSync(join(folder, 'k.ll'), program);
		writeFileSync(join(folder, 'k.json'), JSON.stringify(launch));
		const run = ptxscope(['run', join(folder, 'k.ll'), '--launch', join(folder, 'k.json'), '--level=ptx', level, '--json']);
		assert.equal(run.status, 0, run.stderr);
		const out = JSON.parse(run.stdout).buffers.out.values.map(BigInt);
		inputs.forEach((v, i) => assert.deepEqual(out.slice(2 * i, 2 * i + 2), expected(v), `input ${v}`));
	});

const widths = [3, 7, 9, 17, 31, 33, 40, 48, 63];
const operations = widths.flatMap((width) => ['sadd', 'uadd', 'ssub', 'usub', 'smul', 'umul'].map((name) => ({ name, width })));

/** Each operation on the low bits of two numbers: its result, and whether it is the whole one. */
const overflowing = `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t2 = mul i32 %t, 2
  %pa = getelementptr i64, ptr %in, i32 %t2
  %pb = getelementptr i64, ptr %pa, i32 1
  %a = load i64, ptr %pa
  %b = load i64, ptr %pb
  %first = mul i32 %t, ${2 * operations.length}
  %po = getelementptr i64, ptr %out, i32 %first
${operations.map(({ name, width }, i) => `  %a${i} = trunc i64 %a to i${width}
  %b${i} = trunc i64 %b to i${width}
  %r${i} = call { i${width}, i1 } @llvm.${name}.with.overflow.i${width}(i${width} %a${i}, i${width} %b${i})
  %v${i} = extractvalue { i${width}, i1 } %r${i}, 0
  %c${i} = extractvalue { i${width}, i1 } %r${i}, 1
  %x${i} = zext i${width} %v${i} to i64
  %y${i} = zext i1 %c${i} to i64
  %p${i} = getelementptr i64, ptr %po, i32 ${2 * i}
  %q${i} = getelementptr i64, ptr %po, i32 ${2 * i + 1}
  store i64 %x${i}, ptr %p${i}
  store i64 %y${i}, ptr %q${i}
`).join('')}  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${operations.map(({ name, width }) => `declare { i${width}, i1 } @llvm.${name}.with.overflow.i${width}(i${width}, i${width})\n`).join('')}`;

function result({ name, width }, a, b) {
	const cut = (x) => name[0] === 's' ? BigInt.asIntN(width, x) : low(x, width);
	const x = cut(a), y = cut(b), whole = name.endsWith('mul') ? x * y : name.endsWith('add') ? x + y : x - y;
	return [low(whole, width), BigInt(cut(whole) !== whole)];
}

for (const level of ['-O0', '-O3'])
	test(`arithmetic on odd widths says when it overflows at ${level}`, { skip }, () => {
		const folder = temporaryFolder();
		const pairs = inputs.map((v, i) => [low(v, 64) >> BigInt(i % 61), low(v * 77777n, 64) >> BigInt(7 * i % 61)]);
		const launch = {
			kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }],
			buffers: {
				in: { type: 'u64', count: 2 * threads, init: { kind: 'values', values: pairs.flat().map(String) } },
				out: { type: 'u64', count: 2 * threads * operations.length },
			},
		};
		writeFileSync(join(folder, 'o.ll'), overflowing);
		writeFileSync(join(folder, 'o.json'), JSON.stringify(launch));
		const run = ptxscope(['run', join(folder, 'o.ll'), '--launch', join(folder, 'o.json'), '--level=ptx', level, '--json']);
		assert.equal(run.status, 0, run.stderr);
		const out = JSON.parse(run.stdout).buffers.out.values.map(BigInt);
		pairs.forEach(([a, b], t) => operations.forEach((operation, i) => {
			const at = 2 * (t * operations.length + i);
			assert.deepEqual(out.slice(at, at + 2), result(operation, a, b), `${operation.name} i${operation.width} ${a}, ${b}`);
		}));
	});
