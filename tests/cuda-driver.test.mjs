// libptxscope-cuda.so: programs of CUDA's driver API, compiled against it and run on it. The programs are tests/cuda/*.c; each prints
// "done" where all of its checks hold.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { native, temporaryFolder } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const linux = process.platform === 'linux';
const skip = which('cc') && existsSync(native) && linux ? false : 'no C compiler, no native build, or not Linux';
const mode = process.env.CUDA_MODE ?? 'native'; // asan: the same under AddressSanitizer
const folder = join(root, mode === 'native' ? 'build/cuda' : `build/cuda-${mode}`);
const run = (program, args, env = {}) => spawnSync(program, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });

before(() => {
	if (skip)
		return;
	const { status, stderr } = run('make', ['-s', `MODE=${mode}`, 'cuda']);
	assert.equal(status, 0, stderr);
});

/** Compiles tests/cuda/NAME.c; the path of the program. */
function compiled(name) {
	const program = join(temporaryFolder(), name);
	const sanitize = mode === 'asan' ? ['-fsanitize=address,undefined'] : [];
	const { status, stderr } = run('cc', ['-std=c11', '-g', '-Wall', '-Wextra', '-Werror', '-pthread', ...sanitize, '-Icore', '-Itests/cuda',
		`tests/cuda/${name}.c`, join(folder, 'libptxscope-cuda.so'), `-Wl,-rpath,${folder}`, '-o', program]);
	assert.equal(status, 0, stderr);
	return program;
}

/** Runs tests/cuda/NAME.c, which must say "done" last; { out, err } are what it printed. */
function done(name, env = {}, args = []) {
	const { status, stdout, stderr } = run(compiled(name), args, env);
	assert.equal(status, 0, stdout + stderr);
	assert.match(stdout, /done\n$/);
	return { out: stdout, err: stderr };
}

test('cuda: vector addition, with every way to give parameters', { skip }, () => {
	assert.equal(done('vector_add').err, '');
});

test('cuda: modules, their variables, libraries and the linker', { skip }, () => {
	assert.match(done('modules').err, /needs PTX: build with -gencode arch=compute_90,code=compute_90/);
});

test('cuda: a fault ends its context, and no kernel reaches what is not mapped', { skip }, () => {
	assert.match(done('faults').err, /kernel 'write', block \(0,0,0\), thread \(0,0,0\): out-of-bounds: 8-byte write at 0x0: a null pointer\n.*line 5/);
});
