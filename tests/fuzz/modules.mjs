// Modules of other projects, LLVM's tests of its other targets and of its passes say: LLVM_TESTS names a folder of .ll files. Each is
// compiled for a target and with options that are drawn by chance. Whatever it holds, ptxscope answers with PTX that ptxas takes, or
// with errors; never with a crash, an internal error or silence.

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ptxas, ptxscope, sanitized } from '../tools/ptxscope.mjs';

export const needs = ['asan'];

const targets = ['sm_30', 'sm_52', 'sm_75', 'sm_90', 'sm_100a', 'sm_120a'], options = [[], [], ['-O0'], ['-O1'], ['-pipeline=documented']];

function modules(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? modules(path) : entry.name.endsWith('.ll') ? [path] : [];
	});
}

/** What is wrong, or null. What ptxas refuses for its own reasons, as functions that are not there, or inline assembly, is no fault. */
function judge(text, target, more) {
	const { status, signal, stdout, stderr } = ptxscope(['compile', '-', `-mcpu=${target}`, ...more, '-o', '-'], { input: text, program: sanitized, timeout: 60000 });
	if (signal || status > 1)
		return `-mcpu=${target} ${more.join(' ')}: ${signal ?? `status ${status}`}: ${/ERROR: .*|runtime error: .*|internal error.*/.exec(stderr)?.[0] ?? stderr.slice(0, 300)}`;
	if (status === 1)
		return /error: /.test(stderr) ? null : 'it fails without an error';
	if (!ptxas || target === 'sm_30' || target === 'sm_52' || /\basm\b/.test(text)) /* ptxas 13 assembles from sm_75 on */
		return null;
	const assembled = spawnSync(ptxas, ['-c', `-arch=${target}`, '-O0', '-', '-o', '/dev/null'], { input: stdout, encoding: 'utf8', timeout: 60000 });
	const why = /(?:error|fatal) *: (.*)/.exec(assembled.stderr)?.[1];
	return !why || /Unresolved extern|too much|exceed/i.test(why) ? null : `-mcpu=${target} ${more.join(' ')}: ptxas: ${why}`;
}

export async function* cases(random) {
	const files = process.env.LLVM_TESTS ? modules(process.env.LLVM_TESTS).sort() : [];
	if (!files.length)
		console.log('modules: none, as LLVM_TESTS names no folder of .ll files');
	while (files.length) {
		const name = random.pick(files), target = random.pick(targets), more = random.pick(options);
		/* Another target's triple is refused, and its layout is not this one's. */
		const text = readFileSync(name, 'latin1').replace(/^target (triple|datalayout).*$/gm, '');
		yield { name, text, extension: 'll', check: async (text) => judge(text, target, more) };
	}
}
