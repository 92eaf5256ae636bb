// Long blocks are selected piece by piece: with limits so small that every block is cut, every stage of every kernel computes what
// its IR computes, the machine code is sound after each pass, and ptxas takes the PTX.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { oneBlock } from './bench/generate.mjs';
import { agreement, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const folder = join(root, 'tests/kernels');
const kernels = readdirSync(folder).filter((f) => f.endsWith('.ll')).map((f) => f.slice(0, -3)).sort();
const launchOf = (kernel) => join(folder, `${kernel.replace(/\.O0$/, '')}.launch.json`);

for (const limit of [1, 2, 3, 7])
	describe(`pieces of ${limit}`, () => {
		for (const kernel of kernels)
			test(kernel, () => {
				const file = join(folder, `${kernel}.ll`), option = `-isel-piece-limit=${limit}`;
				for (const level of ['-O3', '-O0']) {
					const r = ptxscope(['check', file, `--launch=${launchOf(kernel)}`, '-mcpu=sm_90', level, option]);
					assert.equal(r.stderr, '');
					assert.match(r.stdout, agreement(kernel));
				}
				const r = ptxscope(['compile', file, '-mcpu=sm_90', '-verify-machineinstrs', option, '-o', '/dev/null']);
				assert.equal(r.stderr, '');
				assert.equal(r.status, 0);
			});
	});

describe('PTX of pieces', { skip: ptxas ? false : 'ptxas is not installed' }, () => {
	for (const limit of [1, 3])
		test(`of ${limit} assembles`, () => {
			const out = temporaryFolder();
			for (const kernel of kernels) {
				const { status, stdout, stderr } = ptxscope(['compile', join(folder, `${kernel}.ll`), '-mcpu=sm_90', '-mattr=+ptx80', `-isel-piece-limit=${limit}`, '-o', '-']);
				assert.equal(status, 0, stderr);
				writeFileSync(join(out, 'k.ptx'), stdout);
				const a = spawnSync(ptxas, ['-arch=sm_90', '-c', '-o', '/dev/null', join(out, 'k.ptx')], { encoding: 'utf8' });
				assert.equal(a.status, 0, `${kernel}: ${a.stdout}${a.stderr}`);
			}
		});
});

describe('a block of 9,000 instructions', () => {
	/* A chain through all of it, a store and an ordered load in each step. */
	const steps = Array.from({ length: 3000 }, (_, i) =>
		`  %a${i + 1} = add i32 %a${i}, ${i * 7 + 1}\n  store volatile i32 %a${i + 1}, ptr addrspace(1) %p\n  %v${i} = load volatile i32, ptr addrspace(1) %p\n`).join('');
	const source = `target triple = "nvptx64-nvidia-cuda"\ndefine void @f(ptr addrspace(1) %p, i32 %a0) {\n${steps}  store i32 %v0, ptr addrspace(1) %p\n  ret void\n}\n`;
	const file = join(temporaryFolder(), 'long.ll');
	writeFileSync(file, source);
	const dag = (...options) => ptxscope(['compile', file, '--emit=dag', ...options, '-o', '-']).stdout;
	const memory = (...options) => ptxscope(['compile', file, ...options, '-o', '-']).stdout.split('\n').filter((l) => /\b(ld|st)\.volatile/.test(l)).map((l) => l.trim().split(/\s/)[0]);

	test('is cut, and the graphs say so', () => {
		const titles = dag().match(/^SelectionDAG of f:bb.0.*$/gm), n = titles.length / 7;
		assert.ok(n >= 2 && n <= 9, `${n} pieces`);
		assert.equal(titles[0], `SelectionDAG of f:bb.0, piece 1, built:`);
		assert.equal(titles.at(-1), `SelectionDAG of f:bb.0, piece ${n}, scheduled:`);
		assert.match(dag('-isel-piece-limit=0'), /^SelectionDAG of f:bb.0, built:/);
	});
	test('keeps its memory accesses in order', () => {
		const whole = memory('-isel-piece-limit=0');
		assert.equal(whole.length, 6000);
		assert.deepEqual(memory(), whole);
		assert.deepEqual(memory('-isel-piece-limit=5'), whole);
	});
	test('is cut where few values are alive: one register is carried over each border', () => {
		const copied = ptxscope(['compile', file, '-stop-after=nvptx-isel', '-o', '-']).stdout.match(/= COPY /g) ?? [];
		assert.ok(copied.length <= 2, `${copied.length} copies`);
	});
});

describe('a block of 20,000 instructions that share 500 addresses', () => {
	const file = join(temporaryFolder(), 'addresses.ll');
	writeFileSync(file, oneBlock(20000, 500));
	const registers = (...options) => {
		const mir = ptxscope(['compile', file, '-stop-after=nvptx-isel', ...options, '-o', '-']).stdout;
		return { sums: mir.match(/= ADDs64ri /g) ?? [], stores: mir.match(/ST_global_b32 /g) };
	};
	test('no register carries an address from piece to piece', () => {
		const { sums, stores } = registers();
		assert.equal(stores.length, 1000);
		assert.deepEqual(sums, []);
	});
	test('nothing is spilled', () => {
		const ptx = ptxscope(['compile', file, '-o', '-']).stdout;
		assert.match(ptx, /st\.global/);
		assert.doesNotMatch(ptx, /\.local/);
	});
});
