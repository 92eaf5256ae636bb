// The service's side of a queue in NATS JetStream. The fair queue of jobs.js stays in front: only as many jobs as the workers will soon
// begin are handed to JetStream, so turns and cancelling work as they do without it.

import { ACK_WAIT_MS, ANSWERS, ANSWER_ACK_WAIT_MS, CANCEL, JOBS, REQUEST_MS, SILENT_MS, WHO, WORKERS, answerSubject, consumer, dial, forever, jobSubject } from './nats-common.js';

export class NatsQueue {
	#workers = new Map(); // worker → { seen, devices }
	#flying = new Map(); // job id → { class, sequence }
	#ready = false; // the answers of before the start have been read
	#closing = false;

	static async connect(options) {
		const queue = new NatsQueue();
		queue.nats = await dial(options);
		queue.nats.connection.subscribe(WORKERS, { callback: (_, message) => queue.#announced(message) });
		queue.nats.connection.publish(WHO);
		return queue;
	}

	#announced(message) {
		const { id, devices, leaving } = message.json();
		if (leaving)
			this.#workers.delete(id);
		else
			this.#workers.set(id, { seen: Date.now(), devices });
		this.#feed();
	}

	/** The devices of all workers that have been heard of lately. */
	devices() {
		for (const [id, { seen }] of this.#workers)
			if (seen < Date.now() - SILENT_MS)
				this.#workers.delete(id);
		return [...this.#workers.values()].flatMap((worker) => worker.devices);
	}

	/** Begins to hand out the jobs of `jobs`. */
	serve(jobs, { limits, log }) {
		Object.assign(this, { jobs, log });
		jobs.on('ended', (job) => this.#ended(job));
		jobs.on('queued', () => this.#feed());
		void forever(() => this.#closing, () => this.#readAnswers());
		// What JetStream has lost, with its disk for example, is handed out again.
		const lostMs = 3 * limits.wallMs + 6 * ACK_WAIT_MS;
		this.timer = setInterval(() => { this.#retryLost(lostMs); this.#feed(); }, 2000);
		return this;
	}

	/** How many jobs of a class may be with JetStream: twice as many as run at a time. */
	#room(deviceClass) {
		const slots = this.devices().filter((d) => d.class === deviceClass).reduce((n, d) => n + d.parallel, 0);
		return 2 * slots - [...this.#flying.values()].filter((f) => f.class === deviceClass).length;
	}

	#feed() {
		if (!this.#ready || this.#closing)
			return;
		for (const deviceClass of new Set(this.devices().map((d) => d.class))) {
			for (let room = this.#room(deviceClass); room > 0; room--) {
				const job = this.jobs.take(deviceClass);
				if (!job)
					break;
				void this.#publish(job);
			}
		}
	}

	async #publish(job) {
		const flight = { class: job.class, since: Date.now(), sequence: 0 }, payload = JSON.stringify({ id: job.id, ...job.question });
		this.#flying.set(job.id, flight);
		try {
			// The same job has the same id after a restart of the service, so JetStream knows what it has already.
			const { seq } = await this.nats.stream.publish(jobSubject(job.class), payload, { msgID: `${job.id}-${job.deaths}` });
			flight.sequence = seq;
		} catch (error) {
			this.log?.warn({ job: job.id, err: error }, 'JetStream did not take a job; it is handed out again');
			flight.since = 0;
		}
	}

	#retryLost(lostMs) {
		for (const [id, { since }] of this.#flying)
			if (since < Date.now() - (since ? lostMs : 0)) {
				this.#flying.delete(id);
				this.jobs.retry(id, 'its worker or its queue was lost');
			}
	}

	async #readAnswers() {
		const answers = await consumer(this.nats, ANSWERS, 'service', answerSubject('*'), ANSWER_ACK_WAIT_MS);
		if (!this.#ready)
			await this.#readBacklog(answers);
		this.#ready = true;
		this.#feed();
		while (!this.#closing)
			await this.#readSome(answers, 64);
	}

	/** What came while no service ran is read before a job is handed out, or the jobs that it answers would run again: JetStream forgets
	 * the ids of what has been acknowledged when it restarts. The counts of a server that was killed may stay above 0, so there is an end to it. */
	async #readBacklog(answers) {
		for (const until = Date.now() + 3 * ANSWER_ACK_WAIT_MS; Date.now() < until;) {
			const { num_pending: unread, num_ack_pending: unacknowledged } = await answers.info();
			if (!unread && !unacknowledged)
				return;
			await this.#readSome(answers, unread + unacknowledged);
		}
	}

	async #readSome(answers, most) {
		for await (const message of await answers.fetch({ max_messages: most, expires: REQUEST_MS })) {
			this.jobs.finish(message.subject.split('.').at(-1), message.json());
			await message.ackAck(); // behind the answer's being saved
		}
	}

	#ended(job) {
		const flight = this.#flying.get(job.id);
		this.#flying.delete(job.id);
		if (job.state === 'cancelled') {
			this.nats.connection.publish(CANCEL, job.id);
			if (flight?.sequence)
				this.nats.manager.streams.deleteMessage(JOBS, flight.sequence).catch(() => undefined);
		}
		this.#feed();
	}

	async close() {
		this.#closing = true;
		clearInterval(this.timer);
		await this.nats.connection.close();
	}
}
