// Whole programs: host code to WebAssembly, kernels to 32-bit NVPTX, and a run of both.

import { withoutPlace } from './diagnostics.js';
import { exceptionCalls, Thrown } from './exceptions.js';
import { Runtime } from './runtime.js';
import { sourceName } from './source.js';
import { Process } from './wasi.js';

const folderOfObjects = 'build';
export const objectFile = `${folderOfObjects}/host.o`, programFile = `${folderOfObjects}/program.wasm`, kernelsFile = `${folderOfObjects}/kernels`;
const importsFile = `${folderOfObjects}/imports`;

/** What the linker is told besides libraries: the calls that runtime.js answers. */
export function linkerFiles() {
	const calls = [...Object.keys(new Runtime({ variables: () => [] }, 'sm_75', {}).imports()), ...Object.keys(exceptionCalls())];
	return { [importsFile]: `${calls.join('\n')}\n`, [kernelsFile]: 'ptxscope' };
}

export const linkerArguments = (objects, libraries) => [
	'wasm-ld', '-m', 'wasm32', ...objects, objectFile, ...libraries, `--allow-undefined-file=${importsFile}`, '--export-table', '--export=aligned_alloc', '--export=free',
	'--export=fflush', '--stack-first', '-z', `stack-size=${8 << 20}`, `--max-memory=${1 << 30}`, '-o', programFile,
];

/** The linker's complaints: a function that is declared and nowhere defined. */
export function readLinker(stderr) {
	const missing = [...new Set([...stderr.matchAll(/undefined symbol: (.*)/g)].map(([, symbol]) => symbol))];
	const other = stderr.split('\n').filter((line) => /error:/.test(line) && !/undefined symbol:/.test(line));
	const messages = [...missing.map((symbol) => `the program calls ${symbol}, which is declared and not there`), ...other];
	return messages.map(withoutPlace);
}

const utf8 = new TextEncoder();

/** "saxpy.cu:12: out-of-bounds: …" for a fault, whose origin is a line of the IR. */
function faultText({ kernel, fault }, { name, lines }) {
	const line = lines[fault.origin - 1] ?? 0, at = line ? `${name}:${line}: ` : '';
	const where = fault.thread ? `, thread (${fault.thread.join(', ')}) of block (${fault.block.join(', ')})` : '';
	const own = sourceName(kernel);
	return { kernel: own, kind: fault.kind, line, thread: fault.thread, block: fault.block, message: fault.message, text: `${at}${fault.kind} in kernel ${own}${where}: ${fault.message}` };
}

/** The functions that a trap of the program went through, the innermost first. */
const functionsOf = (trap) => [...(trap.stack ?? '').matchAll(/at (?:async )?(?:wasm-function\[\d+\]|([^\s(]+)) \(?wasm:/g)].map(([, name]) => name).filter((name) => name && !/^_start|^__/.test(name));

function trapText(trap) {
	const what = /out of bounds/.test(trap.message) ? 'host code accesses memory that is not its own (memory of cudaMalloc is the device\'s)'
		: /unreachable/.test(trap.message) ? 'host code ended itself (abort, or an exception)' : `host code failed: ${trap.message}`;
	const through = functionsOf(trap);
	return `${what}${through.length ? `, in ${through[0]}` : ''}`;
}

/**
 * Runs a compiled program. `compiler` is one of @ptxscope/core. `print(stream, bytes)`: 1 standard output, 2 standard error;
 * `budget(steps)` may end a kernel. What comes back: the exit status, the launches, the faults of kernels, the time of the model.
 */
export async function runProgram(compiler, program, { args = [], input = new Uint8Array(), files = {}, print, budget = () => true, knobs = {} }) {
	const { name, target, level } = program, say = (text) => print(2, utf8.encode(`ptxscope: ${text}\n`));
	const emulator = compiler.emulator(), launches = [], faults = [];
	try {
		emulator.mappedMemory();
		const loaded = emulator.load({ source: program.ir, name: 'kernels.ll', target, level, knobs });
		if (loaded.status !== 0) {
			for (const d of loaded.diagnostics.filter((d) => d.severity === 'error'))
				say(`${program.lines[d.line - 1] ? `${name}:${program.lines[d.line - 1]}: ` : ''}${d.message}`);
			return { status: 1, launches, faults, ms: 0 };
		}
		const runtime = new Runtime(emulator, target, {
			launched: (launch) => {
				const { fault, ...rest } = launch;
				launches.push({ ...rest, kernel: sourceName(rest.kernel) });
				if (fault)
					faults.push(faultText(launch, program));
			},
			flushed: (bytes) => {
				process.exports.fflush(0);
				print(1, bytes);
			},
			budget,
		});
		const process = new Process([program.name.replace(/\.\w+$/, ''), ...args], files, {
			print, input, now: () => BigInt(Math.round(runtime.timeline.now())), sleep: (time) => runtime.timeline.sleep(Number(time)),
			missing: (path) => say(`the program opens ${path}: there are no files`),
		});
		const status = await execute(process, program.module, runtime, say);
		for (const fault of faults)
			say(fault.text);
		return { status, launches, faults, ms: runtime.timeline.now() / 1e6 };
	} finally {
		if (compiler.alive)
			emulator.free();
	}
}

async function execute(process, module, runtime, say) {
	try {
		const status = await process.run(module, { env: { ...runtime.imports(), ...exceptionCalls(() => process.exports) } }, (exports) => runtime.attach(exports));
		runtime.flush();
		return status;
	} catch (trap) {
		if (!(trap instanceof WebAssembly.RuntimeError) && !(trap instanceof Thrown))
			throw trap;
		process.exports?.fflush(0);
		runtime.flush();
		say(trap instanceof Thrown ? trap.message : trapText(trap));
		return /out of bounds/.test(trap.message) ? 139 : 134;
	}
}
