// Random call graphs of up to 200 functions: narrowing ends, is valid IR, and the program computes what it did before. The work
// is done by tests/unit/callgraphs.c, thousands of modules in one process; a failure prints its module.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/setup.mjs';

export const needs = ['unit'];
const program = join(root, 'build/native/unit');

/** Batches from `seed` on until the time is up; resolves to how many modules there were and how many failed. */
export async function run({ seed, seconds, folder, say }) {
	const batch = 1000, end = Date.now() + seconds * 1000;
	for (let count = 0; ; count += batch) {
		const first = seed % 1e9 + count;
		const { status, stdout, error } = spawnSync(program, ['callgraphs'], {
			encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, CALLGRAPHS: String(batch), CALLGRAPHS_SEED: String(first) },
		});
		if (error)
			throw error;
		if (status !== 0) {
			const file = join(folder, `callgraphs-${first}.txt`);
			writeFileSync(file, stdout);
			say(`callgraphs: failed within ${batch} modules from seed ${first}, see ${file}`);
			return { count: count + batch, failed: 1 };
		}
		say(/^# (.*)$/m.exec(stdout)?.[1] ?? '');
		if (Date.now() >= end)
			return { count: count + batch, failed: 0 };
	}
}
