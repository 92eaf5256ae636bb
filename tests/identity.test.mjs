// One input, one output: two runs agree, native and WebAssembly agree byte for byte, and ptxas takes every result.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { load } from '../wasm/index.js';
import { examples, native, ptxas, ptxscope, temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { Random } from './tools/random.mjs';
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

/** Of each input, what -O3 and one other level, in turn, make of it: { level, args, result }. */
const compiled = new Map();
function compilations(file) {
	if (!compiled.has(file))
		compiled.set(file, ['-O3', levels[files.indexOf(file) % 3]].map((level) => {
			const args = ['compile', file, level, '-mcpu=sm_90', '-o', '-'];
			return { level, args, result: ptxscope(args) };
		}));
	return compiled.get(file);
}

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

// Each function goes through all steps before the next one starts where nobody looks at stages, all functions through each step
// where somebody does: the order of execution may not show.
describe('watched and unwatched compilations agree', { skip }, () => {
	const trace = join(temporaryFolder(), 'trace.json');
	for (const file of files)
		test(relative(root, file), () => {
			for (const { level, args, result: alone } of compilations(file)) {
				const watched = ptxscope([...args, `--trace=${trace}`]);
				assert.equal(alone.status, watched.status, alone.stderr);
				assert.equal(alone.stdout, watched.stdout, level);
				assert.equal(alone.stderr, watched.stderr, level);
			}
		});
});

/** A module of functions that call each other in any direction: of all linkages, with plain and aligned parameters, variables of their own. */
function callingModule(r) {
	const n = 2 + r.below(8), types = ['i32', 'i64', 'float', 'i8', 'ptr addrspace(1)', ...r.chance(0.3) ? ['{ i32, i64 }', '<4 x float>', 'ptr', 'i128'] : []];
	const functions = Array.from({ length: n }, (_, k) => ({
		name: r.chance(0.2) ? `"f.${k}"` : `f${k}`, type: r.pick(types), linkage: r.pick(['', '', 'internal ', 'private ', 'linkonce_odr ', 'weak ']),
	}));
	let text = `target triple = "nvptx64-nvidia-cuda"\n@"odd$name" = ${r.pick(['', 'internal '])}addrspace(1) global i32 1\n@"odd name" = addrspace(1) global i32 2\n@own = internal addrspace(3) global [8 x i32] undef\n`;
	text += `@cell = internal addrspace(1) global ${r.pick(['ptr', 'i64', '{ i32, ptr addrspace(1) }'])} zeroinitializer\ndeclare i32 @outside(i32)\n`;
	for (const { name, type, linkage } of functions) {
		text += `define ${linkage}i32 @${name}(${type} %v, i32 %d) {\n  %z = icmp eq i32 %d, 0\n  br i1 %z, label %last, label %more\nmore:\n  %e = sub i32 %d, 1\n`;
		const sums = ['%d'];
		for (let i = r.below(3); i > 0; i--) {
			const callee = r.pick(functions);
			text += `  %r${i} = call i32 @${callee.name}(${callee.type} ${callee.type === type ? '%v' : 'undef'}, i32 %e)\n`;
			sums.push(`%r${i}`);
		}
		if (r.chance(0.2)) {
			text += `  %o = call i32 @outside(i32 %e)\n`;
			sums.push('%o');
		}
		if (r.chance(0.2)) {
			text += `  %q = load i32, ptr addrspace(3) @own\n  store i32 %d, ptr addrspace(3) @own\n  store i32 %e, ptr addrspace(1) @"odd$name"\n`;
			sums.push('%q');
		}
		if (r.chance(0.15)) {
			text += `  %c = load ptr, ptr addrspace(1) @cell\n  %w = load i32, ptr %c\n`;
			sums.push('%w');
		}
		if (r.chance(0.1))
			text += `  %g = addrspacecast ptr addrspace(3) @own to ptr\n  store ptr %g, ptr addrspace(1) @cell\n`;
		if (r.chance(0.1))
			text += `  store ptr @${r.pick(functions).name}, ptr addrspace(3) @own\n`;
		sums.reduce((a, b, i) => (text += `  %s${i} = xor i32 ${a}, ${b}\n`, `%s${i}`), '%e');
		text += `  ret i32 %s${sums.length - 1}\nlast:\n  ret i32 7\n}\n`;
	}
	for (const k of [0, 1]) {
		const { name, type } = r.pick(functions);
		text += `define ptx_kernel void @k${k}(ptr addrspace(1) %p, i32 %n) {\n  %r = call i32 @${name}(${type} undef, i32 %n)\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n}\n`;
	}
	return text;
}

describe('modules of functions that call each other', { skip }, () => {
	const folder = temporaryFolder(), file = join(folder, 'm.ll'), trace = join(folder, 'trace.json');
	test('are the same function by function and stage by stage, warnings too', () => {
		for (let seed = 1; seed <= 100; seed++) {
			writeFileSync(file, callingModule(new Random(seed)));
			for (const level of ['-O0', '-O3']) {
				const args = ['compile', file, level, '-mcpu=sm_90', '-o', '-'];
				const [alone, watched] = [ptxscope(args), ptxscope([...args, `--trace=${trace}`])];
				assert.equal(alone.status, 0, alone.stderr);
				assert.equal(alone.stdout, watched.stdout, `seed ${seed} ${level}`);
				assert.equal(alone.stderr, watched.stderr, `seed ${seed} ${level}`);
				assert.match(alone.stderr, /warning/);
			}
		}
	});
	test('report the same, whichever steps their functions fail at', () => {
		const bodies = [
			'  ret void', '  %r = call i32 @__nvvm_reflect(ptr %p)\n  store i32 %r, ptr %p\n  ret void', // an IR pass refuses it
			'  call void @llvm.nvvm.cp.async.wait.all()\n  ret void', // selection refuses it below sm_80
			'  %x = call i32 asm "two words", "=l"(i32 0)\n  ret void', '  %s = load ptr addrspace(101), ptr %p\n  %g = addrspacecast ptr addrspace(101) %s to ptr\n  store ptr %g, ptr %p\n  ret void', // a warning below sm_70
			'  %y = add i32 %nobody, 1\n  ret void', '  %z = add i33 1, 1\n  %z = add i32 1, 1\n  ret void', // errors of the text
			'  %a = trunc i8 1 to i32\n  ret void', // the verifier refuses it
		];
		const empty = ', {} %e'; // the printer refuses it
		const seen = new Set();
		for (let seed = 1; seed <= 150; seed++) {
			const r = new Random(seed), likely = seed % 3 ? 5 : bodies.length;
			let text = 'target triple = "nvptx64-nvidia-cuda"\n@"odd name" = addrspace(1) global i32 2\ndeclare i32 @__nvvm_reflect(ptr)\ndeclare void @llvm.nvvm.cp.async.wait.all()\n';
			for (let k = 2 + r.below(6); k > 0; k--)
				text += `define ptx_kernel void @f${k}(ptr byval(i64) %v, ptr %p${seed % 2 && r.chance(0.3) ? empty : ''}) {\n${bodies[r.chance(0.5) ? 0 : r.below(likely)]}\n}\n`;
			writeFileSync(file, text);
			const args = ['compile', file, '-mcpu=sm_50', '-o', '-'], [alone, watched] = [ptxscope(args), ptxscope([...args, `--trace=${trace}`])];
			assert.deepEqual(alone, watched, `seed ${seed}`);
			for (const [, kind] of alone.stderr.matchAll(/(?:error|warning): .*?(reflect|wait.all|cvta.param|nobody|two words|is defined|trunc|empty parameter|odd name)/g))
				seen.add(kind);
		}
		assert.ok(seen.size >= 8, [...seen].join(', '));
	});
	test('a step that is not reached finds no errors, and none are counted', () => {
		const failing = 'define void @f(ptr addrspace(1) %p) {\n  %r = call i32 @__nvvm_reflect(ptr null)\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n}\n';
		const later = (k) => `define void @g${k}() {\n  call void @llvm.nvvm.cp.async.wait.all()\n  ret void\n}\n`;
		writeFileSync(file, `declare i32 @__nvvm_reflect(ptr)\ndeclare void @llvm.nvvm.cp.async.wait.all()\n${failing}${Array.from({ length: 30 }, (_, k) => later(k)).join('')}`);
		const args = ['compile', file, '-mcpu=sm_50', '-o', '-'], alone = ptxscope(args);
		assert.equal(alone.stderr.match(/error:/g).length, 1);
		assert.doesNotMatch(alone.stderr, /not shown/);
		assert.deepEqual(alone, ptxscope([...args, `--trace=${trace}`]));
	});
	test('have the same remarks in the same order', () => {
		for (let seed = 1; seed <= 20; seed++) {
			const loop = (k) => `define i32 @loop${k}(i32 %n) {\nentry:\n  br label %l\nl:\n  %i = phi i32 [0, %entry], [%j, %l]\n  %j = add i32 %i, ${k}\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %l, label %e\ne:\n  ret i32 %i\n}\n`;
			writeFileSync(file, callingModule(new Random(seed)) + loop(1) + loop(2));
			const args = ['compile', file, '-mcpu=sm_90', '-o', '-', '-pass-remarks=.'];
			const [alone, watched] = [ptxscope(args), ptxscope([...args, `--trace=${trace}`])];
			assert.match(alone.stderr, /\[-pass-remarks=nvptx-isel\] in function loop2\n[^]*\[-pass-remarks=register-coalescer\] in function loop1\n/);
			assert.deepEqual(alone, watched, `seed ${seed}`);
		}
	});
	test('an error of every function is reported, not of the first alone', () => {
		const one = (k) => `define void @f${k}(ptr %p) {\n  %r = call i32 @__nvvm_reflect(ptr %p)\n  store i32 %r, ptr %p\n  ret void\n}\n`;
		writeFileSync(file, `declare i32 @__nvvm_reflect(ptr)\n${one(1)}${one(2)}`);
		assert.equal(ptxscope(['compile', file, '-o', '-']).stderr.match(/error: __nvvm_reflect/g).length, 2);
	});
	test('may name intrinsics that they do not declare', () => {
		const kernel = (name) => `define ptx_kernel void @k(ptr addrspace(1) %p) {\n  %t = call i32 ${name}()\n  store i32 %t, ptr addrspace(1) %p\n  ret void\n}\n`;
		for (const name of ['@llvm.nvvm.read.ptx.sreg.tid.x', '@"llvm.nvvm.read.ptx.sreg.tid.x"']) {
			writeFileSync(file, kernel(name));
			const { status, stdout, stderr } = ptxscope(['compile', file, '-o', '-']);
			assert.equal(status, 0, stderr);
			assert.match(stdout, /%tid\.x/);
		}
	});
	test('take the memory of one function where nothing has to see two at once', () => {
		const one = (k) => `define internal i32 @f${k}(i32 %a, i32 %b) {\n  %x0 = add i32 %a, %b\n${Array.from({ length: 400 }, (_, i) => `  %x${i + 1} = ${['mul', 'xor', 'add', 'sub'][i % 4]} i32 %x${i}, ${i % 3 ? '%a' : '%b'}\n`).join('')}  ${k ? `%r = call i32 @f${k - 1}(i32 %x400, i32 %a)\n  ret i32 %r` : 'ret i32 %x400'}\n}\n`;
		const functions = Array.from({ length: 300 }, (_, k) => one(k)).join('');
		writeFileSync(file, `target triple = "nvptx64-nvidia-cuda"\n${functions}define ptx_kernel void @k(ptr addrspace(1) %p) {\n  %r = call i32 @f299(i32 1, i32 2)\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n}\n`);
		const within = (...options) => ptxscope(['compile', file, '-mcpu=sm_90', '-o', '/dev/null', '-max-memory=8', ...options]);
		assert.equal(within().status, 0);
		assert.match(within('-verify-machineinstrs').stderr, /out of memory/, 'all of them do not fit');
	});
});

describe('native and WebAssembly agree', { skip: skip || (existsSync(wasm) ? false : 'no WebAssembly build') }, async () => {
	let compiler;
	for (const file of files)
		test(relative(root, file), async () => {
			if (!compiler?.alive)
				compiler = await load();
			for (const { level, args, result: one } of compilations(file)) {
				const two = compiler.run(args, { [file]: readFileSync(file) });
				assert.equal(two.status, one.status, two.stderr);
				assert.equal(two.stdout, one.stdout, level);
				assert.equal(two.stderr, one.stderr, level);
			}
		});
	test('PIPE-23: the dumps of all passes and the PTX are the same bytes', async () => {
		compiler ??= await load();
		for (const { file } of examples.slice(0, 6)) {
			const args = ['compile', file, '-O3', '-mcpu=sm_90', '-o', '-', '-print-after-all'];
			const one = ptxscope(args), two = compiler.run(args, { [file]: readFileSync(file) });
			assert.equal(two.stdout, one.stdout);
			assert.equal(two.stderr, one.stderr);
			assert.match(one.stderr, /IR Dump After/);
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
		for (const [level, arch] of [['-O0', 'sm_90'], ['-O3', 'sm_90'], ['-O3', 'sm_80']])
			test(`PRINT-05: ${name} ${level} ${arch}`, () => {
				const { status, stdout, stderr } = ptxscope(['compile', file, `-mcpu=${arch}`, level, '-o', '-', '-verify-machineinstrs']);
				assert.equal(status, 0, stderr);
				const ptx = join(folder, `${name}${level}.ptx`);
				writeFileSync(ptx, stdout);
				const result = spawnSync(ptxas, [`-arch=${arch}`, ptx, '-o', '/dev/null'], { encoding: 'utf8' });
				assert.equal(result.status, 0, `${result.stdout}${result.stderr}\n${stdout}`);
			});
});
