// Asks an installed LLVM about many modules at once: tests/tools/llvm.c, compiled when it is first needed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, which } from './setup.mjs';

const source = join(root, 'tests/tools/llvm.c'), program = join(root, 'build/tests/llvm');

/** The shared library that opt of that version is linked with. */
const libraryOf = (version) => / => (\S*libLLVM\S*)/.exec(which(`opt-${version}`) && which('ldd') ? spawnSync('ldd', [which(`opt-${version}`)], { encoding: 'utf8' }).stdout : '')?.[1];

const libraries = new Map();
const library = (version) => libraries.get(version) ?? libraries.set(version, libraryOf(version)).get(version);

/** Why that LLVM cannot be asked, or false. */
export const withoutLlvm = (version) => (library(version) && which('cc') ? false : `no opt-${version} with a shared library, or no cc`);

function compiled() {
	const time = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	if (time(program) < time(source)) {
		mkdirSync(join(root, 'build/tests'), { recursive: true });
		const fresh = `${program}.${process.pid}`; // another test may be compiling it, too
		const { status, stderr } = spawnSync('cc', ['-std=c11', '-O1', '-Wall', '-Wextra', '-o', fresh, source, '-ldl'], { encoding: 'utf8' });
		assert.equal(status, 0, stderr);
		renameSync(fresh, program);
	}
	return program;
}

/** What LLVM `version` answers for each of `modules`, which are text or bitcode: [{ status, answer }]. `verb` is `verify`, `print`,
 * `write` or `strip`; status is 0, 1 where LLVM refuses the module, or 2 where it crashes. An answer is a string, or bytes for `write`. */
export function llvm(version, verb, modules) {
	const input = Buffer.concat(modules.flatMap((module) => {
		const bytes = Buffer.from(module);
		return [Buffer.from(`${verb} ${bytes.length}\n`), bytes];
	}));
	const { status, stdout, stderr } = spawnSync(compiled(), [library(version)], { input, maxBuffer: 1 << 30 });
	assert.equal(status, 0, stderr.toString());
	const answers = [];
	for (let at = 0; at < stdout.length;) {
		const end = stdout.indexOf(10, at), [ended, length] = stdout.toString('latin1', at, end).split(' ').map(Number);
		const bytes = stdout.subarray(end + 1, end + 1 + length);
		answers.push({ status: ended, answer: verb === 'write' && ended === 0 ? bytes : bytes.toString('utf8') });
		at = end + 1 + length;
	}
	assert.equal(answers.length, modules.length);
	return answers;
}
