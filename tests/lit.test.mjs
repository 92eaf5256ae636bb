// Runs the text tests: every .ll, .mir and .ptx under tests/ that holds a "RUN:" line. tests/README.md has the format.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { rowsInText } from './tools/behaviours.mjs';
import { filecheck, readArguments } from './tools/filecheck.mjs';
import { root, which } from './tools/setup.mjs';

const native = join(root, 'build/native');
const scratch = join(root, 'build/lit');

function textTests(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory())
			return textTests(path);
		return /\.(ll|mir|ptx)$/.test(entry.name) && runLines(readFileSync(path, 'utf8')).length ? [path] : [];
	}).sort();
}

/** The commands of a test; a line that ends in a backslash goes on in the next RUN line. */
function runLines(text) {
	const lines = [];
	let open = '';
	for (const [, line] of text.matchAll(/^\W*RUN:(.*)$/gm)) {
		open += line.trim();
		if (open.endsWith('\\')) {
			open = open.slice(0, -1);
			continue;
		}
		lines.push(open);
		open = '';
	}
	return lines;
}

/** Tools that a test may ask for and a machine may lack. */
const optional = ['ptxas', 'llc-19', 'opt-19', 'llvm-as-19', 'llvm-dis-19'];

/** "not CMD" succeeds where CMD reports an error in its input (1) or its usage (2), and only there: a crash is none. */
const prelude = 'set -o pipefail 2>/dev/null; not() { "$@"; s=$?; [ $s -eq 1 ] || [ $s -eq 2 ]; }; ';

function shell(command, cwd) {
	const env = { ...process.env, PATH: `${native}:${process.env.PATH}:/usr/local/cuda/bin` };
	return new Promise((done) => {
		execFile('bash', ['-c', prelude + command], { cwd, env, timeout: 60000, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
			done({ status: error ? error.code ?? error.signal : 0, stdout, stderr });
		});
	});
}

async function runOne(file, line) {
	const temporary = join(scratch, relative(join(root, 'tests'), file).replaceAll('/', '_'));
	const substitute = (text) => text.replace(/%([spt%])/g, (_, letter) => ({
		s: file, p: dirname(file), t: temporary, '%': '%',
	})[letter]);
	const [, before, after] = /^(.*?)(?:\|\s*filecheck\s+([^|]*))?$/.exec(line);
	const { status, stdout, stderr } = await shell(substitute(before), dirname(file));
	assert.equal(status, 0, `${line}\nexit status ${status}\n${stderr}`);
	if (after === undefined)
		return;
	const words = substitute(after).trim().split(/\s+/).map((word) => word.replace(/^'(.*)'$|^"(.*)"$/, '$1$2'));
	const { file: checks, options } = readArguments(words);
	const problem = filecheck(readFileSync(checks, 'utf8'), stdout, options, relative(root, checks));
	assert.equal(problem, null, `${line}\n${problem}\n${stderr}`);
}

mkdirSync(scratch, { recursive: true });
describe('text tests', { concurrency: 4 }, () => {
	for (const file of textTests(join(root, 'tests'))) {
		const text = readFileSync(file, 'utf8');
		const lines = runLines(text);
		const lacking = optional.filter((tool) => lines.some((line) => line.includes(tool)) && !which(tool)
			&& !(tool === 'ptxas' && which('/usr/local/cuda/bin/ptxas')));
		test([relative(root, file), ...rowsInText(text)].join(' '), { skip: lacking.length ? `${lacking.join(', ')} missing` : false }, async () => {
			for (const line of lines)
				await runOne(file, line);
		});
	}
});
