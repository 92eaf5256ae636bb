// Words for what the pointer is on, from the compiler's own tables.

import type { IntrinsicInfo, OpcodeInfo } from '@ptxscope/core';
import type { Explanation } from './explained';
import type { Language } from './lang/grammar';
import { irInstruction, modifiersIn } from './modifiers';
import { about } from './store';

/** A template's mnemonic up to its first open slot, and the literal parts that may follow. */
const literals = (row: OpcodeInfo) => row.template.replace(/\{[^}]*\}|\([^)]*\)/g, '').split(/[.\s]+/).filter(Boolean);

/** The row of ptx.def that a mnemonic's parts (`ld`, `global`, `f32`) belong to: the one with most parts in common. */
function opcodeOf(parts: readonly string[]): OpcodeInfo | undefined {
	let best: OpcodeInfo | undefined, most = -1;
	for (const row of about.value?.opcodes ?? []) {
		const [head, ...rest] = literals(row);
		if (head !== parts[0])
			continue;
		const open = new Set(['type', 'stype', 'dtype', 'atype', 'btype', 'ctype', 'space', 'scope', 'vec', 'cmp', 'rnd', 'sem', 'op', 'geom', 'shape']);
		const missing = rest.some((word) => !open.has(word) && !parts.includes(word));
		const common = rest.filter((word) => parts.includes(word)).length + (row.id === parts[0] ? 0.5 : 0);
		if (!missing && common > most)
			[best, most] = [row, common];
	}
	return best;
}

const specialRegisters: Readonly<Record<string, string>> = {
	tid: 'index of the thread in its block', ntid: 'size of a block', ctaid: 'index of the block in the grid', nctaid: 'size of the grid',
	laneid: 'index of the thread in its warp', warpid: 'index of the warp in its block', smid: 'the multiprocessor that runs the thread',
	clock: 'a counter of cycles, 32 bits', clock64: 'a counter of cycles, 64 bits', globaltimer: 'a clock of nanoseconds',
	lanemask_lt: 'mask of the lanes below this one', lanemask_eq: 'mask of this lane alone',
};

/** A family's names as a pattern: `{a,b}` is one of these, `*` at the end a suffix of types. */
function patternOf(names: string): RegExp {
	const escape = (text: string) => text.replace(/[.$^+()|[\]\\]/g, '\\$&');
	const parts = names.replace(/\*$/, '').split(/(\{[^}]*\})/);
	const body = parts.map((p) => p.startsWith('{') ? `(?:${p.slice(1, -1).split(',').map(escape).join('|')})` : escape(p)).join('');
	return new RegExp(`^${body}${names.endsWith('*') ? '(?:\\..*)?' : ''}$`);
}

const patterns = new WeakMap<IntrinsicInfo, RegExp>();

/** The longest family that has the name. */
function intrinsicOf(name: string): IntrinsicInfo | undefined {
	let best: IntrinsicInfo | undefined;
	for (const row of about.value?.intrinsics ?? []) {
		if (!name.startsWith(/^[^{*]*/.exec(row.names)![0].replace(/\.$/, '')))
			continue;
		let pattern = patterns.get(row);
		if (!pattern)
			patterns.set(row, pattern = patternOf(row.names));
		if (pattern.test(name) && (!best || row.names.length > best.names.length))
			best = row;
	}
	return best;
}

/** What the families do, by the beginning of their names; the first that fits. */
const families: ReadonlyArray<readonly [RegExp, string]> = [
	[/^llvm\.nvvm\.barrier/, 'waits until all threads of the block are here'], [/^llvm\.nvvm\.bar\.warp/, 'waits until the lanes of the mask are here'],
	[/^llvm\.nvvm\.(?:barrier|bar)\.cluster/, 'waits for the blocks of the cluster'], [/^llvm\.nvvm\.membar/, 'orders memory accesses before and after it'],
	[/^llvm\.nvvm\.shfl/, 'takes a value from another lane of the warp'], [/^llvm\.nvvm\.vote/, 'asks all lanes of the warp at once'],
	[/^llvm\.nvvm\.match/, 'finds the lanes with an equal value'], [/^llvm\.nvvm\.activemask/, 'the mask of lanes that run now'],
	[/^llvm\.nvvm\.redux/, 'reduces a value over the lanes of the warp'], [/^llvm\.nvvm\.ldg|^llvm\.nvvm\.ldu/, 'loads through the read-only cache'],
	[/^llvm\.nvvm\.(?:wmma|mma|ldmatrix|stmatrix)/, 'a step of a matrix product by a whole warp'], [/^llvm\.nvvm\.cp\.async/, 'copies from global to shared memory in the background'],
	[/^llvm\.nvvm\.mbarrier/, 'a barrier that lies in shared memory'], [/^llvm\.nvvm\.atomic/, 'reads, changes and writes memory in one step'],
	[/^llvm\.nvvm\.tex/, 'samples a texture'], [/^llvm\.nvvm\.(?:suld|sust|suq|txq)/, 'reads or writes a surface'],
	[/^llvm\.nvvm\.(?:fma|mul|add|sqrt|rcp|div|ex2|lg2|sin|cos|f\w+2|ull|d2|i2|ui2)/, 'arithmetic with the rounding that its name tells'],
	[/^llvm\.nvvm\.reflect/, 'asks the compiler for a setting'], [/^llvm\.nvvm\.ptr/, 'converts a pointer between memory spaces'],
	[/^llvm\.fma|^llvm\.fmuladd/, 'multiplies and adds; fma rounds once'], [/^llvm\.mem(?:cpy|move|set)/, 'copies or fills bytes'],
	[/^llvm\.lifetime/, 'says from where to where a stack slot is in use'], [/^llvm\.(?:umul|smul|uadd|sadd|usub|ssub)\.with/, 'arithmetic that also tells of overflow'],
	[/^llvm\.(?:smax|smin|umax|umin|maxnum|minnum|abs|fabs)/, 'the greater, the smaller or the absolute value'], [/^llvm\.(?:ctpop|ctlz|cttz|bswap|bitreverse|fsh)/, 'works on the bits of an integer'],
	[/^llvm\.assume/, 'promises that a condition holds'],
];

const typeLetters: Readonly<Record<string, string>> = {
	v: 'void', b: 'i1', c: 'i8', s: 'i16', i: 'i32', l: 'i64', h: 'half', y: 'bfloat', f: 'float', d: 'double', H: '<2 x half>', Y: '<2 x bfloat>',
	p: 'ptr', m: 'metadata', t: 'token', '.': '...', I: 'iN', F: 'floating-point', A: 'any type', V: 'vector', P: 'ptr', W: 'vector of ptr',
	Q: 'ptr', N: 'iN', G: 'floating-point', J: 'vector of iN', B: 'vector of i1',
};
/** One type of a signature: a letter, one of an address space, or one made of an overloaded type. */
const element = /[=^](\d)|~(\d)(\w)|p(\d+)|([a-zA-Z.])/g;
const elementsOf = (letters: string) => [...letters.matchAll(element)].map(([all, same, shape, of, space, letter]): string =>
	letter ? typeLetters[letter] ?? letter : space ? (space === '0' ? 'ptr' : `ptr addrspace(${space})`)
		: shape ? `${typeLetters[of!]} for each of type ${shape}` : all[0] === '^' ? `element of type ${same}` : `type ${same}`).join(', ');
function typesOf(letters: string): string {
	const struct = /^\{(.*)\}$/.exec(letters)?.[1], many = /^(\d+)(.*)$/.exec(letters);
	return struct !== undefined ? `{${elementsOf(struct)}}` : many ? `{${many[1]} × ${elementsOf(many[2]!)}}` : elementsOf(letters);
}

/** Attributes in words that say what an optimiser may do. */
function effectsOf(attributes: string): string {
	const memory = /memory\(([^)]*)\)/.exec(attributes)?.[1];
	return [
		memory === 'none' ? 'touches no memory' : memory ? `memory: ${memory}` : '',
		/\bconvergent\b/.test(attributes) ? 'convergent: stays where all its threads meet' : '',
		/\bspeculatable\b/.test(attributes) ? 'may be moved freely' : '',
	].filter(Boolean).join('; ');
}

function explainIntrinsic(name: string): Explanation | null {
	if (!name.startsWith('llvm.'))
		return null;
	const row = intrinsicOf(name);
	if (!row)
		return null;
	const register = /^llvm\.nvvm\.read\.ptx\.sreg\.(\w+)/.exec(name)?.[1];
	const what = (register && specialRegisters[register]) || families.find(([pattern]) => pattern.test(name))?.[1] || 'an intrinsic of LLVM';
	const signature = /^(.*)\((.*)\)$/.exec(row.signature.split('|')[0]!);
	return {
		title: name, text: [what, effectsOf(row.attributes)].filter(Boolean).join('; '),
		...(signature && { form: `${typesOf(signature[1]!)} (${typesOf(signature[2]!)})` }),
	};
}

/** `line` is the one that the word stands in: its flags say more. */
export function explain(language: Language, word: string, line = ''): Explanation | null {
	if (language === 'llvm') {
		const instruction = irInstruction(word, line);
		return instruction ? { title: word, ...instruction } : explainIntrinsic(word.replace(/^@/, ''));
	}
	const special = /^%(\w+?)(?:\.[xyzw])?$/.exec(word)?.[1];
	if (special)
		return specialRegisters[special] ? { title: word, text: specialRegisters[special] } : null;
	const row = opcodeOf(language === 'ptx' ? word.split(/\.|::/) : word.toLowerCase().split('_'));
	return row ? { title: word, form: row.template, text: row.summary, parts: language === 'ptx' ? modifiersIn(word) : [], since: `from sm_${row.sm}, PTX ${row.ptx} on` } : null;
}
