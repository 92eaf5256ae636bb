// The compiler's worker: one WASM instance, one request at a time. After a trap it only reports; the page replaces it.

import { compileModule, CompilerTrap, load, type CompileRequest, type Compiler, type Emulator, type Progress } from '@ptxscope/core';
import { changesOf } from './diff';
import type { Compiled, DebugQuestion, FromWorker, Question, Snapshot, ToWorker, Wanted } from './protocol';

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

/** Resolves once this worker holds the lock, which it keeps to its end. */
function holdLock(name: string): Promise<boolean> {
	return new Promise((resolve) => {
		if (!navigator.locks)
			resolve(false);
		else
			navigator.locks.request(name, () => {
				resolve(true);
				return new Promise(() => undefined);
			}).catch(() => resolve(false));
	});
}

async function start(id: number, source: WebAssembly.Module | string, life: string) {
	const module = await compileModule(source);
	compiler = await load(module);
	const passes = compiler.passes();
	levels = new Map(passes.map((pass) => [pass.id, pass.level]));
	const about = {
		version: `${compiler.version} (${compiler.commit})`, passes, knobs: compiler.knobs(),
		opcodes: listOr(compiler.opcodes), intrinsics: listOr(compiler.intrinsics),
	};
	const held = await holdLock(life);
	answer({ kind: 'loaded', id, module, about, ...(held && { life }) });
}

function compile(compiler: Compiler, request: CompileRequest): Compiled {
	const begin = performance.now();
	const trace = compiler.compile(request);
	const ms = performance.now() - begin;
	return { trace, ms, changes: changesOf(trace, (id) => levels.get(id)) };
}

let emulator: Emulator | undefined;
let last: Progress | null = null;

/** One move of the debugger, and what is to be seen afterwards. */
function debug(compiler: Compiler, question: DebugQuestion, wanted: Wanted): Snapshot {
	const nothing: Snapshot = { progress: null, warps: [], registers: null, memory: null, result: null };
	let loaded: Snapshot['loaded'];
	if (question.do === 'start') {
		emulator?.free();
		emulator = compiler.emulator();
		loaded = emulator.load(question.program);
		if (loaded.status !== 0)
			return { ...nothing, loaded, error: loaded.diagnostics[0]?.message ?? loaded.stderr.trim() };
	}
	if (!emulator)
		return { ...nothing, error: 'nothing is being executed' };
	if (question.do === 'start' || question.do === 'restart') {
		const { status, stderr } = emulator.launch(question.launch, question.options);
		if (status !== 0)
			return { ...nothing, ...(loaded && { loaded }), error: stderr.trim() };
		last = { state: 'stopped', steps: 0, progress: 0, at: emulator.place(), fault: null };
	} else if (question.do === 'step') {
		last = emulator.step(question.goal, question.budget);
	} else if (question.do === 'resume') {
		last = emulator.resume(question.budget);
	}
	const warps = emulator.warps();
	const { registers, memory, result } = wanted;
	const stands = registers && warps.some((w) => w.block === registers.block && w.warp === registers.warp && w.live !== 0);
	return {
		...(loaded && { loaded }), progress: last, warps,
		registers: stands ? emulator.registers(registers.block, registers.warp, registers.path) : null,
		memory: memory ? emulator.memory(memory) : null,
		result: result || last?.state === 'done' || last?.state === 'faulted' ? emulator.result() : null,
	};
}

function answerOf(compiler: Compiler, question: Question) {
	switch (question.kind) {
	case 'compile': return compile(compiler, question.request);
	case 'command': return compiler.run(question.argv, question.files);
	case 'debug': return debug(compiler, question.question, question.wanted);
	}
}

function handle(message: ToWorker): void | Promise<void> {
	if (message.kind === 'load')
		return start(message.id, message.module, message.life);
	if (!compiler)
		throw new Error('the compiler is not loaded');
	answer({ kind: 'done', id: message.id, answer: answerOf(compiler, message), heapBytes: compiler.heapBytes });
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
