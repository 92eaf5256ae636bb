// How many registers are alive at every instruction of a machine function's text, and which at the fullest place.

import type { Liveness } from './liveness';

export interface Along {
	/** By instruction: its line in the text (from 1) and the 32-bit registers alive at it: before or behind, whichever is more. */
	points: { line: number; live: number }[];
	/** The first instruction with the most, and what is alive there. */
	peak: { at: number; live: number; registers: string[] };
}

/** Halves of a 32-bit register that a class takes; predicates have a file of their own. */
const halvesOf = (name: string | undefined): number => name === 'int1regs' ? 0 : name === 'int16regs' ? 1 : /^(?:int|float)64regs$/.test(name ?? '') ? 4 : name === 'int128regs' ? 8 : 2;

export function pressureAlong({ insts, classes, walk }: Liveness): Along {
	const points: Along['points'] = insts.map(({ line }) => ({ line, live: 0 }));
	let peak: Along['peak'] = { at: 0, live: 0, registers: [] };
	const count = (live: ReadonlySet<string>) => Math.ceil([...live].reduce((n, name) => n + halvesOf(classes.get(name)), 0) / 2);
	walk((inst, before, behind) => {
		const there = count(behind) > count(before) ? behind : before, live = count(there);
		points[inst.at]!.live = live;
		if (live > peak.live || (live === peak.live && inst.at < peak.at))
			peak = { at: inst.at, live, registers: [...there].filter((name) => halvesOf(classes.get(name)) > 0) };
	});
	return { points, peak };
}
