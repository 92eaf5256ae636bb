// Owns clang's worker. Nothing of clang is fetched before the first source; the latest source wins; a translation that lasts too long
// ends with its worker, and the next worker gets the compiled module.

import type { CudaRequest, CudaResult } from '@ptxscope/cuda';
import { Superseded } from './client';

export type ToClang = { kind: 'load'; module: WebAssembly.Module | string } | { kind: 'translate'; id: number; request: CudaRequest };

export type FromClang =
	/** Of the packed module. */
	| { kind: 'progress'; bytes: number }
	| { kind: 'loaded'; module: WebAssembly.Module }
	| { kind: 'done'; id: number; result: CudaResult; ms: number }
	/** `id` 0: of loading. */
	| { kind: 'failed'; id: number; message: string };

export type ClangState =
	| { state: 'absent' | 'ready' | 'cancelled' }
	| { state: 'loading'; bytes: number }
	| { state: 'failed'; message: string };

/** There is no clang: it was cancelled, or could not be had. */
export class NoClang extends Error {}

interface Job {
	request: CudaRequest;
	resolve: (result: CudaResult) => void;
	reject: (error: Error) => void;
}

const timeoutMs = 20_000;
/** A running translation older than this is dropped when a newer source arrives. */
const staleMs = 3_000;

export class ClangClient {
	#worker: Worker | undefined;
	#module: WebAssembly.Module | string;
	#ready = false;
	#running: { id: number; job: Job; since: number; timer: ReturnType<typeof setTimeout> } | undefined;
	#waiting: Job | undefined;
	#nextId = 1;

	constructor(url: string, readonly tell: (state: ClangState) => void) {
		this.#module = url;
	}

	translate(request: CudaRequest): Promise<CudaResult> {
		return new Promise((resolve, reject) => {
			this.#waiting?.reject(new Superseded());
			this.#waiting = { request, resolve, reject };
			if (this.#running && performance.now() - this.#running.since > staleMs)
				this.#end(new Superseded());
			this.#start();
			this.#pump();
		});
	}

	/** Ends a translation, or the download. */
	cancel(): void {
		if (!this.#running && !this.#waiting)
			return;
		const loading = this.#worker !== undefined && !this.#ready;
		this.#end(new Superseded());
		this.#waiting?.reject(loading ? new NoClang('clang was not loaded') : new Superseded());
		this.#waiting = undefined;
		if (loading)
			this.tell({ state: 'cancelled' });
	}

	#start() {
		if (this.#worker)
			return;
		const worker = this.#worker = new Worker(new URL('./clang.ts', import.meta.url), { type: 'module', name: 'clang' });
		worker.addEventListener('message', ({ data }: MessageEvent<FromClang>) => this.#receive(worker, data));
		worker.addEventListener('error', (event) => {
			event.preventDefault();
			this.#receive(worker, { kind: 'failed', id: this.#running?.id ?? 0, message: event.message || 'the worker stopped' });
		});
		if (typeof this.#module === 'string')
			this.tell({ state: 'loading', bytes: 0 });
		worker.postMessage({ kind: 'load', module: this.#module } satisfies ToClang);
	}

	/** Ends the worker, and the running translation with the error. */
	#end(error: Error) {
		this.#worker?.terminate();
		this.#worker = undefined;
		this.#ready = false;
		const running = this.#running;
		this.#running = undefined;
		if (running) {
			clearTimeout(running.timer);
			running.job.reject(error);
		}
	}

	#receive(worker: Worker, message: FromClang) {
		if (worker !== this.#worker)
			return;
		if (message.kind === 'progress') {
			this.tell({ state: 'loading', bytes: message.bytes });
		} else if (message.kind === 'loaded') {
			this.#module = message.module;
			this.#ready = true;
			this.tell({ state: 'ready' });
			this.#pump();
		} else if (message.kind === 'failed' && message.id === 0) {
			this.#end(new Superseded());
			this.tell({ state: 'failed', message: message.message });
			this.#waiting?.reject(new NoClang(message.message));
			this.#waiting = undefined;
		} else if (message.id === this.#running?.id) {
			const { job, timer } = this.#running;
			clearTimeout(timer);
			this.#running = undefined;
			if (message.kind === 'done')
				job.resolve(message.result);
			else
				job.reject(new Error(`clang failed: ${message.message}`));
			this.#pump();
		}
	}

	#pump() {
		const job = this.#waiting;
		if (this.#running || !job || !this.#ready || !this.#worker)
			return;
		this.#waiting = undefined;
		const id = this.#nextId++;
		const timer = setTimeout(() => {
			this.#end(new Error(`clang was stopped after ${timeoutMs / 1000} s`));
			if (this.#waiting)
				this.#start();
		}, timeoutMs);
		this.#running = { id, job, since: performance.now(), timer };
		this.#worker.postMessage({ kind: 'translate', id, request: job.request } satisfies ToClang);
	}
}
