// CUDA's runtime for the host code of a program, on an emulator: the functions of include/ptxscope/host.h that have no body, and what
// clang calls for <<<...>>>.
//
// Host and device have pointers of 32 bits in one address space:
//
//   0           .. 0x7fffffff   the program's linear memory; kernels see what is managed or pinned of it
//   0x80000000  .. 0xbfffffff   cudaMalloc; host code that reads it traps
//   0xc0000000  ..              variables of the device, windows and heap of the emulator
//
// Work is done when it is submitted, in the order of the calls. What is managed or pinned is copied to the emulator in front of a kernel
// and back behind it. A fault of a kernel is the result of the next call that waits for it, and of all calls behind that.

import { attributesOf, deviceOf } from './device.js';
import { Timeline } from './timeline.js';

const deviceStart = 0x8000_0000, deviceEnd = 0xc000_0000, alignment = 512;

export const error = {
	success: 0, invalidValue: 1, memoryAllocation: 2, invalidConfiguration: 9, invalidSymbol: 13, invalidDeviceFunction: 98, invalidDevice: 101,
	invalidPtx: 218, invalidResourceHandle: 400, notReady: 600, illegalAddress: 700, launchTimeout: 702, assert: 710, alreadyRegistered: 712,
	notRegistered: 713, stack: 714, misaligned: 716, launchFailure: 719, tooLarge: 720, notSupported: 801,
};
/** Kinds of faults of the emulator that CUDA has errors of its own for. */
const errorOfFault = {
	'out-of-bounds': error.illegalAddress, 'read-only': error.illegalAddress, misaligned: error.misaligned, 'step-limit': error.launchTimeout,
	'stack-overflow': error.stack, assert: error.assert,
};
const copyKind = { hostToHost: 0, toDevice: 1, toHost: 2, within: 3, default: 4 };

export class Runtime {
	#emulator;
	#exports;
	#device;
	#attributes;
	#launched;
	#flushed;
	#budget;
	/** Of device memory, and of what both sides see: address → size. */
	#allocated = new Map();
	#shared = new Map();
	#used = 0;
	#kernels = new Map();
	#kernelInfo = new Map();
	#mostDynamic = new Map();
	#symbols = new Map();
	#managed = [];
	#variables = new Map();
	#configurations = [];
	#events = new Map();
	#streams = new Set([0, 1, 2]);
	#nextHandle = 16;
	#last = error.success;
	/** A fault that no call has reported yet, and one that all calls report. */
	#pending = error.success;
	#broken = error.success;
	#limits = new Map([[0, 1024], [1, 1 << 20], [2, 8 << 20]]);
	timeline = new Timeline();

	/** `launched({ kernel, grid, block, steps, fault })` is told of each launch, `flushed(bytes)` of what kernels have printed, when host
	 * code has to see it. `budget(steps)`: warp instructions that a kernel has run; false ends it. */
	constructor(emulator, target, { launched, flushed, budget }) {
		this.#emulator = emulator;
		this.#device = deviceOf(target);
		this.#attributes = attributesOf(this.#device);
		this.#launched = launched;
		this.#flushed = flushed;
		this.#budget = budget;
		for (const variable of emulator.variables())
			this.#variables.set(variable.name, variable);
		this.timeline.addStream(1, false);
		this.timeline.addStream(2, false);
	}

	/** The program's exports, when it is instantiated. */
	attach(exports) { this.#exports = exports; }

	// ── Memory of the program ────────────────────────────────────────────────────────────────────────────────────────────────

	#view() { return new DataView(this.#exports.memory.buffer); }
	#host(at, size) {
		if (at + size > this.#exports.memory.buffer.byteLength)
			throw new WebAssembly.RuntimeError('memory access out of bounds');
		return new Uint8Array(this.#exports.memory.buffer, at, size);
	}
	#u32(at) { return this.#view().getUint32(at, true); }
	#put(at, value) { this.#view().setUint32(at, value, true); }
	#string(at) {
		const bytes = new Uint8Array(this.#exports.memory.buffer, at);
		return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
	}
	#dim(at) { return [this.#u32(at), this.#u32(at + 4), this.#u32(at + 8)]; }

	// ── Errors ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

	/** A call: not when the device is broken, and what it returns is remembered. */
	#call(body) {
		return (...args) => {
			this.timeline.call();
			const result = this.#broken || body(...args.map((a) => typeof a === 'number' ? a >>> 0 : a)) || error.success;
			if (result !== error.success && result !== error.notReady)
				this.#last = result;
			return result;
		};
	}

	#take() {
		const last = this.#broken || this.#last;
		this.#last = error.success;
		return last;
	}

	/** What kernels have printed is seen now, and what went wrong is known. */
	#synchronize() {
		this.flush();
		this.#broken ||= this.#pending;
		return this.#broken;
	}

	#printed = [];
	flush() {
		const printed = this.#printed;
		this.#printed = [];
		for (const bytes of printed)
			this.#flushed(bytes);
	}

	// ── Device memory ────────────────────────────────────────────────────────────────────────────────────────────────────────

	/** The lowest gap that has room, and some more, so that what runs over an end is noticed. */
	#place(size) {
		let at = deviceStart;
		for (const [address, taken] of [...this.#allocated].sort(([a], [b]) => a - b)) {
			if (address - at >= size + alignment)
				break;
			at = address + Math.ceil((taken + alignment) / alignment) * alignment;
		}
		return at + size + alignment <= deviceEnd ? at : 0;
	}

	#map(address, size) {
		if (this.#used + size > this.#device.memory)
			return false;
		try {
			this.#emulator.map(address, size);
		} catch (reason) {
			if (reason instanceof RangeError)
				return false;
			throw reason;
		}
		this.#used += size;
		return true;
	}

	#malloc(out, size) {
		const at = size ? this.#place(size) : 0;
		if (size && (!at || !this.#map(at, size)))
			return error.memoryAllocation;
		if (at)
			this.#allocated.set(at, size);
		this.#put(out, at);
	}

	/** Memory of the program that kernels see, too. */
	#mallocShared(out, size, kind) {
		const at = size ? this.#exports.aligned_alloc(256, Math.ceil(size / 256) * 256) >>> 0 : 0;
		if (size && (!at || !this.#map(at, size))) {
			this.#exports.free(at);
			return error.memoryAllocation;
		}
		if (at)
			this.#shared.set(at, { size, kind });
		this.#put(out, at);
	}

	#free(at, kinds) {
		if (at === 0)
			return error.success;
		const shared = this.#shared.get(at), size = shared && kinds.includes(shared.kind) ? shared.size : kinds.includes('device') ? this.#allocated.get(at) : undefined;
		if (size === undefined)
			return error.invalidValue;
		this.#emulator.unmap(at);
		this.#used -= size;
		this.#allocated.delete(at);
		if (this.#shared.delete(at) && shared.kind !== 'registered')
			this.#exports.free(at);
	}

	#register(at, size) {
		if (!at || !size)
			return error.invalidValue;
		for (const [address, { size: taken }] of this.#shared)
			if (at < address + taken && address < at + size)
				return error.alreadyRegistered;
		this.#host(at, size);
		if (!this.#map(at, size))
			return error.memoryAllocation;
		this.#shared.set(at, { size, kind: 'registered' });
	}

	/** The allocation or variable of the device that holds the bytes. */
	#deviceBytes(at, size) {
		for (const [address, taken] of this.#allocated)
			if (at >= address && at + size <= address + taken)
				return this.#emulator.mapped(address).subarray(at - address, at - address + size);
		for (const variable of this.#variables.values())
			if (at >= variable.address && at + size <= variable.address + variable.size)
				return this.#emulator.variableBytes(variable).subarray(at - variable.address, at - variable.address + size);
		return null;
	}

	#bytes(at, size) { return at < deviceStart ? this.#host(at, size) : this.#deviceBytes(at, size); }
	#sharedAt(at) { return [...this.#shared].find(([address, { size }]) => at >= address && at < address + size); }

	/** A host address where a device address is asked for, or the other way round, is an error. */
	#fits(at, onDevice) { return onDevice ? at >= deviceStart || this.#sharedAt(at) !== undefined : at < deviceStart; }

	#copy(to, toPitch, from, fromPitch, width, height, kind, stream, waits) {
		if (kind > copyKind.default || (height > 1 && (width > toPitch || width > fromPitch)) || !this.#streams.has(stream))
			return kind > copyKind.default || this.#streams.has(stream) ? error.invalidValue : error.invalidResourceHandle;
		if (width === 0 || height === 0)
			return error.success;
		if (kind !== copyKind.default && (!this.#fits(to, kind === copyKind.toDevice || kind === copyKind.within) || !this.#fits(from, kind === copyKind.toHost || kind === copyKind.within)))
			return error.invalidValue;
		const failed = waits && this.#synchronize();
		if (failed)
			return failed;
		for (let row = 0; row < height; row++) {
			const source = this.#bytes(from + row * fromPitch, width), target = this.#bytes(to + row * toPitch, width);
			if (!source || !target)
				return error.invalidValue;
			target.set(source);
		}
		this.timeline.copied(stream, to < deviceStart ? 'out' : from < deviceStart ? 'in' : 'within', width * height);
		if (waits)
			this.timeline.join(stream);
	}

	#fill(to, pitch, value, width, height, stream) {
		if (!this.#streams.has(stream))
			return error.invalidResourceHandle;
		if (!this.#fits(to, true) || (height > 1 && width > pitch))
			return error.invalidValue;
		for (let row = 0; row < height; row++) {
			const target = this.#bytes(to + row * pitch, width);
			if (!target)
				return error.invalidValue;
			target.fill(value);
		}
		this.timeline.copied(stream, 'within', width * height);
	}

	#pointer(out, at) {
		const shared = this.#sharedAt(at), device = at >= deviceStart;
		if (device && !this.#deviceBytes(at, 1))
			return error.invalidValue;
		/* cudaMemoryTypeUnregistered, Host, Device, Managed */
		this.#put(out, device ? 2 : !shared ? 0 : shared[1].kind === 'managed' ? 3 : 1);
		this.#put(out + 4, device || shared ? 0 : -2);
		this.#put(out + 8, device || shared ? at : 0);
		this.#put(out + 12, device ? 0 : at);
	}

	// ── Kernels ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

	#info(kernel) {
		const name = this.#kernels.get(kernel);
		if (name === undefined)
			return null;
		if (!this.#kernelInfo.has(name))
			this.#kernelInfo.set(name, this.#emulator.kernel(name));
		const info = this.#kernelInfo.get(name);
		return info && { ...info, name, dynamic: this.#mostDynamic.get(name) ?? this.#device.sharedOfBlock - Math.min(info.sharedBytes, this.#device.sharedOfBlock) };
	}

	#occupancy(info, threads, shared) {
		const { threads: most, blocks, shared: ofProcessor } = this.#device, warps = Math.ceil(threads / 32) * 32;
		if (!threads || threads > 1024)
			return 0;
		/* A block has a KiB of shared memory that programs do not see. */
		return Math.min(blocks, Math.floor(most / warps), Math.floor(ofProcessor / (info.sharedBytes + shared + 1024)));
	}

	#misfit(info, grid, block, shared, cooperative) {
		const threads = block[0] * block[1] * block[2], blocks = grid[0] * grid[1] * grid[2];
		if (!threads || !blocks || threads > 1024 || block[2] > 64 || grid[0] > 2147483647 || grid[1] > 65535 || grid[2] > 65535)
			return error.invalidConfiguration;
		if (shared > info.dynamic || info.maxThreads && threads > info.maxThreads)
			return error.invalidValue;
		if (cooperative && blocks > this.#occupancy(info, threads, shared) * this.#device.multiprocessors)
			return error.tooLarge;
		return error.success;
	}

	#parameters({ paramsSize, params }, list) {
		const bytes = new Uint8Array(Math.max(paramsSize, 8));
		params.forEach(({ offset, size }, i) => bytes.set(this.#host(this.#u32(list + 4 * i), size), offset));
		return bytes;
	}

	#toDevice() {
		for (const [at, { size }] of this.#shared)
			this.#emulator.mapped(at).set(this.#host(at, size));
		for (const { variable, at } of this.#managed)
			this.#emulator.variableBytes(variable).set(this.#host(at, variable.size));
	}
	#fromDevice() {
		for (const [at, { size }] of this.#shared)
			this.#host(at, size).set(this.#emulator.mapped(at));
		for (const { variable, at } of this.#managed)
			this.#host(at, variable.size).set(this.#emulator.variableBytes(variable));
	}

	#launch(kernel, grid, block, list, shared, stream, cooperative) {
		const info = this.#info(kernel);
		if (!info)
			return error.invalidDeviceFunction;
		if (!this.#streams.has(stream))
			return error.invalidResourceHandle;
		const misfit = this.#misfit(info, grid, block, shared, cooperative);
		if (misfit || this.#pending)
			return misfit;
		this.flush();
		this.#toDevice();
		const params = this.#parameters(info, list), { status, stderr } = this.#emulator.launchMapped({ kernel: info.name, grid, block, sharedBytes: shared, params });
		if (status !== 0) {
			this.#launched({ kernel: info.name, grid, block, steps: 0, fault: { kind: 'launch', message: stderr.trim(), origin: 0 } });
			return error.launchFailure;
		}
		let progress = this.#emulator.step({ to: 'end' }, 1e6);
		while (progress.state === 'running' && this.#budget(progress.steps))
			progress = this.#emulator.resume(1e6);
		const fault = progress.state === 'running' ? { kind: 'step-limit', message: 'the kernel ran longer than it may', origin: 0 } : progress.fault;
		const printed = this.#emulator.printed();
		if (printed.length)
			this.#printed.push(printed);
		this.#fromDevice();
		this.timeline.launched(stream, progress.steps);
		if (fault)
			this.#pending = errorOfFault[fault.kind] ?? error.launchFailure;
		this.#launched({ kernel: info.name, grid, block, steps: progress.steps, fault });
	}

	#attributesOf(out, kernel) {
		const info = this.#info(kernel);
		if (!info)
			return error.invalidDeviceFunction;
		const { major, minor } = this.#device, version = 10 * major + minor;
		[info.sharedBytes, info.constBytes, info.localBytes, info.maxThreads || 1024, Math.min(info.registers, 255), version, version, 0, info.dynamic, -1]
			.forEach((value, i) => this.#put(out + 4 * i, value));
	}

	#setAttribute(kernel, attribute, value) {
		const info = this.#info(kernel), shared = 8, carveout = 9;
		if (!info)
			return error.invalidDeviceFunction;
		if (attribute === shared && value <= this.#device.sharedAtMost - info.sharedBytes) {
			this.#mostDynamic.set(info.name, value);
			return error.success;
		}
		return attribute === carveout ? error.success : error.invalidValue;
	}

	// ── Streams and events ───────────────────────────────────────────────────────────────────────────────────────────────────

	#newStream(out, flags) {
		if (flags > 1)
			return error.invalidValue;
		const stream = this.#nextHandle++;
		this.#streams.add(stream);
		this.timeline.addStream(stream, flags === 1);
		this.#put(out, stream);
	}

	#onStream(stream, body) { return this.#streams.has(stream) ? body() : error.invalidResourceHandle; }
	#onEvent(event, body) {
		const found = this.#events.get(event);
		return found ? body(found) : error.invalidResourceHandle;
	}

	#elapsed(out, from, to) {
		return this.#onEvent(from, (a) => this.#onEvent(to, (b) => {
			if (a.time === null || b.time === null || a.untimed || b.untimed)
				return error.invalidResourceHandle;
			if (!this.timeline.isDone(a.time) || !this.timeline.isDone(b.time))
				return error.notReady;
			this.#view().setFloat32(out, (b.time - a.time) / 1e6, true);
		}));
	}

	#back(stream, call) {
		return this.#onStream(stream, () => {
			this.#synchronize();
			this.timeline.join(stream);
			call();
		});
	}

	#reset() {
		this.flush();
		for (const at of [...this.#allocated.keys(), ...this.#shared.keys()])
			this.#free(at, ['device', 'managed', 'pinned', 'registered']);
		this.#last = this.#pending = this.#broken = error.success;
		return error.success;
	}

	// ── What programs import ─────────────────────────────────────────────────────────────────────────────────────────────────

	/** The calls by name. */
	imports() {
		const call = (body) => this.#call(body), plain = Object.entries({ ...this.#memoryCalls(), ...this.#deviceCalls(), ...this.#streamCalls(), ...this.#kernelCalls() });
		return {
			...Object.fromEntries(plain.map(([name, body]) => [name, call(body)])),
			...this.#registrations(),
			cudaGetLastError: () => this.#take(),
			cudaPeekAtLastError: () => this.#broken || this.#last,
			cudaDeviceReset: () => this.#reset(),
		};
	}

	#memoryCalls() {
		return {
			__px_malloc: (out, size) => this.#malloc(out, size),
			__px_malloc_host: (out, size) => this.#mallocShared(out, size, 'pinned'),
			__px_malloc_managed: (out, size) => size ? this.#mallocShared(out, size, 'managed') : error.invalidValue,
			cudaFree: (at) => this.#synchronize() || this.#free(at, ['device', 'managed']),
			cudaFreeHost: (at) => this.#free(at, ['pinned']),
			cudaHostRegister: (at, size) => this.#register(at, size),
			cudaHostUnregister: (at) => this.#shared.get(at)?.kind === 'registered' ? this.#free(at, ['registered']) : error.notRegistered,
			cudaMemGetInfo: (left, total) => {
				this.#put(left, this.#device.memory - this.#used);
				this.#put(total, this.#device.memory);
			},
			cudaMemcpy: (to, from, size, kind) => this.#copy(to, size, from, size, size, 1, kind, 0, true),
			cudaMemcpyAsync: (to, from, size, kind, stream) => this.#copy(to, size, from, size, size, 1, kind, stream, false),
			cudaMemcpy2D: (to, toPitch, from, fromPitch, width, height, kind) => this.#copy(to, toPitch, from, fromPitch, width, height, kind, 0, true),
			cudaMemcpy2DAsync: (to, toPitch, from, fromPitch, width, height, kind, stream) => this.#copy(to, toPitch, from, fromPitch, width, height, kind, stream, false),
			cudaMemset: (to, value, size) => this.#fill(to, size, value, size, 1, 0),
			cudaMemsetAsync: (to, value, size, stream) => this.#fill(to, size, value, size, 1, stream),
			cudaMemset2D: (to, pitch, value, width, height) => this.#fill(to, pitch, value, width, height, 0),
			cudaMemset2DAsync: (to, pitch, value, width, height, stream) => this.#fill(to, pitch, value, width, height, stream),
			cudaMemPrefetchAsync: (at) => this.#sharedAt(at)?.[1].kind === 'managed' ? error.success : error.invalidValue,
			cudaMemAdvise: (at) => this.#sharedAt(at)?.[1].kind === 'managed' ? error.success : error.invalidValue,
			cudaPointerGetAttributes: (out, at) => this.#pointer(out, at),
			__px_symbol: (address, size, symbol) => {
				const variable = this.#symbols.get(symbol);
				if (!variable)
					return error.invalidSymbol;
				if (address)
					this.#put(address, variable.address);
				if (size)
					this.#put(size, variable.size);
			},
		};
	}

	#deviceCalls() {
		const first = (device) => device === 0 ? error.success : error.invalidDevice;
		return {
			cudaDeviceSynchronize: () => {
				const failed = this.#synchronize();
				this.timeline.joinAll();
				return failed;
			},
			cudaSetDevice: first,
			cudaGetDevice: (out) => this.#put(out, 0),
			cudaGetDeviceCount: (out) => this.#put(out, 1),
			cudaDeviceGetAttribute: (out, attribute, device) => {
				if (device !== 0 || !this.#attributes.has(attribute))
					return device !== 0 ? error.invalidDevice : error.invalidValue;
				this.#put(out, this.#attributes.get(attribute));
			},
			cudaDeviceSetLimit: (limit, value) => this.#limits.has(limit) ? void this.#limits.set(limit, value) : error.invalidValue,
			cudaDeviceGetLimit: (out, limit) => this.#limits.has(limit) ? this.#put(out, this.#limits.get(limit)) : error.invalidValue,
			cudaDriverGetVersion: (out) => this.#put(out, 12080),
			cudaRuntimeGetVersion: (out) => this.#put(out, 12080),
		};
	}

	#streamCalls() {
		return {
			cudaStreamCreate: (out) => this.#newStream(out, 0),
			cudaStreamCreateWithFlags: (out, flags) => this.#newStream(out, flags),
			cudaStreamCreateWithPriority: (out, flags) => this.#newStream(out, flags),
			cudaDeviceGetStreamPriorityRange: (least, greatest) => {
				this.#put(least, 0);
				this.#put(greatest, -5);
			},
			cudaStreamDestroy: (stream) => stream > 2 && this.#streams.delete(stream) ? this.timeline.removeStream(stream) : error.invalidResourceHandle,
			cudaStreamSynchronize: (stream) => this.#onStream(stream, () => {
				this.timeline.join(stream);
				return this.#synchronize();
			}),
			cudaStreamQuery: (stream) => this.#onStream(stream, () => this.timeline.isDone(this.timeline.endOf(stream)) ? this.#synchronize() : error.notReady),
			cudaStreamWaitEvent: (stream, event) => this.#onStream(stream, () => this.#onEvent(event, (e) => this.timeline.waitFor(stream, e.time ?? 0))),
			cudaStreamAddCallback: (stream, callback, data) => this.#back(stream, () => this.#exports.__indirect_function_table.get(callback)(stream, this.#broken, data)),
			cudaLaunchHostFunc: (stream, callback, data) => this.#back(stream, () => this.#exports.__indirect_function_table.get(callback)(data)),
			cudaEventCreateWithFlags: (out, flags) => {
				this.#events.set(this.#nextHandle, { time: null, untimed: (flags & 2) !== 0 });
				this.#put(out, this.#nextHandle++);
			},
			cudaEventDestroy: (event) => this.#events.delete(event) ? error.success : error.invalidResourceHandle,
			cudaEventRecord: (event, stream) => this.#onStream(stream, () => this.#onEvent(event, (e) => { e.time = this.timeline.mark(stream); })),
			cudaEventSynchronize: (event) => this.#onEvent(event, (e) => {
				this.timeline.until(e.time ?? 0);
				return this.#synchronize();
			}),
			cudaEventQuery: (event) => this.#onEvent(event, (e) => this.timeline.isDone(e.time ?? 0) ? this.#synchronize() : error.notReady),
			cudaEventElapsedTime: (out, from, to) => this.#elapsed(out, from, to),
		};
	}

	#kernelCalls() {
		return {
			cudaLaunchKernel: (kernel, grid, block, list, shared, stream) => this.#launch(kernel, this.#dim(grid), this.#dim(block), list, shared, stream, false),
			cudaLaunchCooperativeKernel: (kernel, grid, block, list, shared, stream) => this.#launch(kernel, this.#dim(grid), this.#dim(block), list, shared, stream, true),
			__px_function_attributes: (out, kernel) => this.#attributesOf(out, kernel),
			__px_function_set: (kernel, attribute, value) => this.#setAttribute(kernel, attribute, value),
			__px_occupancy: (out, kernel, threads, shared) => {
				const info = this.#info(kernel);
				if (!info)
					return error.invalidDeviceFunction;
				this.#put(out, this.#occupancy(info, threads, shared));
			},
		};
	}

	/** What clang's code calls before main, and around a launch. */
	#registrations() {
		return {
			__cudaRegisterFatBinary: () => 1,
			__cudaRegisterFatBinaryEnd() {},
			__cudaUnregisterFatBinary() {},
			__cudaRegisterFunction: (handle, kernel, unused, name) => {
				this.#kernels.set(kernel, this.#string(name));
				return 0;
			},
			__cudaRegisterVar: (handle, at, unused, name) => { this.#symbols.set(at, this.#variables.get(this.#string(name))); },
			__cudaRegisterManagedVar: (handle, pointer, init, name) => {
				const variable = this.#variables.get(this.#string(name));
				this.#managed.push({ variable, at: this.#u32(pointer) });
			},
			__cudaPushCallConfiguration: (grid, block, shared, stream) => {
				this.#configurations.push([this.#dim(grid), this.#dim(block), shared, stream]);
				return 0;
			},
			__cudaPopCallConfiguration: (grid, block, shared, stream) => {
				const [g, b, bytes, on] = this.#configurations.pop();
				g.forEach((n, i) => this.#put(grid + 4 * i, n));
				b.forEach((n, i) => this.#put(block + 4 * i, n));
				this.#put(shared, bytes);
				this.#put(stream, on);
				return error.success;
			},
		};
	}
}
