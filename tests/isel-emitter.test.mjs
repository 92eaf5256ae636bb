// What the emitter does in whole programs; tests/unit/dag_emit.c has its parts. Names begin with the behaviours they cover.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const folder = temporaryFolder();
const skip = existsSync(native) ? false : 'no native build';
const header = 'target triple = "nvptx64-nvidia-cuda"\n';

const fileOf = (name, text) => {
	const file = join(folder, `${name}.ll`);
	writeFileSync(file, header + text);
	return file;
};
const compile = (name, text, ...options) => {
	const r = ptxscope(['compile', fileOf(name, text), '-o', '-', ...options]);
	assert.equal(r.status, 0, r.stderr);
	return r.stdout;
};

/** A kernel of `count` pointers that reads through the last of them and stores through four others. */
const manyParameters = (count) => {
	const last = count - 1;
	const body = [`  %v = load i32, ptr addrspace(1) %p${last}`, ...[3, 11, 22, 35].map((p) => `  store i32 %v, ptr addrspace(1) %p${p}`)];
	return `define ptx_kernel void @k(${Array.from({ length: count }, (_, i) => `ptr addrspace(1) %p${i}`).join(', ')}) {\n${body.join('\n')}\n  ret void\n}\n`;
};

describe('emission of whole programs', { skip }, () => {
	test('EMIT-37, ST-160: of fifty parameters the five that are used are loaded', () => {
		const mir = compile('fifty', manyParameters(50), '-stop-after=nvptx-isel'), ptx = compile('fifty', manyParameters(50));
		assert.equal(mir.match(/= LD_param/g).length, 5);
		assert.deepEqual(ptx.match(/ld\.param\.b64[^;]*k_param_\d+/g).map((line) => Number(/\d+$/.exec(line)[0])).sort((a, b) => a - b), [3, 11, 22, 35, 49]);
	});

	test('EMIT-39: no register is read that is not declared or not written', () => {
		for (const level of ['-O0', '-O3']) {
			const ptx = compile('fifty', manyParameters(50), level);
			const declared = new Map([...ptx.matchAll(/\.reg \.\w+\s+(%\w+)<(\d+)>/g)].map(([, prefix, n]) => [prefix, Number(n)]));
			const body = ptx.slice(ptx.indexOf('// %bb.0'));
			const used = new Set([...body.matchAll(/(%[a-z]+)(\d+)/g)].map(([, prefix, n]) => `${prefix} ${n}`));
			assert.ok(used.size > 0);
			for (const register of used) {
				const [prefix, n] = register.split(' ');
				assert.ok(Number(n) >= 1 && Number(n) < declared.get(prefix), `${prefix}${n} at ${level}`);
				assert.match(body, new RegExp(`\\t[^\\n]*? \\t?${prefix}${n}, `), `${prefix}${n} is written at ${level}`);
			}
		}
	});

	test('EMIT-47: dead parameters are no register pressure', () => {
		const trace = (count) => {
			const file = join(folder, 'trace.json');
			compile(`pressure${count}`, manyParameters(count), `--trace=${file}`);
			return JSON.parse(readFileSync(file, 'utf8')).passes.find(({ id, function: f }) => id === 'nvptx-isel' && f === 'k').pressure;
		};
		const many = trace(60);
		assert.deepEqual(many, trace(37));
		assert.equal(many.r64, 1);
		assert.equal(many.r32, 1);
	});

	test('EMIT-18: an atomic that the target lacks is a compare-and-swap loop with the right results', () => {
		const text = `define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = sitofp i32 %t to float
  %x = atomicrmw fmax ptr addrspace(1) %p, float %f monotonic
  %q = getelementptr float, ptr addrspace(1) %p, i32 1
  %y = atomicrmw fmin ptr addrspace(1) %q, float %f monotonic
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`;
		const launch = join(folder, 'atomic.launch.json');
		writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [2, 1, 1], block: [64, 1, 1], args: [{ buffer: 'p' }],
			buffers: { p: { type: 'f32', count: 2, init: { kind: 'values', values: [-1, 5000] } } } }));
		const file = fileOf('atomic', text);
		assert.equal(compile('atomic', text).match(/atom[.\w]*cas\.b32/g).length, 2);
		for (const level of ['ir', 'mir', 'ptx']) {
			const r = ptxscope(['run', file, `--launch=${launch}`, `--level=${level}`, '--json']);
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(JSON.parse(r.stdout).buffers.p.values, [63, 0], level);
		}
	});

	test('EMIT-19: the dump of a block says which nodes are divergent', () => {
		const dag = compile('divergent', `define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = xor i32 %t, %n
  %y = mul i32 %b, %n
  store i32 %x, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %y, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
`, '--emit=dag');
		const built = dag.slice(0, dag.indexOf('combined:'));
		assert.match(built, /= xor .*# D:1/);
		assert.match(built, /= mul (?!.*# D:1)/);
	});

	test('EMIT-05: a load that nothing reads leaves unless it is volatile', () => {
		const loads = (how) => compile('unread', `define ptx_kernel void @k(ptr addrspace(1) %p) {\n  %v = load ${how} i32, ptr addrspace(1) %p\n  ret void\n}\n`, '-O0', '-stop-after=nvptx-isel').match(/LDV?_|= LD/g)?.length ?? 0;
		assert.equal(loads('volatile') - loads(''), 2);
	});

	test('EMIT-43: the dump of a block ends with what fourteen phases did', () => {
		const dag = compile('phases', manyParameters(37), '--emit=dag'), report = dag.slice(dag.indexOf('Emission of k:bb.0:'));
		const counts = [...report.matchAll(/^  (\d+) (.*): (\d+)$/gm)];
		assert.deepEqual(counts.map(([, n]) => Number(n)), Array.from({ length: 14 }, (_, i) => i + 1));
		const count = (word) => Number(counts.find(([, , text]) => text.startsWith(word))[3]);
		assert.equal(count('memory records'), 10); // five parameters, one load, four stores
		assert.equal(count('results given'), 6);
		assert.equal(count('instructions of the generic path'), 11); // and Return
	});

	test('EMIT-49: an unused parameter is not copied, a used one is', () => {
		const mir = compile('unused', 'define void @f(i32 %a, i32 %b, ptr %p) {\n  store i32 %b, ptr %p\n  ret void\n}\n', '-O0', '-stop-after=nvptx-isel');
		assert.doesNotMatch(mir, /f_param_0/);
		assert.match(mir, /f_param_1/);
	});

	test('EMIT-16: warp instructions of old run as the new ones', () => {
		const text = `define i32 @f(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.nvvm.shfl.down.i32(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}
declare i32 @llvm.nvvm.shfl.down.i32(i32, i32, i32)
`;
		assert.match(compile('shfl', text, '-mcpu=sm_90'), /activemask\.b32 \t(%r\d+);\n\tshfl\.sync\.down\.b32 \t%r\d+, %r\d+, %r\d+, %r\d+, \1;/);
		assert.match(compile('shfl', text, '-mcpu=sm_50'), /\tshfl\.down\.b32/);
	});

	test('ST-008: the passes around selection stand in their order', () => {
		const ids = JSON.parse(ptxscope(['passes', '--json']).stdout).map(({ id }) => id);
		const at = ['nvptx-lower-args', 'alloca-hoisting', 'nvptx-isel', 'finalize-isel', 'nvptx-proxy-reg-erasure'].map((id) => ids.indexOf(id));
		assert.ok(at.every((place) => place >= 0));
		assert.deepEqual(at, [...at].sort((a, b) => a - b));
	});
});
