// Broken inputs and exactly what is said about them: tests/ir/bad/NAME.ll with NAME.txt beside it.
// UPDATE=1 writes the .txt files anew.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hosts, wasmInProcess } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const folder = join(root, 'tests/ir/bad');
const inputs = readdirSync(folder).filter((name) => name.endsWith('.ll')).sort();

for (const { host, run, skip } of [hosts[0], { ...hosts[1], run: wasmInProcess() }])
	test(`broken IR is answered as expected (${host}, ${inputs.length} inputs)`, { skip }, async (t) => {
		for (const name of inputs)
			await t.test(name, async () => {
				const { status, signal, stdout, stderr } = await run(['fmt', name, '-o', '-'], { cwd: folder });
				const expected = join(folder, name.replace(/\.ll$/, '.txt'));
				assert.equal(signal, null);
				assert.equal(status, 1, stderr);
				assert.equal(stdout, '', 'nothing is written after an error');
				if (process.env.UPDATE)
					writeFileSync(expected, stderr);
				assert.equal(stderr, readFileSync(expected, 'utf8'));
				const checked = await run(['fmt', '-disable-output', name], { cwd: folder });
				assert.deepEqual([checked.status, checked.stderr], [1, stderr], 'checking alone says the same');
			});
	});
