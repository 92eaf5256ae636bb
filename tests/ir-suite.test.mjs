// LLVM's own NVPTX tests, where they are: every module is read, verified and printed; the print is a fixed point, LLVM 19 takes it
// and sees in it what it sees in the input. LLVM_NVPTX_TESTS names the folder (llvm/test/CodeGen/NVPTX of LLVM 19).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { which } from './tools/setup.mjs';

const folder = process.env.LLVM_NVPTX_TESTS ?? '';
const missing = !folder ? 'LLVM_NVPTX_TESTS is not set' : !existsSync(folder) ? `no ${folder}`
	: ['llvm-as-19', 'opt-19'].filter((tool) => !which(tool)).map((tool) => `no ${tool}`)[0] ?? false;
const files = missing ? [] : readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ll')).sort().map((name) => join(folder, name));

const opt = (text, passes = 'verify') => spawnSync('opt-19', ['-S', `-passes=${passes}`, '-'], { input: text, encoding: 'utf8', maxBuffer: 1 << 28 });
/** Without comments, empty lines, names of modules, declarations and attribute groups: their order is the printer's. */
const meaning = (text) => text.split('\n').filter((line) => !/^(source_filename|;|declare|attributes|\s*$)/.test(line))
	.map((line) => line.replace(/; preds = .*/, '').replace(/ #\d+/g, '').trimEnd()).join('\n');

test(`LLVM's NVPTX tests are read and printed (${files.length} modules)`, { skip: missing }, async (t) => {
	const print = join(temporaryFolder(), 'print.ll');
	for (const file of files)
		await t.test(file.slice(folder.length), (t) => {
			const theirs = opt(readFileSync(file));
			if (theirs.status !== 0)
				return t.skip('LLVM 19 does not read it');
			const ours = ptxscope(['fmt', file, '-o', print]);
			if (ours.status === 1 && /RUN: not .*llc|XFAIL/.test(readFileSync(file, 'utf8')))
				return t.skip('a test of what is refused');
			assert.equal(ours.status, 0, ours.stderr);
			const text = readFileSync(print, 'utf8');
			assert.equal(ptxscope(['fmt', print, '-o', '-']).stdout, text, 'a fixed point');
			ptxscope(['fmt', file, '--ir-version=19', '-o', print]);
			const older = readFileSync(print, 'utf8'), again = opt(older);
			assert.equal(again.status, 0, again.stderr);
			if (meaning(again.stdout) === meaning(theirs.stdout))
				return;
			/* Values that were upgraded have other names, and no more than that. */
			assert.equal(meaning(opt(older, 'strip').stdout), meaning(opt(readFileSync(file), 'strip').stdout));
		});
});
