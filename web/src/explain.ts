// Words for what the pointer is on, from the compiler's own tables.

import { signal } from '@preact/signals';
import type { OpcodeInfo } from '@ptxscope/core';
import type { Language } from './lang/grammar';
import { about } from './store';

export interface Explanation {
	title: string;
	/** The form, where there is one. */
	form?: string;
	text: string;
	/** From which machine and PTX version on. */
	since?: string;
}

/** What is explained just now, and where it stands on the screen. */
export const explained = signal<(Explanation & { x: number; y: number }) | null>(null);

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

export function explain(language: Language, word: string): Explanation | null {
	if (language === 'llvm') {
		const name = word.replace(/^@/, '');
		const row = /^llvm\./.test(name)
			? about.value?.intrinsics.find((i) => i.name === name || (/[*.]$/.test(i.name) && name.startsWith(i.name.replace(/\*$/, '')))) : undefined;
		return row ? { title: row.name, text: row.summary } : null;
	}
	const special = /^%(\w+?)(?:\.[xyzw])?$/.exec(word)?.[1];
	if (special)
		return specialRegisters[special] ? { title: word, text: specialRegisters[special] } : null;
	const row = opcodeOf(language === 'ptx' ? word.split(/\.|::/) : word.toLowerCase().split('_'));
	return row ? { title: word, form: row.template, text: row.summary, since: `from sm_${row.sm}, PTX ${row.ptx} on` } : null;
}
