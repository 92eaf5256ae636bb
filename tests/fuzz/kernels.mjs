// Random kernels that are always valid and always end, each executed as IR, after every pass, as PTX, and now and then as
// llc's PTX; all must agree. The work is done by a program of its own (tests/fuzz/kernels/), many kernels in one process.

import { join } from 'node:path';
import { root, which } from '../tools/setup.mjs';
import { runProgram } from './shared/program.mjs';

export const program = join(root, 'build/native/fuzz-kernels');
export const needs = ['unit'];

/** Runs for so many seconds; resolves to how many kernels there were and how many failed. Lines go to say() as they come. */
export function run({ seed, seconds, folder, say }) {
	const llc = which('llc-22') ?? which('llc-19'); // llc-19 reads elements of a vector argument by a generic address
	const args = [`--seed=${seed}`, `--seconds=${Math.ceil(seconds)}`, `--save=${folder}`, ...llc ? [`--llc=${llc}`] : []];
	return runProgram(program, args, 'kernels', say);
}
