// Does the jobs on the devices of this machine: one at a time on a GPU, as many as there are processors elsewhere.

import { availableParallelism } from 'node:os';
import { doJob, failed } from './work.js';

/** How many jobs a device does at a time. */
export const parallelOf = (device, given) => device.kind === 'gpu' ? 1 : given ?? availableParallelism();

export class LocalWorkers {
	#running = new Map(); // job id → { cancel, pid }
	#closing = false;

	constructor(jobs, devices, { limits, parallel, log }) {
		Object.assign(this, { jobs, limits, log });
		jobs.on('ended', (job) => { if (job.state === 'cancelled') this.#running.get(job.id)?.cancel.abort(); });
		// A job of a class goes to the first device of it that is free.
		this.loops = devices.flatMap((device) => Array.from({ length: parallelOf(device, parallel) }, () => this.#serve(device)));
	}

	/** Processes at work, for tests that end them. */
	get pids() { return [...this.#running.values()].map(({ pid }) => pid).filter(Boolean); }

	async #serve(device) {
		while (!this.#closing) {
			const job = this.jobs.take(device.class);
			if (job)
				await this.#do(job, device);
			else
				await new Promise((resolve) => { this.jobs.once('queued', resolve); });
		}
	}

	async #do(job, device) {
		const running = { cancel: new AbortController(), pid: 0 };
		this.#running.set(job.id, running);
		let answer;
		try {
			answer = await doJob(job.question, device, { limits: this.limits, signal: running.cancel.signal, started: (pid) => { running.pid = pid; } });
		} catch (error) {
			this.log?.error({ job: job.id, err: error }, 'the worker failed');
			answer = failed('died', `the worker failed: ${error.message}`);
		}
		this.#running.delete(job.id);
		if (this.#closing)
			return; // the job stays unanswered, and the next start does it again
		if (answer.error?.code === 'died')
			this.jobs.retry(job.id, answer.error.message);
		else
			this.jobs.finish(job.id, answer);
	}

	async close() {
		this.#closing = true;
		for (const { cancel } of this.#running.values())
			cancel.abort();
	}
}
