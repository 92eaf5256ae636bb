// A fuzzing program that says line by line what it does, and last "N things, N failed".

import { spawn } from 'node:child_process';

/** Runs it to its end; resolves to how many `things` there were and how many failed. Lines go to say() as they come. */
export function runProgram(program, args, things, say) {
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
			const [, count = 0, failed = 0] = new RegExp(`^(\\d+) ${things}, (\\d+) failed`).exec(last) ?? [];
			if (signal)
				say(`ended with ${signal}`);
			resolve({ count: Number(count), failed: Number(failed) + (signal || (status && !Number(failed)) ? 1 : 0) });
		});
	});
}
