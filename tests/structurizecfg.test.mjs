// structurizecfg over whole kernels: the same results in every mode, at every level; no machine pass undoes it.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { complaints } from './tools/launch.mjs';
import { hosts, ptxscope } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const folder = join(root, 'tests/kernels');
const kernels = readdirSync(folder).filter((f) => f.endsWith('.ll')).map((f) => f.slice(0, -3)).sort();
const launchOf = (kernel) => join(folder, `${kernel.replace(/\.O0$/, '')}.launch.json`);

describe('structurizecfg', { skip: hosts[0].skip }, () => {
	for (const kernel of kernels)
		test(`CFG-01, CFG-02: ${kernel} computes the same in every mode`, () => {
			const launch = JSON.parse(readFileSync(launchOf(kernel), 'utf8'));
			for (const mode of ['strict', 'off'])
				for (const level of ['-O0', '-O3']) {
					const { status, stdout, stderr } = ptxscope(['run', join(folder, `${kernel}.ll`), `--launch=${launchOf(kernel)}`, '-mcpu=sm_90', '--json', `-structurizecfg-mode=${mode}`, level]);
					assert.equal(status, 0, stderr);
					assert.deepEqual(complaints(launch, JSON.parse(stdout)), []);
				}
		});

	test('CFG-04: it runs before selection at every level', () => {
		const passes = JSON.parse(ptxscope(['passes', '--json']).stdout);
		const at = (id) => passes.findIndex((p) => p.id === id);
		assert.ok(at('structurizecfg') >= 0 && at('structurizecfg') < at('nvptx-isel'));
		assert.deepEqual(passes[at('structurizecfg')].at, { O0: true, O1: true, O2: true, O3: true });
	});

	for (const mode of ['reducible', 'strict'])
		test(`PTXC-04: no machine pass makes a kernel irreducible (${mode})`, () => {
			for (const kernel of kernels)
				for (const level of ['-O1', '-O3']) {
					const { status, stderr } = ptxscope(['compile', join(folder, `${kernel}.ll`), '-o', '-', '-mcpu=sm_90', '-verify-machineinstrs', `-structurizecfg-mode=${mode}`, level]);
					assert.equal(status, 0, `${kernel} ${level}: ${stderr}`);
				}
		});
});
