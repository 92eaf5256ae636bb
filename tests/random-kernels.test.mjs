// A few hundred random kernels of `npm run fuzz -- kernels`, always the same ones, so that every change meets them; and the
// fuzzer itself: a pass made wrong on purpose is found, and the kernel that shows it is made small.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { program } from './fuzz/kernels.mjs';
import { ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { which } from './tools/setup.mjs';

const skip = existsSync(program) ? false : 'build/native/fuzz-kernels is not built';

function fuzz(...args) {
	const folder = temporaryFolder();
	const { status, stdout, stderr } = spawnSync(program, [`--save=${folder}`, ...args], { encoding: 'utf8' });
	return { status, stdout, stderr, folder };
}

describe('random kernels', { skip }, () => {
	test('the IR, every stage, the PTX and that of llc agree', () => {
		const llc = which('llc-22') ?? which('llc-19');
		const { status, stdout } = fuzz('--seed=1', '--count=250', ...llc ? [`--llc=${llc}`] : []);
		assert.equal(status, 0, stdout);
		assert.match(stdout, /^250 kernels, 0 failed, 0 not supported/m);
	});

	for (const limit of [1, 2, 3, 7])
		test(`blocks selected in pieces of ${limit} compute the same`, () => {
			const { status, stdout } = fuzz(`--seed=${limit}`, '--count=150', `--with=-isel-piece-limit=${limit}`);
			assert.equal(status, 0, stdout);
			assert.match(stdout, /^150 kernels, 0 failed, 0 not supported/m);
		});

	for (const option of ['-pipeline=documented', '-enable-machine-outliner=enable', '-tail-merge-size=1'])
		test(`with ${option} kernels compute the same`, () => {
			const { status, stdout } = fuzz('--seed=5', '--count=100', `--with=${option}`);
			assert.equal(status, 0, stdout);
			assert.match(stdout, /^100 kernels, 0 failed, 0 not supported/m);
		});

	for (const sanitizer of ['all', 'memory', 'race', 'init', 'sync', 'leak'])
		test(`--sanitize=${sanitizer} has nothing to report`, () => {
			const { status, stdout } = fuzz('--seed=6', `--count=${sanitizer === 'all' ? 150 : 60}`, `--sanitize=${sanitizer}`);
			assert.equal(status, 0, stdout);
			assert.match(stdout, /^\d+ kernels, 0 failed, 0 not supported/m);
		});

	test('without their barriers, kernels whose threads exchange words are reported', () => {
		const folder = temporaryFolder(), barrier = /^ {2}call void @llvm\.nvvm\.barrier0\(\) #0\n/gm;
		let exchanges = 0, reported = 0;
		for (let seed = 1; seed <= 60; seed++) {
			const text = fuzz('--print', `--seed=${seed}`).stdout, [options, launch] = text.split('\n').map((line) => line.slice(2));
			if (!text.includes('@line'))
				continue;
			writeFileSync(join(folder, 'k.ll'), text.replace(barrier, ''));
			writeFileSync(join(folder, 'k.json'), launch);
			const { status, stderr } = ptxscope(['run', join(folder, 'k.ll'), `--launch=${join(folder, 'k.json')}`, '--sanitize=race', ...options.split(' ')]);
			exchanges++;
			reported += status === 1 && /race/.test(stderr);
		}
		assert.ok(exchanges >= 10 && reported >= exchanges / 2, `${reported} of ${exchanges}`);
	});

	test('a seed makes the same kernel each time, another seed another one', () => {
		const print = (seed) => fuzz('--print', `--seed=${seed}`).stdout;
		assert.equal(print(7), print(7));
		assert.notEqual(print(7), print(8));
	});

	for (const pass of ['dce', 'instsimplify', 'nvptx-isel', 'phi-node-elimination'])
		test(`a wrong ${pass} is named, with a kernel of fewer than 20 instructions that shows it`, () => {
			const { status, stdout, folder } = fuzz('--seed=3', '--most=1', '--count=50', `--break-after=${pass}`);
			assert.equal(status, 1, stdout);
			const [, before, after] = /(\d+) instructions reduced to (\d+)/.exec(stdout);
			assert.ok(Number(after) < 20 && Number(after) < Number(before), stdout);
			const file = readdirSync(folder).find((name) => name.endsWith('.ll'));
			const text = readFileSync(join(folder, file), 'utf8'), [, command] = /^; ptxscope (.*)$/m.exec(text);
			const again = ptxscope(command.split(' '));
			assert.equal(again.status, 1);
			assert.match(again.stderr, new RegExp(`after ${pass} `));
			assert.equal(ptxscope(command.split(' ').filter((word) => !word.startsWith('--break-after'))).status, 0, 'without the defect it is right');
		});
});
