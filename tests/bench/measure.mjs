// Measuring whole processes: commands run in turns, so that whatever else the machine does touches them alike; medians.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../tools/setup.mjs';

const program = join(root, 'build/bench/rusage');

function buildRusage() {
	const source = join(root, 'tests/bench/rusage.c');
	if (existsSync(program) && statSync(program).mtimeMs > statSync(source).mtimeMs)
		return;
	mkdirSync(join(root, 'build/bench'), { recursive: true });
	const { status, stderr } = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' });
	if (status !== 0)
		throw new Error(stderr);
}

/** One run: { wall, cpu } in seconds, { memory } in bytes. Throws where the command fails. '--small-pages' may stand before it. */
export function once([command, ...args]) {
	buildRusage();
	const { stdout } = spawnSync(program, [command, ...args], { cwd: root, encoding: 'utf8', timeout: 300000 });
	const [wall, cpu, kib, status] = (stdout ?? '').trim().split(' ').map(Number);
	if (status !== 0)
		throw new Error(`${command.split('/').at(-1)} ${args.join(' ')}: ${status === undefined ? 'timed out' : `status ${status}`}`);
	return { wall: wall / 1e6, cpu: cpu / 1e6, memory: kib * 1024 };
}

export function median(list) {
	const sorted = [...list].sort((a, b) => a - b);
	const half = sorted.length >> 1;
	return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Medians of `runs` interleaved runs of each of `commands`, in their order. One run of each before does not count. */
export function interleaved(commands, runs) {
	commands.forEach(once);
	const taken = commands.map(() => []);
	for (let i = 0; i < runs; i++)
		commands.forEach((command, k) => taken[k].push(once(command)));
	return taken.map((list) => ({
		wall: median(list.map((run) => run.wall)), cpu: median(list.map((run) => run.cpu)),
		memory: Math.max(...list.map((run) => run.memory)),
	}));
}

export const gzipped = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
