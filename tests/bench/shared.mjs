// `npm run conformance` and `npm run corpus`: the measures whose inputs lie beside the tree, in ../shared.
//   npm run conformance -- [--only GLOB] [--list-failing MEASURE] [--json OUT] …   LLVM's NVPTX tests against llc-22
//   npm run corpus -- [--arch sm_90] [--list] …             code quality of the corpus' kernels against llc-22 and nvcc
//   npm run corpus -- execute [--ptx-from none,cli] …       their results on the emulator
//   npm run corpus -- agree [--only a,b] …                  the same of every compiler at -O0 and -O3, also bit by bit (agree.mjs)
// Further words go to conformance.mjs, quality.mjs and execute.mjs there; --help lists them. LLVM's tests are taken from --suite,
// $LLVM_NVPTX_SUITE or .cache/llvm-suite-22 or -19 (../shared/conformance/get-suite fetches them). What is missing is named, and
// then nothing is measured.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../tools/build.mjs';
import { native } from '../tools/ptxscope.mjs';
import { root, which } from '../tools/setup.mjs';

const LLVM = '22';
const at = (...words) => join(root, '../shared', ...words);

/** The folder of LLVM's tests, or null. */
export function suite() {
	const folders = [process.env.LLVM_NVPTX_SUITE, join(root, `.cache/llvm-suite-${LLVM}`), join(root, '.cache/llvm-suite-19')];
	return folders.find((folder) => folder && existsSync(folder)) ?? null;
}

/** The words that run the measure, or what it lacks: { program, args } or { lacks }. */
export function command(measure, words) {
	if (measure === 'conformance') {
		const program = at('conformance/conformance.mjs'), tests = words.some((word) => word.startsWith('--suite')) ? null : suite();
		const lacks = !existsSync(program) ? `no ${program}`
			: !tests && !words.some((word) => word.startsWith('--suite')) ? 'no tests of LLVM: --suite or LLVM_NVPTX_SUITE names the folder that get-suite made'
				: [`llc-${LLVM}`, `FileCheck-${LLVM}`].filter((tool) => !which(tool)).map((tool) => `no ${tool}`)[0];
		return lacks ? { lacks } : { program, args: ['--cli', native, '--llvm', LLVM, ...tests ? ['--suite', tests] : [], ...words] };
	}
	if (words[0] === 'agree')
		return existsSync(at('corpus')) ? { program: join(root, 'tests/bench/agree.mjs'), args: words.slice(1) } : { lacks: `no ${at('corpus')}` };
	const execute = words[0] === 'execute', program = at('corpus', execute ? 'execute.mjs' : 'quality.mjs');
	const lacks = !existsSync(program) ? `no ${program}` : !execute && !which(`llc-${LLVM}`) ? `no llc-${LLVM}` : undefined;
	return lacks ? { lacks } : { program, args: ['--cli', native, ...words.slice(execute ? 1 : 0)] };
}

if (process.argv[1] === import.meta.filename) {
	const [measure, ...words] = process.argv.slice(2);
	const { lacks, program, args } = command(measure, words);
	if (lacks) {
		console.log(`${measure}: not measured: ${lacks}`);
		process.exit(0);
	}
	const failure = await build('native');
	if (failure) {
		console.error(failure);
		process.exit(1);
	}
	process.exit(spawnSync(process.execPath, [program, ...args], { stdio: 'inherit', env: { LLC: `llc-${LLVM}`, ...process.env } }).status ?? 1);
}
