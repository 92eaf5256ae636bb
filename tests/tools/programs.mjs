// `npm run programs [-- NAME…]`: the programs of tests/cuda/programs, built by nvcc unchanged and run on the stand-ins for CUDA's driver
// and runtime (build/cuda). Each checks its own results and prints "done". A program's second line may say what it needs:
//   // nvcc: FLAGS     for the compiler, in place of those for one device function per file
//   // env: NAME=VALUE for the run
//   // err: REGEX      standard error must match it; without one, it must be empty
// Built programs stay in build/programs and are built again when their source is newer.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, which } from './setup.mjs';

export const nvcc = ['/usr/local/cuda/bin/nvcc', which('nvcc')].find((file) => file && existsSync(file));
const folder = join(root, 'tests/cuda/programs');
const built = join(root, 'build/programs');
const library = join(root, 'build/cuda');

export const programs = readdirSync(folder).filter((file) => file.endsWith('.cu')).map((file) => file.slice(0, -3)).sort();

function options(name) {
	const lines = readFileSync(join(folder, `${name}.cu`), 'utf8').split('\n').slice(1, 5);
	const of = (word) => lines.filter((line) => line.startsWith(`// ${word}: `)).map((line) => line.slice(word.length + 5));
	return { nvcc: of('nvcc').flatMap((text) => text.split(' ')), env: Object.fromEntries(of('env').map((text) => text.split('='))), err: of('err')[0] };
}

const run = (program, args, env = {}) => new Promise((resolve) => {
	const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env } });
	let out = '', err = '';
	child.stdout.on('data', (data) => out += data);
	child.stderr.on('data', (data) => err += data);
	child.on('close', (status, signal) => resolve({ status: status ?? signal, out, err }));
});

/** Null, or what is wrong with the program; `ms` are the times of compiling and of running. */
export async function check(name) {
	const source = join(folder, `${name}.cu`), program = join(built, name), { nvcc: flags, env, err } = options(name);
	const started = Date.now();
	mkdirSync(built, { recursive: true });
	const changed = Math.max(...[source, join(folder, 'check.h')].map((file) => statSync(file).mtimeMs));
	if (!existsSync(program) || statSync(program).mtimeMs < changed) {
		const made = await run(nvcc, ['-cudart=shared', '-std=c++17', '--extended-lambda', '-w', '-gencode', 'arch=compute_90,code=compute_90',
			'-L', library, ...flags, '-o', program, source]);
		if (made.status !== 0)
			return { problem: `nvcc: ${made.out}${made.err}` };
	}
	const compiled = Date.now();
	const ran = await run(program, [], { LD_LIBRARY_PATH: `${library}:${process.env.LD_LIBRARY_PATH ?? ''}`, ...env });
	const ms = [compiled - started, Date.now() - compiled];
	const right = ran.status === 0 && ran.out.endsWith('done\n') && (err ? new RegExp(err, 's').test(ran.err) : ran.err === '');
	return { problem: right ? null : `exit ${ran.status}\n${ran.out}${ran.err}`, ms };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const wanted = process.argv.slice(2);
	if (!nvcc) {
		console.log('skipped: no nvcc');
		process.exit(0);
	}
	if (spawnSync('make', ['-s', 'cuda'], { cwd: root, stdio: 'inherit' }).status !== 0)
		process.exit(1);
	let failed = 0;
	const chosen = programs.filter((name) => wanted.length === 0 || wanted.includes(name));
	for (const name of chosen) {
		const { problem, ms } = await check(name);
		failed += problem ? 1 : 0;
		console.log(problem ? `${name}: FAILED\n${problem}` : `${name}: done (nvcc ${(ms[0] / 1000).toFixed(1)} s, run ${(ms[1] / 1000).toFixed(1)} s)`);
	}
	console.log(`${chosen.length - failed} of ${chosen.length} programs`);
	process.exitCode = failed ? 1 : 0;
}
