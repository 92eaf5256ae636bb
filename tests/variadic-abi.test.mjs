// Variable arguments are passed as llc-22 passes them in a module of this target: in a buffer, through a last parameter. Its layout is the
// same, so that a function and its callers may be compiled by either.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, which } from './tools/setup.mjs';

const native = join(root, 'build/native/ptxscope');
const types = ['{i32, i8}', '<4 x float>', 'half', 'i128', 'i1', 'float', '<3 x i32>', 'bfloat', 'ptr addrspace(3)', '<2 x half>', '[3 x i8]', 'i24', '<3 x i8>',
	'double', 'ptr byval({i8, i64}) align 16', 'ptr byval([3 x i8])'];
const passed = types.map((t, i) => `i8 ${i}, ${t} %x${i}`).join(', ');
const ir = `target triple = "nvptx64-nvidia-cuda"
declare i32 @callee(i32, ...)
define void @caller(${types.map((t, i) => `${t} %x${i}`).join(', ')}) {
  %r = call i32 (i32, ...) @callee(i32 0, ${passed}, <8 x float> zeroinitializer, i8 99)
  ret void
}
define i32 @taker(i32 %n, ...) {
  %ap = alloca ptr
  call void @llvm.va_start(ptr %ap)
${['i8', 'i64', 'i16', 'double', 'i8', 'i128', 'i8', 'ptr', 'i32'].map((t, i) => `  %v${i} = va_arg ptr %ap, ${t}\n  store volatile ${t} %v${i}, ptr null`).join('\n')}
  ret i32 0
}
declare void @llvm.va_start(ptr)
`;

/** [offset, bytes] of what is stored in the buffer, and the parameters of the functions. */
function layout(command, args) {
	const r = spawnSync(command, args, { input: ir, encoding: 'utf8' });
	assert.equal(r.status, 0, r.stderr);
	const bodies = r.stdout.split(/^\{$/m);
	const stores = [...bodies[1].matchAll(/^\tst\.(?:local\.)?(?:v(\d)\.)?[a-z](\d+) *\t\[%SPL?\+?(\d*)\]/gm)];
	const bytes = stores.flatMap(([, n, bits, at]) => Array.from({ length: Number(n ?? 1) * Number(bits) / 8 }, (_, i) => Number(at || 0) + i));
	return {
		bytes: bytes.sort((a, b) => a - b),
		parameters: [...r.stdout.matchAll(/^\t\.param \.[^\n]*(?:callee|taker)_[^\n]*$/gm)].map(([line]) => line.replace(/,$/, '')),
		rounding: [...new Set([...bodies[2].matchAll(/and\.b64 .*, (-\d+);/g)].map(([, mask]) => mask))], // where the offset is not known
	};
}

test('the buffer of variable arguments is that of llc-22', { skip: which('llc-22') ? false : 'no llc-22' }, () => {
	const ours = layout(native, ['compile', '-', '-mcpu=sm_80', '-O1', '-o', '-']);
	assert.ok(ours.bytes.length > 100 && ours.rounding.length > 2);
	assert.deepEqual(ours, layout(which('llc-22'), ['-mcpu=sm_80', '-O1', '-o', '-']));
});
