// Puts the service together: store, jobs, workers (of this machine, or behind NATS), and the HTTP server.

import { join, resolve } from 'node:path';
import { Checker } from './checker.js';
import { findDevices } from './devices.js';
import { defaultLimits } from './executor.js';
import { Jobs } from './jobs.js';
import { LocalWorkers } from './local.js';
import { Metrics } from './metrics.js';
import { makeServer } from './server.js';
import { Store } from './store.js';
import { Tokens, addToken } from './tokens.js';

export const serviceLimits = { ...defaultLimits, ptxBytes: 4 * 2 ** 20, bufferBytes: 256 * 2 ** 20, bodyBytes: 40 * 2 ** 20 };

/** Starts to listen: { address, devices(), jobs, workers, firstToken, close() }. `firstToken` is there where there was none before. */
export async function startService({ data, host = '127.0.0.1', port = 0, limits: given = {}, queue, retentionMs, sandbox, parallel, nats, ...rest }) {
	const limits = { ...serviceLimits, ...given }, metrics = new Metrics(), store = new Store(data), checker = new Checker();
	const tokens = new Tokens(join(data, 'tokens')), firstToken = tokens.count ? undefined : addToken(join(data, 'tokens'), 'me');
	const behind = nats ? await (await import('./nats.js')).NatsQueue.connect(nats) : null;
	const own = behind ? [] : await findDevices({ sandbox: { required: sandbox, hidden: [resolve(data)] } });
	const devices = () => behind ? behind.devices() : own;
	const jobs = new Jobs({ store, devices, metrics, queue, retentionMs });
	const app = await makeServer({ jobs, tokens, metrics, checker, limits, ...rest });
	const workers = behind ? behind.serve(jobs, { limits, log: app.log }) : new LocalWorkers(jobs, own, { limits, parallel, log: app.log });
	const address = await app.listen({ host, port });
	return {
		address, devices, jobs, workers, firstToken,
		async close() {
			await workers.close();
			await app.close();
			jobs.close();
			checker.close();
		},
	};
}
