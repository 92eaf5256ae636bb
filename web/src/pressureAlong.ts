// How many registers are alive at every instruction of a machine function's text.

import type { Pressure } from '@ptxscope/core';
import type { Liveness } from './liveness';
import { registers } from './instructions';

export interface Along {
	/** By instruction: its line in the text (from 1) and the 32-bit registers alive at it: before or behind, whichever is more. */
	points: { line: number; live: number }[];
	/** Every class at its own fullest place, as the compiler counts. */
	most: Pressure;
}

type Kind = keyof Pressure;

/** Where a register class is counted, and as how many: a register of 128 bits counts as two of 64. */
const kindOf = (name: string | undefined): Kind => name === 'int1regs' ? 'pred' : name === 'int16regs' ? 'r16' : /^int(?:64|128)regs$/.test(name ?? '') ? 'r64'
	: name === 'float32regs' ? 'f32' : name === 'float64regs' ? 'f64' : 'r32';
const none = (): Pressure => ({ pred: 0, r16: 0, r32: 0, r64: 0, f32: 0, f64: 0 });

export function pressureAlong({ insts, classes, walk }: Liveness): Along {
	const most = none(), points: Along['points'] = insts.map(({ line }) => ({ line, live: 0 }));
	const sum = (live: ReadonlySet<string>) => {
		const now = none();
		for (const name of live)
			now[kindOf(classes.get(name))] += classes.get(name) === 'int128regs' ? 2 : 1;
		for (const kind of Object.keys(most) as Kind[])
			most[kind] = Math.max(most[kind], now[kind]);
		return registers(now)!;
	};
	walk((inst, before, behind) => { points[inst.at]!.live = Math.max(sum(behind), sum(before)); });
	return { points, most };
}
