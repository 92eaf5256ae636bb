// Loads ptxscope.wasm in a page, a worker or Node. The module is stand-alone: no WASI, no generated glue. It runs commands as the
// command line does (core/api/ptxscope.h); files and streams are the caller's, through the imported functions of wasm/host.c.

import { compileArguments, launchArguments, libraryArguments, programArguments } from './arguments.js';
import { Emulator } from './emulator.js';
import { CompilerTrap, Native } from './native.js';

export { compileArguments, CompilerTrap, Emulator };

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

/** A compiler: runs commands, and emulators beside them. */
class Instance {
	#native;
	#host = null;
	/** What the host lends to the running command. */
	#lend = null;
	version;
	commit;

	static async create(module) {
		const instance = new Instance();
		const native = instance.#native = await Native.create(module, instance.#imports());
		instance.version = native.string(native.call('ps_version'));
		instance.commit = native.string(native.call('ps_commit'));
		return instance;
	}

	get alive() { return this.#native.alive; }
	get heapBytes() { return this.#native.heapBytes; }

	/** Runs one command. */
	command(argv, host, memoryCap = 1 << 30) {
		if (this.#host)
			throw new Error('a command is running already');
		this.#host = host;
		try {
			return this.#native.lending((lend) => {
				this.#lend = lend;
				return this.#native.call('ps_run', ...lend.words(argv), memoryCap);
			});
		} finally {
			this.#host = this.#lend = null;
		}
	}

	/** A kernel under a debugger; any number of them may stand in one instance. */
	emulator() { return new Emulator(this.#native); }

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
		const argv = compileArguments(request, traceFile);
		const { status, stderr, files } = this.run(argv, { ...request.libraries, [input]: request.source });
		const trace = files[traceFile] ? JSON.parse(text.decode(files[traceFile])) : emptyTrace(request);
		if (status !== 0 && !trace.diagnostics.some((d) => d.severity === 'error'))
			trace.diagnostics.push({ ...nowhere, message: stderr.trim() || 'the compiler failed without a message' });
		return { ...trace, status, stderr };
	}

	/** Runs a kernel to its end, or to a fault. */
	execute({ launch, options = {}, ...program }) {
		const emulator = this.emulator();
		try {
			const loaded = emulator.load(program);
			const launched = loaded.status === 0 ? emulator.launch(launch, options) : loaded;
			if (launched.status !== 0)
				return { status: launched.status, stderr: launched.stderr, diagnostics: loaded.diagnostics, result: null };
			const { state } = emulator.step({ to: 'end' }, Infinity);
			return { status: state === 'done' ? 0 : 1, stderr: '', diagnostics: [], result: emulator.result() };
		} finally {
			if (this.alive)
				emulator.free();
		}
	}

	/** Runs the IR, then the code after every pass that changed it, and compares. */
	check({ launch, options = {}, ...program }, progress) {
		const input = program.name ?? 'input.ll', err = [], out = [];
		const files = { ...program.libraries, [input]: program.source, [launchFile]: typeof launch === 'string' ? launch : JSON.stringify(launch) };
		const status = this.command(['check', input, '--launch', launchFile, '--json', ...libraryArguments(program), ...programArguments(program), ...launchArguments(options)], {
			read: (path) => toBytes(files[path]),
			write() {},
			print: (stream, bytes) => { (stream === 1 ? out : err).push(bytes.slice()); },
			progress,
		});
		const json = concat(out), answer = json ? JSON.parse(json) : { ok: false, stages: 0 };
		return { ...answer, status, stderr: concat(err) };
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

	#imports() {
		let high = 0;
		return {
			host: {
				read: (path, size, error) => {
					let bytes;
					try {
						bytes = this.#host.read(this.#native.string(path));
					} catch (reason) {
						const message = this.#lend.string(reason.message);
						this.#native.u32(error, 1)[0] = message;
						return 0;
					}
					const { at } = this.#lend.bytes(bytes);
					this.#native.u32(size, 1)[0] = bytes.length;
					return at;
				},
				write: (path, data, size, error) => {
					try {
						this.#host.write(this.#native.string(path), this.#native.bytes(data, size));
						return 1;
					} catch (reason) {
						const message = this.#lend.string(reason.message);
						this.#native.u32(error, 1)[0] = message;
						return 0;
					}
				},
				progress: (part, what) => Number(this.#host.progress?.(part, this.#native.string(what)) ?? true),
				makeCode: (module, size, functions) => this.#native.makeCode(module, size, functions),
				dropCode: (first, functions) => this.#native.dropCode(first, functions),
				print: (stream, data, size) => this.#host.print(stream, this.#native.bytes(data, size)),
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

const traceFile = 'trace.json', launchFile = 'launch.json';
const nowhere = { severity: 'error', line: 0, col: 0, endLine: 0, endCol: 0, code: '', hint: null };
const emptyTrace = (request) => ({
	version: 1, target: request.target ?? 'sm_75', passes: [], texts: [], ptx: '', ptxLines: [], diagnostics: [], remarks: [], functions: [],
});

export async function load(source) {
	return Instance.create(await compileModule(source));
}
