// Failures that the documents warn of, made on purpose: what guards against each one sees it.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { native, ptxscope } from './tools/ptxscope.mjs';
import { variant } from './tools/variant.mjs';

const skip = existsSync(native) ? false : 'no native build';

/** How many accesses of each function of basr's test take base, slice and stride. */
function fused(program) {
	const { status, stdout, stderr } = ptxscope(['compile', 'tests/mirpass/basr.mir', '--run-pass=basr', '-enable-basr', '-o', '-'], { program });
	assert.equal(status, 0, stderr);
	return Object.fromEntries(stdout.split(/^name: +/m).slice(1).map((f) => [/^\S+/.exec(f)[0], f.split('BASE_SLICE_OFFSET').length - 1]));
}

test('BASR-18: without the whitelist, accesses are fused that its tests want left alone', { skip }, () => {
	const right = fused(native);
	const wrong = fused(variant('basr-whitelist', 'core/mirpass/mir_rows.c', 'bool row_leaves_alone(const Rows *w, MirInstId i)\n{', 'bool row_leaves_alone(const Rows *w, MirInstId i)\n{\n\tif (w)\n\t\treturn false;'));
	assert.equal(right.white ?? 0, 0);
	assert.ok(wrong.white >= 4, JSON.stringify(wrong));
});

test('BASR-19: rows that undo nothing and start again are reported, not run for ever', { skip }, () => {
	const args = ['compile', 'tests/mirpass/nvptx-mir-peephole.mir', '--run-pass=nvptx-mir-peephole', '-enable-nvptx-mir-peephole', '-o', '-'];
	assert.equal(ptxscope(args).status, 0);
	const program = variant('rows-endless', 'core/mirpass/nvptx_mir_peephole.c', '\tmir_op_set_reg(f, i, 1, mir_op_reg(mir_op(f, d, 1)));', '\tif (f)\n\t\treturn true;');
	const { stderr, signal } = ptxscope(args, { program, timeout: 20000 });
	assert.notEqual(signal, 'timeout');
	assert.match(stderr, /the rows of nvptx-mir-peephole do not end/);
});
