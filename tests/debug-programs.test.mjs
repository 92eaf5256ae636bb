// Small programs (tests/debug) with every kind of type and scope: their trees of debug information entries are llc-22's at each level, and
// ptxas takes what is printed. Where entries stand among their neighbours, and where variables are, depends on the code and is not
// compared; but kernels' arguments are named in llc-22's order.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { tree } from './tools/dies.mjs';
import { root, which } from './tools/setup.mjs';

const native = join(root, 'build/native/ptxscope'), programs = join(root, 'tests/debug'), scratch = join(root, 'build/debug-programs');
const lacks = ['clang-22', 'llc-22'].filter((tool) => !which(tool));
const levels = ['-O0', '-O1', '-O2'];

/** llc-22 forgets an argument of clang's for two words in memory that nobody reads. */
const unlike = new Set(['c-wide.c -O0']);

function run(command, args, input) {
	const r = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 26, cwd: programs });
	assert.equal(r.status, 0, r.stderr);
	return r.stdout;
}

function ir(program, level) {
	const target = program.endsWith('.c') ? ['-x', 'c', '--target=nvptx64-nvidia-cuda', '-march=sm_80']
		: ['-x', 'cuda', '--cuda-device-only', '-nocudainc', '-nocudalib', '--cuda-gpu-arch=sm_80', '-std=c++17'];
	return run(which('clang-22'), [...target, '-Wno-everything', '-g', '-Xclang', '-debug-info-kind=limited', level, '-S', '-emit-llvm', program, '-o', '-']);
}

/** PTX of ptxscope, without functions for each address space, and of llc-22. */
function both(program, level) {
	const input = ir(program, level), options = ['-mcpu=sm_80', '-mattr=+ptx80', level === '-O0' ? '-O0' : '-O3', '-o', '-'];
	return { ours: run(native, ['compile', '-', '-do-clone-for-ip-msp=0', ...options], input), theirs: run(which('llc-22'), options, input) };
}

function assemble(ptx, name) {
	const file = join(scratch, `${name.replace(' ', '')}.ptx`);
	writeFileSync(file, ptx);
	run(which('ptxas'), ['-g', '-c', '-arch=sm_80', file, '-o', `${file}.cubin`]);
}

describe('programs have the entries of llc-22', { skip: lacks.length ? `no ${lacks.join(', ')}` : false }, () => {
	mkdirSync(scratch, { recursive: true });
	for (const program of readdirSync(programs).filter((name) => /\.cu?$/.test(name)))
		for (const level of levels)
			test(`${program} ${level}`, () => {
				const { ours, theirs } = both(program, level);
				if (!unlike.has(`${program} ${level}`))
					assert.equal(tree(ours), tree(theirs));
				if (which('ptxas'))
					assemble(ours, `${program}${level}`);
			});
});

/** The variables in the order in which comments name them. */
const named = (ptx) => [...ptx.matchAll(/\/\/DEBUG_VALUE: (\S+) <-/g)].map((m) => m[1]);

describe('arguments are named in llc-22\'s order', { skip: lacks.length ? `no ${lacks.join(', ')}` : false }, () => {
	for (const level of ['-O1', '-O2'])
		test(level, () => {
			const { ours, theirs } = both('arguments.cu', level);
			assert.ok(named(ours).length > 40);
			assert.deepEqual(named(ours), named(theirs));
		});
});
