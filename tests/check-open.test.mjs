// `check` compares what the IR defines: elements that derive from poison or undef are not compared, what a flag permits is reported
// as permitted, and everything else must agree, beside such elements too.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const folder = temporaryFolder();

/** A kernel whose result `%r` of i32 is element 1 of `out`, beside `%d` = in[0] + 5, which is element 0. */
function check(run, body, values, ...options) {
	const file = join(folder, 'k.ll'), launch = join(folder, 'k.json');
	writeFileSync(file, `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %in, ptr %out) {
  %x = load i32, ptr %in
  %q = getelementptr i32, ptr %in, i64 1
  %y = load i32, ptr %q
  %d = add i32 %x, 5
  store i32 %d, ptr %out
${body}
  %o = getelementptr i32, ptr %out, i64 1
  store i32 %r, ptr %o
  ret void
}
`);
	writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }],
		buffers: { in: { type: 'u32', count: 2, init: { kind: 'values', values } }, out: { type: 'u32', count: 2 } } }));
	const result = run(['check', file, `--launch=${launch}`, '--json', ...options]);
	return JSON.parse(result.stdout);
}

const float = (v) => { const f = new Float32Array([v]); return new Uint32Array(f.buffer)[0]; };
// (1 + 2^-20)^2 is rounded down to `product`: exactly, the difference is positive; with the rounded product it is 0.
const near = Math.fround(1 + 2 ** -20), product = Math.fround(near * near);

const poison = {
	'add nsw': ['  %r = add nsw i32 %x, 2147483647', [77, 0]],
	'sub nuw': ['  %r = sub nuw i32 %x, %y', [1, 2]],
	'mul nsw': ['  %r = mul nsw i32 %x, %y', [65536, 32768]],
	'shl by the width': ['  %r = shl i32 %x, %y', [3, 32]],
	'shl nuw': ['  %r = shl nuw i32 %x, %y', [0x80000001, 1]],
	'lshr exact': ['  %r = lshr exact i32 %x, 1', [3, 0]],
	'sdiv exact': ['  %r = sdiv exact i32 %x, %y', [7, 2]],
	'udiv by zero': ['  %r = udiv i32 %x, %y', [7, 0]],
	'or disjoint': ['  %r = or disjoint i32 %x, %y', [6, 2]],
	'zext nneg': ['  %b = trunc i32 %x to i16\n  %r = zext nneg i16 %b to i32', [0x8000, 0]],
	'trunc nsw': ['  %b = trunc nsw i32 %x to i8\n  %r = sext i8 %b to i32', [200, 0]],
	'fptosi out of range': ['  %b = bitcast i32 %x to float\n  %r = fptosi float %b to i32', [float(3e9), 0]],
	'fptoui of a negative': ['  %b = bitcast i32 %x to float\n  %r = fptoui float %b to i32', [float(-1), 0]],
	'fadd nnan of a NaN': ['  %b = bitcast i32 %x to float\n  %c = fadd nnan float %b, 1.0\n  %r = bitcast float %c to i32', [0x7fc00000, 0]],
	'a slot nobody wrote': ['  %s = alloca [4 x i32]\n  %p = getelementptr i32, ptr %s, i32 2\n  %r = load i32, ptr %p', [1, 0]],
	'undef': ['  %r = add i32 undef, %x', [1, 0]],
	'a phi of poison': ['  %c = icmp eq i32 %y, 0\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %r = phi i32 [ poison, %a ], [ 3, %0 ]', [1, 0]],
};
const defined = {
	'add nsw': ['  %r = add nsw i32 %x, 2147483647', [0, 0]],
	'add nsw of the least': ['  %r = add nsw i32 %x, -2147483648', [0, 0]],
	'mul nuw': ['  %r = mul nuw i32 %x, %y', [65536, 65535]],
	'shl nsw': ['  %r = shl nsw i32 %x, %y', [0xffffffff, 31]],
	'fptosi of the least': ['  %b = bitcast i32 %x to float\n  %r = fptosi float %b to i32', [float(-(2 ** 31)), 0]],
	'fptoui above -1': ['  %b = bitcast i32 %x to float\n  %r = fptoui float %b to i32', [float(-0.99), 0]],
	'a poison value that is not chosen': ['  %s = add nsw i32 %x, 2147483647\n  %c = icmp eq i32 %y, 0\n  %r = select i1 %c, i32 9, i32 %s', [77, 0]],
};

for (const { host, run, skip } of hosts)
	describe(`what the IR leaves open (${host})`, { skip }, () => {
		for (const [name, [body, values]] of Object.entries(poison))
			test(`is not compared: ${name}`, () => {
				const result = check(run, body, values);
				assert.deepEqual([result.ok, result.undefined], [true, 1]);
			});
		for (const [name, [body, values]] of Object.entries(defined))
			test(`is compared where it is defined: ${name}`, () => {
				const result = check(run, body, values);
				assert.deepEqual([result.ok, result.undefined], [true, undefined]);
			});
		test('does not hide a pass made wrong', () => {
			for (const [name, [body, values]] of Object.entries({ ...poison, ...defined })) {
				const result = check(run, body, values, '--break-after=early-cse');
				assert.deepEqual([result.ok, result.pass], [false, 'early-cse'], name);
			}
		});
		const fused = '  %a = bitcast i32 %x to float\n  %c = bitcast i32 %y to float\n  %m = fmul contract float %a, %a\n'
			+ '  %s = fsub contract float %m, %c\n  %p = fcmp ogt float %s, 0.0\n  %r = zext i1 %p to i32';
		test('contraction is permitted to change an integer', () => {
			const result = check(run, fused, [float(near), float(product)]);
			assert.deepEqual([result.ok, result.permitted, result.undefined], [true, 1, undefined]);
		});
		test('contraction without the flag is not', () => {
			const result = check(run, fused.replaceAll('contract ', ''), [float(near), float(product)]);
			assert.deepEqual([result.ok, result.permitted], [true, undefined]);
		});
		test('contraction does not hide a pass made wrong', () => {
			assert.equal(check(run, fused, [float(near), float(product)], '--break-after=early-cse').ok, false);
		});
		test('a branch on poison leaves everything open', () => {
			const body = '  %s = add nsw i32 %x, 2147483647\n  %c = icmp slt i32 %s, 0\n  br i1 %c, label %b, label %a\na:\n  %z = load i32, ptr null\n  br label %b\nb:\n  %r = phi i32 [ 1, %0 ], [ 2, %a ]';
			assert.deepEqual([check(run, body, [77, 0]).ok, check(run, body, [77, 0]).undefined], [true, true]);
		});
	});
