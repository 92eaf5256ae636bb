// The HTTP service: routes, who may use them, and which limit gives which status.

import { PassThrough } from 'node:stream';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { BadPtx } from './checker.js';
import { documentPage } from './docs.js';
import { publicDevice } from './devices.js';
import { NoDevice, isFinal } from './jobs.js';
import { BadLaunch, TooLarge, readLaunch } from './launch.js';
import { QueueFull } from './queue.js';
import * as schemas from './schemas.js';

/** An answer with a status of its own. */
class Refused extends Error {
	constructor(status, code, message, more = {}) {
		super(message);
		Object.assign(this, { statusCode: status, code, more });
	}
}

/** Errors as statuses: which class, which status, which code, and what else is said. */
const statuses = [
	[BadPtx, 422, 'bad-ptx', (e) => e.problem],
	[BadLaunch, 422, 'bad-launch', (e) => ({ path: e.path })],
	[TooLarge, 413, 'too-large', () => ({})],
	[NoDevice, 422, 'no-device', () => ({})],
	[QueueFull, 429, 'queue-full', () => ({ retryAfter: 5 })],
];

function describe(error) {
	const [, status, code, more] = statuses.find(([type]) => error instanceof type) ?? [];
	if (status)
		return { status, code, message: error.message, ...more(error) };
	if (error instanceof Refused)
		return { status: error.statusCode, code: error.code, message: error.message, ...error.more };
	if (error.validation)
		return { status: 400, code: 'bad-request', message: error.message };
	const known = { FST_ERR_CTP_BODY_TOO_LARGE: 'too-large', FST_ERR_CTP_INVALID_MEDIA_TYPE: 'bad-media-type' }[error.code];
	return error.statusCode && error.statusCode < 500 ? { status: error.statusCode, code: known ?? 'bad-request', message: error.message }
		: { status: 500, code: 'internal', message: 'the service failed; its log says why' };
}

/** Routes that anybody may see: whether the service is up, and what it offers. */
const open = new Set(['/healthz', '/openapi.json', '/docs']);

function guard(app, { tokens, origins, metrics, ratePerMinute }) {
	app.decorateRequest('client', '');
	app.addHook('onRequest', async (request) => {
		const origin = request.headers.origin;
		const own = origin && URL.canParse(origin) && new URL(origin).host === request.headers.host;
		if (origin && !own && !origins.includes(origin))
			throw new Refused(403, 'origin', `pages of ${origin} may not use this service: its owner lists them with --origin`);
		const client = tokens.nameOf(request.headers.authorization);
		request.client = client ?? '';
		const { isAllowed, isExceeded, ttlInSeconds } = await app.limit(request);
		if (!isAllowed && isExceeded)
			throw new Refused(429, 'too-many-requests', `at most ${ratePerMinute} requests a minute`, { retryAfter: Math.max(1, ttlInSeconds) });
		if (!client && request.method !== 'OPTIONS' && !open.has(request.routeOptions.url))
			throw new Refused(401, 'token', request.headers.authorization ? 'the token is not known here' : 'a token is wanted: Authorization: Bearer …');
	});
	app.setErrorHandler((error, request, reply) => {
		const said = describe(error);
		if (said.status >= 500)
			request.log.error({ err: error });
		metrics.refused.inc({ status: said.status });
		if (said.retryAfter)
			reply.header('Retry-After', said.retryAfter);
		if (said.status === 401)
			reply.header('WWW-Authenticate', 'Bearer');
		return reply.status(said.status).send({ error: said });
	});
	app.setNotFoundHandler((request, reply) => reply.status(404).send({ error: { status: 404, code: 'not-found', message: 'there is no such thing' } }));
}

// ── Routes ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The job of the request, if it is of this client. */
function jobOf(request, jobs) {
	const job = jobs.get(request.params.id, request.client);
	if (!job)
		throw new Refused(404, 'not-found', 'there is no such job');
	return job;
}

/** Waits as long as was asked for; then 200 for what has ended, 504 where its time had, 202 for what has not. */
async function reply200(jobs, job, request, reply) {
	if (request.query.wait)
		await jobs.ended(job, request.query.wait * 1000);
	const view = await jobs.view(job, true);
	return reply.status(!isFinal(job.state) ? 202 : request.query.wait && view.error?.status === 504 ? 504 : 200).send(view);
}

function submitRoute(app, { jobs, checker, limits }) {
	app.post('/jobs', {
		schema: { summary: 'Asks to run a kernel', tags: ['jobs'], body: schemas.question, querystring: schemas.waiting, headers: schemas.tag, response: { 200: schemas.job, 202: schemas.job, 504: schemas.job, '4xx': schemas.problem } },
	}, async (request, reply) => {
		const { ptx, launch, device, options = {} } = request.body;
		if (Buffer.byteLength(ptx) > limits.ptxBytes)
			throw new TooLarge(`PTX has at most ${limits.ptxBytes} bytes`);
		const read = readLaunch(launch, { mostBytes: limits.bufferBytes });
		if (options.check !== false)
			await checker.check(ptx, read);
		const { check: _, ...asked } = options;
		const job = jobs.submit(request.client, device, { ptx, launch, options: { launches: 5, warmup: 2, ...asked } }, request.headers['idempotency-key']);
		reply.header('Location', `/jobs/${job.id}`);
		return reply200(jobs, job, request, reply);
	});
}

/** One event for every change of state, and one every two seconds while the job waits; the last has the answer. */
function eventStream(jobs, job) {
	const stream = new PassThrough();
	const send = async () => {
		const view = await jobs.view(job, true);
		if (stream.destroyed || stream.writableEnded)
			return;
		stream.write(`event: ${view.state}\ndata: ${JSON.stringify(view)}\n\n`);
		if (isFinal(view.state))
			stream.end();
	};
	const timer = setInterval(() => void send(), 2000);
	jobs.on(job.id, send);
	stream.on('close', () => { clearInterval(timer); jobs.off(job.id, send); });
	void send();
	return stream;
}

function jobRoutes(app, { jobs }) {
	const schema = { params: schemas.jobId, tags: ['jobs'] };
	app.get('/jobs/:id', { schema: { ...schema, summary: 'A job and its answer', querystring: schemas.waiting, response: { 200: schemas.job, 202: schemas.job, 504: schemas.job, '4xx': schemas.problem } } },
		(request, reply) => reply200(jobs, jobOf(request, jobs), request, reply));
	app.get('/jobs/:id/events', { schema: { ...schema, summary: 'Server-sent events: the job at each change of its state' } },
		(request, reply) => reply.header('Content-Type', 'text/event-stream').header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no').send(eventStream(jobs, jobOf(request, jobs))));
	app.delete('/jobs/:id', { schema: { ...schema, summary: 'Cancels a job; one that has ended is forgotten', response: { 200: schemas.job, '4xx': schemas.problem } } }, async (request) => {
		const job = jobOf(request, jobs);
		jobs.cancel(job);
		return jobs.view(job, false);
	});
}

function otherRoutes(app, { jobs, metrics }) {
	const devices = () => {
		const all = jobs.devices(), classes = [...new Set(all.map((d) => d.class))];
		return classes.map((id) => ({ ...publicDevice(all.find((d) => d.class === id)), workers: all.filter((d) => d.class === id).length }));
	};
	app.get('/devices', { schema: { summary: 'The classes of devices that there are', tags: ['service'], response: { 200: { type: 'array', items: schemas.device }, '4xx': schemas.problem } } }, async () => devices());
	app.get('/healthz', { schema: { summary: 'Whether the service is up', tags: ['service'], response: { 200: { type: 'object', properties: { ok: { type: 'boolean' }, queued: { type: 'integer' } } } } } }, async () => ({ ok: true, queued: jobs.queue.length }));
	app.get('/metrics', { schema: { summary: 'Counts for Prometheus', tags: ['service'] } }, async (_, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
	app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
	app.get('/docs', { schema: { hide: true } }, async (_, reply) => reply.type('text/html; charset=utf-8').header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'").send(documentPage(app.swagger())));
}

/** Of a request only what it is about is logged: no header, no body, and no question of a page's address. */
const logged = { req: ({ method, routeOptions, url, id }) => ({ id, method, route: routeOptions?.url ?? url.split('?')[0] }), res: ({ statusCode }) => ({ statusCode }) };

/**
 * The service, ready to listen. `jobs`, `tokens`, `metrics`, `checker`; `origins`: pages that may call; `limits`: { bodyBytes, ptxBytes,
 * bufferBytes }; `log`: where the log goes (a stream), or false.
 */
export async function makeServer({ jobs, tokens, metrics, checker, origins = [], ratePerMinute = 600, limits, log = process.stderr, trustProxy = false }) {
	const app = Fastify({
		bodyLimit: limits.bodyBytes, trustProxy, requestTimeout: 120_000, forceCloseConnections: true,
		logger: log ? { stream: log, serializers: logged, redact: ['req.headers', 'req.body'] } : false,
		ajv: { customOptions: { coerceTypes: true, removeAdditional: false } },
	});
	await app.register(rateLimit, { global: false, max: ratePerMinute, timeWindow: 60_000, keyGenerator: (request) => request.client || `ip ${request.ip}` });
	app.decorate('limit', app.createRateLimit());
	// Browsers ask this before a page of the network may call a service of this machine; cors answers the rest of the question.
	app.addHook('onRequest', async (request, reply) => {
		if (request.headers['access-control-request-private-network'] && origins.includes(request.headers.origin))
			reply.header('Access-Control-Allow-Private-Network', 'true');
	});
	await app.register(cors, { origin: origins, methods: ['GET', 'POST', 'DELETE'], allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'], exposedHeaders: ['Location', 'Retry-After'], maxAge: 600 });
	guard(app, { tokens, origins, metrics, ratePerMinute });
	await app.register(swagger, {
		openapi: {
			openapi: '3.0.3', info: { title: 'ptxscope runner', version: '1', description: 'Runs PTX with a launch description on devices, and returns buffers, faults, printf text and times.' },
			components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }],
		},
	});
	metrics.watch(jobs.queue);
	await app.register(async (routes) => {
		submitRoute(routes, { jobs, checker, limits });
		jobRoutes(routes, { jobs });
		otherRoutes(routes, { jobs, metrics });
	});
	await app.ready();
	return app;
}
