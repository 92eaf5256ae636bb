// Where each register of a machine function's text is alive, as runs of instructions.

import type { Liveness } from './liveness';

export interface LiveRange {
	register: string;
	class: string;
	/** Runs of instructions by index, the last one included, in order. */
	runs: { from: number; to: number }[];
	/** Instructions that write it, and that read it. */
	defs: number[];
	uses: number[];
}

export function liveRanges({ insts, classes, walk }: Liveness): LiveRange[] {
	const alive = new Map<string, number[]>();
	walk((inst, before, behind) => {
		for (const name of new Set([...before, ...behind]))
			(alive.get(name) ?? alive.set(name, []).get(name)!).push(inst.at);
	});
	const ranges = [...alive].map(([register, at]): LiveRange => {
		const runs: LiveRange['runs'] = [];
		for (const k of at.sort((a, b) => a - b)) {
			const last = runs.at(-1);
			if (last?.to === k - 1)
				last.to = k;
			else
				runs.push({ from: k, to: k });
		}
		return { register, class: classes.get(register) ?? '', runs, defs: [], uses: [] };
	});
	const byName = new Map(ranges.map((r) => [r.register, r]));
	for (const { at, defs, uses } of insts) {
		defs.forEach((name) => byName.get(name)?.defs.push(at));
		uses.forEach((name) => byName.get(name)?.uses.push(at));
	}
	return ranges.sort((a, b) => a.runs[0]!.from - b.runs[0]!.from || Number(a.register) - Number(b.register));
}
