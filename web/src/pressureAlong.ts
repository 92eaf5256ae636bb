// How many registers are alive at every line of a machine function's text: liveness by the usual backward data flow over its blocks.

import type { Pressure } from '@ptxscope/core';
import { readCfgs } from './cfg';
import { registers } from './panes/PassList';
import { definitions } from './value';

export interface Along {
	/** By instruction: its line in the text (from 1) and the 32-bit registers alive at it: before or behind, whichever is more. */
	points: { line: number; live: number }[];
	/** Indices of points at which a block begins, and its name. */
	blocks: { at: number; name: string }[];
	/** Every class at its own fullest place, as the compiler counts. */
	most: Pressure | null;
}

interface Inst {
	line: number;
	defs: string[];
	uses: string[];
}

const registerPattern = /%(?!bb\.|stack|fixed|const|ir)(\w+)/g;

type Kind = keyof Pressure;

/** Where a register class is counted. */
const kindOf = (name: string): Kind => name === 'int1regs' ? 'pred' : name === 'int16regs' ? 'r16' : /^int(?:64|128)regs$/.test(name) ? 'r64'
	: name === 'float32regs' ? 'f32' : name === 'float64regs' ? 'f64' : 'r32';

export function pressureAlong(text: string): Along {
	const cfg = readCfgs('mir', text)[0];
	if (!cfg)
		return { points: [], blocks: [], most: null };
	const kinds = new Map<string, Kind>(), most: Pressure = { pred: 0, r16: 0, r32: 0, r64: 0, f32: 0, f64: 0 };
	for (const m of text.matchAll(/\{ id: (\d+), class: (\w+)/g))
		kinds.set(m[1]!, kindOf(m[2]!));
	for (const m of text.matchAll(/%(\w+):(\w+)/g))
		kinds.set(m[1]!, kindOf(m[2]!));
	/** A register of 128 bits counts as two of 64. */
	const pairs = new Set([...text.matchAll(/\{ id: (\d+), class: int128regs|%(\w+):int128regs/g)].map((m) => m[1] ?? m[2]!));
	/** What a phi reads is read at the end of the block that it comes from. */
	const readAtEnd = new Map<string, Set<string>>();
	const blocks = cfg.blocks.map((block) => {
		const insts: Inst[] = [];
		block.lines.forEach((row, i) => {
			if (!row.trim() || /^\s*(?:successors|liveins|;)/.test(row))
				return;
			const code = row.replace(/\s+(?:::|;).*$/, '');
			const defs = definitions('mir', code).map((n) => n.slice(1));
			const right = defs.length ? code.slice(code.indexOf(' = ') + 3) : code;
			const phi = /^PHI\b/.test(right);
			if (phi)
				for (const m of right.matchAll(/%(\w+)(?:[:.]\w+)*, %bb\.(\d+)/g))
					readAtEnd.set(m[2]!, (readAtEnd.get(m[2]!) ?? new Set()).add(m[1]!));
			insts.push({ line: block.start + 2 + i, defs, uses: phi ? [] : [...right.matchAll(registerPattern)].map((m) => m[1]!) });
		});
		return { name: block.name, to: block.to.map((t) => t.name), insts, liveIn: new Set<string>() };
	});
	const byName = new Map(blocks.map((b) => [b.name, b]));
	const liveOut = (b: (typeof blocks)[number]) => {
		const live = new Set(readAtEnd.get(b.name));
		for (const to of b.to)
			for (const name of byName.get(to)?.liveIn ?? [])
				live.add(name);
		return live;
	};
	const back = (live: Set<string>, { defs, uses }: Inst) => {
		for (const name of defs)
			live.delete(name);
		for (const name of uses)
			live.add(name);
	};
	for (let changed = true; changed;) {
		changed = false;
		for (let i = blocks.length - 1; i >= 0; i--) {
			const b = blocks[i]!, live = liveOut(b);
			for (let k = b.insts.length - 1; k >= 0; k--)
				back(live, b.insts[k]!);
			if (live.size !== b.liveIn.size) {
				b.liveIn = live;
				changed = true;
			}
		}
	}
	const points: Along['points'] = [], starts: Along['blocks'] = [];
	for (const b of blocks) {
		starts.push({ at: points.length, name: b.name });
		const live = liveOut(b), counts: number[] = [];
		for (let k = b.insts.length - 1; k >= 0; k--) {
			const sum = () => {
				const now: Pressure = { pred: 0, r16: 0, r32: 0, r64: 0, f32: 0, f64: 0 };
				for (const name of live)
					now[kinds.get(name) ?? 'r32'] += pairs.has(name) ? 2 : 1;
				for (const kind of Object.keys(most) as Kind[])
					most[kind] = Math.max(most[kind], now[kind]);
				return registers(now)!;
			};
			// A result that nobody reads takes its place all the same.
			for (const name of b.insts[k]!.defs)
				live.add(name);
			const after = sum();
			back(live, b.insts[k]!);
			counts[k] = Math.max(after, sum());
		}
		b.insts.forEach((inst, k) => points.push({ line: inst.line, live: counts[k]! }));
	}
	return { points, blocks: starts, most };
}
