// What the service and its workers agree on: the streams and subjects of the queue in NATS JetStream.
//
//   ptxscope.jobs.CLASS     jobs, one subject and one consumer per device class; a job stays until a worker has acknowledged it, and goes
//                           to another one where the first is silent for ACK_WAIT_MS
//   ptxscope.answers.ID     answers, for the service
//   ptxscope.workers        what devices a worker has, every two seconds; without a stream, as only the last ones matter
//   ptxscope.who            a service that has started asks the workers to say so at once
//   ptxscope.cancel         ids of jobs that are no longer wanted
//
// Workers dial out: they need no port of their own. Both sides make the streams where they are missing.

import { readFileSync } from 'node:fs';
import { AckPolicy, RetentionPolicy, StorageType, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, nanos } from '@nats-io/transport-node';

export const JOBS = 'PTXSCOPE_JOBS', ANSWERS = 'PTXSCOPE_ANSWERS', WORKERS = 'ptxscope.workers', WHO = 'ptxscope.who', CANCEL = 'ptxscope.cancel';
export const ACK_WAIT_MS = 5000, ANSWER_ACK_WAIT_MS = 1000, ANNOUNCE_MS = 2000, SILENT_MS = 10_000;
/** How long a request for messages waits. A server that has restarted does not know it any more, so this is also how long one may be lost. */
export const REQUEST_MS = 1000;
export const jobSubject = (deviceClass) => `ptxscope.jobs.${deviceClass}`;
export const answerSubject = (id) => `ptxscope.answers.${id}`;
export const consumerName = (deviceClass) => `class-${deviceClass}`;

/** Connects to the first server that answers, however long that takes, and makes the streams where they are missing. A server that is
 * restarted in the middle leaves a question unanswered, which is then asked anew. */
export async function dial({ servers, credentials }) {
	const options = {
		servers: servers.split(','), maxReconnectAttempts: -1, reconnectTimeWait: 500, waitOnFirstConnect: true, timeout: 3000, name: 'ptxscope-runner',
		...credentials ? { authenticator: credsAuthenticator(readFileSync(credentials)) } : {},
	};
	for (;;) {
		const connection = await connect(options);
		try {
			return { connection, manager: await withStreams(connection), stream: jetstream(connection) };
		} catch (error) {
			await connection.close();
			if (error.name !== 'TimeoutError')
				throw error;
		}
	}
}

async function withStreams(connection) {
	const manager = await jetstreamManager(connection);
	// Deduplication holds for longer than a restart of either side takes.
	const common = { retention: RetentionPolicy.Workqueue, storage: StorageType.File, duplicate_window: nanos(10 * 60_000) };
	for (const [name, subject] of [[JOBS, jobSubject('*')], [ANSWERS, answerSubject('*')]])
		await manager.streams.info(name).catch(() => manager.streams.add({ name, subjects: [subject], ...common }));
	return manager;
}

/** The consumer of a stream that everybody with the same name shares. A message that is not acknowledged for `ackWaitMs` is given out again. */
export async function consumer({ manager, stream }, name, durable, subject, ackWaitMs) {
	const changeable = { ack_wait: nanos(ackWaitMs), max_deliver: -1 };
	await manager.consumers.add(name, { durable_name: durable, ack_policy: AckPolicy.Explicit, filter_subject: subject, ...changeable })
		.catch(() => manager.consumers.update(name, durable, changeable)); // there is one of an earlier release
	return stream.consumers.get(name, durable);
}

/** Calls `next` until `closed()`, and again after a failure: a server that restarts is waited for. */
export async function forever(closed, next) {
	while (!closed())
		try {
			await next();
		} catch {
			await new Promise((resolve) => { setTimeout(resolve, 500); });
		}
}
