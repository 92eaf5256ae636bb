// Owns the compiler worker: one request in flight, the latest waiting one wins, and a worker that trapped, hangs or has grown
// too large is replaced. The compiled module is shared, so that neither a replacement nor another client fetches or compiles it again.

import type { About, Answers, FromWorker, Question, ToWorker } from './protocol';

/** Why a request failed: a WASM trap, the time limit, no compiler, an internal error that it reported, an end of clang, anything else. */
export type Failure = 'trap' | 'timeout' | 'load' | 'internal' | 'clang' | 'error';

export class CompileFailure extends Error {
	constructor(readonly why: Failure, message: string, readonly respawnMs = 0) {
		super(message);
	}
}

/** A newer request took this one's place. */
export class Superseded extends Error {}

interface Job {
	question: Question;
	resolve: (answer: never) => void;
	reject: (error: Error) => void;
}

export interface Limits {
	/** Infinity: the user ends what takes too long. */
	timeoutMs: number;
	/** A running job older than this is dropped when a newer one arrives; younger ones are waited for. */
	staleMs: number;
	heapBytes: number;
}

/** The compiler's module: its address until the first worker has compiled it. */
export interface SharedModule {
	module: WebAssembly.Module | string;
}

const defaults: Limits = { timeoutMs: Infinity, staleMs: 400, heapBytes: 512 << 20 };

export class CompilerClient {
	#worker: Worker | undefined;
	#ready: Promise<About> | undefined;
	#nextId = 1;
	#running: { id: number; job: Job; since: number; timer: ReturnType<typeof setTimeout> | undefined } | undefined;
	#waiting: Job | undefined;
	#about: { id: number; resolve: (about: About) => void; reject: (error: Error) => void } | undefined;

	constructor(readonly shared: SharedModule, readonly limits: Limits = defaults) {}

	/** Starts the worker if there is none. Rejects where WASM is unavailable or the module cannot be had. */
	start(): Promise<About> {
		return this.#ready ??= this.#spawn();
	}

	ask<Q extends Question>(question: Q): Promise<Answers[Q['kind']]> {
		return new Promise((resolve: (answer: Answers[Q['kind']]) => void, reject) => {
			this.#waiting?.reject(new Superseded());
			this.#waiting = { question, resolve, reject };
			if (this.#running && performance.now() - this.#running.since > this.limits.staleMs)
				void this.#replace(new Superseded());
			this.#pump();
		});
	}

	/** Drops what is running and waiting. */
	cancel(): void {
		this.#waiting?.reject(new Superseded());
		this.#waiting = undefined;
		if (this.#running)
			void this.#replace(new Superseded());
	}

	#spawn(): Promise<About> {
		return new Promise((resolve, reject) => {
			const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'compiler' });
			const id = this.#nextId++;
			this.#worker = worker;
			this.#about = { id, resolve, reject };
			worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(worker, data));
			worker.addEventListener('error', (event) => {
				event.preventDefault();
				this.#lost(worker, event.message || 'the worker stopped');
			});
			const life = `ptxscope-${crypto.randomUUID?.() ?? Math.random()}`;
			const message: ToWorker = { kind: 'load', id, module: this.shared.module, life };
			worker.postMessage(message);
		});
	}

	/** A worker that the browser ends sends nothing. It holds a lock for as long as it lives: whoever gets the lock knows. */
	#watch(worker: Worker, life: string) {
		void navigator.locks?.request(life, () => this.#lost(worker, 'the browser ended the worker')).catch(() => undefined);
	}

	#lost(worker: Worker, reason: string) {
		if (worker !== this.#worker)
			return;
		this.#about?.reject(new CompileFailure('load', reason));
		this.#about = undefined;
		if (this.#running)
			void this.#replace(new CompileFailure('trap', reason));
		else
			this.#drop();
	}

	#drop() {
		this.#worker?.terminate();
		this.#worker = undefined;
		this.#ready = undefined;
	}

	/** Ends the worker, starts another, and only then tells the running job why it failed. */
	async #replace(error: Error) {
		const running = this.#running;
		this.#running = undefined;
		if (running)
			clearTimeout(running.timer);
		const begin = performance.now();
		this.#drop();
		await this.start().catch(() => undefined);
		if (error instanceof CompileFailure)
			error = new CompileFailure(error.why, error.message, performance.now() - begin);
		running?.job.reject(error);
		this.#pump();
	}

	#receive(worker: Worker, message: FromWorker) {
		if (worker !== this.#worker)
			return;
		if (message.id === this.#about?.id) {
			const about = this.#about;
			this.#about = undefined;
			if (message.kind === 'loaded') {
				this.shared.module = message.module;
				if (message.life)
					this.#watch(worker, message.life);
				about.resolve(message.about);
			} else {
				this.#drop();
				about.reject(new CompileFailure('load', message.kind === 'failed' ? message.message : 'no compiler'));
			}
			return;
		}
		const running = this.#running;
		if (!running || message.id !== running.id)
			return;
		if (message.kind === 'failed' && message.trapped) {
			void this.#replace(new CompileFailure('trap', message.message));
			return;
		}
		clearTimeout(running.timer);
		this.#running = undefined;
		if (message.kind === 'done') {
			running.job.resolve(message.answer as never);
			if (message.heapBytes > this.limits.heapBytes)
				this.#drop();
		} else {
			running.job.reject(new CompileFailure('error', message.kind === 'failed' ? message.message : 'no answer'));
		}
		this.#pump();
	}

	#pump() {
		if (this.#running || !this.#waiting)
			return;
		this.start().then(() => {
			const job = this.#waiting;
			if (this.#running || !job || !this.#worker)
				return;
			this.#waiting = undefined;
			const id = this.#nextId++;
			const { timeoutMs } = this.limits;
			const stop = () => void this.#replace(new CompileFailure('timeout', `stopped after ${Math.round(timeoutMs / 1000)} s`));
			const timer = Number.isFinite(timeoutMs) ? setTimeout(stop, timeoutMs) : undefined;
			this.#running = { id, job, since: performance.now(), timer };
			const message: ToWorker = { ...job.question, id };
			this.#worker.postMessage(message);
		}, (error: Error) => {
			this.#waiting?.reject(error);
			this.#waiting = undefined;
		});
	}
}
