// What the passes that place stack objects leave behind, over the kernels of tests/kernels and examples, and when they run.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const kernels = ['tests/kernels', 'examples'].flatMap((folder) =>
	readdirSync(join(root, folder)).filter((name) => name.endsWith('.ll')).sort().map((name) => join(root, folder, name)));
const withFrame = join(root, 'tests/mirpass/stack-coloring.ll');

function compile(file, ...options) {
	const { status, stdout, stderr } = ptxscope(['compile', file, '-mcpu=sm_90', ...options, '-o', '-']);
	assert.equal(status, 0, `${file} ${options.join(' ')}\n${stderr}`);
	return stdout;
}

/** The ids of the passes that ran, in order. */
function steps(file, ...options) {
	const trace = join(temporaryFolder(), 'trace.json');
	compile(file, `--trace=${trace}`, ...options);
	return JSON.parse(readFileSync(trace, 'utf8')).passes.map(({ id }) => id);
}

const before = (ids, a, b) => assert.ok(ids.includes(a) && ids.includes(b) && ids.lastIndexOf(a) < ids.indexOf(b), `${a} before ${b}: ${ids.join(' ')}`);

describe('frames', { skip }, () => {
	for (const level of ['-O0', '-O1', '-O2', '-O3'])
		test(`PEI-12, PROXY-05: at ${level} neither stack objects nor proxies reach the printer`, () => {
			let proxies = 0, objects = 0;
			for (const file of kernels) {
				const selected = compile(file, level, '--stop-after=nvptx-isel'), last = compile(file, level, '--stop-before=asm-printer', '-verify-machineinstrs');
				proxies += / ProxyReg /.test(selected);
				objects += /%stack\.\d/.test(selected);
				assert.doesNotMatch(last, / ProxyReg |%stack\.\d|LIFETIME_/, file);
			}
			assert.ok(proxies && objects, 'some of them have proxies and stack objects');
		});

	test('PROXY-06: proxies are erased behind frame layout', () => {
		before(steps(withFrame), 'prologepilog', 'nvptx-proxy-reg-erasure');
		before(steps(withFrame), 'nvptx-prolog-epilog', 'nvptx-proxy-reg-erasure');
	});

	test('M2R-10: nvptx-mem2reg runs behind register allocation, in front of frame layout', () => {
		for (const level of ['-O1', '-O2', '-O3']) {
			const ids = steps(withFrame, level);
			before(ids, 'register-coalescer', 'nvptx-mem2reg');
			before(ids, 'stack-slot-coloring', 'nvptx-mem2reg');
			before(ids, 'nvptx-mem2reg', 'prologepilog');
		}
		assert.ok(!steps(withFrame, '-O0').includes('nvptx-mem2reg'));
		const { summary, group } = JSON.parse(ptxscope(['passes', '--json']).stdout).find(({ id }) => id === 'nvptx-mem2reg');
		assert.equal(group, 'ra');
		assert.match(summary, /table has it under Pre-RA/);
	});

	test('PIPE-13: -nv-disable-mem2reg takes nvptx-mem2reg out of the pipeline, -disable-ssc stack-slot-coloring', () => {
		const ids = steps(withFrame, '-nv-disable-mem2reg', '-disable-ssc');
		assert.ok(!ids.includes('nvptx-mem2reg') && !ids.includes('stack-slot-coloring') && ids.includes('prologepilog'), ids.join(' '));
	});

	test('STOCK-17: behind localstackalloc and the other passes on stack objects the verifier finds nothing', () => {
		const all = ['stack-coloring', 'localstackalloc', 'stack-slot-coloring', 'nvptx-mem2reg', 'prologepilog'];
		for (const file of [...kernels, withFrame])
			compile(file, '-verify-machineinstrs', '--check-claims');
		for (const pass of all)
			assert.ok(steps(withFrame).includes(pass), pass);
	});
});
