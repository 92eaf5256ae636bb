// A hundred mutants of `npm run fuzz -- mutants`, always the same ones: each compiles, or is refused with an error; what ptxas
// is there for is taken by it, and what runs computes the same at all levels. And the fuzzer itself: it makes what it says.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { program } from './fuzz/mutants.mjs';
import { ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const native = program('native');
const seeds = ['examples/saxpy', 'examples/reduce_shared', 'examples/vm_interp', 'tests/kernels/swap_loop.O0', 'tests/kernels/operations', 'tests/kernels/int64_arith',
	'tests/kernels/fft_radix2', 'tests/kernels/local_array', 'tests/kernels/bittricks', 'tests/ir/mutants/values'].map((name) => join(root, `${name}.ll`)).filter(existsSync);

function fuzz(...args) {
	const { status, stdout } = spawnSync(native, [`--save=${temporaryFolder()}`, ...args, ...seeds], { encoding: 'utf8', maxBuffer: 1 << 26 });
	return { status, stdout };
}

describe('mutants', { skip: existsSync(native) ? false : 'build/native/fuzz-mutants is not built' }, () => {
	test('a hundred mutants compile or are refused with an error', () => {
		const { status, stdout } = fuzz('--seed=12', '--count=100', ...ptxas ? [`--ptxas=${ptxas}`] : []);
		assert.equal(status, 0, stdout);
		const [, compiled, executed, invalid] = /^100 mutants, 0 failed, (\d+) compiled, \d+ assembled, (\d+) executed, \d+ not supported, (\d+) not valid/m.exec(stdout);
		assert.ok(compiled > 50 && executed > 5 && invalid < 10, stdout);
	});

	test('a mutant is made of its seed and number alone, and is valid', () => {
		const print = (number) => fuzz('--print', '--seed=12', `--first=${number}`).stdout;
		for (let number = 0; number < 10; number++) {
			const text = print(number);
			assert.equal(print(number), text);
			assert.equal(ptxscope(['fmt', '-', '-o', '-'], { input: text }).status, 0, text);
		}
		assert.notEqual(print(0), print(1));
	});
});
