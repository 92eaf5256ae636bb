// One process of the program for all command lines of a test: the other side of tests/tools/served.c.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readSync, statSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A running server (tests/tools/served.c). */
class Server {
	constructor(served, folder) {
		const [requests, replies] = ['requests', 'replies'].map((name) => join(folder, name));
		assert.equal(spawnSync('mkfifo', [requests, replies]).status, 0);
		spawn(served, [requests, replies], { stdio: ['ignore', 'ignore', 'inherit'] }).unref(); // it ends where the requests end
		this.requests = openSync(requests, 'w');
		this.replies = openSync(replies, 'r');
		this.buffer = Buffer.alloc(1 << 16);
		this.held = this.buffer.subarray(0, 0);
	}

	#read() {
		const count = readSync(this.replies, this.buffer);
		assert.ok(count, 'the server of command lines ended');
		this.held = this.buffer.subarray(0, count);
	}

	#line() {
		for (let line = ''; ; this.#read()) {
			const end = this.held.indexOf(10);
			line += this.held.toString('latin1', 0, end < 0 ? this.held.length : end);
			this.held = this.held.subarray(end < 0 ? this.held.length : end + 1);
			if (end >= 0)
				return line;
		}
	}

	#bytes(count) {
		const bytes = Buffer.alloc(count);
		for (let n = 0; n < count;) {
			if (!this.held.length)
				this.#read();
			const copied = this.held.copy(bytes, n);
			this.held = this.held.subarray(copied);
			n += copied;
		}
		return bytes;
	}

	run(args, { input, cwd, env, timeout }) {
		const given = Buffer.from(input), variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
		const strings = [resolve(cwd), ...args, ...variables].map((string) => `${string}\0`).join('');
		const request = Buffer.concat([Buffer.from(`${args.length} ${variables.length} ${Math.ceil(timeout / 1000)} ${given.length}\n${strings}`), given]);
		for (let n = 0; n < request.length;)
			n += writeSync(this.requests, request, n);
		const [status, signal, printed, said] = this.#line().split(' ').map(Number);
		const name = Object.keys(constants.signals).find((key) => constants.signals[key] === signal) ?? null;
		return { status: signal ? null : status, signal: name === 'SIGALRM' ? 'timeout' : name, stdout: this.#bytes(printed), stderr: this.#bytes(said) };
	}
}

/** A server of `program` where it was built of the same sources, with its FIFOs in a new folder; null otherwise. */
export function serverOf(program, newFolder) {
	const time = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	const served = join(dirname(program), 'served');
	return time(served) > time(program) ? new Server(served, newFolder()) : null;
}
