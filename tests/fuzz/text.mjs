// Every text that the tests hold, with random damage: whatever it is, ptxscope answers with a result or with errors, never with a
// crash, an internal error or silence; and what it prints it reads again to the same.

import { readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { ptxscope, sanitized } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';

function inputs(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? inputs(path) : /\.(ll|mir|ptx)$/.test(entry.name) ? [path] : [];
	});
}

const words = ['i1', 'i8', 'i32', 'i64', 'i128', 'i7', 'half', 'bfloat', 'float', 'double', 'fp128', 'ptr', 'ptr addrspace(3)', '<4 x float>',
	'[3 x i8]', '{ i32, i64 }', 'void', 'label', 'metadata', 'undef', 'poison', 'null', 'zeroinitializer', 'true', '0', '-1', '1', '4294967296',
	'18446744073709551616', '0x7FF0000000000000', '1.0e400', '%0', '%1', '@f', '!0', '#0', '(', ')', '{', '}', '[', ']', '<', '>', ',', '=',
	'volatile', 'atomic', 'seq_cst', 'align 3', 'align 4294967296', 'inbounds', 'nuw', '...', 'x', '"', '\\', ';', '\0', '\xff'];

const mutations = [
	(r, t) => { const i = r.below(t.length + 1); return t.slice(0, i); },
	(r, t) => { const i = r.below(t.length + 1); return t.slice(0, i) + String.fromCharCode(r.below(256)) + t.slice(i + r.below(2)); },
	(r, t) => { const i = r.below(t.length + 1); return t.slice(0, i) + r.pick(words) + t.slice(i + r.below(6)); },
	...Array(3).fill((r, t) => lines(r, t, (l, i) => l.splice(i, 1))),
	...Array(2).fill((r, t) => lines(r, t, (l, i) => l.splice(i, 0, l[r.below(l.length)]))),
	(r, t) => lines(r, t, (l, i) => { const j = r.below(l.length); [l[i], l[j]] = [l[j], l[i]]; }),
	...Array(6).fill((r, t) => lines(r, t, (l, i) => { l[i] = tokens(r, l[i]); })),
	(r, t) => t.replace(new RegExp(`\\b${r.pick(['i32', 'float', 'i64', 'ptr', 'add', 'load'])}\\b`, r.chance(0.5) ? 'g' : ''), r.pick(words)),
];

function lines(random, text, change) {
	const list = text.split('\n');
	change(list, random.below(list.length));
	return list.join('\n');
}

/** One token of the line replaced by another of the line, by a word, or by a name. */
function tokens(random, line) {
	const list = line.match(/[%@!#]?[\w.$-]+|\s+|./g) ?? [];
	if (list.length === 0)
		return line;
	const i = random.below(list.length);
	list[i] = random.chance(0.5) ? random.pick(list) : random.pick(words);
	return list.join('');
}

function judge({ status, signal, stderr }, what) {
	if (signal || status > 1)
		return `${what}: ${signal ?? `status ${status}`}: ${/ERROR: .*|runtime error: .*|internal error.*/.exec(stderr)?.[0] ?? stderr.slice(0, 300)}`;
	return status === 1 && !/error: /.test(stderr) ? `${what}: fails without an error` : null;
}

function check(extension, options) {
	const name = `case.${extension}`;
	return async (text) => {
		const input = Buffer.from(text, 'latin1');
		const run = (args, data) => ptxscope(args, { input: data, program: sanitized, timeout: 5000 });
		const first = run(['fmt', '-', '-o', '-'], input);
		let problem = judge(first, `fmt ${name}`);
		if (problem)
			return problem;
		if (first.status === 0) {
			const second = run(['fmt', '-', '-o', '-'], first.stdout);
			problem = judge(second, `fmt of what fmt printed`);
			if (problem ?? (second.stdout !== first.stdout))
				return problem ?? `fmt is no fixed point (status ${second.status}) ${second.stderr.slice(0, 300)}`;
		}
		return extension === 'ptx' ? null : judge(run(['compile', '-', '-o', '-', ...options], input), `compile ${options.join(' ')}`);
	};
}

export async function* cases(random) {
	const files = [join(root, 'examples'), join(root, 'tests')].flatMap(inputs).filter((file) => !file.includes('/bench/')).sort();
	for (;;) {
		const file = random.pick(files);
		const extension = extname(file).slice(1);
		let text = readFileSync(file, 'latin1').replace(/^.*RUN:.*\n/gm, '');
		for (let n = 1 + random.below(4); n > 0 && text.length; n--)
			text = random.pick(mutations)(random, text);
		const options = [random.pick(['-O0', '-O1', '-O2', '-O3']), `-mcpu=${random.pick(['sm_50', 'sm_75', 'sm_90'])}`, '-verify-machineinstrs'];
		yield { name: relative(root, file), text, extension, check: check(extension, options) };
	}
}
