// A worker of a queue in NATS JetStream: takes jobs of its devices' classes, one at a time on a GPU, and sends their answers.
//
// A job is acknowledged behind its answer, and reported as being worked on until then: where this process or its machine dies, JetStream
// gives the job to another worker. The answer bears the job's id, so JetStream drops a second one.

import { randomUUID } from 'node:crypto';
import { parallelOf } from './local.js';
import { ACK_WAIT_MS, ANNOUNCE_MS, CANCEL, JOBS, REQUEST_MS, WHO, WORKERS, answerSubject, consumer, consumerName, dial, forever, jobSubject } from './nats-common.js';
import { doJob, failed } from './work.js';

const MOST_DELIVERIES = 5;

export class NatsWorker {
	#closing = false;
	#running = new Map(); // job id → AbortController
	#id = randomUUID();

	static async start(options, devices, { limits, parallel }) {
		const worker = new NatsWorker();
		worker.nats = await dial(options);
		Object.assign(worker, { limits, devices: devices.map((d) => ({ ...d, parallel: parallelOf(d, parallel) })) });
		worker.nats.connection.subscribe(CANCEL, { callback: (_, message) => worker.#running.get(message.string())?.abort() });
		worker.nats.connection.subscribe(WHO, { callback: () => worker.#announce() });
		worker.#announce();
		worker.timer = setInterval(() => worker.#announce(), ANNOUNCE_MS);
		worker.loops = worker.devices.flatMap((device) => Array.from({ length: device.parallel }, () => forever(() => worker.#closing, () => worker.#next(device))));
		return worker;
	}

	#announce(leaving = false) {
		const devices = this.devices.map(({ driverFile: _, environment: __, sandbox: ___, ptxas, ...about }) => ({ ...about, ptxas: !!ptxas }));
		this.nats.connection.publish(WORKERS, JSON.stringify({ id: this.#id, devices, leaving }));
	}

	async #next(device) {
		const jobs = await consumer(this.nats, JOBS, consumerName(device.class), jobSubject(device.class), ACK_WAIT_MS);
		while (!this.#closing) {
			const message = await jobs.next({ expires: REQUEST_MS });
			if (message)
				await this.#do(message, device);
		}
	}

	async #do(message, device) {
		const { id, ...job } = message.json(), cancel = new AbortController();
		this.#running.set(id, cancel);
		const busy = setInterval(() => message.working(), ACK_WAIT_MS / 3);
		try {
			const answer = await doJob(job, device, { limits: this.limits, signal: cancel.signal });
			if (this.#closing || (answer.error?.code === 'died' && message.info.deliveryCount < MOST_DELIVERIES)) {
				message.nak(); // somebody else does it
				return;
			}
			await this.#send(id, answer);
			message.ack();
		} catch (error) {
			if (message.info.deliveryCount < MOST_DELIVERIES)
				message.nak(1000);
			else
				await this.#send(id, failed('died', `the worker failed: ${error.message}`)).then(() => message.ack());
		} finally {
			clearInterval(busy);
			this.#running.delete(id);
		}
	}

	async #send(id, answer) {
		let text = JSON.stringify(answer);
		if (Buffer.byteLength(text) > this.nats.connection.info.max_payload - 1024)
			text = JSON.stringify(failed('too-large', 'the answer is more than the queue carries (max_payload of NATS)'));
		await this.nats.stream.publish(answerSubject(id), text, { msgID: `answer-${id}` });
	}

	/** Jobs that run go back to the queue. */
	async close() {
		this.#closing = true;
		clearInterval(this.timer);
		for (const cancel of this.#running.values())
			cancel.abort();
		await new Promise((resolve) => { setTimeout(resolve, 100); });
		this.#announce(true);
		await this.nats.connection.close();
	}
}
