// Rules that hold for every source file: what comments and documents name exists, functions and files stay small.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './tools/setup.mjs';

const tracked = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter((file) => file && existsSync(join(root, file)));
const read = (file) => readFileSync(join(root, file), 'utf8');
const isC = (file) => /\.(c|h|def)$/.test(file) && !file.startsWith('tests/ir/sources/');
const cFiles = tracked.filter(isC);
const texts = new Map(tracked.filter((file) => isC(file) || /\.(mjs|js|ts|tsx|mk|md)$|Makefile$/.test(file)).map((file) => [file, read(file)]));

const commentPattern = /\/\*[\s\S]*?\*\/|(?<![:"'])\/\/[^\n]*/g;
const strings = /"(?:[^"\\\n]|\\.)*"/g;
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/** The comments of C files and all of the documents: [file, line, text]. */
function* prose() {
	for (const [file, text] of texts)
		if (isC(file))
			for (const match of text.replace(strings, (s) => '"'.padEnd(s.length)).matchAll(commentPattern))
				yield [file, lineOf(text, match.index), match[0]];
		else if (/^[A-Z]+\.md$/.test(file) || file === 'tests/README.md' || file === 'examples/README.md')
			yield [file, 1, text];
}

/** Every place in prose where `pattern` finds a name (its first group) that does not exist. */
function missing(pattern, exists) {
	const found = [];
	for (const [file, line, text] of prose())
		for (const match of text.matchAll(pattern))
			if (!exists(match[1], file))
				found.push(`${file}:${line + lineOf(text, match.index) - 1}: ${match[1]}`);
	return found;
}

test('the files that comments and documents name exist', () => {
	const placeholder = (name) => /(^|\/)(NAME|FILE|F|L|X)\./.test(name);
	const exists = (name) => placeholder(name) || tracked.some((file) => file === name || file.endsWith(`/${name}`));
	assert.deepEqual(missing(/(?<![\w./<-])((?:[\w-]+\/)*[\w-]+(?:\.test)?\.(?:c|h|def|mjs|mk))\b(?!\.)/g, (name, file) => exists(name) || /^(kernel|program|saxpy|k|my)\b/.test(name) || (file === 'README.md' && name.startsWith('build/'))), []);
});

test('the functions that comments name exist', () => {
	const words = new Set();
	for (const [file, text] of texts)
		if (isC(file) || /\.(m?js|ts)$/.test(file))
			for (const [word] of (isC(file) ? text.replace(commentPattern, '') : text).matchAll(/\w+/g))
				words.add(word);
	const own = '(?:ir|irp|irw|irv|ird|mir|mirpass|dag|isa|sem|simt|ptx|pass|map|vec|arena|text|bitset|pages|diag|strtab|knob|graph|dom|loop|emit|manager|trace|ps|session|target|an)';
	assert.deepEqual(missing(new RegExp(`(?<![\\w.%$@#-])(${own}_[a-z0-9_]*[a-z0-9])\\b(?![*…({<-]*\\*)(?!_|\\.[chd])`, 'g'), (name) => words.has(name)), []);
});

test('the behaviour ids that files name are rows of behaviours.md', () => {
	const rows = new Set(read('tests/behaviours.md').match(/\b[A-Z0-9]+-\d\d\b/g));
	const prefixes = new Set([...rows].map((id) => id.slice(0, -3)));
	const exists = (id) => rows.has(id) || !prefixes.has(id.slice(0, -3));
	assert.deepEqual(missing(/\b([A-Z][A-Z0-9]+-\d\d)\b/g, exists), []);
});

test('every C file, or its header, begins with a comment that says what it is for', () => {
	const hasHead = (file) => texts.get(file)?.startsWith('/*') ?? false;
	assert.deepEqual(cFiles.filter((file) => /^(core|wasm|runner)\//.test(file) && !hasHead(file) && !hasHead(file.replace(/\.c$/, '.h'))), []);
});

/** The function definitions of a file as clang-format lays it out: { name, line, lines, parameters, reason }. */
function* functions(text) {
	const lines = text.split('\n');
	for (let open = 0; open < lines.length; open++) {
		if (lines[open] !== '{')
			continue;
		let first = open - 1;
		while (first > 0 && /^\s/.test(lines[first]))
			first--;
		const head = lines.slice(first, open).join(' ');
		const [, name, list] = /(\w+)\s*\((.*)\)\s*$/.exec(head) ?? [];
		if (!name)
			continue;
		let depth = 0;
		let parameters = list.trim() && list.trim() !== 'void' ? 1 : 0;
		for (const c of list) {
			depth += c === '(' ? 1 : c === ')' ? -1 : 0;
			parameters += c === ',' && depth === 0 ? 1 : 0;
		}
		const comment = /\*\/$/.test(lines[first - 1] ?? '') ? lines.slice(0, first).join('\n').match(/\/\*(?:(?!\*\/)[\s\S])*\*\/$/)?.[0] ?? '' : '';
		yield { name, line: first + 1, lines: lines.indexOf('}', open) - first + 1, parameters, comment };
	}
}

test('functions have at most 80 lines and seven parameters, or say why not', () => {
	const wrong = [];
	for (const file of cFiles.filter((name) => /^(core|wasm|runner)\/.*\.[ch]$/.test(name)))
		for (const { name, line, lines, parameters, comment } of functions(texts.get(file))) {
			if (lines > 80 && !/more than 80 lines/i.test(comment))
				wrong.push(`${file}:${line}: ${name} has ${lines} lines`);
			if (parameters > 7 && !/more than seven parameters/i.test(comment))
				wrong.push(`${file}:${line}: ${name} has ${parameters} parameters`);
		}
	assert.deepEqual(wrong, []);
});

test('files past 1,000 lines say why', () => {
	const long = [...texts].filter(([file, text]) => /^(core|wasm|web|runner|tests)\//.test(file) && !/\.(md|def)$/.test(file) && text.split('\n').length > 1001
		&& !/more than 1,000 lines/i.test(text.slice(0, 3000)));
	assert.deepEqual(long.map(([file]) => file), []);
});
