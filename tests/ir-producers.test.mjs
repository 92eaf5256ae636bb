// What clang makes of small sources in several languages, with and without optimisation and debug information:
// read, verified, and printed as LLVM prints it, character by character.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { withoutNotes } from './tools/ir-notes.mjs';
import { root, which } from './tools/setup.mjs';

const missing = ['clang-19', 'llvm-as-19', 'llvm-dis-19'].filter((tool) => !which(tool));
const skip = missing.length ? `no ${missing.join(', ')}` : false;

// The host's modules have what device code has not: exceptions, threads. Their target is taken off.
const sources = [
	['language.c', '--target=nvptx64', '-xc'],
	['language.c', '--target=x86_64', '-xc'],
	['templates.cpp', '--target=nvptx64', '-xc++', '-fno-exceptions'],
	['templates.cpp', '--target=x86_64', '-xc++'],
	['exceptions.cpp', '--target=x86_64', '-xc++', '-fexceptions'],
	['openmp.c', '--target=x86_64', '-xc', '-fopenmp'],
	['kernel.cl', '--target=nvptx64', '-xcl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header'],
	['kernel.cu', '-xcuda', '--cuda-device-only', '-nocudainc', '-nocudalib', '--cuda-gpu-arch=sm_70'],
];

function tool(name, args, input) {
	const { status, stdout, stderr } = spawnSync(name, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
	assert.equal(status, 0, `${name}: ${stderr}`);
	return { stdout, stderr };
}

const folder = temporaryFolder();

/** Without the order of predecessors and the source's name. */
const lines = (text) => text.split('\n').filter((line) => !/^(; ModuleID|source_filename)/.test(line)).map((line) => line.replace(/; preds = .*/, '').trimEnd());

/** Calls of lifetime intrinsics and barriers become those of LLVM 22: without attributes of their own and metadata but the place, and
 * declared at the end. */
const upgraded = (text) => lines(text).filter((line) => !/^(; Function Attrs|declare|attributes|$)/.test(line))
	.map((line) => line.replace(/ #\d+/g, '').replace(/(@llvm\.lifetime.*?ptr) nonnull /, '$1 ').replace(/(@llvm\.lifetime.*?\))(, !dbg !\d+)?.*/, '$1$2')
		.replace(/(?:tail )?call void @llvm\.nvvm\.barrier0\(\)/, 'call void @llvm.nvvm.barrier.n(i32 0)'));

/** The module as LLVM prints it. */
function llvmPrint(text) {
	const bitcode = spawnSync('llvm-as-19', ['-', '-o', '-'], { input: text, maxBuffer: 1 << 28 });
	assert.equal(bitcode.stderr.toString(), '', 'llvm-as-19 has nothing to say');
	return tool('llvm-dis-19', ['-', '-o', '-'], bitcode.stdout).stdout;
}

for (const [file, ...args] of sources)
	test(`${file} ${args[0]}`, { skip }, () => {
		for (const level of ['-O0', '-O2'])
			for (const debug of [[], ['-g'], ['-gline-tables-only']]) {
				const path = join(root, 'tests/ir/sources', file);
				const ir = tool('clang-19', [...args, level, ...debug, '-w', '-S', '-emit-llvm', path, '-o', '-']).stdout.replace(/^target .*\n/gm, '');
				const { status, stdout, stderr } = ptxscope(['fmt', '-', '--ir-version=19', '-o', '-'], { input: ir });
				assert.deepEqual([status, stderr], [0, ''], `${level} ${debug}`);
				const compared = /@llvm\.(lifetime|nvvm\.barrier0)/.test(ir) ? upgraded : lines;
				const same = ir.includes('!nvvm.annotations') ? (text) => compared(withoutNotes(text).replace(' spir_kernel ', ' ')) : compared;
				assert.deepEqual(same(stdout), same(llvmPrint(ir)), `${level} ${debug}`);
			}
	});

// What other producers write, as their documentation shows it: compiled, and the PTX assembled.
const producers = { 'newer-triton': 'sm_80', 'newer-rust': 'sm_80', julia: 'sm_80', 'older-numba': 'sm_80', 'older-nvvm': 'sm_80', 'newer-nvvm': 'sm_100a', 'newer-hopper': 'sm_90a' };

for (const [name, target] of Object.entries(producers))
	test(`${name}.ll is compiled for ${target}`, () => {
		const path = join(root, 'tests/ir', `${name}.ll`), ptx = join(folder, `${name}.ptx`);
		const { status, stderr } = ptxscope(['compile', path, `-mcpu=${target}`, '-mattr=+ptx87', '-o', ptx]);
		assert.deepEqual([status, stderr], [0, '']);
		if (which('ptxas'))
			tool('ptxas', [`-arch=${target}`, '-c', ptx, '-o', join(folder, `${name}.cubin`)]);
	});
