// CUDA C++: the example kernels compile over our headers and compute what is expected, messages have places, and the math functions
// are as exact as CUDA documents theirs. clang's module is compiled once; its lazy tier is enough for a few compilations.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { load } from '../wasm/index.js';
import { source as mathNames } from './cuda/math-names.mjs';
import { stale } from './cuda/references.mjs';
import { load as loadCuda, readDiagnostics, readHeaders } from '../wasm/cuda/node.js';
import { complaints } from './tools/launch.mjs';
import { temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

const skip = existsSync(wasm) ? false : 'no WebAssembly build';
let cuda, ptxscope;
before(async () => {
	if (!skip)
		[cuda, ptxscope] = await Promise.all([loadCuda(), load()]);
});

async function compile(source, options = {}) {
	const result = await cuda.compile({ source, target: 'sm_80', ...options });
	assert.equal(result.status, 0, result.stderr);
	return result.ir;
}

/** Runs kernels of one PTX text one after the other. */
function machine(ptx, name) {
	const emulator = ptxscope.emulator(), loaded = emulator.load({ source: ptx, name, target: 'sm_80' });
	assert.equal(loaded.status, 0, loaded.stderr);
	return (launch) => {
		const { status, stderr } = emulator.launch(launch);
		assert.equal(status, 0, stderr);
		emulator.step({ to: 'end' }, Infinity);
		const result = emulator.result();
		assert.deepEqual(result.faults, [], launch.kernel);
		return result;
	};
}

/** IR to PTX, without a trace. */
function toPtx(ir) {
	const { status, stdout, stderr } = ptxscope.run(['compile', 'k.ll', '-o', '-', '-mcpu=sm_80'], { 'k.ll': ir });
	assert.equal(status, 0, stderr);
	return stdout;
}

/** The name that a variable of an example has in the PTX. */
const inNamespace = (ptx, symbol) => new RegExp(`\\.(?:const|global) [^;=]*?(\\w*\\d${symbol}E?)(?=\\[|\\s|;)`).exec(ptx)?.[1] ?? symbol;

// ── Math ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** x modulo 2, mirrored so that its sine is that of the smallest angle; exact. */
function folded(x) {
	const t = x - 2 * Math.round(x / 2);
	return Math.abs(t) > 0.5 ? Math.sign(t) - t : t;
}

/** The error function: a series without cancellation near 0, a continued fraction for the rest to 1. */
function erf(x) {
	if (Math.abs(x) > 1.3) {
		let fraction = 0;
		for (let k = 200; k > 0; k--)
			fraction = k / 2 / (Math.abs(x) + fraction);
		return Math.sign(x) * (1 - Math.exp(-x * x) / Math.sqrt(Math.PI) / (Math.abs(x) + fraction));
	}
	let sum = 0;
	for (let n = 0, term = x; n < 200; n++, term *= 2 * x * x / (2 * n + 1))
		sum += term;
	return Object.is(x, -0) ? x : 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
}

/** The largest error in ulps that CUDA documents for float and double; the range of the random arguments; the reference. */
const one = {
	sin: [2, 2, -1e5, 1e5, Math.sin], cos: [2, 2, -1e5, 1e5, Math.cos], tan: [4, 2, -1e4, 1e4, Math.tan],
	asin: [2, 2, -1, 1, Math.asin], acos: [2, 2, -1, 1, Math.acos], atan: [2, 2, -1e3, 1e3, Math.atan],
	sinh: [3, 2, -80, 80, Math.sinh], cosh: [2, 1, -80, 80, Math.cosh], tanh: [2, 1, -10, 10, Math.tanh],
	asinh: [3, 3, -1e6, 1e6, Math.asinh], acosh: [4, 3, 1, 1e6, Math.acosh], atanh: [3, 2, -1, 1, Math.atanh],
	exp: [2, 1, -80, 80, Math.exp], exp2: [2, 1, -120, 120, (x) => 2 ** x], exp10: [2, 1, -37, 37, (x) => 10 ** x],
	expm1: [1, 1, -10, 40, Math.expm1], log: [1, 1, 0, 1e6, Math.log], log2: [1, 1, 0, 1e6, Math.log2],
	log10: [2, 1, 0, 1e6, Math.log10], log1p: [1, 1, -1, 1e6, Math.log1p], cbrt: [1, 1, -1e9, 1e9, Math.cbrt],
	sqrt: [0, 0, 0, 1e9, Math.sqrt], rsqrt: [2, 1, 1e-3, 1e9, (x) => 1 / Math.sqrt(x)], fabs: [0, 0, -9, 9, Math.abs],
	floor: [0, 0, -1e6, 1e6, Math.floor], ceil: [0, 0, -1e6, 1e6, Math.ceil], trunc: [0, 0, -1e6, 1e6, Math.trunc],
	sinpi: [2, 2, -9, 9, (x) => Math.sin(Math.PI * folded(x))], erf: [2, 4, -3, 3, erf],
};
const two = {
	pow: [4, 2, 0, 30, Math.pow], atan2: [3, 2, -100, 100, Math.atan2], hypot: [3, 2, -1e6, 1e6, Math.hypot],
	fmod: [0, 0, -1e4, 1e4, (x, y) => x % y], fmin: [0, 0, -9, 9, Math.min], fmax: [0, 0, -9, 9, Math.max],
	copysign: [0, 0, -9, 9, (x, y) => (y < 0 || Object.is(y, -0) ? -1 : 1) * Math.abs(x)],
};
const COUNT = 256;
const special = [0, -0, 1, -1, 0.5, -0.5, 2, 10, Infinity, -Infinity, NaN, 1e-30, -1e-30, 1e22, 3e30, 0.75, 0.999];
const round = (x, bits) => bits === 32 ? Math.fround(x) : x;

/** Numbers between 0 and 1, the same in every run. */
function randoms(seed) {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Distance of the numbers of the width to the next larger one. */
function ulp(x, bits) {
	const exponent = x === 0 ? -Infinity : Math.floor(Math.log2(Math.abs(x)));
	return 2 ** Math.max(exponent - (bits === 32 ? 23 : 52), bits === 32 ? -149 : -1074);
}

/** Every function as a kernel over arrays. */
function mathSource() {
	const kernel = (name, type, arity) => {
		const ps = ['p', 'q'].slice(0, arity), call = `${name}${type === 'float' ? 'f' : ''}(${ps.map((p) => `${p}[i]`).join(', ')})`;
		return `extern "C" __global__ void ${name}_${type}(${ps.map((p) => `const ${type} *${p}, `).join('')}${type} *r) { int i = threadIdx.x; r[i] = ${call}; }`;
	};
	return ['float', 'double'].flatMap((type) => [...Object.keys(one).map((name) => kernel(name, type, 1)), ...Object.keys(two).map((name) => kernel(name, type, 2))]).join('\n');
}

function errorsOf(run, name, bits, error, columns, reference) {
	const words = (column) => [...new Uint32Array((bits === 32 ? Float32Array : Float64Array).from(column).buffer)];
	const buffers = Object.fromEntries(columns.map((column, i) => [`p${i}`, { type: 'u32', count: COUNT * bits / 32, init: { kind: 'values', values: words(column) } }]));
	buffers.r = { type: 'u32', count: COUNT * bits / 32 };
	const result = run({ kernel: `${name}_${bits === 32 ? 'float' : 'double'}`, grid: [1, 1, 1], block: [COUNT, 1, 1], args: Object.keys(buffers).map((buffer) => ({ buffer })), buffers });
	const out = Uint32Array.from(result.buffers.r.values), got = bits === 32 ? new Float32Array(out.buffer) : new Float64Array(out.buffer);
	return [...got].flatMap((value, i) => {
		const args = columns.map((c) => c[i]), want = reference(...args), rounded = round(want, bits);
		/* A double's reference may be off by one itself. */
		const allowed = error + (bits === 64 && error ? 1 : error ? 0.5 : 0);
		const good = !Number.isFinite(rounded) || !Number.isFinite(value)
			? Object.is(rounded, value) || (!Number.isFinite(value) && Math.abs(want) > (bits === 32 ? 3.4028e38 : 1.7976e308))
			: Object.is(value, rounded) || (value !== 0 || rounded !== 0 || error > 0) && Math.abs(value - want) <= allowed * ulp(want, bits);
		return good ? [] : [`${name}(${args.join(', ')}) = ${value}, expected ${want} (${bits} bits)`];
	});
}

// ── Tests ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

test('messages of clang become diagnostics with places and fixes', () => {
	const text = [
		'In file included from k.cu:2:', "helper.h:7:3: warning: unused variable 'z' [-Wunused-variable]",
		"k.cu:3:7:{3:7-3:10}: error: use of undeclared identifier 'foo'; did you mean 'for'?", 'fix-it:"k.cu":{3:7-3:10}:"\\"for\\""',
		'k.cu:1:1: note: here', "k.cu:9:10:{9:10-9:18}: fatal error: 'nowhere.h' file not found", '2 errors generated.',
	].join('\n');
	const place = (line, col, endLine = 0, endCol = 0) => ({ line, col, endLine, endCol });
	assert.deepEqual(readDiagnostics(text, 'k.cu', ['math.h', 'ptxscope/fp.h']), [
		{ severity: 'warning', ...place(2, 1), code: '-Wunused-variable', message: "helper.h:7: unused variable 'z'", hint: null },
		{ severity: 'error', ...place(3, 7, 3, 10), code: '', message: "use of undeclared identifier 'foo'; did you mean 'for'?", hint: null,
			fixes: [{ ...place(3, 7, 3, 10), text: '"for"' }] },
		{ severity: 'note', ...place(1, 1), code: '', message: 'here', hint: null },
		{ severity: 'error', ...place(9, 10, 9, 18), code: '', message: "'nowhere.h' file not found", hint: 'there are: math.h' },
	]);
});

describe('CUDA C++', { skip }, () => {
	test('every header compiles by itself, and twice', async () => {
		const names = Object.keys(await readHeaders());
		await compile([...names, ...names].map((name) => `#include <${name}>`).join('\n'));
	});

	test('every name of the math API has the type that CUDA documents', async () => {
		const { text, names } = mathNames();
		assert.ok(names.length > 1100);
		const { diagnostics } = await cuda.compile({ source: text, target: 'sm_100' });
		assert.deepEqual(diagnostics.filter((d) => d.severity === 'error').map((d) => `${names[d.line - 1]}: ${d.message}`), []);
	});

	test('what kernels call besides compiles', async () => {
		const ir = await compile(readFileSync(join(root, 'tests/cuda/kernel_names.cu'), 'utf8'), { target: 'sm_90' });
		const { status, stderr } = ptxscope.run(['compile', 'k.ll', '-o', '-', '-mcpu=sm_90'], { 'k.ll': ir });
		assert.equal(status, 0, stderr);
	});

	test('errors have places, notes and fixes; the next compilation is not affected', async () => {
		const bad = await cuda.compile({ source: '__global__ void k(float *x) {\n\tint thread = 3;\n\tx[thred] = 1.0f\n}\n', name: 'bad.cu' });
		assert.equal(bad.status, 1);
		assert.equal(bad.ir, '');
		const errors = bad.diagnostics.filter((d) => d.severity === 'error');
		assert.deepEqual(errors.map(({ line, col, message }) => [line, col, message]), [
			[3, 4, "use of undeclared identifier 'thred'; did you mean 'thread'?"], [3, 17, "expected ';' after expression"],
		]);
		assert.deepEqual(errors.map((d) => d.fixes), [
			[{ line: 3, col: 4, endLine: 3, endCol: 9, text: 'thread' }], [{ line: 3, col: 17, endLine: 3, endCol: 17, text: ';' }],
		]);
		const missing = await cuda.compile({ source: '#include <thrust/sort.h>\n' });
		assert.match(missing.diagnostics[0].message, /'thrust\/sort.h' file not found/);
		assert.match(missing.diagnostics[0].hint, /there are: .*cuda_fp16\.h, .*math\.h/);
	});

	test('a source that takes too much memory or stack is an error that says so; the next compilation is not affected', async () => {
		const deep = await cuda.compile({ source: `__global__ void k(int *p) { *p = ${'- '.repeat(200_000)}*p; }` });
		assert.deepEqual([deep.status, deep.ir, deep.diagnostics.map((d) => d.message)], [1, '', ['clang ran out of stack; something in the source is nested too deeply']]);
		await compile('__global__ void k(int *p) { *p = 1; }');

		// Each array has a million elements while the function is evaluated; the process has 375 MiB for them instead of 4 GiB.
		const arrays = Array.from({ length: 20 }, (_, i) => `int a${i}[1000000] = {}; a${i}[999999] = 1;`).join(' ');
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'large.cu'), `constexpr int f() { ${arrays} return a0[0]; }\n__constant__ int q = f();\n__global__ void k(int *p) { *p = q; }\n`);
		const { status, stderr } = spawnSync(process.execPath, ['--wasm-max-mem-pages=6000', join(root, 'wasm/cuda/cli.mjs'), 'large.cu'], { cwd: folder, encoding: 'utf8' });
		assert.equal(status, 1);
		assert.match(stderr, /clang ran out of memory \(\d+ MiB are in use\)/);
	});

	test('products of the source are fused, those of the math functions are not', async () => {
		const ir = await compile('extern "C" __global__ void k(float *x) { x[0] = x[1] * 3 + x[2]; x[3] = logf(x[3]); }');
		assert.match(ir, /fmul contract float %\d+, 3\.0/);
		assert.match(ir, /\bfadd float/);
	});

	test('host code beside kernels is read; atomics are relaxed, printf is vprintf', async () => {
		const ir = await compile(`#include <cstdio>
			#include <cuda_runtime.h>
			__global__ void count(unsigned *n) { atomicAdd(n, 1u); atomicMax_block(n + 1, 7u); atomicCAS_system(n + 2, 0u, 1u); printf("%d", n[0]); }
			int main() {
				unsigned *n;
				cudaMalloc(&n, 12);
				count<<<dim3(2), 32>>>(n);
				if (cudaError_t error = cudaDeviceSynchronize()) printf("%s\\n", cudaGetErrorString(error));
				cudaFree(n);
			}`);
		assert.match(ir, /atomicrmw add ptr %n, i32 1 monotonic/);
		assert.match(ir, /atomicrmw umax ptr .* monotonic/);
		assert.match(ir, /cmpxchg ptr .*, i32 0, i32 1 monotonic monotonic/);
		assert.match(ir, /call i32 @vprintf/);
		assert.doesNotMatch(ir, /main/);
	});

	test('the example kernels compute what is expected', async () => {
		const folder = join(root, 'examples');
		const names = readdirSync(folder).filter((file) => file.endsWith('.cu')).map((file) => file.slice(0, -3)).sort();
		assert.ok(names.length >= 42);
		/* In one compilation, as most of the time of a small one goes into the headers. What one defines for itself, another may name. */
		const files = Object.fromEntries(names.map((name) => [`${name}.cu`, readFileSync(join(folder, `${name}.cu`), 'utf8')]));
		const undefine = (text) => [...text.matchAll(/^#define (\w+)/gm)].map(([, macro]) => `#undef ${macro}\n`).join('');
		const source = ['#include <cuda_fp16.h>', ...names.map((name) => `namespace in_${name} {\n#include "${name}.cu"\n}\n${undefine(files[`${name}.cu`])}`)].join('\n');
		const ptx = toPtx(await compile(source, { files })), run = machine(ptx, 'examples.ptx');
		for (const name of names) {
			const launch = JSON.parse(readFileSync(join(folder, `${name}.launch.json`), 'utf8'));
			const symbols = launch.symbols && Object.fromEntries(Object.entries(launch.symbols).map(([symbol, init]) => [inNamespace(ptx, symbol), init]));
			assert.deepEqual(complaints(launch, run({ ...launch, ...(symbols && { symbols }) })), [], name);
		}
	});

	test('kernels over every kind of header give what their references say', async () => {
		assert.deepEqual(stale(), []);
		const folder = join(root, 'tests/cuda/kernels');
		for (const name of ['scan_lookback', 'wmma_half', 'pipeline_stages', 'bytes_simd', 'tiny_floats', 'latch_semaphore']) {
			const launch = JSON.parse(readFileSync(join(folder, `${name}.launch.json`), 'utf8'));
			const run = machine(toPtx(await compile(readFileSync(join(folder, `${name}.cu`), 'utf8'))), `${name}.ptx`);
			assert.deepEqual(complaints(launch, run(launch)), [], name);
		}
	});

	test('lines of the source, with what is inlined; the code is the same as without', async () => {
		const source = [
			'static __device__ float twice(float x) {', '\treturn x * 2;', '}', 'extern "C" __global__ void k(float *x, int n) {', '\tint i = threadIdx.x;',
			'#pragma unroll 1', '\tfor (int j = 0; j < n; j++)', '\t\tx[i + j] = twice(x[i + j]) + 1;', '}', '',
		].join('\n');
		const plain = await compile(source, { name: 'k.cu' }), { ir, lines } = await cuda.compile({ source, name: 'k.cu', target: 'sm_80', lines: true });
		const rows = ir.split('\n');
		assert.equal(lines.length, rows.length);
		const code = (text) => text.replace(/^!.*\n/gm, '').replace(/!\d+/g, '!').replace(/#\d+/g, '#');
		assert.equal(code(ir), code(plain));
		assert.doesNotMatch(ir, /DILocation|!dbg|Debug Info/);
		const lineOf = (pattern) => lines[rows.findIndex((row) => pattern.test(row))];
		assert.deepEqual([/^define .*@k/, /tid\.x\(\)$|tid\.x\(\) *(?:#|,|$)/, /fmul/, /fadd/, /store float/, /br i1 .*llvm\.loop|icmp/].map(lineOf).slice(0, 5), [4, 5, 2, 8, 8]);
		assert.deepEqual(toPtx(ir), toPtx(plain));
	});

	test('cooperative groups, bfloat16, assert and printf', async () => {
		const ptx = toPtx(await compile(`#include <cooperative_groups.h>
			#include <cooperative_groups/reduce.h>
			#include <cuda_bf16.h>
			#include <cassert>
			namespace cg = cooperative_groups;
			extern "C" __global__ void groups(const float *x, float *sums, const __nv_bfloat16 *h, float *squares, int limit) {
				auto block = cg::this_thread_block();
				auto tile = cg::tiled_partition<8>(block);
				float sum = cg::reduce(tile, x[cg::this_grid().thread_rank()], cg::plus<float>());
				if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
				block.sync();
				squares[threadIdx.x] = __bfloat162float(h[threadIdx.x] * h[threadIdx.x] + __nv_bfloat16(1.0f));
				assert(threadIdx.x < limit);
				if (threadIdx.x & 1) {
					auto odd = cg::coalesced_threads();
					unsigned second = odd.shfl(threadIdx.x, 1u);
					if (odd.thread_rank() == 0) printf("%u of %u, %s\\n", second, odd.size(), "done");
				}
			}`));
		const launch = (limit) => ({ kernel: 'groups', grid: [1, 1, 1], block: [64, 1, 1], args: [...['x', 'sums', 'h', 'squares'].map((buffer) => ({ buffer })), { i32: limit }], buffers: {
			x: { type: 'f32', count: 64, init: { kind: 'linear', start: 0, step: 1 } }, sums: { type: 'f32', count: 8 },
			h: { type: 'u16', count: 64, init: { kind: 'constant', value: 0x4040 } }, squares: { type: 'f32', count: 64 },
		} });
		const { buffers, printf } = machine(ptx, 'groups.ptx')(launch(64));
		assert.deepEqual(buffers.sums.values, [28, 92, 156, 220, 284, 348, 412, 476]);
		assert.deepEqual([...new Set(buffers.squares.values)], [10]);
		assert.deepEqual(printf.trim().split('\n').sort(), ['3 of 16, done', '35 of 16, done']);
		const failed = ptxscope.execute({ source: ptx, name: 'groups.ptx', target: 'sm_80', launch: launch(60) });
		assert.match(JSON.stringify(failed.result.faults), /assert/i);
	});

	test('the command line writes PTX, or IR, and reports errors as clang does', () => {
		const folder = temporaryFolder(), file = (name, text) => {
			writeFileSync(join(folder, name), text);
			return name;
		};
		const cli = (...argv) => spawnSync(process.execPath, [join(root, 'wasm/cuda/cli.mjs'), ...argv], { cwd: folder, encoding: 'utf8' });
		file('scale.h', '#define SCALE 3\n');
		const source = file('k.cu', '#include "scale.h"\nextern "C" __global__ void k(int *x) { x[threadIdx.x] *= SCALE + MORE; }\n');
		const good = cli(source, '-o', 'k.ptx', '-arch=sm_90', '-DMORE=4');
		assert.deepEqual([good.status, good.stderr], [0, '']);
		assert.match(readFileSync(join(folder, 'k.ptx'), 'utf8'), /\.target sm_90\n[^]*\.visible \.entry k\([^]*, 7;/);
		const bad = cli(source);
		assert.equal(bad.status, 1);
		assert.match(bad.stderr, /^k\.cu:2:66: error: use of undeclared identifier 'MORE'\n/);
		assert.equal(cli().status, 2);
	});

	test('math functions are within the errors that CUDA documents', async () => {
		const run = machine(toPtx(await compile(mathSource())), 'math.ptx'), errors = [];
		for (const bits of [32, 64]) {
			for (const [name, [f32, f64, low, high, reference]] of Object.entries(one)) {
				const next = randoms(name.length * 7919 + bits);
				const column = [...special, ...Array.from({ length: COUNT - special.length }, () => low + next() * (high - low))].map((x) => round(x, bits));
				errors.push(...errorsOf(run, name, bits, bits === 32 ? f32 : f64, [column], reference));
			}
			for (const [name, [f32, f64, low, high, reference]] of Object.entries(two)) {
				const next = randoms(name.length * 104729 + bits);
				const column = () => Array.from({ length: COUNT }, () => round(low + next() * (high - low), bits));
				errors.push(...errorsOf(run, name, bits, bits === 32 ? f32 : f64, [column(), column()], reference));
			}
		}
		assert.deepEqual(errors, []);
	});
});
