// libdevice: linked, inlined, compiled, and on the emulator as exact as CUDA documents it. Skips where there is no CUDA toolkit.
// The reference is Math's, which is exact to about an ulp of a double.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { which } from './tools/setup.mjs';

const places = [process.env.CUDA_HOME, process.env.CUDA_PATH, '/usr/local/cuda', '/opt/cuda'].filter(Boolean)
	.map((root) => join(root, 'nvvm/libdevice/libdevice.10.bc'));
const bitcode = places.find((path) => existsSync(path));
const dis = ['llvm-dis-22', 'llvm-dis-19', 'llvm-dis'].map((name) => which(name)).find(Boolean);
const skip = !existsSync(native) ? 'no native build' : !bitcode ? 'no libdevice.10.bc' : !dis ? 'no llvm-dis' : false;
const folder = temporaryFolder();
const text = join(folder, 'libdevice.ll');
if (!skip)
	spawnSync(dis, [bitcode, '-o', text]);

/** What CUDA documents as the largest error, in ulps; the range of the random arguments; the reference. */
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
};
const two = {
	pow: [4, 2, 0, 30, Math.pow], atan2: [3, 2, -100, 100, Math.atan2], hypot: [3, 2, -1e6, 1e6, Math.hypot],
	fmod: [0, 0, -1e4, 1e4, (x, y) => x % y], fmin: [0, 0, -9, 9, Math.min], fmax: [0, 0, -9, 9, Math.max],
	fdim: [0, 0, -9, 9, (x, y) => x > y ? x - y : 0], copysign: [0, 0, -9, 9, (x, y) => (y < 0 || Object.is(y, -0) ? -1 : 1) * Math.abs(x)],
};
const COUNT = 256;

/** Numbers between 0 and 1, the same in every run. */
function randoms(seed) {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

const round = (x, bits) => bits === 32 ? Math.fround(x) : x;

/** Distance of the numbers of the width to the next larger one. */
function ulp(x, bits) {
	const exponent = x === 0 ? -Infinity : Math.floor(Math.log2(Math.abs(x)));
	return 2 ** Math.max(exponent - (bits === 32 ? 23 : 52), bits === 32 ? -149 : -1074);
}

function run(name, bits, columns) {
	const type = bits === 32 ? 'float' : 'double', n = columns[0].length, arity = columns.length;
	const ps = columns.map((_, i) => `ptr addrspace(1) %p${i}, `).join('');
	const lines = columns.map((_, i) => `  %a${i} = getelementptr ${type}, ptr addrspace(1) %p${i}, i32 %t
  %v${i} = load ${type}, ptr addrspace(1) %a${i}`).join('\n');
	const path = join(folder, `${name}.ll`), launch = join(folder, `${name}.json`);
	writeFileSync(path, `target triple = "nvptx64-nvidia-cuda"
declare ${type} @${name}(${Array(arity).fill(type).join(', ')})
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(${ps}ptr addrspace(1) %r) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${lines}
  %s = call ${type} @${name}(${columns.map((_, i) => `${type} %v${i}`).join(', ')})
  %q = getelementptr ${type}, ptr addrspace(1) %r, i32 %t
  store ${type} %s, ptr addrspace(1) %q
  ret void
}
`);
	const words = (column) => [...new Uint32Array((bits === 32 ? Float32Array : Float64Array).from(column).buffer)];
	const buffers = Object.fromEntries(columns.map((column, i) =>
		[`p${i}`, { type: 'u32', count: n * bits / 32, init: { kind: 'values', values: words(column) } }]));
	buffers.r = { type: 'u32', count: n * bits / 32 };
	writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [n, 1, 1], args: Object.keys(buffers).map((buffer) => ({ buffer })), buffers }));
	const { status, stdout, stderr } = ptxscope(['run', path, `--link=${text}`, '--launch', launch, '--json', '-mcpu=sm_90']);
	assert.equal(status, 0, stderr);
	const out = Uint32Array.from(JSON.parse(stdout).buffers.r.values);
	return bits === 32 ? new Float32Array(out.buffer) : new Float64Array(out.buffer);
}

function checkFunction(name, bits, error, columns, reference) {
	const got = run(name, bits, columns);
	for (let i = 0; i < got.length; i++) {
		const args = columns.map((c) => round(c[i], bits)), want = reference(...args), rounded = round(want, bits);
		const say = `${name}(${args.join(', ')}) = ${got[i]}, expected ${want}`;
		if (Number.isNaN(rounded) || Number.isNaN(got[i]) || !Number.isFinite(rounded)) {
			assert.ok(Object.is(rounded, got[i]) || (!Number.isFinite(got[i]) && Math.abs(want) > (bits === 32 ? 3.4028e38 : 1.7976e308)), say);
			continue;
		}
		/* A double's reference may be off by one itself. */
		const allowed = error + (bits === 64 && error ? 1 : error ? 0.5 : 0);
		assert.ok(Math.abs(got[i] - want) <= allowed * ulp(want, bits) || Object.is(got[i], rounded), say);
	}
}

const special = [0, -0, 1, -1, 0.5, -0.5, 2, 10, Infinity, -Infinity, NaN, 1e-30, -1e-30];

describe('libdevice', { skip, concurrency: 2 }, () => {
	for (const bits of [32, 64]) {
		const suffix = bits === 32 ? 'f' : '';
		for (const [name, [f32, f64, low, high, reference]] of Object.entries(one))
			test(`__nv_${name}${suffix}`, () => {
				const next = randoms(name.length * 7919 + bits);
				const column = [...special, ...Array.from({ length: COUNT - special.length }, () => low + next() * (high - low))].map((x) => round(x, bits));
				checkFunction(`__nv_${name}${suffix}`, bits, bits === 32 ? f32 : f64, [column], reference);
			});
		for (const [name, [f32, f64, low, high, reference]] of Object.entries(two))
			test(`__nv_${name}${suffix}`, () => {
				const next = randoms(name.length * 104729 + bits);
				const column = () => Array.from({ length: COUNT }, () => round(low + next() * (high - low), bits));
				checkFunction(`__nv_${name}${suffix}`, bits, bits === 32 ? f32 : f64, [column(), column()], reference);
			});
	}

	/* Kernels that call each function that others see. */
	function callers() {
		const out = ['target triple = "nvptx64-nvidia-cuda"'];
		const functions = [...readFileSync(text, 'utf8').matchAll(/^define (?!internal)(?:(?:zeroext|signext) )?(\S+) @(__nv_\w+)\((.*)\) #/gm)];
		for (const [, ret, name, list] of functions) {
			const types = list ? list.split(', ').map((a) => a.split(' ')[0]) : [];
			const args = types.map((t, i) => `${t} %a${i}`).join(', ');
			out.push(`declare ${ret} @${name}(${types.join(', ')})`, `define ptx_kernel void @k${name}(ptr %p${args ? `, ${args}` : ''}) {`,
				ret === 'void' ? `  call void @${name}(${args})` : `  %r = call ${ret} @${name}(${args})\n  store ${ret} %r, ptr %p`, '  ret void', '}');
		}
		return { source: `${out.join('\n')}\n`, count: functions.length };
	}

	test('kernels that call each function compile without calls of small ones, and assemble', () => {
		const { source, count } = callers(), input = join(folder, 'all.ll'), ptx = join(folder, 'all.ptx');
		assert.ok(count > 300, `${count} functions`);
		/* llvm.tanh is no libdevice function. */
		writeFileSync(input, source.replace(/^define [^\n]*@k__nv_fast_tanhf[^]*?^}\n/m, ''));
		const { status, stderr } = ptxscope(['compile', input, `--link=${text}`, '-mcpu=sm_90', '-o', ptx]);
		assert.equal(status, 0, stderr);
		const calls = readFileSync(ptx, 'utf8').match(/call\.uni[^;]*/g) ?? [];
		for (const call of calls)
			assert.match(call, /__internal_/);
		const ptxas = which('ptxas') ?? (existsSync('/usr/local/cuda/bin/ptxas') ? '/usr/local/cuda/bin/ptxas' : null);
		if (ptxas)
			assert.equal(spawnSync(ptxas, ['-arch=sm_90', ptx, '-o', '/dev/null'], { encoding: 'utf8' }).stderr, '');
	});

	test('flags of the command line choose its variants', () => {
		const input = join(folder, 'sqrt.ll');
		writeFileSync(input, 'target triple = "nvptx64-nvidia-cuda"\ndeclare float @__nv_sqrtf(float)\ndefine float @f(float %x) {\n  %r = call float @__nv_sqrtf(float %x)\n  ret float %r\n}\n');
		const ptx = (...flags) => ptxscope(['compile', input, `--link=${text}`, '-o', '-', ...flags]).stdout;
		assert.match(ptx(), /sqrt\.rn\.f32/);
		assert.match(ptx('-nvptx-prec-sqrtf32=0'), /sqrt\.approx\.f32/);
		assert.match(ptx('-nvptx-f32ftz'), /sqrt\.rn\.ftz\.f32/);
		assert.match(ptx('-nvptx-prec-sqrtf32=0', '-nvptx-f32ftz'), /sqrt\.approx\.ftz\.f32/);
	});
});
