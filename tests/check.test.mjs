// `check`: every stage of every kernel computes what its IR computes; a pass made wrong is named.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { agreement, hosts, ptxscope } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const folder = join(root, 'tests/kernels');
const kernels = readdirSync(folder).filter((f) => f.endsWith('.ll')).map((f) => f.slice(0, -3)).sort();
const launchOf = (kernel) => join(folder, `${kernel.replace(/\.O0$/, '')}.launch.json`);
const check = (run, kernel, ...options) => run(['check', join(folder, `${kernel}.ll`), `--launch=${launchOf(kernel)}`, '-mcpu=sm_90', ...options]);

describe('check (native)', () => {
	for (const kernel of kernels)
		for (const level of ['-O3', '-O0'])
			test(`${kernel} ${level}`, () => {
				const r = check(ptxscope, kernel, level);
				assert.equal(r.stderr, '');
				assert.match(r.stdout, agreement(kernel));
			});
});

for (const { host, run, skip } of hosts)
	describe(`a pass made wrong (${host})`, { skip }, () => {
		test('is named, with the element and the thread', () => {
			const r = check(run, 'collatz', '--break-after=dce', '--json');
			assert.equal(r.status, 1);
			const report = JSON.parse(r.stdout);
			assert.equal(report.ok, false);
			assert.equal(report.pass, 'dce');
			assert.equal(report.level, 'ir');
		});
		test('on machine code, too', () => {
			const r = check(run, 'vecadd_gridstride', '--break-after=phi-node-elimination', '--json');
			assert.equal(r.status, 1);
			assert.equal(JSON.parse(r.stdout).pass, 'phi-node-elimination');
			assert.equal(JSON.parse(r.stdout).level, 'mir');
		});
		test('says which element differs and who wrote it', () => {
			const seen = kernels.filter((k) => !/libdevice|tex_surf/.test(k)).slice(0, 8).map((k) => check(run, k, '--break-after=dce').stderr).join('');
			assert.match(seen, /after dce \(.*\) the kernel computes something else: buffer \w+ differs first at element \d+: .*, .* before; thread \(\d+,\d+,\d+\) of block \(\d+,\d+,\d+\) wrote it, at line \d+/);
		});
	});
