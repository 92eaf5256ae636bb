// Random kernels that are always valid and always end, each executed as IR, after every pass, as PTX, and now and then as
// llc-19's PTX; all must agree. The work is done by a program of its own (tests/fuzz/kernels/), many kernels in one process.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, which } from '../tools/setup.mjs';

export const program = join(root, 'build/native/fuzz-kernels');
export const needs = ['unit'];

/** Runs for so many seconds; resolves to how many kernels there were and how many failed. Lines go to say() as they come. */
export function run({ seed, seconds, folder, say }) {
	const llc = which('llc-19');
	const args = [`--seed=${seed}`, `--seconds=${Math.ceil(seconds)}`, `--save=${folder}`, ...llc ? [`--llc=${llc}`] : []];
	return new Promise((resolve) => {
		const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
		let rest = '', last = '';
		child.stdout.setEncoding('utf8').on('data', (text) => {
			const lines = (rest + text).split('\n');
			rest = lines.pop();
			for (const line of lines)
				say(last = line);
		});
		child.on('close', (status, signal) => {
			const [, count = 0, failed = 0] = /^(\d+) kernels, (\d+) failed/.exec(last) ?? [];
			if (signal)
				say(`ended with ${signal}`);
			resolve({ count: Number(count), failed: signal || (status && !Number(failed)) ? Number(failed) + 1 : Number(failed) });
		});
	});
}
