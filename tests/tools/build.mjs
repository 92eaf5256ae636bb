// The builds, as `npm start` and `npm test` run them: quiet when they succeed, the whole output when they fail.

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { root } from './setup.mjs';

const jobs = `-j${Math.max(2, availableParallelism())}`;

/** Warnings are errors where the compiler is one that we test with; `strict` false is for other people's compilers. */
const make = (strict, ...args) => ['make', jobs, ...(strict ? [] : ['WERROR=']), ...args];

export const builds = {
	native: (strict) => make(strict),
	asan: (strict) => make(strict, 'MODE=asan'),
	unit: (strict) => make(strict, 'unit-programs'),
	'unit-asan': (strict) => make(strict, 'unit-programs', 'MODE=asan'),
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

/** Runs the build `name`; returns null, or its output where it failed. */
export function build(name, { strict = true } = {}) {
	const [program, ...args] = builds[name](strict);
	const { status, error, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
	return status === 0 ? null : `$ ${program} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`;
}
