// What the service and its workers agree on: the streams and subjects of the queue in NATS JetStream.
//
//   ptxscope.jobs.CLASS     jobs, one subject and one consumer per device class; a job stays until a worker has acknowledged it, and goes
//                           to another one where the first is silent for ACK_WAIT_MS
//   ptxscope.answers.ID     answers, for the service
//   ptxscope.workers        what devices a worker has, every two seconds; without a stream, as only the last ones matter
//   ptxscope.cancel         ids of jobs that are no longer wanted
//
// Workers dial out: they need no port of their own. Both sides make the streams where they are missing.

import { readFileSync } from 'node:fs';
import { AckPolicy, RetentionPolicy, StorageType, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, nanos } from '@nats-io/transport-node';

export const JOBS = 'PTXSCOPE_JOBS', ANSWERS = 'PTXSCOPE_ANSWERS', WORKERS = 'ptxscope.workers', CANCEL = 'ptxscope.cancel';
export const ACK_WAIT_MS = 5000, ANNOUNCE_MS = 2000, SILENT_MS = 10_000;
export const jobSubject = (deviceClass) => `ptxscope.jobs.${deviceClass}`;
export const answerSubject = (id) => `ptxscope.answers.${id}`;
export const consumerName = (deviceClass) => `class-${deviceClass}`;

export async function dial({ servers, credentials }) {
	const connection = await connect({
		servers: servers.split(','), maxReconnectAttempts: -1, reconnectTimeWait: 500, waitOnFirstConnect: true, name: 'ptxscope-runner',
		...credentials ? { authenticator: credsAuthenticator(readFileSync(credentials)) } : {},
	});
	const manager = await jetstreamManager(connection);
	// Deduplication holds for longer than a restart of either side takes.
	const common = { retention: RetentionPolicy.Workqueue, storage: StorageType.File, duplicate_window: nanos(10 * 60_000) };
	for (const [name, subject] of [[JOBS, jobSubject('*')], [ANSWERS, answerSubject('*')]])
		await manager.streams.info(name).catch(() => manager.streams.add({ name, subjects: [subject], ...common }));
	return { connection, manager, stream: jetstream(connection) };
}

/** The consumer of a stream that everybody with the same name shares. */
export async function consumer({ manager, stream }, name, durable, subject) {
	await manager.consumers.add(name, { durable_name: durable, ack_policy: AckPolicy.Explicit, filter_subject: subject, ack_wait: nanos(ACK_WAIT_MS), max_deliver: -1 });
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
