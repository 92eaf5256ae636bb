// The compiler's worker: one WASM instance, one request at a time. After a trap it only reports; the page replaces it.

import { compileModule, CompilerTrap, load, type CompileRequest, type Compiler } from '@ptxscope/core';
import { changesOf } from './diff';
import type { Compiled, FromWorker, ToWorker } from './protocol';

let compiler: Compiler | undefined;
let levels = new Map<string, string>();

const answer = (message: FromWorker) => postMessage(message);

/** A list that only serves explanations may be missing. */
function listOr<T>(list: (this: Compiler) => T[]): T[] {
	try {
		return list.call(compiler!);
	} catch {
		return [];
	}
}

async function start(id: number, source: WebAssembly.Module | string) {
	const module = await compileModule(source);
	compiler = await load(module);
	const passes = compiler.passes();
	levels = new Map(passes.map((pass) => [pass.id, pass.level]));
	const about = {
		version: `${compiler.version} (${compiler.commit})`, passes, knobs: compiler.knobs(),
		opcodes: listOr(compiler.opcodes), intrinsics: listOr(compiler.intrinsics),
	};
	answer({ kind: 'loaded', id, module, about });
}

function compile(compiler: Compiler, request: CompileRequest): Compiled {
	const begin = performance.now();
	const trace = compiler.compile(request);
	const ms = performance.now() - begin;
	return { trace, ms, changes: changesOf(trace, (id) => levels.get(id)) };
}

function handle(message: ToWorker): void | Promise<void> {
	if (message.kind === 'load')
		return start(message.id, message.module);
	if (!compiler)
		throw new Error('the compiler is not loaded');
	const done = message.kind === 'compile' ? compile(compiler, message.request) : compiler.run(message.argv, message.files);
	answer({ kind: 'done', id: message.id, answer: done, heapBytes: compiler.heapBytes });
}

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
	try {
		await handle(data);
	} catch (error) {
		answer({
			kind: 'failed', id: data.id, trapped: error instanceof CompilerTrap,
			message: error instanceof Error ? error.message : String(error),
		});
	}
});
