// The PTX forms that the tests know: what llc-19 and nvcc were seen to print (tests/ptx/*-forms.csv), and statements made of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Rows of a CSV file of ours: cells are quoted where they hold a comma. */
export function rowsOf(name) {
	const lines = readFileSync(join(root, 'tests/ptx', name), 'utf8').trim().split('\n').slice(1);
	return lines.map((line) => [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+)(?=,|$)|(?<=,)(?=,|$)/g)].map(([, q, p]) => q?.replaceAll('""', '"') ?? p ?? ''));
}

/* ---- statements from shapes */

const registers = { r: 'r', rd: 'rd', rs: 'rs', f: 'f', fd: 'fd', p: 'p', rq: 'rq' };

/** Splits at commas outside brackets. */
function items(text) {
	const out = [''];
	let depth = 0;
	for (const c of text) {
		depth += '{[('.includes(c) ? 1 : '}])'.includes(c) ? -1 : 0;
		if (c === ',' && !depth)
			out.push('');
		else
			out[out.length - 1] += c;
	}
	return out;
}

/** One statement for an opcode and a shape such as `r,[rd+imm]`; null where the shape does not say enough. */
export function statement(opcode, shape) {
	if (/named|…|label|sreg/.test(shape))
		return null;
	// %SP is 32 bits wide for nvptx, whatever the list took its class for
	if (/^(add\.u32 r,rd|cvta\.local\.u32 rd)/.test(`${opcode} ${shape}`))
		return null;
	let n = 0;
	const base = opcode.split('.')[0];
	const symbol = /\.param/.test(opcode) ? 'k_param' : base === 'call' ? 'callee' : /^(tex|tld4|txq)/.test(base) ? 'T' : /^su/.test(base) ? 'S' : 'g';
	const atom = (word) => {
		if (word in registers)
			return `%${registers[word]}${++n % 20}`;
		if (word === 'imm')
			return '8';
		if (word === 'fimm')
			return /\.f64/.test(opcode) ? '0d3FF0000000000000' : '0f3F800000';
		return word === 'sym' ? symbol : null;
	};
	const words = shape.match(/[a-z]+|[^a-z]/g) ?? [];
	// a symbol stands for itself in addresses and moves of 64 bits alone
	if (/(^|,|\{)sym/.test(shape) && !/^(call|mov\.u64|tex|tld4|su|txq)/.test(opcode))
		return null;
	let depth = 0;
	const parts = words.map((w) => {
		if (w === '[' || w === '{') depth++;
		if (w === ']' || w === '}') depth--;
		return /^[a-z]/.test(w) ? atom(w) : w === ',' ? ', ' : w;
	});
	if (parts.includes(null))
		return null;
	return base === 'call' ? `${opcode} ${parts.join('')};` : `${opcode}${parts.length ? ' ' : ''}${parts.join('')};`;
}

/** Instructions of newer targets: { target, text, out }, out being how we print it. */
export const newerForms = () => readFileSync(join(root, 'tests/ptx/newer-forms.txt'), 'utf8').split('\n').filter((l) => /^sm_/.test(l))
	.map((l) => /^(\S+) (.*?)(?:\s+=>\s+(.*))?$/.exec(l)).map(([, target, text, out]) => ({ target, text, out: out ?? text }));

/** Every statement that can be made of the lists: [opcode, statement]. Symbols: g, T, S, callee, k_param. */
export function allStatements() {
	const list = [];
	for (const [opcode, shapes] of rowsOf('isa-forms.csv'))
		for (const shape of (shapes ?? '').split(' | ')) {
			const s = statement(opcode, shape.trim());
			if (s && !/^(call|bra|ret)\b/.test(s))
				list.push([opcode, s]);
		}
	for (const [ptx] of rowsOf('image-forms.csv'))
		list.push([ptx.split(' ')[0], ptx.replace(/@TQ|@T/g, 'T').replace(/@SQ|@S/g, 'S')]);
	for (const { out } of newerForms())
		list.push([out.split(' ')[0], out]);
	return list;
}
