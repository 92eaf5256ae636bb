// Of all PTX forms that the tests know, which does the emulator execute? Those that it does not are named here, and are a fault
// with the instruction and the line for a thread that comes to one.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allStatements } from './tools/ptx-forms.mjs';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { existsSync } from 'node:fs';

const skip = existsSync(native) ? false : 'no native build';
const folder = temporaryFolder();
const file = join(folder, 'forms.ptx'), launch = join(folder, 'forms.json');

/** Images with several samples. */
const notExecuted = /\.(a?2dms)\./;

const head = `.version 8.8
.target sm_100a
.address_size 64
.global .align 16 .b8 g[64];
.global .texref T;
.global .surfref S;
.func callee() { ret; }
.visible .entry k(.param .align 16 .b8 k_param[64])
{
.reg .pred %p<20>; .reg .b16 %rs<20>; .reg .b32 %r<100>; .reg .b64 %rd<20>; .reg .b128 %rq<20>;
.reg .f32 %f<100>; .reg .f64 %fd<20>; .reg .b16 %h<20>;
bra $END;
`;
const first = head.split('\n').length;

/** The statements that are not executed. Nothing of them runs: a branch leads over them. */
function unexecuted(statements) {
	writeFileSync(file, `${head}${statements.map((s) => `${s}\n`).join('')}$END: ret;\n$L: bra $L;\n}\n`);
	const { status, stderr } = ptxscope(['run', file, `--launch=${launch}`]);
	assert.equal(status, 0, stderr.slice(0, 2000));
	return new Set([...stderr.matchAll(/forms\.ptx:(\d+): warning: the emulator does not execute/g)].map(([, line]) => Number(line) - first));
}

test('PTX forms are executed', { skip }, (t) => {
	writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: [{ bytes: '00'.repeat(64), align: 16 }], buffers: {} }));
	const all = allStatements(), missing = [], surprising = [];
	for (let at = 0; at < all.length; at += 500) {
		const part = all.slice(at, at + 500), bad = unexecuted(part.map(([, s]) => s));
		part.forEach(([opcode, s], i) => {
			if (bad.has(i))
				missing.push(s);
			if (bad.has(i) !== notExecuted.test(opcode))
				surprising.push(`${bad.has(i) ? 'not executed' : 'executed'}: ${s}`);
		});
	}
	t.diagnostic(`${all.length - missing.length} of ${all.length} statements, ${new Set(all.map(([o]) => o)).size} opcodes`);
	assert.deepEqual(surprising, []);
	assert.ok(missing.length < 130, `${missing.length} are not executed`);
});

test('what is not executed is a fault that names it', { skip }, () => {
	writeFileSync(file, `${head.replace('bra $END;', '')}setp.eq.u32 %p1, %r1, 0;\n@%p1 tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [T, {%r1, %r2, %r3, %r3}];\nret;\n}\n`);
	const { status, stderr } = ptxscope(['run', file, `--launch=${launch}`]);
	assert.equal(status, 1);
	assert.match(stderr, /forms\.ptx:\d+: error: unsupported in thread \(0,0,0\) of block \(0,0,0\): the emulator does not execute 'tex\.2dms/);
});
