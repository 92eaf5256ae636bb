// Rematerialisation on IR, and what the passes next to cssa leave for cssa to copy.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ptxscope } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const sinking = join(root, 'tests/opt/sinking2-definitions.ll');
const remat = join(root, 'tests/opt/nvvm-remat.ll');

/** Producer and consumer copies that cssa makes in each function. */
function copies(...options) {
	const { status, stderr } = ptxscope(['compile', remat, '-cssa-verbosity=1', '-cssa-coalesce=0', ...options, '-o', '-']);
	assert.equal(status, 0, stderr);
	return new Map([...stderr.matchAll(/^cssa (\w+): .* (\d+) producer copies, (\d+) consumer copies/gm)].map(([, name, a, b]) => [name, Number(a) + Number(b)]));
}

const recomputed = (...options) => ptxscope(['compile', remat, '--stop-before=sinking2', ...options, '-o', '-']).stdout;

describe('nvvm-remat', () => {
	test('REMAT-01: cssa makes fewer copies of phis whose inputs are recomputed', () => {
		const with_ = copies(), without = copies('-nv-disable-remat');
		for (const name of ['counter', 'in_front'])
			assert.ok(with_.get(name) < without.get(name), `${name}: ${with_.get(name)} copies with, ${without.get(name)} without`);
		assert.equal(with_.get('widened') ?? 0, 0, 'no phi is left');
		assert.equal(without.get('widened'), 3);
	});

	test('REMAT-02: nv-disable-remat turns all of it off, the new one too', () => {
		const off = recomputed('-nv-disable-remat', '-enable-new-nvvm-remat', '-nv-remat-default-max-reg=6');
		assert.match(off, /%v = phi i64/);
		assert.doesNotMatch(off, /remat = /);
	});

	test('enable-new-nvvm-remat counts registers, the old one looks at phis only', () => {
		const tight = '-nv-remat-default-max-reg=6';
		assert.match(recomputed(tight), /%k\.remat = /);
		assert.doesNotMatch(recomputed(tight, '-enable-new-nvvm-remat=0'), /remat = /);
		assert.doesNotMatch(recomputed(tight, '-enable-new-nvvm-remat=0'), /%v = phi/);
	});
});

describe('sinking2', () => {
	test('REMAT-03: what moves across a phi leaves it to cssa, and the results are equal', () => {
		const launch = sinking.replace('.ll', '.launch.json');
		assert.match(ptxscope(['compile', sinking, '--stop-before=cssa', '-o', '-']).stdout, /^done:.*\n\s+%x = mul i32 %k, 10/m, 'moved behind the loop');
		const values = (...options) => {
			const { status, stdout, stderr } = ptxscope(['run', sinking, `--launch=${launch}`, '--json', ...options]);
			assert.equal(status, 0, stderr);
			return JSON.parse(stdout).buffers.p.values;
		};
		const expected = Array.from({ length: 8 }, (_, t) => 10 * t);
		for (const stop of [['--stop-before=cssa'], ['--stop-after=cssa'], ['--stop-after=phi-node-elimination'], ['--stop-after=register-coalescer'], []])
			assert.deepEqual(values(...stop), expected, stop[0] ?? 'PTX');
		const { status, stderr } = ptxscope(['check', sinking, `--launch=${launch}`, '--registers=warp']);
		assert.equal(status, 0, stderr);
	});
});
