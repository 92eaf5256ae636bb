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
