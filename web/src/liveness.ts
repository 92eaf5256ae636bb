// Which registers are alive at every instruction of a function's text, machine IR or PTX: the usual backward data flow over its blocks.

import { readCfgs } from './cfg';
import { tokenize } from './lang/grammar';
import { definitions } from './value';

export interface MachineInst {
	/** Its place among the function's instructions, from 0, and its line in the text, from 1. */
	at: number;
	line: number;
	defs: string[];
	/** Of a phi: none, as its operands are read at the ends of the blocks that they come from. */
	uses: string[];
}

export interface Liveness {
	insts: MachineInst[];
	/** Where each block begins, as an index of `insts`. */
	blocks: { at: number; name: string }[];
	/** The class of each register. */
	classes: Map<string, string>;
	/** Calls `visit` for each instruction, from the last to the first of each block, with what is alive before it and behind it;
	 * a result that nobody reads is alive behind its instruction. The sets are valid during the call. */
	walk(visit: (inst: MachineInst, before: ReadonlySet<string>, behind: ReadonlySet<string>) => void): void;
}

interface Block {
	name: string;
	to: string[];
	insts: MachineInst[];
	liveIn: Set<string>;
	/** What phis of successors read along the edge from here. */
	readAtEnd: Set<string>;
}

const registerPattern = /%(?!bb\.|stack|fixed|const|ir)(\w+)/g;

function readClasses(text: string): Map<string, string> {
	const classes = new Map<string, string>();
	for (const m of text.matchAll(/\{ id: (\d+), class: (\w+)/g))
		classes.set(m[1]!, m[2]!);
	for (const m of text.matchAll(/%(\w+):(\w+)/g))
		classes.set(m[1]!, m[2]!);
	return classes;
}

/** Of the types of PTX's declarations. */
const ptxClass = (type: string) => type === 'pred' ? 'int1regs' : type === 'f32' ? 'float32regs' : type === 'f64' ? 'float64regs'
	: `int${/\d+$/.exec(type)?.[0] ?? '32'}regs`;

function readPtxClasses(text: string, registers: Iterable<string>): Map<string, string> {
	const ranges = new Map<string, string>(), classes = new Map<string, string>();
	for (const m of text.matchAll(/\.reg\s+\.(\w+)\s+([^;]+);/g))
		for (const name of m[2]!.matchAll(/%(\w+?)(<\d+>)?(?=\s*(?:,|$))/g))
			(name[2] ? ranges : classes).set(name[1]!, ptxClass(m[1]!));
	for (const name of registers)
		if (!classes.has(name))
			classes.set(name, ranges.get(name.replace(/\d+$/, '')) ?? 'int32regs');
	return classes;
}

function readPtxBlocks(text: string, fn: string): Block[] {
	let at = 0;
	const cfgs = readCfgs('ptx', text);
	return ((cfgs.find((c) => c.fn === fn) ?? cfgs[0])?.blocks ?? []).map(({ name, start, to, lines }, k) => {
		const insts: MachineInst[] = [];
		lines.forEach((row, i) => {
			const code = row.replace(/\/\/.*$/, '');
			if (!/^\s*(?:@!?%\w+\s+)?[a-z][\w.:]*(?:\s|;)/.test(code))
				return;
			const defs = definitions('ptx', code).map((n) => n.slice(1));
			const all = tokenize('ptx', code).filter((t) => t.kind === 'register').map((t) => code.slice(t.start + 1, t.end));
			// The guard stands first. What is written under one keeps its old value where the guard does not hold.
			const guards = /^\s*@/.test(code) ? 1 : 0, uses = [...all.slice(0, guards), ...all.slice(guards + defs.length), ...(guards ? defs : [])];
			// The first block begins with its first instruction, the others with their label.
			insts.push({ at: at++, line: start + (k === 0 && name === 'entry' ? 1 : 2) + i, defs, uses });
		});
		return { name, to: to.map((t) => t.name), insts, liveIn: new Set<string>(), readAtEnd: new Set<string>() };
	});
}

function readBlocks(text: string): Block[] {
	let at = 0;
	const blocks: Block[] = [], phis: { from: string; name: string }[] = [];
	for (const { name, start, to, lines } of readCfgs('mir', text)[0]?.blocks ?? []) {
		const insts: MachineInst[] = [];
		lines.forEach((row, i) => {
			if (!row.trim() || /^\s*(?:successors|liveins|;)/.test(row))
				return;
			const code = row.replace(/\s+(?:::|;).*$/, '');
			const defs = definitions('mir', code).map((n) => n.slice(1));
			const right = defs.length ? code.slice(code.indexOf(' = ') + 3) : code;
			const phi = /^PHI\b/.test(right);
			if (phi)
				for (const m of right.matchAll(/%(\w+)(?:[:.]\w+)*, %bb\.(\d+)/g))
					phis.push({ from: m[2]!, name: m[1]! });
			insts.push({ at: at++, line: start + 2 + i, defs, uses: phi ? [] : [...right.matchAll(registerPattern)].map((m) => m[1]!) });
		});
		blocks.push({ name, to: to.map((t) => t.name), insts, liveIn: new Set(), readAtEnd: new Set() });
	}
	const byName = new Map(blocks.map((b) => [b.name, b]));
	for (const { from, name } of phis)
		byName.get(from)?.readAtEnd.add(name);
	return blocks;
}

function liveOut(block: Block, byName: ReadonlyMap<string, Block>): Set<string> {
	const live = new Set(block.readAtEnd);
	for (const to of block.to)
		for (const name of byName.get(to)?.liveIn ?? [])
			live.add(name);
	return live;
}

function stepBack(live: Set<string>, { defs, uses }: MachineInst): void {
	for (const name of defs)
		live.delete(name);
	for (const name of uses)
		live.add(name);
}

function solve(blocks: Block[], byName: ReadonlyMap<string, Block>): void {
	for (let changed = true; changed;) {
		changed = false;
		for (const b of blocks.toReversed()) {
			const live = liveOut(b, byName);
			for (const inst of b.insts.toReversed())
				stepBack(live, inst);
			changed ||= live.size !== b.liveIn.size;
			b.liveIn = live;
		}
	}
}

/** Of a text of machine IR, which has one function, or of a function of a PTX text. */
export function readLiveness(text: string, ptxFunction = ''): Liveness {
	const blocks = ptxFunction ? readPtxBlocks(text, ptxFunction) : readBlocks(text), byName = new Map(blocks.map((b) => [b.name, b]));
	solve(blocks, byName);
	return {
		insts: blocks.flatMap((b) => b.insts),
		blocks: blocks.map((b, i) => ({ name: b.name, at: blocks.slice(0, i).reduce((n, other) => n + other.insts.length, 0) })),
		classes: ptxFunction ? readPtxClasses(text, blocks.flatMap((b) => b.insts.flatMap((i) => [...i.defs, ...i.uses]))) : readClasses(text),
		walk(visit) {
			for (const b of blocks) {
				const behind = liveOut(b, byName);
				for (const inst of b.insts.toReversed()) {
					inst.defs.forEach((name) => behind.add(name));
					const before = new Set(behind);
					stepBack(before, inst);
					visit(inst, before, behind);
					stepBack(behind, inst);
				}
			}
		},
	};
}
