// Register allocation under a budget: every kernel within every budget, what is spilled and where, which allocator runs, and what
// is said where no code can keep within the budget.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { program } from './fuzz/kernels.mjs';
import { agreement, native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const folder = join(root, 'tests/kernels');
const kernels = readdirSync(folder).filter((f) => f.endsWith('.ll')).map((f) => f.slice(0, -3)).sort();
const launchOf = (kernel) => join(folder, `${kernel.replace(/\.O0$/, '')}.launch.json`);
const heavy = join(folder, 'matmul_regblock.ll');
const compile = (file, ...options) => ptxscope(['compile', file, '-mcpu=sm_90', ...options, '-o', '-']);
const count = (text, word) => text.split(word).length - 1;

/** A kernel in which `n` loaded numbers are live at once. */
function wide(n) {
	const file = join(temporaryFolder(), `wide${n}.ll`);
	const each = (f) => Array.from({ length: n }, (_, k) => f(k)).join('');
	writeFileSync(file, `define ptx_kernel void @k(ptr addrspace(1) %p) {\n${each((k) => `  %g${k} = getelementptr i32, ptr addrspace(1) %p, i64 ${k}\n  %v${k} = load volatile i32, ptr addrspace(1) %g${k}\n`)}${each((k) => `  store volatile i32 %v${k}, ptr addrspace(1) %g${n - 1 - k}\n`)}  ret void\n}\n`);
	return file;
}

/** The ids of the passes that ran. */
function steps(file, ...options) {
	const trace = join(temporaryFolder(), 'trace.json');
	assert.equal(compile(file, `--trace=${trace}`, ...options).status, 0);
	return JSON.parse(readFileSync(trace, 'utf8')).passes.map(({ id }) => id);
}

describe('STOCK-11: kernels compute the same within any budget, and keep within it', { skip }, () => {
	for (const kernel of kernels)
		test(kernel, () => {
			for (const [budget, ...options] of [[8], [24], [12, '-optimize-regalloc=0'], [16, '-O0']]) {
				const check = (n) => ptxscope(['check', join(folder, `${kernel}.ll`), `--launch=${launchOf(kernel)}`, '-mcpu=sm_90', `-maxreg=${n}`, ...options, '-verify-machineinstrs', '--check-claims']);
				const first = check(budget), least = /needs (\d+) registers of file R at once/.exec(first.stderr);
				const r = least ? check(least[1]) : first; /* products of matrices need more than 8 */
				assert.equal(r.stderr, '', `${budget} ${options}`);
				assert.match(r.stdout, agreement(kernel));
			}
		});
	test('random kernels', { skip: existsSync(program) ? false : 'no fuzz-kernels' }, () => {
		for (const option of ['-maxreg=8', '-maxreg=13']) {
			const r = spawnSync(program, ['--seed=11', '--count=25', `--with=${option}`, `--save=${temporaryFolder()}`], { encoding: 'utf8' });
			assert.equal(r.status, 0, r.stdout);
			assert.match(r.stdout, /25 kernels, 0 failed, 0 not supported/);
		}
	});
});

describe('greedy in a compilation', { skip }, () => {
	test('STOCK-11: a pressure of 80 spills for 70 registers, as little as that, and not for 255', () => {
		const file = wide(78); /* and the address */
		const { stdout, stderr } = compile(file, '-maxreg=70', '-verify-machineinstrs', '-pass-remarks=greedy');
		assert.match(stderr, /for a budget of 70 registers \(-maxreg=70\): stores \d+, reloads \d+/);
		const [, stores, reloads] = /: stores (\d+), reloads (\d+)/.exec(stderr).map(Number);
		assert.ok(stores >= 8 && stores <= 12 && reloads >= 8 && reloads <= 12, `${stores} ${reloads}`);
		assert.equal(count(stdout, 'st.local'), stores);
		assert.equal(count(compile(file, '-maxreg=255').stdout, '.local'), 0);
		assert.equal(count(compile(file).stdout, '.local'), 0);
	});
	test('PTXC-02: values that are spilled move through slots of the local depot', () => {
		const { stdout } = compile(heavy, '-maxreg=32');
		assert.match(stdout, /st\.local\.b32 \t?\[%SPL\+\d+\], %r\d+;/);
		assert.match(stdout, /ld\.local\.b32 \t?%r\d+, \[%SPL\+\d+\];/);
		assert.match(stdout, /\.local \.align \d+ \.b8 \t?__local_depot0\[\d+\];/);
		assert.doesNotMatch(stdout, /%rsp/);
	});
	test('PIPE-05: -O0 runs regallocfast, and neither greedy nor the optional passes around it', () => {
		const at0 = steps(heavy, '-O0'), at2 = steps(heavy, '-O2');
		assert.ok(at0.includes('regallocfast') && !at0.includes('greedy') && at2.includes('greedy') && !at2.includes('regallocfast'));
		for (const id of ['nvptx-remat-block', 'stack-slot-coloring', 'nvptx-mem2reg', 'branch-folder'])
			assert.ok(!at0.includes(id) && at2.includes(id), id);
	});
	test('PIPE-19: optimize-regalloc=false takes the fast path at -O2', () => {
		const ids = steps(heavy, '-O2', '-optimize-regalloc=false');
		assert.ok(ids.includes('regallocfast') && !ids.includes('greedy'));
		assert.match(compile(heavy, '-O2', '-optimize-regalloc=false', '-maxreg=32').stdout, /st\.local/);
	});
	test('STOCK-18: the list has one greedy, by whatever name it is asked for', () => {
		const passes = JSON.parse(ptxscope(['passes', '--json']).stdout);
		assert.deepEqual(passes.filter(({ id }) => id === 'greedy').map(({ built, title }) => [built, title]), [[true, 'Greedy Register Allocator']]);
		assert.equal(compile(heavy, '-stop-after=greedy', '-maxreg=32').stdout, compile(heavy, '-stop-after=greedy,0', '-maxreg=32').stdout);
	});
	test('a value that can be computed from nothing is computed again and not stored', () => {
		const file = join(temporaryFolder(), 'again.ll');
		const each = (f) => Array.from({ length: 12 }, (_, k) => f(k)).join('');
		writeFileSync(file, `define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {\n  store volatile i32 %n, ptr addrspace(1) %p\n${each((k) => `  %v${k} = load volatile i32, ptr addrspace(1) %p\n`)}${each((k) => `  store volatile i32 %v${k}, ptr addrspace(1) %p\n`)}  store volatile i32 %n, ptr addrspace(1) %p\n  ret void\n}\n`);
		const { stdout, stderr } = compile(file, '-maxreg=14', '-pass-remarks=greedy');
		assert.match(stderr, /%\d+ is computed again 1 time, where there is no room to keep it/);
		assert.equal(count(stdout, 'ld.param.b32'), 2);
		assert.equal(count(stdout, '.local'), 0);
	});
	test('directives of a kernel are a budget as well', () => {
		const file = wide(80), bounded = join(temporaryFolder(), 'bounded.ll');
		writeFileSync(bounded, readFileSync(file, 'utf8').replace('%p) {', '%p) "nvvm.maxntid"="1024" {'));
		const { stdout, stderr } = compile(bounded, '-pass-remarks=greedy', '-verify-machineinstrs');
		assert.match(stderr, /for a budget of 64 registers \(\.maxntid 1024, 1, 1 on Hopper\)/);
		assert.match(stdout, /st\.local/);
	});
	test('a budget that one instruction alone exceeds is an error that names it', () => {
		const file = join(temporaryFolder(), 'mma.ll');
		writeFileSync(file, 'declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32, i32, i32, i32, i32, i32, float, float, float, float)\n'
			+ 'define ptx_kernel void @k(ptr addrspace(1) %p, i32 %a, float %c) {\n'
			+ '  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %a, i32 1, i32 2, i32 3, i32 4, i32 5, float %c, float 1.0, float 2.0, float 3.0)\n'
			+ '  %x = extractvalue { float, float, float, float } %r, 0\n  store float %x, ptr addrspace(1) %p\n  ret void\n}\n');
		const { status, stderr } = compile(file, '-maxreg=8');
		assert.equal(status, 1);
		assert.match(stderr, /mma\.ll:3:\d+: error: in 'k': 'mma\.\S+' of bb\.0 needs 10 registers of file R at once, and the budget is 8 \(-maxreg=8\)/);
		assert.match(stderr, /no spilling helps/);
		assert.equal(compile(file, '-maxreg=10', '-verify-machineinstrs').status, 0);
	});
});
