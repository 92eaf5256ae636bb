// The mutations of tools/mutate.mjs are run by hand (npm run mutate); that each still finds its line is looked at here.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mutations, stale } from './tools/mutate.mjs';
import { root } from './tools/setup.mjs';

test('each mutation finds its line, once', () => {
	assert.deepEqual(stale(), []);
});

test('each mutation names a behaviour, a pass or a folder, and a test that there is', () => {
	const known = readFileSync(join(root, 'tests/behaviours.md'), 'utf8');
	const unit = readdirSync(join(root, 'tests/unit')).filter((f) => f.endsWith('.c')).map((f) => readFileSync(join(root, 'tests/unit', f), 'utf8')).join('\n');
	const passes = readFileSync(join(root, 'core/pass/passes.def'), 'utf8');
	for (const [id, , line, instead, { run, test: name }] of mutations) {
		assert.ok(known.includes(`**${id}**`) || passes.includes(`PASS(mirpass_${id.replaceAll('-', '_')})`) || existsSync(join(root, id)), id);
		assert.notEqual(line, instead);
		assert.ok(existsSync(join(root, name)) || (run.at(-1).endsWith('.mjs') ? readFileSync(join(root, run.at(-1)), 'utf8').includes(name) : unit.includes(name)), `${id}: ${name}`);
	}
});
