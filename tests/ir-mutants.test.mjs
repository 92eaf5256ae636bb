// 20,000 mutants of small modules: lines and tokens are deleted, doubled, swapped and replaced. Whatever comes of it is read,
// verified and printed without a trap; what is refused is refused with an error, and what is accepted prints to a fixed point.
// All in one process, over WebAssembly, whose memory is checked at every access.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../wasm/index.js';
import { wasm } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const MUTANTS = 20000;
const seeds = ['tests/ir/mutants/kernel.ll', 'tests/ir/mutants/values.ll', 'tests/ir/mutants/debug.ll', 'examples/saxpy.ll']
	.map((name) => readFileSync(join(root, name), 'utf8'));

const words = ['i1', 'i8', 'i32', 'i64', 'i128', 'half', 'float', 'double', 'ptr', 'ptr addrspace(3)', '<4 x float>', '[3 x i8]',
	'{ i32, i64 }', 'void', 'label', 'metadata', 'undef', 'poison', 'null', 'zeroinitializer', 'true', '0', '-1', '4294967296', '1.0',
	'0xH3C00', '%0', '%x', '@f', '@g', '!0', '#0', '(', ')', '{', '}', '[', ']', '<', '>', ',', '=', 'volatile', 'atomic', 'seq_cst',
	'align 16', 'inbounds', 'nuw', '...', 'x', '"', 'c"a"', 'ret', 'br', 'phi', 'call', 'define', 'declare', 'splat (i32 1)', 'byval(i32)',
	'!DILocation(line: 1, scope: !0)', 'comdat', 'thread_local', 'musttail', 'switch', 'blockaddress', '#dbg_value'];

/** Numbers below a bound, the same on every run. */
function generator(seed) {
	let state = BigInt(seed);
	return (bound) => {
		state = (state * 6364136223846793005n + 1442695040888963407n) & 0xFFFFFFFFFFFFFFFFn;
		return Number((state >> 33n) % BigInt(bound));
	};
}

const lines = (text) => text.split(/(?<=\n)/);
const tokens = (text) => text.match(/[\w.%@]+|[^]/g);

const mutations = [
	(pieces, i) => pieces.splice(i, 1),
	(pieces, i, j) => { pieces[i] = pieces[j]; },
	(pieces, i, j) => { [pieces[i], pieces[j]] = [pieces[j], pieces[i]]; },
	(pieces, i, j, below) => { pieces[i] = words[below(words.length)]; },
	(pieces, i, j) => pieces.splice(i, 0, pieces[j]),
];

function mutant(text, below) {
	const pieces = below(3) === 0 ? lines(text) : tokens(text);
	if (!pieces?.length)
		return text;
	mutations[below(mutations.length)](pieces, below(pieces.length), below(pieces.length), below);
	return pieces.join('');
}

test(`${MUTANTS} mutants of modules are read without a trap`, { skip: existsSync(wasm) ? false : 'no WebAssembly build' }, async () => {
	const compiler = await load(readFileSync(wasm));
	const below = generator(2024);
	const fmt = (text) => {
		const { status, stdout, stderr } = compiler.run(['fmt', 'm.ll', '-o', '-'], { 'm.ll': text });
		assert.ok(status === 0 || status === 1, `status ${status}: ${stderr}\n${text}`);
		assert.equal(status === 1, /^m\.ll(:\d+:\d+)?: error: ./m.test(stderr), `an error is told, and only then:\n${stderr}\n${text}`);
		return status === 0 ? stdout : null;
	};
	for (const seed of seeds)
		assert.notEqual(fmt(seed), null, 'a seed is a module');
	let accepted = 0;
	for (let i = 0; i < MUTANTS; i++) {
		let text = seeds[i % seeds.length];
		for (let times = 1 + below(3); times; times--)
			text = mutant(text, below);
		const first = fmt(text);
		if (first === null)
			continue;
		accepted++;
		assert.equal(fmt(first), first, `no fixed point:\n${text}`);
	}
	assert.ok(accepted > MUTANTS / 100, `${accepted} mutants are modules`);
	assert.ok(accepted < MUTANTS / 2, `${accepted} mutants are modules`);
});
