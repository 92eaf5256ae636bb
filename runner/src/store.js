// Jobs and answers on disk, so that a restart of the service loses neither. A file is written beside its place and then moved there.
//
//   jobs/ID.json      a job: whose, the question (until it is answered), the name of its answer
//   answers/NAME.json an answer; NAME is the question's key where the same question may be answered from it, else the job's id
//
// What is older than the retention is deleted. A name is made of hexadecimal digits and hyphens, so no path can be smuggled in.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const valid = (name) => /^[0-9a-f-]{8,80}$/.test(name);

/** JSON with the members of objects in the order of their names. */
function canonical(value) {
	if (Array.isArray(value))
		return `[${value.map(canonical).join(',')}]`;
	if (typeof value === 'object' && value !== null)
		return `{${Object.keys(value).sort().map((k) => `${JSON.stringify(k)}:${canonical(value[k])}`).join(',')}}`;
	return JSON.stringify(value) ?? 'null';
}

/** The key of a question on a device with a driver. Buffers keep their order: it decides where they lie. */
export function keyOf({ ptx, launch, options }, device) {
	const { expect: _, ...asked } = launch, { fresh: __, ...relevant } = options;
	const order = Object.keys(launch.buffers ?? {});
	return createHash('sha256').update(canonical([1, ptx, asked, order, relevant, device.class, device.name, device.target, device.driver])).digest('hex');
}

export class Store {
	constructor(folder) {
		this.jobs = join(folder, 'jobs');
		this.answers = join(folder, 'answers');
		mkdirSync(this.jobs, { recursive: true, mode: 0o700 });
		mkdirSync(this.answers, { recursive: true, mode: 0o700 });
	}

	#write(file, value) {
		writeFileSync(`${file}.tmp`, JSON.stringify(value), { mode: 0o600 });
		renameSync(`${file}.tmp`, file);
	}

	saveJob(job) { this.#write(join(this.jobs, `${job.id}.json`), job); }
	removeJob(id) { rmSync(join(this.jobs, `${id}.json`), { force: true }); }

	/** Every job that was saved; a file that a crash has cut is dropped. */
	loadJobs() {
		return readdirSync(this.jobs).filter((file) => file.endsWith('.json')).flatMap((file) => {
			try {
				return [JSON.parse(readFileSync(join(this.jobs, file), 'utf8'))];
			} catch {
				rmSync(join(this.jobs, file), { force: true });
				return [];
			}
		});
	}

	saveAnswer(name, answer) { this.#write(join(this.answers, `${name}.json`), answer); }

	/** The answer's age begins anew; false: there is none. */
	touchAnswer(name) {
		try {
			utimesSync(join(this.answers, `${name}.json`), new Date(), new Date());
			return true;
		} catch {
			return false;
		}
	}

	async answer(name) {
		try {
			return valid(name) ? JSON.parse(await readFile(join(this.answers, `${name}.json`), 'utf8')) : null;
		} catch {
			return null;
		}
	}

	/** Deletes answers that are older than `ms`. */
	sweep(ms) {
		for (const file of readdirSync(this.answers)) {
			const path = join(this.answers, file);
			if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - ms)
				rmSync(path, { force: true });
		}
	}
}
