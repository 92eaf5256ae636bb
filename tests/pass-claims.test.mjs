// What passes say of themselves is true: "unchanged" is unchanged, a kept analysis equals a recomputed one, and a pass
// finds nothing in a function without the operations that it looks for. --check-claims ends in an internal error where not.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const internalError = 3;

function inputs(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? inputs(path) : entry.name.endsWith('.ll') ? [path] : [];
	});
}

describe('passes keep what they claim', { skip }, () => {
	for (const file of [join(root, 'examples'), join(root, 'tests')].flatMap(inputs).sort())
		test(relative(root, file), () => {
			for (const level of ['-O0', '-O3']) {
				const { status, stderr } = ptxscope(['compile', file, level, '--check-claims', '-o', '-']);
				assert.notEqual(status, internalError, stderr);
			}
		});
});
