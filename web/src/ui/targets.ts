// The targets offered: the rows of the compiler's own table.

import table from '../../../core/config/targets.def?raw';

export interface Target {
	id: string;
	/** The generation: Ampere, Hopper, … */
	name: string;
}

const plain = [...table.matchAll(/^SM\(\s*(\d+),\s*\d+,\s*"(\w+)"\)/gm)];
const variants = [...table.matchAll(/^SM_VARIANT\(\s*(\d+),\s*'(\w)'/gm)];

/** The machines that most code is compiled for. */
const common = ['sm_75', 'sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_100', 'sm_120'];

export const targets: readonly Target[] = plain.flatMap(([, number, name]) => [
	{ id: `sm_${number}`, name: name! },
	...variants.filter((v) => v[1] === number).map((v) => ({ id: `sm_${number}${v[2]}`, name: name! })),
]);
export const commonTargets = targets.filter((t) => common.includes(t.id));
