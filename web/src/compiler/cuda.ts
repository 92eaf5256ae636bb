// Owns clang's worker. Nothing of clang is fetched before the first source; the latest source wins; what lasts too long ends with its
// worker, and the next worker gets the compiled module. To translate is to show what a source compiles to, to build is to make a
// program that can run; of each the latest request waits.

import type { CudaRequest, CudaResult, Program } from '@ptxscope/cuda';
import { CompileFailure, Superseded } from './client';

/** What a request gives, by its kind. */
interface Made {
	translate: CudaResult;
	build: Program;
}
type Kind = keyof Made;

export type ToClang = { kind: 'load'; module: WebAssembly.Module | string; kit: string } | { kind: Kind; id: number; request: CudaRequest };

export type FromClang =
	/** Of the packed module. `again`: what came first was cut short or damaged. */
	| { kind: 'progress'; bytes: number; again?: boolean }
	| { kind: 'loaded'; module: WebAssembly.Module }
	/** All is there that the request needs. */
	| { kind: 'started'; id: number }
	| { kind: 'done'; id: number; result: CudaResult | Program }
	/** `id` 0: of loading. */
	| { kind: 'failed'; id: number; message: string };

export type ClangState =
	| { state: 'absent' | 'ready' | 'cancelled' }
	| { state: 'loading'; bytes: number; again?: boolean }
	| { state: 'failed'; message: string };

/** There is no clang: it was cancelled, or could not be had. */
export class NoClang extends Error {}

interface Job {
	kind: Kind;
	request: CudaRequest;
	resolve: (result: never) => void;
	reject: (error: Error) => void;
}

/** From when all is there that a request needs. A build is three compilations. */
const timeoutMs: Readonly<Record<Kind, number>> = { translate: 20_000, build: 180_000 };
/** A running translation older than this is dropped when a newer source arrives. */
const staleMs = 3_000;

export class ClangClient {
	#worker: Worker | undefined;
	#module: WebAssembly.Module | string;
	#ready = false;
	#again = false;
	#running: { id: number; job: Job; since: number; timer: ReturnType<typeof setTimeout> | undefined } | undefined;
	#waiting: Partial<Record<Kind, Job>> = {};
	#nextId = 1;

	/** Where the packed module and the packed library are. */
	constructor(url: string, readonly kit: string, readonly tell: (state: ClangState) => void) {
		this.#module = url;
	}

	translate(request: CudaRequest): Promise<CudaResult> { return this.#ask('translate', request); }
	build(request: CudaRequest): Promise<Program> { return this.#ask('build', request); }

	#ask<K extends Kind>(kind: K, request: CudaRequest): Promise<Made[K]> {
		return new Promise((resolve: (result: Made[K]) => void, reject) => {
			this.#waiting[kind]?.reject(new Superseded());
			this.#waiting[kind] = { kind, request, resolve, reject };
			if (this.#running?.job.kind === kind && performance.now() - this.#running.since > staleMs)
				this.#end(new Superseded());
			this.#start();
			this.#pump();
		});
	}

	/** Nobody waits any longer. */
	#refuse(error: Error) {
		for (const job of Object.values(this.#waiting))
			job.reject(error);
		this.#waiting = {};
	}

	/** Ends a build, or drops one that waits. */
	cancelBuild(): void {
		this.#waiting.build?.reject(new Superseded());
		delete this.#waiting.build;
		if (this.#running?.job.kind === 'build') {
			this.#end(new Superseded());
			if (this.#waiting.translate)
				this.#start();
		}
	}

	/** Ends a translation, or the download. */
	cancel(): void {
		if (!this.#running && Object.keys(this.#waiting).length === 0)
			return;
		const loading = this.#worker !== undefined && !this.#ready;
		this.#end(new Superseded());
		this.#refuse(loading ? new NoClang('clang was not loaded') : new Superseded());
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
		worker.postMessage({ kind: 'load', module: this.#module, kit: this.kit } satisfies ToClang);
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
			this.#again ||= message.again === true;
			if (!this.#ready)
				this.tell({ state: 'loading', bytes: message.bytes, ...(this.#again && { again: true }) });
		} else if (message.kind === 'loaded') {
			this.#module = message.module;
			this.#ready = true;
			this.tell({ state: 'ready' });
			this.#pump();
		} else if (message.kind === 'failed' && message.id === 0) {
			this.#end(new Superseded());
			this.tell({ state: 'failed', message: message.message });
			this.#refuse(new NoClang(message.message));
		} else if (message.kind === 'started') {
			if (message.id === this.#running?.id)
				this.#running.timer = setTimeout(() => this.#overdue(), timeoutMs[this.#running.job.kind]);
		} else if (message.id === this.#running?.id) {
			const { job, timer } = this.#running;
			clearTimeout(timer);
			this.#running = undefined;
			if (message.kind === 'done')
				job.resolve(message.result as never);
			else
				job.reject(new CompileFailure('clang', `clang failed: ${message.message}`));
			this.#pump();
		}
	}

	#overdue() {
		const kind = this.#running!.job.kind;
		this.#end(new CompileFailure('clang', `clang was stopped after ${timeoutMs[kind] / 1000} s`));
		if (Object.keys(this.#waiting).length > 0)
			this.#start();
	}

	#pump() {
		const job = this.#waiting.translate ?? this.#waiting.build;
		if (this.#running || !job || !this.#ready || !this.#worker)
			return;
		delete this.#waiting[job.kind];
		const id = this.#nextId++;
		this.#running = { id, job, since: performance.now(), timer: undefined };
		this.#worker.postMessage({ kind: job.kind, id, request: job.request } satisfies ToClang);
	}
}
