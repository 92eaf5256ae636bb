// The emulator under a debugger: a kernel from PTX or IR, stepped, looked at, resumed. The C half is core/api/emulator.c; what it
// returns in structures is read from linear memory here (layouts pinned in wasm/host.c).

import { launchArguments, programArguments } from './arguments.js';

const runs = ['running', 'stopped', 'done', 'faulted'];
const placeStates = ['ready', 'barrier', 'waiting'];
const goals = { end: 0, instruction: 1, nextLine: 2, lines: 3, barrier: 4 };
const spaces = { buffer: 0, symbol: 1, shared: 2, local: 3, param: 4 };
const PLACE = 40, WARP = 12, FAULT = 40, REGISTER = 528, KERNEL = 40, VARIABLE = 24, LANES = 32, MOST_BLOCKS = 64;

const scratchFloat = new DataView(new ArrayBuffer(8));

function halfToNumber(bits) {
	const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
	if (exponent === 31)
		return fraction ? NaN : sign * Infinity;
	return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

function floatOf(raw, kind, bits) {
	if (kind === 'B' || bits === 32) {
		scratchFloat.setUint32(0, Number(kind === 'B' ? raw << 16n : raw));
		return scratchFloat.getFloat32(0);
	}
	if (bits === 16)
		return halfToNumber(Number(raw));
	scratchFloat.setBigUint64(0, raw);
	return scratchFloat.getFloat64(0);
}

/** A lane's bits as the value that its register's type says. */
function valueOf(raw, kind, bits) {
	if (kind === 'p')
		return raw !== 0n;
	if (kind === 'f' || kind === 'B')
		return floatOf(raw, kind, bits);
	const value = kind === 's' || kind === 'i' ? BigInt.asIntN(bits, raw) : raw;
	return bits <= 32 ? Number(value) : value;
}

const typeOf = (kind, bits) => kind === 'p' ? 'pred' : kind === 'B' ? 'bf16' : kind === 'P' ? 'ptr' : `${kind}${bits}`;

export class Emulator {
	#native;
	#handle;
	/** What kernels see from an address on: where it lies. */
	#mapped = new Map();

	/** `native` is the instance's: its exports and its memory, calls that may trap. */
	constructor(native) {
		this.#native = native;
		this.#handle = native.call('emulator_new', 0);
		if (!this.#handle)
			throw new Error('no memory for an emulator');
	}

	load(request) {
		const name = request.name ?? 'input.ll';
		const status = this.#native.lending((lend) => {
			const source = lend.bytes(request.source);
			this.#call('library', 0, 0, 0);
			for (const [library, text] of Object.entries(request.libraries ?? {})) {
				const { at, size } = lend.bytes(text);
				this.#call('library', lend.string(library), at, size);
			}
			return this.#call('load', lend.string(name), source.at, source.size, ...lend.words(programArguments(request)));
		});
		const kernels = [];
		for (let i = 0, at; (at = this.#call('kernel', i)) !== 0; i++)
			kernels.push(this.#native.string(at));
		const executed = status === 0 ? this.#sized((size) => this.#call('text', size)) : '';
		const lines = executed ? executed.split('\n').length - (executed.endsWith('\n') ? 1 : 0) : 0;
		return {
			status,
			stderr: this.#messages(),
			diagnostics: JSON.parse(this.#native.string(this.#call('diagnostics'))),
			text: executed,
			origins: Array.from({ length: lines }, (_, i) => this.#call('origin', i + 1)),
			kernels,
		};
	}

	launch(launch, options = {}) {
		const json = typeof launch === 'string' ? launch : JSON.stringify(launch);
		const status = this.#native.lending((lend) => {
			const { at, size } = lend.bytes(json);
			return this.#call('launch_json', at, size, ...lend.words(launchArguments(options)));
		});
		return { status, stderr: this.#messages() };
	}

	step(goal = {}, budget = 1e6) {
		const to = goal.to ?? 'instruction', lines = goal.lines ?? [];
		const kind = to === 'line' ? goals[goal.lines ? 'lines' : 'nextLine'] : goals[to];
		if (kind === undefined || to === 'lines' || to === 'nextLine')
			throw new TypeError(`no such goal: ${to}`);
		const focused = goal.warp !== undefined;
		const status = this.#native.lending((lend) => this.#native.call('emulator_aim', this.#handle,
			lend.u32([kind, Number(focused), goal.block ?? 0, goal.warp ?? 0, goal.count ?? 1, Number(goal.of === 'input')]),
			lend.u32(lines), lines.length));
		if (status !== 0)
			throw new Error(this.#messages().trim());
		return this.resume(budget);
	}

	resume(budget = 1e6) {
		const state = runs[this.#native.call('emulator_step', this.#handle, budget)];
		return {
			state,
			steps: this.#native.call('emulator_steps', this.#handle),
			progress: this.#call('progress'),
			at: this.#place('place'),
			fault: this.#fault(),
		};
	}

	/** Memory of kernels is what is mapped, at addresses that the caller gives: for programs with 32-bit pointers that are loaded from now on. */
	mappedMemory() {
		this.#call('host_memory', 1);
	}

	/** `size` bytes that kernels see from `address` on. */
	map(address, size) {
		const at = this.#native.call('ps_alloc', size);
		if (at === 0)
			throw new RangeError('out of memory');
		this.#native.bytes(at, size).fill(0);
		if (this.#native.call('emulator_map', this.#handle, address, at, size) !== 0) {
			this.#native.call('ps_free', at);
			throw new RangeError(this.#messages().trim());
		}
		this.#mapped.set(address, { at, size });
	}

	unmap(address) {
		this.#call('unmap', address);
		this.#native.call('ps_free', this.#mapped.get(address).at);
		this.#mapped.delete(address);
	}

	/** The bytes mapped at `address`, as they are: good until anything else is called. */
	mapped(address) {
		const { at, size } = this.#mapped.get(address);
		return this.#native.bytes(at, size);
	}

	/** A launch in mapped memory: parameters as the kernel lays them out. */
	launchMapped({ kernel, grid, block, sharedBytes, params }, options = {}) {
		const status = this.#native.lending((lend) => {
			const { at, size } = lend.bytes(params);
			return this.#native.call('emulator_launch', this.#handle, lend.string(kernel), lend.u32([...grid, ...block, sharedBytes]), at, size, ...lend.words(launchArguments(options)));
		});
		return { status, stderr: this.#messages() };
	}

	printed() {
		return this.#native.lending((lend) => {
			const size = lend.room(4), at = this.#call('printed', size);
			return this.#native.bytes(at, this.#native.u32(size, 1)[0]).slice();
		});
	}

	kernel(name) {
		return this.#native.lending((lend) => {
			const out = lend.room(KERNEL), place = lend.room(8), text = lend.string(name);
			if (!this.#call('kernel_named', text, out))
				return null;
			const [, , paramsSize, , count, sharedBytes, constBytes, localBytes, registers, maxThreads] = this.#native.u32(out, KERNEL / 4);
			const params = Array.from({ length: count }, (_, i) => {
				this.#call('parameter', text, i, place, place + 4);
				const [offset, size] = this.#native.u32(place, 2);
				return { offset, size };
			});
			return { paramsSize, params, sharedBytes, constBytes, localBytes, registers, maxThreads };
		});
	}

	/** Variables in global and constant memory. */
	variables() {
		return this.#native.lending((lend) => {
			const out = lend.room(VARIABLE), list = [];
			while (this.#call('variable', list.length, out)) {
				const [name, size, constant, bytes, address] = this.#native.u32(out, VARIABLE / 4);
				list.push({ name: this.#native.string(name), size, constant: (constant & 255) !== 0, bytes, address });
			}
			return list;
		});
	}

	/** The bytes of a variable of mapped memory, as `mapped` gives them. */
	variableBytes({ bytes, size }) {
		return this.#native.bytes(bytes, size);
	}

	/** The next instruction to run. */
	place() {
		return this.#place('place');
	}

	warps() {
		const blocks = this.#native.lending((lend) => {
			const at = lend.room(4 * MOST_BLOCKS);
			const n = this.#call('blocks', at, MOST_BLOCKS);
			return [...this.#native.u32(at, n)];
		});
		const warps = [];
		for (const block of blocks)
			for (let warp = 0, state; (state = this.#warp(block, warp)) !== null; warp++)
				warps.push(state);
		return warps;
	}

	registers(block, warp, path) {
		return this.#native.lending((lend) => {
			const place = lend.room(PLACE), out = lend.room(REGISTER), registers = [];
			const index = path ?? this.#runningPath(block, warp);
			if (!this.#call('path', block, warp, index, place))
				return registers;
			while (this.#call('register', place, registers.length, out))
				registers.push(this.#register(out));
			return registers;
		});
	}

	memory(what) {
		const space = Object.keys(spaces).find((key) => what[key] !== undefined);
		if (!space)
			throw new TypeError('memory of a buffer, symbol, shared, local or param');
		const name = typeof what[space] === 'string' ? what[space] : '';
		const block = space === 'shared' ? what.shared : what.local?.block ?? what.block ?? 0;
		return this.#native.lending((lend) => {
			const size = lend.room(4);
			const at = this.#call('memory', spaces[space], lend.string(name), block, what.local?.thread ?? 0, size);
			return at ? this.#native.bytes(at, this.#native.u32(size, 1)[0]).slice() : null;
		});
	}

	result() {
		return JSON.parse(this.#sized((size) => this.#call('result', size)));
	}

	free() {
		if (this.#handle)
			this.#call('free');
		for (const { at } of this.#mapped.values())
			this.#native.call('ps_free', at);
		this.#mapped.clear();
		this.#handle = 0;
	}

	#call(name, ...args) {
		if (!this.#handle)
			throw new Error('this emulator has been freed');
		return this.#native.call(`ps_emulator_${name}`, this.#handle, ...args);
	}

	#messages() {
		return this.#native.string(this.#call('messages'));
	}

	#sized(call) {
		return this.#native.lending((lend) => {
			const size = lend.room(4), at = call(size);
			return this.#native.text(at, this.#native.u32(size, 1)[0]);
		});
	}

	#place(name, ...args) {
		return this.#native.lending((lend) => {
			const out = lend.room(PLACE);
			if (!this.#call(name, ...args, out))
				return null;
			const [block, warp, path, line, origin, mask, depth, state, running, text] = this.#native.u32(out, PLACE / 4);
			return {
				block, warp, path, line, origin, mask, depth, state: placeStates[state], running: running !== 0,
				function: this.#native.string(text),
			};
		});
	}

	#warp(block, warp) {
		const found = this.#native.lending((lend) => {
			const out = lend.room(WARP);
			return this.#call('warp', block, warp, out) ? [...this.#native.u32(out, 3)] : null;
		});
		if (!found)
			return null;
		const [exists, live, n] = found;
		const paths = Array.from({ length: n }, (_, i) => this.#place('path', block, warp, i));
		const at = paths.find((path) => path.running) ?? null;
		return {
			block, warp, exists, live, paths,
			state: at ? at.state : 'done',
			line: at?.line ?? 0, origin: at?.origin ?? 0, mask: at?.mask ?? 0, function: at?.function ?? '',
		};
	}

	#runningPath(block, warp) {
		return this.#warp(block, warp)?.paths.findIndex((path) => path.running) ?? 0;
	}

	#register(at) {
		const low = this.#native.u64(at, LANES), high = this.#native.u64(at + 256, LANES);
		const [name, bits] = this.#native.u32(at + 512, 2);
		const kind = String.fromCharCode(this.#native.bytes(at + 520, 1)[0]);
		const raw = Array.from(low, (word, lane) => bits > 64 ? word | high[lane] << 64n : word);
		return { name: this.#native.string(name), type: typeOf(kind, bits), bits, values: raw.map((word) => valueOf(word, kind, bits)), raw };
	}

	#fault() {
		return this.#native.lending((lend) => {
			const out = lend.room(FAULT);
			if (!this.#call('fault', out))
				return null;
			const [kind, message, ...words] = this.#native.u32(out, FAULT / 4);
			return {
				kind: this.#native.string(kind), message: this.#native.string(message),
				thread: [...words.slice(0, 3)], block: [...words.slice(3, 6)], line: words[6], origin: words[7],
			};
		});
	}
}
