// The part of WASI preview 1 that a compiler or the host code of a program asks for, over files in memory: one folder, "/", in which
// every path is a name. A run reads its files, writes new ones and prints; it has no environment, no links, no folders of its own, a
// clock that is its caller's (for a compiler it stands still) and always the same random numbers, so that its output follows from its
// input.

const errno = { ok: 0, badf: 8, inval: 28, isdir: 31, noent: 44, nosys: 52, spipe: 70 };
const fileType = { stream: 2, folder: 3, file: 4 };
const openFlag = { create: 1, folder: 2, truncate: 8 };
const folderFd = 3;
/** The status of a program that ended with a trap; one that aborts has it on other systems. */
const trapped = 134;

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** The program called proc_exit. */
class Exit extends Error {
	constructor(status) {
		super(`exit status ${status}`);
		this.status = status;
	}
}

/** Calls of preview 1 that programs link and have no use for here. */
const unsupported = [
	'fd_advise', 'fd_allocate', 'fd_datasync', 'fd_fdstat_set_flags', 'fd_fdstat_set_rights', 'fd_filestat_set_times', 'fd_pwrite', 'fd_readdir', 'fd_renumber',
	'fd_sync', 'fd_tell', 'path_create_directory', 'path_filestat_set_times', 'path_link', 'path_readlink', 'path_remove_directory', 'path_rename', 'path_symlink',
	'proc_raise', 'sock_accept', 'sock_recv', 'sock_send', 'sock_shutdown',
];

/** "a//b/./c" and "/a/b/x/../c" are both "a/b/c". */
function normal(path) {
	const parts = [];
	for (const part of path.split('/'))
		if (part === '..')
			parts.pop();
		else if (part && part !== '.')
			parts.push(part);
	return parts.join('/');
}

const stopped = { now: () => 0n, sleep() {}, missing() {} };

export class Process {
	#memory;
	#args;
	#host;
	/** Path → { bytes, inode }; the inode tells files apart. */
	#files = new Map();
	#folders = new Set(['']);
	/** Descriptor → { file, at }; 0 to 2 are the streams, 3 is the folder. */
	#open = new Map();
	#input;
	#nextFd = folderFd + 1;

	/** `host` is what the program sees of the world: `print(fd, bytes)`, `now()` and `sleep(time)` in nanoseconds, `input`, the bytes of
	 * its standard input, and `missing(path)`, which is told of files that are not there. */
	constructor(args, files, host) {
		this.#host = { ...stopped, input: new Uint8Array(), ...host };
		this.#input = { file: { bytes: this.#host.input }, at: 0 };
		this.#args = args.map((arg) => utf8.encode(`${arg}\0`));
		for (const [path, data] of Object.entries(files))
			this.#create(normal(path), typeof data === 'string' ? utf8.encode(data) : data);
	}

	#create(path, bytes) {
		const file = { bytes, inode: BigInt(this.#files.size + 1) };
		this.#files.set(path, file);
		for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
			this.#folders.add(path.slice(0, at));
		return file;
	}

	#view() { return new DataView(this.#memory.buffer); }
	#bytes(at, size) { return new Uint8Array(this.#memory.buffer, at, size); }
	#path(at, size) { return normal(text.decode(this.#bytes(at, size))); }

	/** The pieces of memory that an iovec lists. */
	*#pieces(list, count) {
		const view = this.#view();
		for (let i = 0; i < count; i++)
			yield this.#bytes(view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true));
	}

	#strings(list, at, strings) {
		for (const string of strings) {
			this.#view().setUint32(list, at, true);
			this.#bytes(at, string.length).set(string);
			list += 4;
			at += string.length;
		}
		return errno.ok;
	}

	#sizes(count, size, strings) {
		this.#view().setUint32(count, strings.length, true);
		this.#view().setUint32(size, strings.reduce((n, s) => n + s.length, 0), true);
		return errno.ok;
	}

	#stat(at, type, inode, size) {
		const view = this.#view();
		this.#bytes(at, 64).fill(0);
		view.setBigUint64(at + 8, inode, true);
		view.setUint8(at + 16, type);
		view.setBigUint64(at + 24, 1n, true);
		view.setBigUint64(at + 32, BigInt(size), true);
		return errno.ok;
	}

	/** Fills the pieces from `file` at `from`; how much there was. */
	#readAt(file, from, list, count, done) {
		let at = Math.min(from, file.bytes.length);
		for (const piece of this.#pieces(list, count)) {
			const part = file.bytes.subarray(at, at + piece.length);
			piece.set(part);
			at += part.length;
		}
		const n = at - Math.min(from, file.bytes.length);
		this.#view().setUint32(done, n, true);
		return n;
	}

	#calls() {
		return {
			args_get: (list, at) => this.#strings(list, at, this.#args),
			args_sizes_get: (count, size) => this.#sizes(count, size, this.#args),
			environ_get: () => errno.ok,
			environ_sizes_get: (count, size) => this.#sizes(count, size, []),
			clock_time_get: (id, precision, at) => {
				this.#view().setBigUint64(at, this.#host.now(), true);
				return errno.ok;
			},
			clock_res_get: (id, at) => {
				this.#view().setBigUint64(at, 1n, true);
				return errno.ok;
			},
			poll_oneoff: (subscriptions, events, count, done) => this.#wait(subscriptions, events, count, done),
			sched_yield: () => errno.ok,
			random_get: (at, size) => {
				for (let i = 0; i < size; i++)
					this.#bytes(at + i, 1)[0] = i * 167 + 89;
				return errno.ok;
			},
			proc_exit: (status) => { throw new Exit(status); },
			fd_close: (fd) => this.#open.delete(fd) || fd <= folderFd ? errno.ok : errno.badf,
			fd_fdstat_get: (fd, at) => {
				if (fd > folderFd && !this.#open.has(fd))
					return errno.badf;
				this.#bytes(at, 24).fill(0);
				this.#view().setUint8(at, fd < folderFd ? fileType.stream : fd === folderFd ? fileType.folder : fileType.file);
				this.#bytes(at + 8, 16).fill(255);
				return errno.ok;
			},
			fd_filestat_get: (fd, at) => {
				if (fd <= folderFd)
					return this.#stat(at, fd === folderFd ? fileType.folder : fileType.stream, 0n, 0);
				const open = this.#open.get(fd);
				return open ? this.#stat(at, fileType.file, open.file.inode, open.file.bytes.length) : errno.badf;
			},
			fd_filestat_set_size: (fd, size) => {
				const open = this.#open.get(fd);
				if (!open)
					return errno.badf;
				const bytes = new Uint8Array(Number(size));
				bytes.set(open.file.bytes.subarray(0, bytes.length));
				open.file.bytes = bytes;
				return errno.ok;
			},
			fd_prestat_get: (fd, at) => {
				if (fd !== folderFd)
					return errno.badf;
				this.#view().setUint32(at, 0, true);
				this.#view().setUint32(at + 4, 1, true);
				return errno.ok;
			},
			fd_prestat_dir_name: (fd, at) => {
				this.#bytes(at, 1)[0] = '/'.charCodeAt(0);
				return fd === folderFd ? errno.ok : errno.badf;
			},
			fd_read: (fd, list, count, done) => {
				const open = fd === 0 ? this.#input : this.#open.get(fd);
				if (!open)
					return errno.badf;
				open.at += this.#readAt(open.file, open.at, list, count, done);
				return errno.ok;
			},
			fd_pread: (fd, list, count, from, done) => {
				const open = this.#open.get(fd);
				if (!open)
					return errno.badf;
				this.#readAt(open.file, Number(from), list, count, done);
				return errno.ok;
			},
			fd_seek: (fd, distance, whence, at) => {
				const open = this.#open.get(fd);
				if (!open)
					return fd < folderFd ? errno.spipe : errno.badf;
				const base = [0, open.at, open.file.bytes.length][whence] + Number(distance);
				if (!(base >= 0))
					return errno.inval;
				open.at = base;
				this.#view().setBigUint64(at, BigInt(base), true);
				return errno.ok;
			},
			fd_write: (fd, list, count, done) => this.#write(fd, list, count, done),
			path_filestat_get: (fd, flags, at, size, stat) => {
				const path = this.#path(at, size), file = this.#files.get(path);
				if (file)
					return this.#stat(stat, fileType.file, file.inode, file.bytes.length);
				return this.#folders.has(path) ? this.#stat(stat, fileType.folder, BigInt(2 ** 32 + [...this.#folders].indexOf(path)), 0) : errno.noent;
			},
			path_open: (fd, follow, at, size, flags, rights, inherited, modes, out) => {
				const path = this.#path(at, size);
				if (this.#folders.has(path) || flags & openFlag.folder)
					return this.#folders.has(path) ? errno.isdir : errno.noent;
				let file = this.#files.get(path);
				if (!file && !(flags & openFlag.create)) {
					this.#host.missing(path);
					return errno.noent;
				}
				file ??= this.#create(path, new Uint8Array());
				if (flags & openFlag.truncate)
					file.bytes = new Uint8Array();
				this.#open.set(this.#nextFd, { file, at: 0 });
				this.#view().setUint32(out, this.#nextFd++, true);
				return errno.ok;
			},
			path_unlink_file: (fd, at, size) => this.#files.delete(this.#path(at, size)) ? errno.ok : errno.noent,
			...Object.fromEntries(unsupported.map((name) => [name, () => errno.nosys])),
		};
	}

	#write(fd, list, count, done) {
		const open = this.#open.get(fd);
		if (!open && fd !== 1 && fd !== 2)
			return errno.badf;
		let n = 0;
		for (const piece of this.#pieces(list, count)) {
			n += piece.length;
			if (!open) {
				this.#host.print(fd, piece.slice());
				continue;
			}
			const end = open.at + piece.length, { file } = open;
			if (end > file.bytes.length) {
				const bytes = new Uint8Array(end);
				bytes.set(file.bytes);
				file.bytes = bytes;
			}
			file.bytes.set(piece, open.at);
			open.at = end;
		}
		this.#view().setUint32(done, n, true);
		return errno.ok;
	}

	/** Waits for the clock, which is all that there is to wait for. */
	#wait(subscriptions, events, count, done) {
		const view = this.#view(), clock = 0, absolute = 1;
		for (let i = 0; i < count; i++, subscriptions += 48, events += 32) {
			if (view.getUint8(subscriptions + 8) !== clock)
				return errno.nosys;
			const time = view.getBigUint64(subscriptions + 24, true), now = this.#host.now();
			this.#host.sleep(view.getUint16(subscriptions + 40, true) & absolute ? time > now ? time - now : 0n : time);
			this.#bytes(events, 32).fill(0);
			view.setBigUint64(events, view.getBigUint64(subscriptions, true), true);
		}
		view.setUint32(done, count, true);
		return errno.ok;
	}

	/** Where a call outside WASI finds the program's memory and what it exports. */
	exports;

	/** Runs to the end: the exit status. `imports` are those of other modules than WASI's; `ready(exports)` is called in front of it. */
	async run(module, imports = {}, ready) {
		const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: this.#calls(), ...imports });
		this.exports = instance.exports;
		this.#memory = instance.exports.memory;
		ready?.(instance.exports);
		try {
			instance.exports._start();
			return 0;
		} catch (error) {
			if (!(error instanceof Exit))
				throw error;
			return error.status;
		}
	}

	file(path) { return this.#files.get(path)?.bytes; }
}

/** Why a compiler trapped, as a message for the person whose source it was. */
function reason(trap, memory, stderr) {
	const room = (() => {
		try {
			memory.grow(1024);
			return true;
		} catch {
			return false;
		}
	})();
	if (!room || /out of memory|bad_alloc/i.test(stderr))
		return `ran out of memory (${Math.ceil(memory.buffer.byteLength / 2 ** 20)} MiB are in use); the source needs more than a compiler in WebAssembly can have`;
	if (trap instanceof RangeError || /out of bounds/.test(trap.message))
		return 'ran out of stack; something in the source is nested too deeply';
	return `failed: ${trap.message}`;
}

/** Runs a compiler once: its exit status, what it printed and the files that it was asked for. One that traps has ended with status
 * `trapped`, and the last line of its messages says why. */
export async function run(module, args, files, wanted = []) {
	const printed = [[], []], process = new Process(args, files, { print: (fd, bytes) => printed[fd - 1].push(bytes) });
	const words = (parts) => parts.map((part) => text.decode(part, { stream: true })).join('') + text.decode();
	const outcome = (status, more = '') => ({
		status, stdout: words(printed[0]), stderr: words(printed[1]) + more, files: Object.fromEntries(wanted.map((path) => [path, process.file(path)])),
	});
	try {
		return outcome(await process.run(module));
	} catch (trap) {
		return outcome(trapped, `${args[0]} ${reason(trap, process.exports.memory, words(printed[1]))}\n`);
	}
}
