// Reads PTX before a job is accepted, with the project's own reader, in a thread of its own: the service goes on meanwhile, and a text that
// takes too long costs a thread, not the service. Where the module is not built nothing is checked; the driver refuses bad PTX later.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';

/** What is wrong with the PTX, or with a launch of it: { line, column, message }. */
export class BadPtx extends Error {
	constructor(problem) {
		super(problem.message);
		this.problem = problem;
	}
}

if (!isMainThread && parentPort) {
	const { load } = await import('@ptxscope/core');
	const compiler = await load();
	parentPort.on('message', ({ id, ptx }) => {
		const { status, stderr, files } = compiler.run(['fmt', 'k.ptx', '--disable-output', '--trace=trace.json'], { 'k.ptx': ptx });
		const trace = files['trace.json'] ? JSON.parse(new TextDecoder().decode(files['trace.json'])) : { diagnostics: [], functions: [] };
		const error = trace.diagnostics.find((d) => d.severity === 'error') ?? (status ? { line: 0, col: 0, message: stderr.trim().split('\n')[0] } : null);
		parentPort.postMessage({ id, error, functions: trace.functions });
	});
}

/** Whether there is a module to read PTX with. */
const readable = () => {
	try {
		return ['ptxscope.wasm', '../build/wasm/ptxscope.wasm'].some((file) => existsSync(fileURLToPath(new URL(file, import.meta.resolve('@ptxscope/core')))));
	} catch {
		return false;
	}
};

export class Checker {
	#thread = null;
	#asked = new Map();
	#next = 0;
	available = readable();

	constructor({ wallMs = 10_000 } = {}) { this.wallMs = wallMs; }

	#start() {
		const thread = this.#thread = new Worker(fileURLToPath(import.meta.url));
		thread.unref();
		thread.on('message', ({ id, ...read }) => { this.#asked.get(id)?.(read); this.#asked.delete(id); });
		const gone = (message) => {
			if (this.#thread === thread)
				this.#thread = null;
			for (const answer of this.#asked.values())
				answer({ error: { line: 0, col: 0, message } });
			this.#asked.clear();
		};
		thread.on('error', () => gone('the reader of PTX failed on this text'));
		this.#gone = () => { void thread.terminate(); gone('reading the PTX took too long'); };
	}

	#gone = () => undefined;

	#read(ptx) {
		if (!this.#thread)
			this.#start();
		return new Promise((resolve) => {
			const id = this.#next++, timer = setTimeout(this.#gone, this.wallMs);
			this.#asked.set(id, (read) => { clearTimeout(timer); resolve(read); });
			this.#thread.postMessage({ id, ptx });
		});
	}

	/** Throws BadPtx where the text is not PTX or the launch does not fit its kernel. */
	async check(ptx, launch) {
		if (!this.available)
			return;
		const { error, functions } = await this.#read(ptx);
		if (error)
			throw new BadPtx({ line: error.line, column: error.col, message: error.message, hint: error.hint ?? undefined });
		const kernel = functions.find((f) => f.kernel && f.name === launch.kernel);
		if (!kernel)
			throw new BadPtx({ line: 0, column: 0, message: `the PTX has no kernel ${launch.kernel}; its kernels are ${functions.filter((f) => f.kernel).map((f) => f.name).join(', ') || 'none'}` });
		const bad = (message) => { throw new BadPtx({ line: kernel.line, column: 0, message }); };
		if (kernel.params.length !== launch.params.length)
			bad(`${kernel.name} takes ${kernel.params.length} arguments, the launch gives ${launch.params.length}`);
		kernel.params.forEach((p, i) => {
			if (p.bytes !== launch.params[i].bytes)
				bad(`argument ${i} of ${kernel.name} has ${p.bytes} bytes, the launch gives ${launch.params[i].bytes}`);
		});
	}

	close() { void this.#thread?.terminate(); }
}
