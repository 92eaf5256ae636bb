// Whole programs of CUDA C++: host code in WebAssembly, kernels on the emulator. The programs of programs/ are compiled as one, as most
// of the time goes into the headers of the C++ library; each prints what its .out has.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { load } from '../wasm/index.js';
import { hasMain, load as loadCuda, readLaunches, runProgram, sourceName } from '../wasm/cuda/node.js';
import { Timeline } from '../wasm/cuda/timeline.js';
import { temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

const skip = existsSync(wasm) ? false : 'no WebAssembly build';
const folder = join(root, 'tests/programs');
const read = (name) => readFileSync(join(folder, name), 'utf8');
/** A program of this folder, or of the page's gallery. */
const sourceOf = (name) => name.startsWith('examples/') ? readFileSync(join(root, 'examples/programs', `${name.slice('examples/'.length)}.cu`), 'utf8') : read(`${name}.cu`);
let cuda, ptxscope;
before(async () => {
	if (!skip)
		[cuda, ptxscope] = await Promise.all([loadCuda({ programs: true }), load()]);
});

async function compile(source, options = {}) {
	const program = await cuda.compileProgram({ source, target: 'sm_80', ...options });
	assert.deepEqual(program.diagnostics.filter((d) => d.severity === 'error'), []);
	return program;
}

async function run(program, options = {}) {
	const printed = [[], []];
	const result = await runProgram(ptxscope, program, { ...options, print: (stream, bytes) => printed[stream - 1].push(bytes) });
	const [out, err] = printed.map((parts) => Buffer.concat(parts).toString());
	return { out, err, ...result };
}

test('a main is one in code', () => {
	for (const yes of ['int main() {}', 'int main(int argc, char **argv)\n{', 'static int x;int main (void) {}', 'auto main() -> int {}'])
		assert.ok(hasMain(yes), yes);
	for (const no of ['// int main() {}', '/* int main() */', 'const char *x = "int main()";', 'int mains();', '__global__ void main_kernel() {}', 'int domain();'])
		assert.ok(!hasMain(no), no);
});

test('kernels are called what the source calls them', () => {
	const names = { _Z4fillPii: 'fill', _ZN3app5inner4fillEPi: 'app::inner::fill', _Z3sumILj256EEvPKiPii: 'sum', saxpy: 'saxpy', _ZN12_GLOBAL__N_14fillEv: 'fill' };
	assert.deepEqual(Object.keys(names).map(sourceName), Object.values(names));
});

test('launches in comments', () => {
	const of = (comment) => readLaunches(`// ${comment}`)[0];
	assert.deepEqual(readLaunches('int x;\n\t// saxpy<<<4, 256>>>(1000, 2.5f, x[1000] = 0.., f32[4 * 250] = 1);\nk<<<1, 2>>>(x);\n'), [{
		line: 2, kernel: 'saxpy', grid: [4, 1, 1], block: [256, 1, 1], sharedBytes: 0, args: [
			{ value: 1000 }, { value: 2.5 }, { name: 'x', count: 1000, init: { kind: 'linear', start: 0, step: 1 } },
			{ type: 'f32', count: 1000, init: { kind: 'constant', value: 1 } },
		],
	}]);
	const { grid, block, sharedBytes, args } = of('ns::blur<<<dim3(4, 2), {16, 16}, 16 * 4>>>(a[1 << 3] = {1, -2.5e1, 3}, b[8] = 1.. by 0.5, c[2] = random, d[2] = random(-1, 1), _, (3 + 1) / 2 - 7)');
	assert.deepEqual([grid, block, sharedBytes], [[4, 2, 1], [16, 16, 1], 64]);
	assert.deepEqual(args.map((a) => a.init ?? a), [
		{ kind: 'values', values: [1, -25, 3] }, { kind: 'linear', start: 1, step: 0.5 }, { kind: 'random', seed: 1, min: 0, max: 1 },
		{ kind: 'random', seed: 1, min: -1, max: 1 }, {}, { value: -5 },
	]);
	assert.equal(of('k<<<1, 32>>>(n)').message, 'the launch of k cannot be read: argument 1');
	assert.equal(of('k<<<0, 32>>>()').message, 'the launch of k cannot be read: its grid');
	assert.equal(of('k<<<1>>>()').message, 'the launch of k cannot be read: its block');
	assert.deepEqual(readLaunches('k<<<1, 32>>>(x);'), []);
});

test('the model of time: engines, streams, the default stream', () => {
	const t = new Timeline();
	for (const stream of [5, 6])
		t.addStream(stream, false);
	t.addStream(7, true);
	t.copied(5, 'in', 12e6);
	t.launched(6, 96e6);
	const copied = t.endOf(5), ran = t.endOf(6);
	assert.ok(copied > 1e6 && copied < 1.1e6 && ran > 1e6 && ran < 1.1e6, 'a copy and a kernel of two streams go side by side');
	t.copied(6, 'in', 12e6);
	assert.ok(t.endOf(6) > 2e6, 'two copies in do not');
	const own = t.mark(7), all = t.mark(0);
	assert.ok(own < 1e5 && all === t.endOf(6), 'the default stream waits for those that are not independent');
	assert.ok(!t.isDone(all) && t.now() < 1e5);
	t.joinAll();
	assert.ok(t.isDone(all) && t.now() === all);
});

describe('programs', { skip }, () => {
	const names = readdirSync(folder).filter((file) => file.endsWith('.cu')).map((file) => file.slice(0, -3)).sort();
	const shown = readdirSync(join(root, 'examples/programs')).map((file) => `examples/${file.slice(0, -3)}`), parts = [...names, ...shown, 'cases/corners'];
	const bare = (name) => name.replace(/\W/g, '_');
	let all;
	before(async () => {
		const texts = Object.fromEntries(parts.map((name) => [`${name}.cu`, sourceOf(name)]));
		const includes = new Set(Object.values(texts).flatMap((text) => [...text.matchAll(/^#include <.*>/gm)].map(([line]) => line)));
		const undefine = (text) => [...text.matchAll(/^#define (\w+)/gm)].map(([, macro]) => `#undef ${macro}\n`).join('');
		/* <cassert> may be included anywhere, and would declare its function in the namespace. */
		const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.replace(/^#include <.*>/gm, '')]));
		const source = [
			...includes, ...parts.map((name) => `namespace in_${bare(name)} {\n#define main program\n#include "${name}.cu"\n#undef main\n}\n${undefine(texts[`${name}.cu`])}`),
			'static int call(int (*f)(), int, char **) { return f(); }', 'static int call(int (*f)(int, char **), int n, char **v) { return f(n, v); }',
			'int main(int argc, char **argv) {', ...parts.map((name) => `\tif (!strcmp(argv[1], "${name}")) return call(in_${bare(name)}::program, argc - 1, argv + 1);`), '\treturn 98;\n}', '',
		].join('\n');
		all = await compile(source, { files, name: 'all.cu' });
	});
	for (const name of [...names, ...shown])
		test(name, async () => {
			const text = sourceOf(name), args = /^\/\/ args: (.*)/m.exec(text)?.[1].split(' ') ?? [];
			const { out, status } = await run(all, { args: [name, ...args] });
			assert.deepEqual([out, status], [read(`${name}.out`), Number(/^\/\/ exit: (\d+)/m.exec(text)?.[1] ?? (name === 'examples/find_the_fault' ? 1 : 0))]);
		});

	test('a fault names the line of the source', async () => {
		const { out, err, status, faults, launches } = await run(await compile(read('fault.cu'), { name: 'fault.cu' }));
		assert.deepEqual([out, err, status], [read('fault.out'), `ptxscope: ${read('fault.err')}`, 3]);
		assert.deepEqual([faults[0].line, faults[0].kernel, launches.map((l) => l.kernel)], [8, 'fill', ['fill']]);
	});

	test('what goes wrong in host code is said', async () => {
		const of = (name, options) => run(all, { args: ['cases/corners', name], ...options });
		const says = async (name, expected, options) => {
			const { out, err, status } = await of(name, options);
			assert.deepEqual([out, status], [expected[0], expected[2]], `${name}: ${err}`);
			assert.match(err, expected[1], name);
		};
		await says('reads device memory', ['before\n', /host code accesses memory that is not its own/, 139]);
		await says('aborts', ['before ', /host code ended itself/, 134]);
		await says('asserts', ['', /2 \+ 2 == 5[^]*host code ended itself/, 134]);
		await says('throws', ['', /^ptxscope: an exception is thrown, which ends the program: std::out_of_range: vector\n$/, 134]);
		await says('opens a file', ['', /^ptxscope: the program opens data\.txt: there are no files\n$/, 5]);
		await says('reads input', ['<one><two>', /^$/, 0], { input: new TextEncoder().encode('one\ntwo\n') });
		await says('never ends on the device', ['cudaErrorLaunchTimeout\n', /step-limit in kernel .*forever: the kernel ran longer than it may/, 0], { budget: (steps) => steps < 3e6 });
		await says('asserts on the device', ['cudaErrorAssert\ncudaSuccess\n', /assert in kernel in_cases_corners::trouble, thread \(3, 0, 0\).*threadIdx\.x < 3/, 0]);
		await says('is misaligned', ['cudaErrorMisalignedAddress\ncudaSuccess\n', /: misaligned in kernel/, 0]);
		await says('traps', ['cudaErrorLaunchFailure\ncudaSuccess\n', /: trap in kernel/, 0]);
		await says('asks for the time', ['0 0 no environment\n', /^$/, 0]);
		await says('measures itself', ['1 0.5 -1 4 2\n', /^$/, 0]);
		await says('rounds to bfloat16', ['3f80 3f80 3f82 ff80 0001 7fff 2.5\n', /^$/, 0]);
		await says('has a large stack', ['3\n', /^$/, 0]);
		await says('leaks', ['cudaErrorMemoryAllocation\n', /^$/, 0]);
		const { out } = await of('exhausts the host');
		assert.match(out, /^(?:8|9)\d\d MiB\n$/);
	});

	test('the command line runs a program: arguments, input, output, status', () => {
		const cwd = temporaryFolder();
		writeFileSync(join(cwd, 'by.h'), '#define BY 3\n');
		writeFileSync(join(cwd, 'p.cu'), `#include <stdio.h>
			#include "by.h"
			__global__ void times(int *x) { printf("times %d\\n", BY); *x *= BY * MORE; }
			int main(int argc, char **argv) {
				int *x;
				cudaMallocManaged(&x, sizeof *x);
				scanf("%d", x);
				times<<<1, 1>>>(x);
				cudaDeviceSynchronize();
				fprintf(stderr, "%s of %d\\n", argv[1], argc);
				return *x;
			}`);
		const cli = (...argv) => spawnSync(process.execPath, [join(root, 'wasm/cuda/cli.mjs'), ...argv], { cwd, encoding: 'utf8', input: '7\n' });
		const { status, stdout, stderr } = cli('run', 'p.cu', '-arch=sm_90', '-DMORE=2', '--', '-x');
		assert.deepEqual([status, stdout, stderr], [42, 'times 3\n', '-x of 2\n']);
		assert.deepEqual(cli('run', 'p.cu', '-unknown').stderr.split('\n')[0], 'cuda: run has no option -unknown');
	});

	test('what is not there is named', async () => {
		const errors = async (source) => (await cuda.compileProgram({ source })).diagnostics.filter((d) => d.severity === 'error').map((d) => `${d.line}: ${d.message}`);
		assert.deepEqual(await errors('int main() {\n\tcudaGraph_t g;\n\treturn 0;\n}\n'), ["2: unknown type name 'cudaGraph_t'"]);
		assert.deepEqual(await errors('void later(int);\nint main() { later(1); }\n'), ['0: the program calls later(int), which is declared and not there']);
		const [first] = (await cuda.compileProgram({ source: '#include <thrust/sort.h>\nint main() {}\n' })).diagnostics;
		assert.match(`${first.message} ${first.hint}`, /'thrust\/sort\.h' file not found there are: .*cuda_fp16\.h/);
	});
});
