// The verifier's rules, one small module each: tests/ir/rules/*.txt. A module begins at "== NAME"; the lines
// "!! …" behind it are what is said about it, none for one that is right. UPDATE=1 writes them anew. LLVM 22
// agrees with every verdict.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutNotes } from './tools/ir-notes.mjs';
import { ptxscope } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const folder = join(root, 'tests/ir/rules');

const groups = readdirSync(folder).sort().map((file) => ({
	file,
	cases: readFileSync(join(folder, file), 'utf8').split(/^== /m).slice(1).map((text) => {
		const [name, ...lines] = text.trimEnd().split('\n');
		return { name, module: lines.filter((line) => !line.startsWith('!! ')).join('\n') + '\n', said: lines.filter((line) => line.startsWith('!! ')) };
	}),
}));

/** The diagnostics without the lines they quote. */
const answer = (module) => {
	const { status, signal, stderr } = ptxscope(['fmt', '-disable-output', '-'], { input: module });
	assert.equal(signal, null);
	assert.equal(status, stderr ? 1 : 0, stderr);
	return stderr.split('\n').filter((line) => /^[^ ].*: error: |^hint: /.test(line)).map((line) => `!! ${line.replace(/^.*?:(\d+:\d+: error: )/, '$1')}`);
};

/** Without the module's name and the order of predecessors. */
const plain = (text) => text.split('\n').filter((line) => !/^(; ModuleID|source_filename)/.test(line)).map((line) => line.replace(/; preds = .*/, '').trimEnd()).join('\n');

/** As LLVM prints it. */
const meaning = (text, name) => {
	const { status, stdout, stderr } = spawnSync('opt-22', ['-S', '-passes=verify', '-'], { input: text, encoding: 'utf8' });
	assert.equal(status, 0, `${name}: ${stderr}`);
	return plain(stdout);
};

/** Constant expressions that older LLVMs wrote are read, and LLVM 22 refuses them. */
const older = /^(ce-4 mul|ce-66 mul|expr-mul)/;

/** opt-22 crashes on these. */
const crashes = /^nvvm-odd/;

/** Signed pointers are plain ones to us. */
const unsigned = (text) => text.replace(/ptrauth \((ptr @\w+), .*?\)/, '$1').replace('ptr ptr', 'ptr');

for (const { file, cases } of groups) {
	test(`${file}: ${cases.length} modules are judged as expected`, () => {
		if (process.env.UPDATE)
			writeFileSync(join(folder, file), cases.map(({ name, module }) => `== ${name}\n${module}${answer(module).map((line) => `${line}\n`).join('')}`).join('\n'));
		else
			for (const { name, module, said } of cases)
				assert.deepEqual(answer(module), said, name);
	});

	test(`${file}: LLVM refuses what we refuse`, { skip: which('llvm-as-22') ? false : 'no llvm-as-22' }, () => {
		for (const { name, module, said } of cases)
			if (said.length)
				assert.notEqual(spawnSync('llvm-as-22', ['-', '-o', '/dev/null'], { input: module }).status, 0, name);
	});

	test(`${file}: LLVM takes the others, and sees the same in what we print, which we print again`, { skip: which('opt-22') ? false : 'no opt-22' }, () => {
		for (const { name, module, said } of cases) {
			if (said.length || older.test(name) || crashes.test(name))
				continue;
			const print = (text, version) => ptxscope(['fmt', '-', `--ir-version=${version}`, '-o', '-'], { input: text }).stdout;
			const same = module.includes('!nvvm.annotations') ? withoutNotes : (text) => text;
			const printed = print(module, 22), expected = same(unsigned(meaning(module, name)));
			if (same(plain(printed)) !== expected) // else there is no need to ask LLVM once more
				assert.equal(same(meaning(printed, name)), expected, name);
			assert.equal(print(printed, 22), printed, name);
		}
	});
}
