// clang's own options (cc1) for what is asked: those that its driver gives for a CUDA device or for host code, with messages that
// diagnostics.js can read.

import { kitDefines, kitFolders, kitResources } from './kit.js';

export const includeFolder = 'cuda/include';

/** Device code, host code, and device code that shares its pointers with host code of WebAssembly. A program that is only shown is compiled
 * beside a 64-bit host, as kernels without a program are. */
const triples = { device: 'nvptx64-nvidia-cuda', host: 'x86_64-unknown-linux-gnu', hostOfProgram: 'wasm64-unknown-wasip1' };
const runTriples = { device: 'nvptx-nvidia-cuda', host: 'wasm32-unknown-wasip1' };

const common = ({ defines = {}, folders = [] }) => [
	'-x', 'cuda', '-std=c++17', '-fcuda-allow-variadic-functions', '-fgnuc-version=4.2.1', '-fdeprecated-macro', '-fno-threadsafe-statics', '-fcxx-exceptions', '-fexceptions',
	...folders.map((folder) => `-I${folder}`), ...Object.entries(defines).map(([macro, value]) => `-D${macro}=${value}`),
	'-ferror-limit', '50', '-fdiagnostics-print-source-range-info', '-fdiagnostics-parseable-fixits',
];
const ourHeaders = ['-nostdsysteminc', '-nobuiltininc', '-internal-isystem', `/${includeFolder}`, '-include', 'cuda_runtime.h'];
/* Exceptions are read and end the program: the library has none. */
const programHeaders = [
	'-D__PTXSCOPE_PROGRAM__', ...kitDefines, '-fignore-exceptions', '-resource-dir', kitResources,
	...[...kitFolders, `/${includeFolder}`].flatMap((folder) => ['-internal-isystem', folder]), '-include', 'ptxscope/program.h',
];

/**
 * clang in WebAssembly has no NVPTX back end, so its passes ask nobody about the target and take it for one where 64 bits and vectors
 * cost nothing and branches never diverge. These are the answers of NVPTX: loops are unrolled in part and at run time, calls are worth
 * 11 times as much inlining, counters keep their 32 bits, a division in front of a loop costs as much as an addition (7 is the default of 4,
 * and the 3 by which a division is dearer elsewhere), and neither jumps are threaded nor loops copied for a condition, as threads may
 * diverge there.
 */
const answersOfTarget = (level) => [
	'unroll-runtime=1', 'unroll-allow-partial=1', `unroll-partial-threshold=${level > 2 ? 75 : 37}`, `inline-threshold=${11 * (level > 2 ? 250 : 225)}`,
	'indvars-widen-indvars=0', 'scev-cheap-expansion-budget=7', 'opt-disable=jump-threading', 'unswitch-threshold=1',
].flatMap((option) => ['-mllvm', `-${option}`]);

const device = ({ target, level, lines, backEnd }) => [
	'-target-cpu', target, '-target-feature', '+ptx88', '-fcuda-is-device', '-ffp-contract=fast', '-fno-rounding-math', '-mframe-pointer=all', '-fno-autolink', '-no-integrated-as',
	`-O${level}`, ...(level === 0 ? ['-disable-O0-optnone'] : backEnd ? ['-vectorize-loops', '-vectorize-slp'] : answersOfTarget(level)),
	...(lines ? ['-debug-info-kind=line-tables-only', '-dwarf-version=2'] : []), '-emit-llvm', '-o', '-',
];
const between = ({ device: a, host: b }, isHost) => ['clang', '-cc1', '-triple', isHost ? b : a, '-aux-triple', isHost ? a : b];

/** Kernels to IR. `program`: with the headers of a whole program; `backEnd`: for a clang that has the back end of NVPTX. */
export function clangArguments({ name = 'input.cu', target = 'sm_75', level = 3, program = false, ...rest }) {
	const request = { target, level, ...rest };
	return [
		...between({ ...triples, ...(program && { host: triples.hostOfProgram }) }, false), ...device(request), ...common(request), ...(program ? programHeaders : ourHeaders), name,
	];
}

/** Both sides of a program that is to run; they have to agree on every type. */
export const kernelArguments = (request) => [...between(runTriples, false), ...device({ ...request, lines: true }), ...common(request), ...programHeaders, request.name];
export const hostArguments = (request, kernels, object) => [
	...between(runTriples, true), '-target-sdk-version=12.8', '-O1', '-fcuda-include-gpubinary', kernels, '-emit-obj', '-o', object, ...common(request), ...programHeaders, request.name,
];
