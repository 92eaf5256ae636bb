// Who may use the service: a file of names and hashes, a line each. A token is 256 random bits, so a plain SHA-256 suffices: nobody can
// try them out. The file is read again when it changes.

import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const hashOf = (token) => createHash('sha256').update(token).digest('hex');

/** Makes a token for `name`, adds its hash to the file and returns it: it is shown this once. */
export function addToken(file, name) {
	if (!/^[\w.@-]{1,64}$/.test(name))
		throw new Error('a name has 1 to 64 letters, digits and . _ @ -');
	const token = `ptxr_${randomBytes(32).toString('base64url')}`;
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	appendFileSync(file, `${name} ${hashOf(token)}\n`, { mode: 0o600 });
	return token;
}

export class Tokens {
	#file;
	#read = { mtime: -1, names: new Map() };
	#looked = 0;

	constructor(file) { this.#file = file; }

	/** A token may go half a second after it is taken out of the file; `fresh`: what the file says now. */
	#names(fresh = false) {
		const now = Date.now();
		if (!fresh && now - this.#looked < 500)
			return this.#read.names;
		this.#looked = now;
		const mtime = statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
		if (mtime !== this.#read.mtime) {
			const lines = mtime ? readFileSync(this.#file, 'utf8').split('\n').map((line) => /^([\w.@-]+) ([0-9a-f]{64})$/.exec(line.trim())) : [];
			this.#read = { mtime, names: new Map(lines.filter(Boolean).map(([, name, hash]) => [hash, name])) };
		}
		return this.#read.names;
	}

	get count() { return this.#names().size; }

	/** The name that a header `Authorization: Bearer …` belongs to, or undefined. Looking up a hash tells nothing about tokens. */
	nameOf(header) {
		const token = /^Bearer ([\w-]{10,200})$/i.exec(header ?? '')?.[1];
		return token && (this.#names().get(hashOf(token)) ?? this.#names(true).get(hashOf(token)));
	}
}
