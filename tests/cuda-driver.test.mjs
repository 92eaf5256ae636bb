// libptxscope-cuda.so: programs of CUDA's driver API, compiled against it and run on it. The programs are tests/cuda/*.c; each prints
// "done" where all of its checks hold.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { check } from './tools/programs.mjs';
import { native, temporaryFolder } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const linux = process.platform === 'linux';
const skip = which('cc') && existsSync(native) && linux ? false : 'no C compiler, no native build, or not Linux';
// CUDA_MODE=asan: the same under AddressSanitizer, with programs that are linked statically.
const mode = process.env.CUDA_MODE ?? 'native';
const asan = mode === 'asan';
const folder = join(root, mode === 'native' ? 'build/cuda' : `build/cuda-${mode}`);
const run = (program, args, env = {}) => spawnSync(program, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });

before(() => {
	if (skip)
		return;
	const targets = asan ? ['build/cuda-asan/libptxscope-cuda.a', 'build/asan/libptxscope.a'] : ['cuda'];
	const { status, stderr } = run('make', ['-s', `MODE=${mode}`, ...targets]);
	assert.equal(status, 0, stderr);
});

/** Compiles tests/cuda/NAME.c; the path of the program. */
function compiled(name, runtime = 0) {
	const program = join(temporaryFolder(), name);
	const library = asan ? ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', join(folder, 'libptxscope-cuda.a'),
		'build/asan/libptxscope.a', '-lm'] : [...runtime ? [join(folder, `libcudart.so.${runtime}`)] : [], join(folder, 'libptxscope-cuda.so'), `-Wl,-rpath,${folder}`];
	const { status, stderr } = run('cc', ['-std=c11', '-g', '-Wall', '-Wextra', '-Werror', '-pthread', '-Icore', '-Itests/cuda',
		`tests/cuda/${name}.c`, ...library, '-o', program]);
	assert.equal(status, 0, stderr);
	return program;
}

/** Runs tests/cuda/NAME.c, which must say "done" last; { out, err } are what it printed. */
function done(name, env = {}, args = [], runtime = 0) {
	const { status, stdout, stderr } = run(compiled(name, runtime), args, env);
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

test('cuda: addresses that are reserved first and backed later', { skip }, () => {
	assert.equal(done('virtual').err.match(/(out-of-bounds|read-only): 4-byte (write|read)/g)?.join(), 'read-only: 4-byte write,out-of-bounds: 4-byte read');
});

test('cuda: memory, pools and events of another process', { skip }, () => {
	assert.equal(done('ipc').err, '');
});

test('cuda: tensor maps that the host makes', { skip }, () => {
	assert.equal(done('tensor_maps').err, '');
});

test('cuda: streams, events, callbacks and graphs', { skip }, () => {
	assert.equal(done('streams').err, '');
});

test('cuda: graphs that allocate, and conditions of graphs', { skip }, () => {
	const dot = join(temporaryFolder(), 'graph.dot');
	assert.match(done('graphs', {}, [dot]).err, /^.*cluster.*\nptxscope-cuda: a node that kernels update is not supported\n$/s);
	const text = readFileSync(dot, 'utf8');
	assert.match(text, /^digraph dot \{\nsubgraph cluster_(\d+) \{/);
	assert.equal(text.match(/label="\d+\\nKERNEL\\nstep\\n\\<\\<\\<\(1,1,1\),\(1,1,1\),0\\>\\>\\>"/g).length, 4);
	assert.equal(text.match(/label="1\\nGRAPH"/g).length, 1);
	assert.equal(text.match(/ -> /g).length, 4);
});

test('cuda: memory of every kind, copies of boxes, what a pointer is', { skip }, () => {
	assert.equal(done('memory').err, 'ptxscope-cuda: a stream that waits for a value that is not there yet is not supported\n');
});

test('cuda: misuse gives the documented results; what is missing says so once', { skip }, () => {
	const missing = ['cuCtxCreate for a graphics context', 'cuImportExternalMemory',
		"NVIDIA's own runtime, in this program (build it with nvcc -cudart=shared) or in a library (cuBLAS, cuFFT),"];
	assert.equal(done('misuse').err, missing.map((what) => `ptxscope-cuda: ${what} is not supported\n`).join(''));
});

test('cuda: threads and devices at the same time', { skip }, () => {
	assert.equal(done('threads', { PTXSCOPE_DEVICES: '2' }).err, '');
});

test('cuda: a leak is what no later kernel frees', { skip }, () => {
	const of = (bytes, blocks, thread) => `kernel 'get', block \\(0,0,0\\), thread \\(${thread},0,0\\): leak: ${bytes} bytes of malloc in ${blocks} blocks, the first at 0x\\w+, are never freed\nptxscope-cuda:   line 10 of the PTX\n`;
	assert.match(done('leaks', { PTXSCOPE_SANITIZE: 'leak' }).err, new RegExp(`^ptxscope-cuda: ${of(144, 3, 5)}ptxscope-cuda: ${of(96, 2, 6)}$`));
	assert.equal(done('leaks').err, '');
});

test('cuda: the loader finds names of older versions', { skip: skip || asan || !which('nm') }, () => {
	const { stdout } = run('nm', ['-D', '--defined-only', join(folder, 'libptxscope-cuda.so')]);
	const at = Object.fromEntries(stdout.split('\n').map((line) => line.split(' ')).map(([address, , name]) => [name, address]));
	for (const name of ['cuCtxCreate', 'cuCtxDestroy', 'cuDevicePrimaryCtxRelease', 'cuLinkAddData', 'cuStreamDestroy'])
		assert.ok(at[name] && at[name] === at[`${name}_v2`], name);
	assert.equal(at.cuMemAlloc, undefined, 'its addresses had 32 bits');
});

test('cuda: ptx_run', { skip }, () => {
	const { err } = done('ptx_run');
	assert.match(err, /read-only: 4-byte write/);
	assert.match(err, /out-of-bounds: 4-byte read at 0x40: a null pointer/);
	assert.match(err, /takes 4 arguments; the call gives 3\n.*cannot be loaded\nptx_run.ptx:1:1: error/);
	assert.equal(err.match(/ptxscope-cuda:/g).length, 6);
});

test('cuda: PTXSCOPE_LOG traces calls, PTXSCOPE_SANITIZE watches launches, PTXSCOPE_DEVICE chooses the device', { skip }, () => {
	const { err } = done('vector_add', { PTXSCOPE_LOG: '1', PTXSCOPE_SANITIZE: 'init,race', PTXSCOPE_DEVICE: 'sm_86' });
	assert.match(err, /^cuInit = CUDA_SUCCESS\ncuDeviceGet = CUDA_SUCCESS\ncuCtxCreate_v2 = CUDA_SUCCESS\n/);
	assert.match(err, /cuFuncGetParamInfo = CUDA_ERROR_INVALID_VALUE\n/);
});

test('cuda: the runtime API, with what nvcc puts into programs called by hand', { skip }, () => {
	const { err } = done('runtime', {}, [], 13);
	assert.match(err, /kernel 'stray'.*out-of-bounds/);
	assert.equal(err.match(/cudaImportExternalMemory is not supported/g).length, 1);
});

test('cuda: the runtime of CUDA 12: its names and structures', { skip: skip || (asan ? 'not linked statically' : false) }, () => {
	assert.equal(done('runtime12', {}, [], 12).err, '');
});

const packers = ['zstd', 'lz4'].filter(which);
test('cuda: PTX packed by LZ4 and Zstandard', { skip: skip || (packers.length ? false : 'no zstd, no lz4') }, () => {
	const at = temporaryFolder();
	const program = join(at, 'decoders');
	const sanitize = which('cc') ? ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'] : [];
	const built = run('cc', ['-std=c11', '-O1', ...sanitize, '-Icore', 'tests/cuda/decoders.c', 'core/cuda/lz4.c', 'core/cuda/zstd.c', '-o', program]);
	assert.equal(built.status, 0, built.stderr);
	const files = ['tests/README.md', 'package.json', 'core/cuda/results.def', 'build/native/obj/base/arena.o'];
	for (const [i, file] of files.entries())
		for (const [tool, ...args] of [['zstd', '-1', '--no-check'], ['zstd', '-7', '--no-check'], ['zstd', '-19', '--no-check'],
			['lz4', '-1', '-B7'], ['lz4', '-9', '-B7']]) {
			const packed = join(at, `${i}.${tool}${args[0]}`);
			if (!packers.includes(tool) || run(tool, ['-q', '-f', ...args, file, ...(tool === 'zstd' ? ['-o'] : []), packed]).status !== 0)
				continue;
			const { status, stdout, stderr } = run(program, [tool, packed, file]);
			assert.equal(status, 0, `${tool} ${args.join(' ')} ${file}: ${stdout}${stderr}`);
		}
});

const nvcc = ['/usr/local/cuda/bin/nvcc', which('nvcc')].find((file) => file && existsSync(file));
const cudaSkip = skip || (nvcc && !asan ? false : 'no nvcc');

test('cuda: fatbinaries, those of nvcc packed in every way among them', { skip }, () => {
	const at = temporaryFolder();
	const files = [];
	if (nvcc) {
		const ptx = join(at, 'nvcc_driver.ptx');
		assert.equal(run(nvcc, ['-ptx', '-arch=compute_90', 'tests/cuda/nvcc_driver.cu', '-o', ptx]).status, 0);
		for (const how of ['none', 'speed', 'default', 'size']) {
			files.push(join(at, `${how}.fatbin`));
			run(join(nvcc, '../fatbinary'), ['-64', `--create=${files.at(-1)}`, `--compress-mode=${how}`, `--image3=kind=ptx,sm=90,file=${ptx}`]);
		}
	}
	assert.match(done('fatbin', {}, files.filter(existsSync)).err, /machine code only.*\n.*newer devices than sm_90 only/);
});

test("cuda: a program of the driver API that NVIDIA's compiler and header built runs unchanged", { skip: cudaSkip }, () => {
	const at = temporaryFolder();
	const program = join(at, 'nvcc_driver');
	const fatbin = join(at, 'nvcc_driver.fatbin');
	const built = run(nvcc, ['-gencode', 'arch=compute_90,code=compute_90', '-o', program, 'tests/cuda/nvcc_driver.cu',
		join(folder, 'libptxscope-cuda.so'), '-Xlinker', `-rpath=${folder}`]);
	assert.equal(built.status, 0, built.stderr);
	assert.equal(run(nvcc, ['-fatbin', '-gencode', 'arch=compute_90,code=compute_90', '-o', fatbin, 'tests/cuda/nvcc_driver.cu']).status, 0);
	const { status, stdout, stderr } = run(program, [fatbin]);
	assert.equal(status, 0, stdout + stderr);
	assert.equal(stdout, '10000 bytes in 4 blocks\n10000 bytes in 4 blocks\ndone\n');
});

// All of them: npm run programs. These are the ones that reach the most.
for (const name of ['cooperative_grid', 'graph_nodes', 'linked', 'textures'])
	test(`cuda: the program ${name} of the runtime API, built by nvcc unchanged`, { skip: cudaSkip }, async () => {
		const { problem } = await check(name);
		assert.equal(problem, null, problem);
	});
