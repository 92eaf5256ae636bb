// The one thing of the page that speaks to another origin: the client of a GPU runner, in a worker. The page's own policy allows its
// origin alone (vite.config.ts), and stays so; a worker begins only when somebody has named a server.

import { RemoteProblem, ask, devicesOf, type Question, type RemoteDevice, type RemoteJob, type Service } from '@ptxscope/core/remote.js';

export type ToRemote = { kind: 'ask'; service: Service; question: Question } | { kind: 'devices'; service: Service } | { kind: 'cancel' };
export interface Trouble {
	message: string;
	/** Of the PTX; 0: none. */
	line: number;
}
export type FromRemote = { kind: 'state'; job: RemoteJob } | { kind: 'done'; job: RemoteJob } | { kind: 'devices'; devices: RemoteDevice[] } | { kind: 'failed'; trouble: Trouble };

let running: AbortController | undefined;
const send = (message: FromRemote) => postMessage(message);

const troubleOf = (error: unknown): Trouble => error instanceof RemoteProblem
	? { message: error.retryAfter ? `${error.message}; again in ${error.retryAfter} s` : error.message, line: error.line ?? 0 } : { message: String(error), line: 0 };

addEventListener('message', async ({ data }: MessageEvent<ToRemote>) => {
	if (data.kind === 'cancel') {
		running?.abort();
		return;
	}
	running?.abort();
	const own = running = new AbortController();
	try {
		if (data.kind === 'devices')
			send({ kind: 'devices', devices: await devicesOf(data.service, own.signal) });
		else
			send({ kind: 'done', job: await ask(data.service, data.question, { signal: own.signal, onState: (job) => { if (!own.signal.aborted) send({ kind: 'state', job }); } }) });
	} catch (error) {
		if (!own.signal.aborted)
			send({ kind: 'failed', trouble: troubleOf(error) });
	}
});
