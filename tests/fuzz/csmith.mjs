// Random C programs of Csmith (bit-fields, unions, packed structs, pointers to everything, switches, gotos), which leave a
// checksum after each variable: the CPU's against the emulator's, from each level of clang and at each level of ours.
// Needs csmith and clang-19.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { native, temporaryFolder } from '../tools/ptxscope.mjs';
import { root, which } from '../tools/setup.mjs';

export const needs = ['native'];

const own = join(root, 'tests/fuzz/csmith');
const folder = temporaryFolder();
const program = join(folder, 'program.c');
const common = ['-w', '-ffreestanding', '-I', own, '-I', '/usr/include/csmith', `-DPROGRAM="${program}"`];
const launch = join(folder, 'launch.json');
const runs = ['--level=ir', '--level=mir -O2', '--level=ptx -O0', '--level=ptx -O1', '--level=ptx -O3'];

// In the temporary folder: csmith writes a file platform.info beside itself.
const sh = (command, args, timeout) => spawnSync(command, args, { cwd: folder, timeout, maxBuffer: 1 << 28, encoding: 'utf8' });

/** The checksums that the CPU finds; null where the program does not end in time. */
function expected() {
	const binary = join(folder, 'program');
	if (sh('clang-19', ['-O1', ...common, join(own, 'cpu.c'), '-o', binary], 60000).status !== 0)
		return null;
	const { status, stdout } = sh(binary, [], 3000);
	return status === 0 ? stdout.trim().split('\n').map(Number) : null;
}

function compare(ir, level, options, want) {
	const { status, stdout, stderr } = sh(native, ['run', ir, `--launch=${launch}`, '--max-steps=2000000000', '--json', ...options.split(' ')], 120000);
	const what = `clang -${level}, ${options}`;
	if (status !== 0)
		return `${what}: ${status === null ? 'killed' : stderr.split('\n')[0]}`;
	const got = JSON.parse(stdout).buffers.out.values;
	const at = want.findIndex((value, i) => value !== got[i]);
	return at < 0 ? null : `${what}: checksum ${at} is ${got[at]}, not ${want[at]}`;
}

function check(text) {
	writeFileSync(program, text);
	const want = expected();
	if (!want)
		return null;
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'out' }],
		buffers: { out: { type: 'u32', count: want.length, init: { kind: 'zero' } } },
	}));
	for (const level of ['O0', 'O1', 'O2', 'O3']) {
		const ir = join(folder, `${level}.ll`);
		const { status, stderr } = sh('clang-19', ['--target=nvptx64-nvidia-cuda', '-march=sm_90', `-${level}`, '-Xclang', '-disable-O0-optnone',
			...common, '-S', '-emit-llvm', join(own, 'gpu.c'), '-o', ir], 120000);
		if (status !== 0)
			return `clang -${level}: ${stderr.slice(0, 200)}`;
		for (const options of runs) {
			const problem = compare(ir, level, options, want);
			if (problem)
				return problem;
		}
	}
	return null;
}

/** `whole`: a C program with lines removed may be undefined, so it is not shrunk by lines. */
export async function* cases(random) {
	if (!which('csmith') || !which('clang-19')) {
		console.log('csmith: skipped: csmith or clang-19 missing');
		return;
	}
	for (;;) {
		const seed = random.below(2 ** 31);
		if (sh('csmith', ['--seed', String(seed), '--no-argc', '-o', program], 60000).status === 0)
			yield { name: `csmith --seed ${seed}`, text: readFileSync(program, 'utf8'), extension: 'c', whole: true, check };
	}
}
