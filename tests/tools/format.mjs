// `npm run format`: lays out every C file as .clang-format has it. `npm run format -- --check` only names what would change,
// as tests/format.test.mjs does. Versions of clang-format differ in details, so only version 14 (Debian 12's) is used.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';

/** Why formatting cannot be checked here; null where it can. */
export function formatProblem() {
	const { stdout = '', error } = spawnSync('clang-format', ['--version'], { encoding: 'utf8' });
	return error ? 'clang-format is missing' : / version 14\./.test(stdout) ? null : `clang-format is not version 14: ${stdout.trim()}`;
}

/** The C files of the project, without those that are inputs of tests and those in CUDA C++. */
function cFiles() {
	const { stdout } = spawnSync('git', ['ls-files', '*.c', '*.h'], { cwd: root, encoding: 'utf8' });
	return stdout.split('\n').filter((file) => file && !/^(?:tests\/ir\/sources|wasm\/cuda\/include)\//.test(file));
}

/** Runs clang-format over all files with `args`; returns its status and what it said. */
export function runFormat(...args) {
	const { status, stderr } = spawnSync('clang-format', [...args, ...cFiles()], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
	return { status, stderr };
}

export const check = ['--dry-run', '-Werror'];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const problem = formatProblem();
	const { status, stderr } = problem ? { status: 1, stderr: problem } : runFormat(...process.argv.includes('--check') ? check : ['-i']);
	process.stderr.write(stderr);
	process.exitCode = status;
}
