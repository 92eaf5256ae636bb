// Loads ptxscope.wasm in a page, a worker or Node. The module is stand-alone: no WASI, no generated glue. It runs commands as the
// command line does (core/api/ptxscope.h); files and streams are the caller's, through the four functions of wasm/host.c.

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
	const packaged = new URL(/* @vite-ignore */ './ptxscope.wasm', import.meta.url);
	return readFile(packaged).catch(() => readFile(new URL(/* @vite-ignore */ '../build/wasm/ptxscope.wasm', import.meta.url)));
}

export async function compileModule(source) {
	if (source instanceof WebAssembly.Module)
		return source;
	if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer)
		return WebAssembly.compile(source);
	if (isNode && !(source instanceof Promise) && !(source instanceof Response))
		return WebAssembly.compile(await nodeBytes(source));
	const response = await (source instanceof Promise || source instanceof Response
		? source : fetch(source ?? new URL(/* @vite-ignore */ './ptxscope.wasm', import.meta.url)));
	if (!response.ok)
		throw new Error(`cannot fetch ${response.url}: ${response.status} ${response.statusText}`);
	// Streaming compilation needs the right media type, which not every static host sends.
	if (response.headers.get('Content-Type')?.startsWith('application/wasm'))
		return WebAssembly.compileStreaming(response);
	return WebAssembly.compile(await response.arrayBuffer());
}

const toBytes = (data) => typeof data === 'string' ? utf8.encode(data) : data;
const concat = (parts) => parts.map((part) => text.decode(part, { stream: true })).join('') + text.decode();

/** One instance's linear memory and entry points. */
class Instance {
	#exports;
	#alive = true;
	#host = null;
	/** What the host lent to the running command. */
	#lent = [];
	version;
	commit;

	static async create(module) {
		const instance = new Instance();
		const { exports } = await WebAssembly.instantiate(module, instance.#imports());
		instance.#exports = exports;
		exports._initialize?.();
		instance.version = instance.#cString(exports.ps_version());
		instance.commit = instance.#cString(exports.ps_commit());
		return instance;
	}

	get alive() { return this.#alive; }
	get heapBytes() { return this.#exports.memory.buffer.byteLength; }

	/** Runs one command. Once it has trapped the instance's state is unknown, so nothing runs in it again. */
	command(argv, host, memoryCap = 1 << 30) {
		if (!this.#alive)
			throw new CompilerTrap('this compiler has trapped before; load a fresh one');
		if (this.#host)
			throw new Error('a command is running already');
		this.#host = host;
		try {
			return this.#exports.ps_run(argv.length, this.#lendArguments(argv), memoryCap);
		} catch (error) {
			if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError))
				throw error;
			this.#alive = false;
			throw new CompilerTrap(error.message, { cause: error });
		} finally {
			this.#host = null;
			if (this.#alive)
				for (const at of this.#lent)
					this.#exports.ps_free(at);
			this.#lent = [];
		}
	}

	/** Runs one command on files in memory. */
	run(argv, files = {}) {
		const out = [[], []], written = {};
		const status = this.command(argv, {
			read: (path) => {
				if (!Object.hasOwn(files, path))
					throw new Error('no such file');
				return toBytes(files[path]);
			},
			write: (path, bytes) => { written[path] = bytes.slice(); },
			print: (stream, bytes) => { out[stream - 1].push(bytes.slice()); },
		});
		return { status, stdout: concat(out[0]), stderr: concat(out[1]), files: written };
	}

	compile(request) {
		const input = request.name ?? 'input.ll';
		const argv = compileArguments(request);
		const { status, stderr, files } = this.run(argv, { [input]: request.source });
		const trace = files[traceFile] ? JSON.parse(text.decode(files[traceFile])) : emptyTrace(request);
		if (status !== 0 && !trace.diagnostics.some((d) => d.severity === 'error'))
			trace.diagnostics.push({ ...nowhere, message: stderr.trim() || 'the compiler failed without a message' });
		return { ...trace, status, stderr };
	}

	passes() { return this.#list('passes'); }
	knobs() { return this.#list('knobs'); }
	opcodes() { return this.#list('opcodes'); }
	intrinsics() { return this.#list('intrinsics'); }

	#list(name) {
		const { status, stdout, stderr } = this.run([name, '--json']);
		if (status !== 0)
			throw new Error(stderr.trim());
		return JSON.parse(stdout);
	}

	#lend(bytes) {
		const at = this.#exports.ps_alloc(Math.max(bytes.length, 1));
		if (at === 0)
			throw new WebAssembly.RuntimeError('out of memory');
		this.#lent.push(at);
		new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
		return at;
	}

	#lendArguments(argv) {
		const at = argv.map((argument) => this.#lend(utf8.encode(argument + '\0')));
		return this.#lend(new Uint8Array(Uint32Array.from([...at, 0]).buffer));
	}

	#bytes(at, size) {
		return new Uint8Array(this.#exports.memory.buffer, at, size);
	}

	#cString(at) {
		const memory = new Uint8Array(this.#exports.memory.buffer);
		return text.decode(memory.subarray(at, memory.indexOf(0, at)));
	}

	#store(at, value) {
		new DataView(this.#exports.memory.buffer).setUint32(at, value, true);
	}

	#imports() {
		let high = 0;
		return {
			host: {
				read: (path, size, error) => {
					let bytes;
					try {
						bytes = this.#host.read(this.#cString(path));
					} catch (reason) {
						this.#store(error, this.#lend(utf8.encode(reason.message + '\0')));
						return 0;
					}
					const at = this.#lend(bytes);
					this.#store(size, bytes.length);
					return at;
				},
				write: (path, data, size) => {
					try {
						this.#host.write(this.#cString(path), this.#bytes(data, size));
						return 1;
					} catch {
						return 0;
					}
				},
				print: (stream, data, size) => this.#host.print(stream, this.#bytes(data, size)),
				now: () => performance.now(),
			},
			// Emscripten's own hooks, which need no more than this.
			env: {
				emscripten_notify_memory_growth() {},
				getTempRet0: () => high,
				setTempRet0(value) { high = value; },
			},
			wasi_snapshot_preview1: {
				proc_exit(status) { throw new WebAssembly.RuntimeError(`aborted (${status})`); },
			},
		};
	}
}

const traceFile = 'trace.json';
const nowhere = { severity: 'error', line: 0, col: 0, endLine: 0, endCol: 0, code: '', hint: null };
const emptyTrace = (request) => ({
	version: 1, target: request.target ?? 'sm_75', passes: [], texts: [], ptx: '', ptxLines: [], diagnostics: [], remarks: [],
});

/** The command line that does what `request` asks. */
export function compileArguments(request) {
	const argv = ['compile', request.name ?? 'input.ll', '-o', '-'];
	if (request.target)
		argv.push(`-mcpu=${request.target}`);
	if (request.ptx)
		argv.push(`-mattr=+${request.ptx}`);
	if (request.level !== undefined)
		argv.push(`-O${request.level}`);
	if (request.bisect !== undefined)
		argv.push(`-opt-bisect-limit=${request.bisect}`);
	for (const [name, value] of Object.entries(request.knobs ?? {}))
		argv.push(`-${name}=${typeof value === 'boolean' ? Number(value) : value}`);
	argv.push(`--trace=${traceFile}`);
	return argv;
}

export async function load(source) {
	return Instance.create(await compileModule(source));
}
