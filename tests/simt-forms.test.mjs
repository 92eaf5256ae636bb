// The emulator executes all PTX forms that the tests know. The table in instructions.md is made of the same.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { executedStatements, table, tableText } from './tools/instructions.mjs';
import { native } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';

test('PTX forms are executed', { skip }, (t) => {
	const statements = executedStatements(), missing = statements.filter(([, , executed]) => !executed);
	t.diagnostic(`${statements.length - missing.length} of ${statements.length} statements, ${new Set(statements.map(([o]) => o)).size} opcodes`);
	assert.deepEqual(missing.map(([, s]) => s), []);
	assert.equal(readFileSync(table, 'utf8'), tableText(statements), 'tests/instructions.md is not up to date: npm run instructions');
});
