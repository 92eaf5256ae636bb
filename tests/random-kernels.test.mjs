// A few random kernels of `npm run fuzz -- kernels`, always the same ones, so that every change meets them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cases } from './fuzz/kernels.mjs';
import { Random } from './tools/random.mjs';

describe('random kernels: the IR, every stage and the PTX agree', () => {
	for (const seed of [1, 2, 3, 4])
		test(`seed ${seed}`, async () => {
			let count = 0;
			for await (const { name, text, check } of cases(new Random(seed))) {
				assert.equal(await check(text), null, `${name}\n${text}`);
				if (++count === 8)
					break;
			}
		});
});
