// Control-flow graphs read off a text in any of the three formats.

import type { CodeLanguage } from './lang/grammar';

export interface CfgBlock {
	name: string;
	/** Rows of the text: first line's index and the lines themselves. */
	start: number;
	lines: string[];
	/** Where it may go; `label` is the condition's side where there are two, `falls`: without a branch, as the next block of the text. */
	to: { name: string; label?: 'true' | 'false' | 'next'; falls?: boolean }[];
}

export interface Cfg {
	fn: string;
	blocks: CfgBlock[];
}

interface Reader {
	/** The function that a line opens, or null. */
	opens(line: string): string | null;
	closes(line: string): boolean;
	/** The block that a line begins, or null. */
	block(line: string): string | null;
	/** Adds the successors that a line names. */
	jumps(line: string, block: CfgBlock): void;
	/** A block without a jump at its end falls into the next one. */
	fallsThrough(block: CfgBlock): boolean;
	/** Successors stand in a list: those that no branch names are fallen into. */
	listsSuccessors: boolean;
}

const last = (block: CfgBlock) => block.lines.findLast((l) => l.trim())?.trim() ?? '';

const llvm: Reader = {
	opens: (line) => /^define\b.*?@("[^"]*"|[-$.\w]+)\s*\(/.exec(line)?.[1] ?? null,
	closes: (line) => line.startsWith('}'),
	block: (line) => /^("[^"]*"|[-$.\w]+):/.exec(line)?.[1] ?? null,
	jumps(line, block) {
		if (!/^\s*(?:br|switch|indirectbr|invoke|callbr)\b/.test(line) && !/^\s+(?:i\d+ -?\d+, label|\])/.test(line))
			return;
		const names = [...line.matchAll(/label %("[^"]*"|[-$.\w]+)/g)].map((m) => m[1]!);
		const two = /^\s*br i1/.test(line);
		names.forEach((name, i) => block.to.push({ name, ...(two && { label: i === 0 ? 'true' as const : 'false' as const }) }));
	},
	fallsThrough: () => false,
	listsSuccessors: false,
};

const mir: Reader = {
	opens: (line) => /^name:\s*(\S+)/.exec(line)?.[1] ?? /^#.*Machine code for function ([^:\s]+)/.exec(line)?.[1] ?? null,
	closes: (line) => line === '...' || /^# End machine code/.test(line),
	block: (line) => /^\s*bb\.(\d+)(?:\.[-$.\w]+)?(?:\s*\(.*\))?:/.exec(line)?.[1] ?? null,
	jumps(line, block) {
		if (/^\s*successors:/.test(line))
			for (const m of line.matchAll(/%bb\.(\d+)/g))
				block.to.push({ name: m[1]! });
	},
	fallsThrough: () => false,
	listsSuccessors: true,
};

const ptx: Reader = {
	opens: (line) => /\.(?:entry|func)\b(?:\s*\([^)]*\))?\s+([$%\w]+)/.exec(line)?.[1] ?? null,
	closes: (line) => line.startsWith('}'),
	block: (line) => /^\s*(\$?[\w$]+):/.exec(line)?.[1] ?? null,
	jumps(line, block) {
		const m = /^\s*(@!?%\w+\s+)?bra(?:\.uni)?\s+(\$?[\w$]+)/.exec(line);
		if (m)
			block.to.push({ name: m[2]!, ...(m[1] && { label: m[1].startsWith('@!') ? 'false' as const : 'true' as const }) });
	},
	fallsThrough: (block) => !/^(?:bra|ret|exit|trap|brx)\b/.test(last(block)),
	listsSuccessors: false,
};

const readers: Readonly<Record<CodeLanguage, Reader>> = { llvm, mir, ptx };

/** All functions' graphs. */
export function readCfgs(language: CodeLanguage, text: string): Cfg[] {
	const reader = readers[language], all: Cfg[] = [];
	let cfg: Cfg | undefined, block: CfgBlock | undefined;
	text.split('\n').forEach((line, at) => {
		const opened = reader.opens(line);
		if (opened !== null) {
			cfg = { fn: opened, blocks: [] };
			all.push(cfg);
			block = undefined;
			if (language === 'llvm') {
				block = { name: entryName(line), start: at + 1, lines: [], to: [] };
				cfg.blocks.push(block);
			}
			return;
		}
		if (!cfg)
			return;
		if (reader.closes(line)) {
			cfg = block = undefined;
			return;
		}
		const name = reader.block(line);
		if (name !== null) {
			if (block && block.lines.every((l) => !l.trim()) && block === cfg.blocks[0] && language === 'llvm')
				cfg.blocks.pop();
			block = { name, start: at, lines: [], to: [] };
			cfg.blocks.push(block);
		}
		if (!block && language === 'ptx' && /^\s+[@a-z]/.test(line)) {
			block = { name: 'entry', start: at, lines: [], to: [] };
			cfg.blocks.push(block);
		}
		if (block && name === null) {
			block.lines.push(line);
			reader.jumps(line, block);
		} else if (block && language === 'mir') {
			reader.jumps(line, block);
		}
	});
	for (const { blocks } of all)
		connect(blocks, reader);
	return all.filter((c) => c.blocks.length > 0);
}

const branchTo = (line: string, name: string) => !/^\s*successors:/.test(line) && new RegExp(`%bb\\.${name}\\b`).test(line);

function connect(blocks: CfgBlock[], reader: Reader): void {
	const known = new Set(blocks.map((b) => b.name));
	blocks.forEach((block, i) => {
		const next = blocks[i + 1];
		if (next && reader.fallsThrough(block) && !block.to.some((t) => t.name === next.name))
			block.to.push({ name: next.name, falls: true, ...(block.to.length > 0 && { label: 'next' as const }) });
		block.to = block.to.filter((t) => known.has(t.name));
		for (const t of block.to)
			t.falls ||= t.name === next?.name && reader.listsSuccessors && !block.lines.some((l) => branchTo(l, t.name));
	});
}

/** An unnamed entry block's number follows those of the unnamed arguments. */
function entryName(define: string): string {
	const names = [...define.matchAll(/%(\d+)\b/g)].map((m) => Number(m[1]));
	return names.length ? String(Math.max(...names) + 1) : /\(\s*\)/.test(define) ? '0' : 'entry';
}
