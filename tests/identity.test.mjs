// One input, one output: two runs agree, native and WebAssembly agree byte for byte, and ptxas takes every result.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { load } from '../wasm/index.js';
import { examples, native, ptxas, ptxscope, temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const levels = ['-O0', '-O1', '-O2', '-O3'];
const skip = existsSync(native) ? false : 'no native build';

/** Every input of the tests, and the examples. */
function inputs(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? inputs(path) : /\.(ll|mir)$/.test(entry.name) ? [path] : [];
	});
}
const files = [join(root, 'examples'), join(root, 'tests')].flatMap(inputs).sort();

describe('two runs agree', { skip }, () => {
	for (const { name, file } of examples)
		test(name, () => {
			for (const level of levels) {
				const args = ['compile', file, level, '-o', '-', '-print-after-all'];
				// Another environment, another address-space layout: nothing of it may show.
				const [one, two] = [ptxscope(args), ptxscope(args, { env: { PADDING: 'x'.repeat(5000), LC_ALL: 'tr_TR.UTF-8' } })];
				assert.equal(one.status, 0, one.stderr);
				assert.equal(one.stdout, two.stdout);
				assert.equal(one.stderr, two.stderr);
			}
		});
});

// Functions go one by one where nobody looks at stages, and stage by stage where somebody does.
describe('watched and unwatched compilations agree', { skip }, () => {
	const trace = join(temporaryFolder(), 'trace.json');
	for (const file of files)
		test(relative(root, file), () => {
			for (const level of ['-O0', '-O3']) {
				const args = ['compile', file, level, '-mcpu=sm_90', '-o', '-'];
				const [alone, watched] = [ptxscope(args), ptxscope([...args, `--trace=${trace}`])];
				assert.equal(alone.status, watched.status, alone.stderr);
				assert.equal(alone.stdout, watched.stdout, level);
				assert.equal(alone.stderr, watched.stderr, level);
			}
		});
});

describe('native and WebAssembly agree', { skip: skip || (existsSync(wasm) ? false : 'no WebAssembly build') }, async () => {
	let compiler;
	for (const file of files)
		test(relative(root, file), async () => {
			if (!compiler?.alive)
				compiler = await load();
			for (const level of levels) {
				const args = ['compile', file, level, '-mcpu=sm_90', '-o', '-'];
				const one = ptxscope(args, { cwd: root });
				const two = compiler.run(args, { [file]: readFileSync(file) });
				assert.equal(two.status, one.status, two.stderr);
				assert.equal(two.stdout, one.stdout, level);
				assert.equal(two.stderr, one.stderr, level);
			}
		});
	for (const list of ['passes', 'knobs', 'opcodes', 'intrinsics'])
		test(list, async () => {
			compiler ??= await load();
			assert.equal(compiler.run([list, '--json']).stdout, ptxscope([list, '--json']).stdout);
		});
});

describe('ptxas takes the examples', { skip: skip || (ptxas ? false : 'ptxas missing') }, () => {
	const folder = temporaryFolder();
	for (const { name, file } of examples)
		for (const level of ['-O0', '-O3'])
			test(`${name} ${level}`, () => {
				const { status, stdout, stderr } = ptxscope(['compile', file, '-mcpu=sm_90', level, '-o', '-', '-verify-machineinstrs']);
				assert.equal(status, 0, stderr);
				const ptx = join(folder, `${name}${level}.ptx`);
				writeFileSync(ptx, stdout);
				const result = spawnSync(ptxas, ['-arch=sm_90', ptx, '-o', '/dev/null'], { encoding: 'utf8' });
				assert.equal(result.status, 0, `${result.stdout}${result.stderr}\n${stdout}`);
			});
});
