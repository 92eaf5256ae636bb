// One instance of the module: its exports, its linear memory, and what to do when it traps.

export class CompilerTrap extends Error {
	name = 'CompilerTrap';
}

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes that the instance may read until the end of a call. */
class Lend {
	#native;
	#lent = [];

	constructor(native) { this.#native = native; }

	room(size) {
		const at = this.#native.call('ps_alloc', Math.max(size, 1));
		if (at === 0)
			throw new WebAssembly.RuntimeError('out of memory');
		this.#lent.push(at);
		return at;
	}

	bytes(data) {
		const bytes = typeof data === 'string' ? utf8.encode(data) : data;
		const at = this.room(bytes.length);
		this.#native.bytes(at, bytes.length).set(bytes);
		return { at, size: bytes.length };
	}

	string(text) { return this.bytes(`${text}\0`).at; }
	u32(numbers) { return this.bytes(new Uint8Array(Uint32Array.from(numbers).buffer)).at; }

	/** argc and argv. */
	words(argv) { return [argv.length, this.u32([...argv.map((word) => this.string(word)), 0])]; }

	end() {
		for (const at of this.#lent)
			this.#native.call('ps_free', at);
	}
}

export class Native {
	alive = true;
	#exports;
	/** Places of the table that functions had. */
	#free = [];

	static async create(module, imports) {
		const native = new Native();
		const { exports } = await WebAssembly.instantiate(module, imports);
		native.#exports = exports;
		exports._initialize?.();
		return native;
	}

	get heapBytes() { return this.#exports.memory.buffer.byteLength; }

	/** Once an instance has trapped its state is unknown, so nothing runs in it again. */
	call(name, ...args) {
		if (!this.alive)
			throw new CompilerTrap('this compiler has trapped before; load a fresh one');
		return this.#guarded(() => this.#exports[name](...args));
	}

	/** What `body(lend)` returns; what was lent ends with it. */
	lending(body) {
		const lend = new Lend(this);
		try {
			return this.#guarded(() => body(lend));
		} finally {
			if (this.alive)
				lend.end();
		}
	}

	bytes(at, size) { return new Uint8Array(this.#exports.memory.buffer, at, size); }
	u32(at, n) { return new Uint32Array(this.#exports.memory.buffer, at, n); }
	u64(at, n) { return new BigUint64Array(this.#exports.memory.buffer, at, n); }
	text(at, size) { return decoder.decode(this.bytes(at, size)); }

	/** A NUL-terminated string. */
	string(at) {
		const memory = new Uint8Array(this.#exports.memory.buffer);
		return decoder.decode(memory.subarray(at, memory.indexOf(0, at)));
	}

	/**
	 * Functions of a module that core has written, in the table from what is returned on. 0: the engine refuses (as without
	 * 'wasm-unsafe-eval' in a page's policy), and core does without them.
	 */
	makeCode(at, size, functions) {
		const { memory, __indirect_function_table: table } = this.#exports;
		try {
			const { exports } = new WebAssembly.Instance(new WebAssembly.Module(this.bytes(at, size).slice()), { core: { memory, table } });
			const first = this.#place(functions) ?? table.grow(functions);
			Object.values(exports).forEach((made, i) => table.set(first + i, made));
			return first;
		} catch {
			return 0;
		}
	}

	/** In the table, where functions have been taken back. */
	#place(functions) {
		const i = this.#free.findIndex((range) => range.functions >= functions);
		if (i < 0)
			return undefined;
		const [range] = this.#free.splice(i, 1);
		if (range.functions > functions)
			this.#free.push({ first: range.first + functions, functions: range.functions - functions });
		return range.first;
	}

	dropCode(first, functions) {
		for (let i = 0; i < functions; i++)
			this.#exports.__indirect_function_table.set(first + i, null);
		this.#free.push({ first, functions });
	}

	#guarded(call) {
		try {
			return call();
		} catch (error) {
			if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError))
				throw error;
			this.alive = false;
			throw new CompilerTrap(error.message, { cause: error });
		}
	}
}
