// fmt reads a module for any target, with its own data layout; what makes code of it refuses it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ptxscope } from './tools/ptxscope.mjs';

const module = `target datalayout = "E-m:m-p:32:32-i64:64-n32-S64"
target triple = "mips-unknown-linux-gnu"

define i32 @f(ptr %p) {
  %a = ptrtoint ptr %p to i32
  %b = load ptr, ptr %p, align 4
  ret i32 %a
}
`;

test('fmt reads and prints a module of another target', () => {
	assert.deepEqual(ptxscope(['fmt', '-', '-o', '-'], { input: module }), { status: 0, signal: null, stdout: module, stderr: '' });
	assert.equal(ptxscope(['fmt', '-', '-disable-output'], { input: module }).status, 0);
});

for (const command of [['compile', '-', '-o', '-'], ['check', '-', '--launch', 'examples/saxpy.launch.json'], ['run', '-', '--launch', 'examples/saxpy.launch.json']])
	test(`${command[0]} refuses it`, () => {
		const { status, stderr } = ptxscope(command, { input: module });
		assert.equal(status, 1);
		assert.match(stderr, /the module is for 'mips-unknown-linux-gnu'/);
	});
