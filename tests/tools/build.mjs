// The builds, as `npm start` and `npm test` run them: quiet when they succeed, the whole output when they fail.

import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { root } from './setup.mjs';

const jobs = `-j${Math.max(2, availableParallelism())}`;

/** Warnings are errors where the compiler is one that we test with; `strict` false is for other people's compilers. */
const make = (strict, ...args) => ['make', jobs, ...(strict ? [] : ['WERROR=']), ...args];

export const builds = {
	native: (strict) => make(strict),
	asan: (strict) => make(strict, 'MODE=asan'),
	unit: (strict) => make(strict, 'unit-program'),
	'unit-asan': (strict) => make(strict, 'unit-program', 'MODE=asan'),
	cuda: (strict) => make(strict, 'cuda'),
	wasm: (strict) => make(strict, '-f', 'emscripten.mk'),
	'unit-wasm': (strict) => make(strict, '-f', 'emscripten.mk', 'unit'),
	web: () => ['npm', 'run', 'build', '--workspace', 'web'],
};

const firstLine = (program, ...args) => spawnSync(program, args, { encoding: 'utf8' }).stdout?.split('\n')[0] ?? '';

/** Do we know every warning of the compiler that build `name` uses? Those of Debian 12: gcc 12, emscripten 3.1.6. */
export function isReferenceCompiler(name) {
	return name.endsWith('wasm') ? / 3\.1\.6/.test(firstLine('emcc', '--version')) : /gcc|cc \(/.test(firstLine('cc', '--version'))
		&& firstLine('cc', '-dumpversion').split('.')[0] === '12';
}

/** Runs a program in the root: how it ended, and what it printed. */
export function output(program, args) {
	return new Promise((resolve) => {
		const child = spawn(program, args, { cwd: root });
		const text = { stdout: '', stderr: '' };
		for (const stream of ['stdout', 'stderr'])
			child[stream].setEncoding('utf8').on('data', (piece) => { text[stream] += piece; });
		child.on('error', (error) => resolve({ status: null, signal: error.code, ...text }));
		child.on('close', (status, signal) => resolve({ status, signal, ...text }));
	});
}

/** Runs the build `name`; null, or its output where it failed. */
export async function build(name, { strict = true } = {}) {
	const [program, ...args] = builds[name](strict);
	const { status, signal, stdout, stderr } = await output(program, args);
	return status === 0 ? null : `$ ${program} ${args.join(' ')}\n${stdout}${stderr}${signal ?? ''}`;
}
