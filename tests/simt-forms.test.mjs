// Of all PTX forms that the tests know, which does the emulator execute? Those that it does not are named here, and are a fault
// with the instruction and the line for a thread that comes to one. The table in instructions.md is made of the same.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { executedStatements, folder, head, table, tableText } from './tools/instructions.mjs';
import { native, ptxscope } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const file = join(folder, 'forms.ptx'), launch = join(folder, 'forms.json');

/** Images with several samples. */
const notExecuted = /\.(a?2dms)\./;

test('PTX forms are executed', { skip }, (t) => {
	const statements = executedStatements(), missing = statements.filter(([, , executed]) => !executed);
	t.diagnostic(`${statements.length - missing.length} of ${statements.length} statements, ${new Set(statements.map(([o]) => o)).size} opcodes`);
	assert.deepEqual(statements.filter(([opcode, , executed]) => executed === notExecuted.test(opcode)).map(([, s]) => s), []);
	assert.equal(readFileSync(table, 'utf8'), tableText(statements), 'tests/instructions.md is not up to date: npm run instructions');
});

test('what is not executed is a fault that names it', { skip }, () => {
	writeFileSync(file, `${head.replace('bra $END;', '')}setp.eq.u32 %p1, %r1, 0;\n@%p1 tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [T, {%r1, %r2, %r3, %r3}];\nret;\n}\n`);
	const { status, stderr } = ptxscope(['run', file, `--launch=${launch}`]);
	assert.equal(status, 1);
	assert.match(stderr, /forms\.ptx:\d+: error: unsupported in thread \(0,0,0\) of block \(0,0,0\): the emulator does not execute 'tex\.2dms/);
});
