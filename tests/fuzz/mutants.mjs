// Mutants of all the IR that the tests hold: still valid, with types of other widths, other operations, intrinsics, control flow,
// targets and knobs. Each is compiled under the sanitizers, at best taken by ptxas, and executed at all levels where it has a
// launch. Made and judged by a program of its own (tests/fuzz/mutants/), each mutant in a process of its own.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ptxas } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';
import { runProgram } from './shared/program.mjs';

export const needs = ['unit-asan'];
export const program = (mode) => join(root, `build/${mode}/fuzz-mutants`);

/** Valid modules that are no larger than what a mutant a second bears. */
function seeds(folder) {
	return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory())
			return ['bad', 'bench'].includes(entry.name) ? [] : seeds(path);
		return entry.name.endsWith('.ll') && statSync(path).size < 150000 ? [path] : [];
	});
}

/** Runs for so many seconds; resolves to how many mutants there were and how many failed. Lines go to say() as they come. */
export function run({ seed, seconds, folder, say }) {
	const files = [join(root, 'examples'), join(root, 'tests')].filter(existsSync).flatMap(seeds);
	const args = [`--seed=${seed}`, `--seconds=${Math.ceil(seconds)}`, `--save=${folder}`, ...ptxas ? [`--ptxas=${ptxas}`] : [], ...files];
	return runProgram(program('asan'), args, 'mutants', say);
}
