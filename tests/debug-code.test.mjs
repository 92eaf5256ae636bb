// Debug records change no code: PTX is the same with and without them, apart from labels, comments and sections of debug
// information; and ptxas takes it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root, which } from './tools/setup.mjs';

const native = join(root, 'build/native/ptxscope');
const scratch = join(root, 'build/debug-code');
const inputs = ['bitcode/clang.22.ll', 'bitcode/clang.14.ll', 'ir/julia.ll', 'opt/inliner.ll', 'ptx/debug-information.ll',
	'ptx/debug-values.ll', 'ptx/debug-loops.ll', 'ptx/debug-pieces.ll', 'ptx/debug-assign.ll', 'ptx/debug-lists.ll'];
const options = [['-mcpu=sm_90', '-O3'], ['-mcpu=sm_75', '-O0'], ['-mcpu=sm_86', '-O2', '-enable-pipeliner']];

/** The records of the text: #dbg_value and its kin, and calls of llvm.dbg.*. */
const withoutRecords = (text) => text.replace(/^\s+#dbg_.*\n/gm, '').replace(/^.*call void @llvm\.dbg\..*\n/gm, '');

function compile(text, args) {
	const r = spawnSync(native, ['compile', '-', '-o', '-', ...args], { input: text, encoding: 'utf8', maxBuffer: 1 << 26 });
	assert.equal(r.status, 0, r.stderr);
	return r.stdout;
}

/** The code alone. */
function code(ptx) {
	const sections = ptx.replace(/^\t\.section\t.*\{\t\}\n/gm, '').replace(/^\t\.section[^{]*\n\t\{\n[^]*?^\t\}\n/gm, '');
	return sections.split('\n').filter((l) => !/^\$L__tmp|^\t\/\/DEBUG_VALUE|^\t\.file/.test(l)).join('\n');
}

describe('debug records change no code', () => {
	mkdirSync(scratch, { recursive: true });
	for (const name of inputs)
		for (const args of options)
			test(`${name} ${args.join(' ')}`, () => {
				const text = readFileSync(join(root, 'tests', name), 'utf8');
				const full = compile(text, args);
				assert.equal(code(full), code(compile(withoutRecords(text), args)));
			});
});

describe('ptxas takes what is printed of variables', { skip: which('ptxas') ? false : 'no ptxas' }, () => {
	for (const name of ['ptx/debug-values.ll', 'ptx/debug-loops.ll', 'ptx/debug-pieces.ll', 'ptx/debug-places.ll', 'ptx/debug-assign.ll', 'ptx/debug-lists.ll'])
		for (const cpu of ['sm_75', 'sm_90', 'sm_120'])
			test(`${name} ${cpu}`, () => {
				const file = join(scratch, `${name.replace('/', '_')}.${cpu}.ptx`);
				writeFileSync(file, compile(readFileSync(join(root, 'tests', name), 'utf8'), [`-mcpu=${cpu}`]));
				const r = spawnSync(which('ptxas'), ['-g', '-c', `-arch=${cpu}`, file, '-o', `${file}.cubin`], { encoding: 'utf8' });
				assert.equal(r.status, 0, r.stderr);
			});
});
