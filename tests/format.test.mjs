// Every C file is laid out as .clang-format has it: nobody has to read or argue about layout.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, formatProblem, runFormat } from './tools/format.mjs';

test('every C file is as clang-format leaves it', { skip: formatProblem() ?? false }, () => {
	const { status, stderr } = runFormat(...check);
	const places = stderr.split('\n').filter((line) => /: error: /.test(line)).map((line) => line.replace(/: error: .*/, ''));
	assert.equal(status, 0, `npm run format changes\n${places.slice(0, 20).join('\n') || stderr}`);
});
