// Machine code of shapes that once took quadratic time and memory: they compile within a memory that leaves no room for it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hosts, ptxscope } from './tools/ptxscope.mjs';

const kernel = (blocks) => `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
${blocks.join('\n')}
}
`;
const many = (n, f) => Array.from({ length: n }, (_, i) => f(i)).flat();

/* One variable that n branches may change. */
const diamonds = (n) => kernel([
	'entry:', '  br label %m0', 'm0:', '  %v0 = phi i32 [ %n, %entry ]',
	...many(n, (i) => [
		`  %c${i} = icmp slt i32 %v${i}, ${i + 5}`, `  br i1 %c${i}, label %t${i}, label %m${i + 1}`,
		`t${i}:`, `  %w${i} = mul i32 %v${i}, 3`, `  store volatile i32 %w${i}, ptr addrspace(1) %p`, `  br label %m${i + 1}`,
		`m${i + 1}:`, `  %v${i + 1} = phi i32 [ %v${i}, %m${i} ], [ %w${i}, %t${i} ]`,
	]),
	`  store i32 %v${n}, ptr addrspace(1) %p`, '  ret void',
]);

/* One phi with n operands. */
const cases = (n) => kernel([
	'entry:', '  switch i32 %n, label %out [', ...many(n, (i) => `    i32 ${i}, label %c${i}`), '  ]',
	...many(n, (i) => [`c${i}:`, `  %q${i} = load volatile i32, ptr addrspace(1) %p`, '  br label %out']),
	'out:', `  %v = phi i32 [ 7, %entry ], ${many(n, (i) => `[ %q${i}, %c${i} ]`).join(', ')}`, '  store i32 %v, ptr addrspace(1) %p', '  ret void',
]);

/* n loops, each inside the one before. */
const nest = (n) => kernel([
	'entry:', '  br label %h0',
	...many(n, (i) => [`h${i}:`, `  %i${i} = phi i32 [ 0, %${i ? `h${i - 1}` : 'entry'} ], [ %j${i}, %l${i} ]`, `  br label %${i + 1 < n ? `h${i + 1}` : 'body'}`]),
	'body:', '  store volatile i32 %n, ptr addrspace(1) %p', `  br label %l${n - 1}`,
	...many(n, (k) => n - 1 - k).flatMap((i) => [
		`l${i}:`, `  %j${i} = add i32 %i${i}, 1`, `  %c${i} = icmp slt i32 %j${i}, %n`, `  br i1 %c${i}, label %h${i}, label %${i ? `l${i - 1}` : 'out'}`,
	]),
	'out:', '  ret void',
]);

/* An array of n elements, each of which one branch may set; sroa makes a variable of each. */
const elements = (n) => kernel([
	`  %x = alloca [${n} x i32]`, '  br label %b0',
	...many(n, (i) => [
		`b${i}:`, `  %g${i} = getelementptr [${n} x i32], ptr %x, i32 0, i32 ${i}`, `  %v${i} = load volatile i32, ptr addrspace(1) %p`, `  %c${i} = icmp eq i32 %v${i}, 0`,
		`  br i1 %c${i}, label %s${i}, label %b${i + 1}`, `s${i}:`, `  store i32 ${i}, ptr %g${i}`, `  br label %b${i + 1}`,
	]),
	`b${n}:`,
	...many(n, (i) => [`  %l${i} = load i32, ptr %g${n - 1 - i}`, `  store volatile i32 %l${i}, ptr addrspace(1) %p`]),
	'  ret void',
]);

describe('machine code of many copies and loops', { skip: hosts[0].skip }, () => {
	for (const [what, text, n, mib, wanted] of [
		['one variable changed in 10,000 places', diamonds(10000), 10000, 192, /st\.volatile\.global\.b32/g],
		['a phi of 10,000 operands', cases(10000), 10000, 192, /ld\.volatile\.global\.b32/g],
		['10,000 loops inside one another', nest(10000), 10000, 192, /setp\.lt\.s32/g],
		['3,000 elements of an array, set in 3,000 places', elements(3000), 3000, 64, /st\.volatile\.global\.b32/g],
	])
		test(what, () => {
			const { status, stdout, stderr } = ptxscope(['compile', '-', '-O3', `-max-memory=${mib}`], { input: text });
			assert.equal(status, 0, stderr);
			assert.ok(stdout.match(wanted).length >= n);
		});

	/* Every pass on control flow and behind allocation, as linear as the others. */
	for (const [what, text, mib] of [['one variable', diamonds(10000), 384], ['a phi', cases(10000), 384], ['nested loops', nest(4000), 384]])
		test(`${what}: with all passes of the documents and outlining`, () => {
			const { status, stderr } = ptxscope(['compile', '-', '-O3', '-pipeline=documented', '-enable-machine-outliner=enable', '-nvptx-enable-machine-sink', `-max-memory=${mib}`, '-o', '/dev/null'], { input: text });
			assert.equal(status, 0, stderr);
		});

	test('each phi keeps one register through all of its copies', () => {
		const { stdout } = ptxscope(['compile', '-', '-O3'], { input: cases(2000) });
		assert.doesNotMatch(stdout, /mov\.u32 \t%r\d+, %r\d+;/);
	});
});
