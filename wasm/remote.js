// The client of a GPU runner (runner/): asks a service to run a kernel and follows the job to its end. For pages and for Node.

/** What a service answered instead of a job, or why it could not be asked: `status` (0: nobody answered), `code`, `line` of the PTX. */
export class RemoteProblem extends Error {
	constructor(message, more = {}) {
		super(message);
		this.name = 'RemoteProblem';
		Object.assign(this, { status: 0, code: 'unreachable', line: 0, retryAfter: 0, ...more });
	}
}

const at = (url, path) => `${url.replace(/\/+$/, '')}${path}`;

async function call({ url, token }, path, { method = 'GET', body, tag, signal } = {}) {
	const headers = { ...tag ? { 'Idempotency-Key': tag } : {}, ...token ? { Authorization: `Bearer ${token}` } : {}, ...body ? { 'Content-Type': 'application/json' } : {} };
	let response;
	try {
		// No cookies and no referrer: the service learns nothing of the page but its origin.
		response = await fetch(at(url, path), { method, headers, body: body && JSON.stringify(body), signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' });
	} catch (error) {
		if (signal?.aborted)
			throw error;
		throw new RemoteProblem(`${url} does not answer: it is down, or does not accept requests from here`, { cause: error });
	}
	// 504 with a job is the answer to a question whose time had run out.
	const type = response.headers.get('Content-Type') ?? '';
	if (response.ok && !type.startsWith('application/json'))
		return response;
	const said = type.startsWith('application/json') ? await response.json() : {};
	if (!response.ok && !said.id)
		throw new RemoteProblem(said.error?.message ?? `${url} answered ${response.status}`, { code: 'refused', ...said.error, status: response.status });
	return said;
}

/** The events of a stream of server-sent events: their data, parsed. */
async function* events(body) {
	const reader = body.getReader(), text = new TextDecoder();
	let kept = '';
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done)
				return;
			kept += text.decode(value, { stream: true });
			const whole = kept.split('\n\n');
			kept = whole.pop();
			for (const event of whole) {
				const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\n');
				if (data)
					yield JSON.parse(data);
			}
		}
	} finally {
		reader.cancel().catch(() => undefined);
	}
}

const isFinal = (job) => ['done', 'failed', 'cancelled'].includes(job.state);

/** Follows a job; a connection that breaks is made anew a few times. */
async function follow(service, job, { signal, onState }) {
	for (let tries = 0; tries < 5; tries++) {
		try {
			const response = await call(service, `/jobs/${job.id}/events`, { signal });
			for await (const next of events(response.body)) {
				onState?.(next);
				tries = 0;
				if (isFinal(next))
					return next;
			}
		} catch (error) {
			if (signal?.aborted || error.status)
				throw error;
		}
		await new Promise((resolve) => { setTimeout(resolve, 300 * 2 ** tries); });
	}
	throw new RemoteProblem(`${service.url} broke off while the job was running`);
}

/**
 * Runs a question ({ ptx, launch, device, options }) on `service` ({ url, token }): the job in its last state, with `result` or `error`.
 * `onState` is told every state in between. A signal that aborts cancels the job; a `tag`
 * makes a question that is asked again the same job. Throws RemoteProblem.
 */
export async function ask(service, question, { signal, tag, onState } = {}) {
	const { expect: _, ...launch } = question.launch;
	const job = await call(service, '/jobs?wait=1', { method: 'POST', body: { ...question, launch }, tag, signal });
	onState?.(job);
	if (isFinal(job))
		return job;
	try {
		return await follow(service, job, { signal, onState });
	} catch (error) {
		if (signal?.aborted)
			await call(service, `/jobs/${job.id}`, { method: 'DELETE' }).catch(() => undefined);
		throw error;
	}
}

/** The classes of devices that a service has. */
export const devicesOf = (service, signal) => call(service, '/devices', { signal });
