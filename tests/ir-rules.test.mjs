// The verifier's rules, one small module each: tests/ir/rules/*.txt. A module begins at "== NAME"; the lines
// "!! …" behind it are what is said about it, none for one that is right. UPDATE=1 writes them anew. LLVM 22
// agrees with every verdict.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutNotes } from './tools/ir-notes.mjs';
import { llvm, withoutLlvm } from './tools/llvm.mjs';
import { ptxscope } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const folder = join(root, 'tests/ir/rules');
const skip = withoutLlvm(22);

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

/** Constant expressions that older LLVMs wrote are read, and LLVM 22 refuses them. */
const older = /^(ce-4 mul|ce-66 mul|expr-mul)/;

/** opt-22 crashes on these. */
const crashes = /^nvvm-odd/;

for (const { file, cases } of groups) {
	test(`${file}: ${cases.length} modules are judged as expected`, () => {
		if (process.env.UPDATE)
			writeFileSync(join(folder, file), cases.map(({ name, module }) => `== ${name}\n${module}${answer(module).map((line) => `${line}\n`).join('')}`).join('\n'));
		else
			for (const { name, module, said } of cases)
				assert.deepEqual(answer(module), said, name);
	});

	test(`${file}: LLVM refuses what we refuse`, { skip }, () => {
		const refused = cases.filter(({ said }) => said.length);
		llvm(22, 'verify', refused.map(({ module }) => module)).forEach(({ status }, i) => assert.notEqual(status, 0, refused[i].name));
	});

	test(`${file}: LLVM takes the others, and sees the same in what we print, which we print again`, { skip }, () => {
		const taken = cases.filter(({ name, said }) => !said.length && !older.test(name) && !crashes.test(name));
		const print = (text) => ptxscope(['fmt', '-', '-o', '-'], { input: text }).stdout;
		const printed = taken.map(({ module }) => print(module));
		/** What LLVM sees in each of the texts. */
		const seen = (texts) => llvm(22, 'print', texts).map(({ status, answer }, i) => {
			assert.equal(status, 0, `${taken[i].name}: ${answer}`);
			return plain(taken[i].module.includes('!nvvm.annotations') ? withoutNotes(answer) : answer);
		});
		const ours = seen(printed), theirs = seen(taken.map(({ module }) => module));
		taken.forEach(({ name }, i) => {
			assert.equal(ours[i], theirs[i], name);
			assert.equal(print(printed[i]), printed[i], name);
		});
	});
}
