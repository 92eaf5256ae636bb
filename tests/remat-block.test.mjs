// Register budgets, in whole compilations: with any -maxreg every stage of every kernel computes what its IR computes, and
// the knobs that switch nvptx-remat-block do.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
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

/** Whatever can be computed again is, whatever it costs. */
const eager = ['-nv-remat-block=15', '-nv-remat-block-single-cost=1000000', '-nv-remat-block-max-cost=100000000', '-nv-remat-threshold-for-spec-reg=0', '-nv-remat-block-map-size-limit=100'];

describe('BREMAT-24: kernels compute the same within any budget', { skip }, () => {
	for (const kernel of kernels)
		test(kernel, () => {
			for (const budget of kernel === 'wmma_tiles' ? [24, 32] : [8, 32]) {
				const r = ptxscope(['check', join(folder, `${kernel}.ll`), `--launch=${launchOf(kernel)}`, '-mcpu=sm_90', `-maxreg=${budget}`, ...eager, '-verify-machineinstrs', '--check-claims']);
				assert.equal(r.stderr, '');
				assert.match(r.stdout, agreement(kernel));
			}
		});
	test('random kernels', { skip: existsSync(program) ? false : 'no fuzz-kernels' }, () => {
		const r = spawnSync(program, ['--seed=24', '--count=40', '--with=-maxreg=8', `--save=${temporaryFolder()}`], { encoding: 'utf8' });
		assert.equal(r.status, 0, r.stdout);
		assert.match(r.stdout, /40 kernels, 0 failed, 0 not supported/);
	});
});

describe('nvptx-remat-block in a compilation', { skip }, () => {
	const compile = (...options) => ptxscope(['compile', join(folder, 'matmul_regblock.ll'), '-mcpu=sm_90', ...options, '-o', '-']);
	const dumped = (...options) => compile('-nv-dump-remat-block', ...options).stderr;
	test('BREMAT-25: nv-disable-remat and nv-remat-block=0 turn it off', () => {
		assert.match(dumped(), /^Max-Live-Function\(5\) = \d+$/m);
		for (const option of ['-nv-disable-remat', '-nv-remat-block=0', '-O0'])
			assert.equal(dumped(option), '', option);
	});
	test('-maxreg and the directives of a kernel move the target', () => {
		const said = (options, file) => ptxscope(['compile', file, '-mcpu=sm_90', '-pass-remarks=nvptx-remat-block', ...options, '-o', '-']).stderr;
		const plain = join(folder, 'vecadd_gridstride.ll');
		assert.match(said([], plain), /the target of 70 \(nv-remat-default-max-reg/);
		assert.match(said(['-maxreg=24'], plain), /the target of 24 \(-maxreg=24\)/);
		const bounded = join(temporaryFolder(), 'bounded.ll');
		writeFileSync(bounded, 'define ptx_kernel void @k() "nvvm.maxntid"="1024" "nvvm.minctasm"="2" {\n  ret void\n}\n');
		assert.match(said(['-nv-remat-block=15'], bounded), /the target of 32 \(\.maxntid 1024, 1, 1 and \.minnctapersm 2 on Hopper\)/);
	});
});
