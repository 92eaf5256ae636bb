// Random odd types: bits go from one vector type to another, through memory inside a struct, against constants of the same type,
// and as signed numbers to double. The IR and every later level must give what is computed here.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

/** xorshift32: the same kernels in every run. */
function generator(seed) {
	let x = seed;
	return (n) => {
		x ^= x << 13; x ^= x >>> 17; x ^= x << 5;
		return (x >>> 0) % n;
	};
}

const totals = [12, 14, 21, 28, 30, 33, 34, 36, 42, 51, 60, 65, 66, 68, 70, 72, 80, 90, 96, 99, 102, 110, 112, 120, 126, 128];

function randomBits(pick, width) {
	let v = 0n;
	for (let i = 0; i < width; i++)
		v |= BigInt(pick(2)) << BigInt(i);
	return v;
}

function kernel(pick) {
	const total = totals[pick(totals.length)];
	const type = () => {
		const widths = [...Array(64).keys()].map((i) => i + 1).filter((w) => total % w === 0 && total / w <= 128);
		const width = widths[pick(widths.length)];
		return total === width ? `i${width}` : `<${total / width} x i${width}>`;
	};
	const [a, b, c] = [type(), type(), type()], struct = `{ i8, ${b}, i16 }`, constant = randomBits(pick, total), input = randomBits(pick, total);
	const text = `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %in, ptr %out) {
  %w = load i128, ptr %in
  %x = ${total < 128 ? `trunc i128 %w to i${total}` : 'or i128 %w, 0'}
  %a = bitcast i${total} %x to ${a}
  %b = bitcast ${a} %a to ${b}
  %s = insertvalue ${struct} zeroinitializer, ${b} %b, 1
  %m = alloca ${struct}
  store ${struct} %s, ptr %m
  %l = load ${struct}, ptr %m
  %e = extractvalue ${struct} %l, 1
  %c = bitcast ${b} %e to ${c}
  %k = bitcast i${total} ${constant} to ${c}
  %y = xor ${c} %c, %k
  %i = bitcast ${c} %y to i${total}
  %o = ${total < 128 ? `zext i${total} %i to i128` : 'or i128 %i, 0'}
  store i128 %o, ptr %out
  %f = sitofp i${total} %x to double
  %p = getelementptr i64, ptr %out, i64 2
  store double %f, ptr %p
  ret void
}
`;
	const words = (v) => [v & (1n << 64n) - 1n, v >> 64n].map(String);
	const number = new BigUint64Array(new Float64Array([Number(BigInt.asIntN(total, input))]).buffer)[0];
	const launch = { kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }],
		buffers: { in: { type: 'u64', count: 2, init: { kind: 'values', values: words(input) } }, out: { type: 'u64', count: 3 } } };
	return { text, launch, want: [...words(input ^ constant), String(number)] };
}

for (const { host, run, skip } of hosts)
	describe(`odd types (${host})`, { skip }, () => {
		for (let seed = 1; seed <= 25; seed++)
			test(`kernel ${seed}`, () => {
				const folder = temporaryFolder(), file = join(folder, 'k.ll'), json = join(folder, 'k.json');
				const { text, launch, want } = kernel(generator(seed * 2654435761 | 1));
				writeFileSync(file, text);
				writeFileSync(json, JSON.stringify(launch));
				const { status, stdout, stderr } = run(['run', file, `--launch=${json}`, '--level=ir']);
				assert.equal(status, 0, stderr);
				assert.deepEqual(stdout.match(/^out: .* = (.*)$/m)[1].split(' '), want, text);
				const checked = run(['check', file, `--launch=${json}`]);
				assert.equal(checked.status, 0, checked.stderr + text);
			});
	});
