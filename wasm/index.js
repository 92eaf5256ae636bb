// Loads ptxscope.wasm in a page, a worker or Node. The module is stand-alone (no WASI, no generated glue); a request and its
// answer are JSON texts in linear memory.

export class CompilerTrap extends Error {
	name = 'CompilerTrap';
}

const utf8 = new TextEncoder();
const text = new TextDecoder();
const isNode = typeof process === 'object' && !!process.versions?.node;

async function nodeBytes(source) {
	const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
	if (source !== undefined)
		return readFile(source);
	// Beside this file in the published package, in the build folder in the repository.
	const packaged = new URL('./ptxscope.wasm', import.meta.url);
	return readFile(packaged).catch(() => readFile(new URL('../build/wasm/ptxscope.wasm', import.meta.url)));
}

export async function compileModule(source) {
	if (source instanceof WebAssembly.Module)
		return source;
	if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer)
		return WebAssembly.compile(source);
	if (isNode && !(source instanceof Promise) && !(source instanceof Response))
		return WebAssembly.compile(await nodeBytes(source));
	const response = await (source instanceof Promise || source instanceof Response
		? source : fetch(source ?? new URL('./ptxscope.wasm', import.meta.url)));
	if (!response.ok)
		throw new Error(`cannot fetch ${response.url}: ${response.status} ${response.statusText}`);
	// Streaming compilation needs the right media type, which not every static host sends.
	if (response.headers.get('Content-Type')?.startsWith('application/wasm'))
		return WebAssembly.compileStreaming(response);
	return WebAssembly.compile(await response.arrayBuffer());
}

class Instance {
	#exports;
	#alive = true;
	#version;

	constructor(exports) {
		this.#exports = exports;
		this.#version = this.#guard(() => this.#cString(exports.ps_version()));
	}

	get version() { return this.#version; }
	get alive() { return this.#alive; }
	get heapBytes() { return this.#exports.memory.buffer.byteLength; }

	compile(request) { return this.#call(this.#exports.ps_compile, request); }
	passes() { return this.#list(this.#exports.ps_passes); }
	knobs() { return this.#list(this.#exports.ps_knobs); }

	#list(fn) {
		return this.#guard(() => JSON.parse(this.#cString(fn())));
	}

	#call(fn, request) {
		return this.#guard(() => {
			const bytes = utf8.encode(JSON.stringify(request));
			const at = this.#exports.ps_alloc(bytes.length);
			if (at === 0)
				throw new WebAssembly.RuntimeError('out of memory');
			new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
			const answer = fn(at, bytes.length);
			this.#exports.ps_free(at);
			const json = this.#cString(answer);
			this.#exports.ps_free(answer);
			return JSON.parse(json);
		});
	}

	/** Runs `body`; once it has trapped the instance's state is unknown, so nothing runs in it again. */
	#guard(body) {
		if (!this.#alive)
			throw new CompilerTrap('this compiler has trapped before; load a fresh one');
		try {
			return body();
		} catch (error) {
			if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError))
				throw error;
			this.#alive = false;
			throw new CompilerTrap(error.message, { cause: error });
		}
	}

	#cString(at) {
		const memory = new Uint8Array(this.#exports.memory.buffer);
		return text.decode(memory.subarray(at, memory.indexOf(0, at)));
	}
}

/** What the module may import: emscripten's hooks, which need no more than this. */
function hostImports() {
	let high = 0;
	return {
		env: {
			emscripten_notify_memory_growth() {},
			getTempRet0: () => high,
			setTempRet0(value) { high = value; },
		},
	};
}

export async function load(source) {
	const module = await compileModule(source);
	const instance = await WebAssembly.instantiate(module, hostImports());
	instance.exports._initialize?.();
	return new Instance(instance.exports);
}
