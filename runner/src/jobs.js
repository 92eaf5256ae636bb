// The life of jobs: asked, waiting, running, answered. Whoever does the work (local.js, nats.js) takes jobs here and gives answers back;
// a job is answered once, whatever happens to its workers.
//
//   queued ──take──▶ running ──finish──▶ done | failed
//     ▲                │ retry (its worker died)
//     └────────────────┘         cancel: from queued and running to cancelled
//
// Events: `queued` where a job comes in or back, `ended`, and the id of a job at each change of its state; each bears the job.

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { FairQueue } from './queue.js';
import { keyOf } from './store.js';
import { failed } from './work.js';

const MOST_DEATHS = 5;
export const isFinal = (state) => state === 'done' || state === 'failed' || state === 'cancelled';

/** There is no such device class. */
export class NoDevice extends Error {}

export class Jobs extends EventEmitter {
	#jobs = new Map();
	#tags = new Map(); // client and tag → job id

	/** `devices()` lists the devices that there are now. */
	constructor({ store, devices, metrics, retentionMs = 24 * 3600_000, queue = {} }) {
		super();
		this.setMaxListeners(0);
		Object.assign(this, { store, devices, metrics, retentionMs, queue: new FairQueue(queue) });
		for (const job of store.loadJobs()) {
			this.#remember(job);
			if (!isFinal(job.state)) {
				job.state = 'queued';
				this.queue.pushBack(job.class, job.owner, job.id);
			}
		}
		this.sweeper = setInterval(() => this.sweep(), Math.min(60_000, retentionMs));
		this.sweeper.unref();
	}

	/** A new job, or the one that this client has asked for under the same tag; throws NoDevice or QueueFull. */
	submit(owner, wanted, question, tag) {
		const asked = tag && this.#jobs.get(this.#tags.get(`${owner} ${tag}`));
		if (asked)
			return asked;
		const there = this.devices(), fits = there.filter((d) => wanted ? d.class === wanted : d.kind !== 'ptxas');
		if (!fits.length)
			throw new NoDevice(wanted ? `there is no device of class ${wanted}` : 'there is no device');
		const job = { id: randomUUID(), owner, class: fits[0].class, state: 'queued', at: Date.now(), deaths: 0, question, ...tag ? { tag } : {} };
		const known = question.options.fresh ? undefined : fits.filter((d) => d.class === job.class).map((d) => keyOf(question, d)).find((key) => this.store.touchAnswer(key));
		if (known) {
			Object.assign(job, { state: 'done', answer: known, cached: true, question: undefined, ended: Date.now() });
			this.metrics.jobs.inc({ device: job.class, outcome: 'stored' });
		} else {
			this.queue.push(job.class, owner, job.id);
		}
		this.store.saveJob(job);
		this.#remember(job);
		if (!known)
			this.emit('queued', job);
		return job;
	}

	#remember(job) {
		this.#jobs.set(job.id, job);
		if (job.tag)
			this.#tags.set(`${job.owner} ${job.tag}`, job.id);
	}

	/** The job, if it is of this client. */
	get(id, owner) {
		const job = this.#jobs.get(id);
		return job?.owner === owner ? job : undefined;
	}

	/** The next job of a device class, which runs from now on. */
	take(deviceClass) {
		const job = this.#jobs.get(this.queue.take(deviceClass));
		if (!job)
			return undefined;
		job.state = 'running';
		job.since = Date.now();
		this.store.saveJob(job);
		this.emit(job.id, job);
		return job;
	}

	/** The worker died: again, unless that has happened too often. */
	retry(id, why) {
		const job = this.#jobs.get(id);
		if (job?.state !== 'running')
			return;
		this.metrics.deaths.inc({ device: job.class });
		if (++job.deaths >= MOST_DEATHS) {
			this.finish(id, failed('died', `${why} (${job.deaths} times)`));
			return;
		}
		job.state = 'queued';
		this.queue.pushBack(job.class, job.owner, id);
		this.store.saveJob(job);
		this.emit(id, job);
		this.emit('queued', job);
	}

	/** The answer of a job. A second answer, or one to a job that was cancelled, changes nothing: false. */
	finish(id, answer) {
		const job = this.#jobs.get(id);
		if (!job || isFinal(job.state))
			return false;
		if (job.state === 'queued')
			this.queue.remove(job.class, job.owner, id);
		// Only what ran to its end answers the same question again: a fault or a lack of time may pass.
		const device = answer.result && this.devices().find((d) => d.class === job.class && d.driver === answer.result.device.driver);
		const name = device && !answer.result.fault ? keyOf(job.question, device) : id;
		this.store.saveAnswer(name, answer);
		this.metrics.jobs.inc({ device: job.class, outcome: answer.error?.code ?? (answer.result.fault ? 'fault' : 'done') });
		this.metrics.seconds.observe({ device: job.class }, (Date.now() - job.at) / 1000);
		this.#end(job, answer.error ? 'failed' : 'done', name);
		return true;
	}

	#end(job, state, name) {
		Object.assign(job, { state, answer: name, question: undefined, ended: Date.now() });
		this.store.saveJob(job);
		this.emit(job.id, job);
		this.emit('ended', job);
	}

	/** Cancels a job; one that has ended is forgotten. */
	cancel(job) {
		if (isFinal(job.state)) {
			this.#forget(job);
			return;
		}
		if (job.state === 'queued')
			this.queue.remove(job.class, job.owner, job.id);
		this.store.saveAnswer(job.id, failed('cancelled', 'the job was cancelled'));
		this.metrics.jobs.inc({ device: job.class, outcome: 'cancelled' });
		this.#end(job, 'cancelled', job.id);
	}

	#forget(job) {
		this.#tags.delete(`${job.owner} ${job.tag}`);
		this.#jobs.delete(job.id);
		this.store.removeJob(job.id);
	}

	sweep() {
		for (const job of this.#jobs.values())
			if (isFinal(job.state) && job.ended < Date.now() - this.retentionMs)
				this.#forget(job);
		this.store.sweep(this.retentionMs);
	}

	/** Resolves when the job has ended, after `ms` at the latest, or when `signal` aborts. */
	ended(job, ms) {
		if (isFinal(job.state))
			return Promise.resolve();
		return new Promise((resolve) => {
			const done = () => { clearTimeout(timer); this.off(job.id, look); resolve(); };
			const look = () => { if (isFinal(job.state)) done(); };
			const timer = setTimeout(done, ms);
			this.on(job.id, look);
		});
	}

	/** What its client sees of a job; with `whole` its answer, too. */
	async view(job, whole) {
		const { id, class: device, state, at, ended, cached } = job;
		const position = state === 'queued' ? this.queue.position(device, job.owner, id) : undefined;
		const shown = { id, device, state, submitted: new Date(at).toISOString(), ...ended ? { ended: new Date(ended).toISOString() } : {}, ...cached ? { cached } : {}, ...position === undefined ? {} : { position } };
		return whole && job.answer ? { ...shown, ...await this.store.answer(job.answer) ?? failed('died', 'the answer is no longer kept') } : shown;
	}

	close() { clearInterval(this.sweeper); }
}
