// The runner's service: who may use it, what each limit answers, and that no job is lost or answered twice while its processes die. It
// runs kernels on the emulator behind CUDA's driver API; the queue of several hosts needs nats-server.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { FairQueue } from '../runner/src/queue.js';
import { keyOf } from '../runner/src/store.js';
import { addToken, Tokens } from '../runner/src/tokens.js';
import { bytesOf, valuesOf } from '../wasm/buffers.js';
import { ask } from '../wasm/remote.js';
import { native, temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { addLaunch, addPtx, background, freePort, loadLocal, loadNats } from './tools/runner-load.mjs';
import { ensureTools, root, which } from './tools/setup.mjs';

const skip = which('cc') && existsSync(native) && process.platform === 'linux' ? false : 'no C compiler, no native build, or not Linux';
const page = 'https://page.example';
let service, url, token, other, data;
const log = new PassThrough();
let logged = '';
log.on('data', (chunk) => { logged += chunk; });

before(async () => {
	if (skip)
		return;
	const { status, stderr } = spawnSync('make', ['-s', 'cuda'], { cwd: root, encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	process.env.PTXSCOPE_RUNNER_DEVICE = 'emulated';
	const { startService } = await import('../runner/src/service.js');
	data = temporaryFolder();
	[token, other] = ['one', 'two'].map((name) => addToken(join(data, 'tokens'), name));
	service = await startService({
		data, origins: [page], log, parallel: 1, ratePerMinute: 200, queue: { most: 5, perClient: 3 },
		limits: { wallMs: 3000, ptxBytes: 1 << 16, bufferBytes: 1 << 20, bodyBytes: 1 << 18 },
	});
	url = service.address;
});
after(() => service?.close());

const loopPtx = addPtx.replace('\tret;', 'L:\n\tst.volatile.global.u32 [%rd1], %r1;\n\tbra L;\n\tret;');
const question = (n, options = {}, ptx = addPtx) => ({ ptx, launch: addLaunch(n), device: 'emulated', options: { launches: 0, warmup: 0, ...options } });

/** { status, headers, body } of a request; `as` is a token. */
async function call(path, { method = 'GET', body, as = token, headers = {} } = {}) {
	const response = await fetch(`${url}${path}`, {
		method, body: body && (typeof body === 'string' ? body : JSON.stringify(body)),
		headers: { ...as ? { Authorization: `Bearer ${as}` } : {}, ...body ? { 'Content-Type': 'application/json' } : {}, ...headers },
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null };
}
const post = (body, query = '?wait=10', more = {}) => call(`/jobs${query}`, { method: 'POST', body, ...more });

test('runner service: a job and its answer; the same question is answered from store', { skip }, async () => {
	const first = await post(question(7));
	assert.deepEqual([first.status, first.body.state, first.body.cached], [200, 'done', undefined]);
	assert.deepEqual(valuesOf('u32', bytesOf(first.body.result.buffers.x)), [22]);
	const again = await post({ ...question(7), launch: { ...addLaunch(7), expect: { x: { values: [0] } } } }, '');
	assert.deepEqual([again.status, again.body.cached, again.body.result.buffers.x], [200, true, first.body.result.buffers.x]);
	assert.notEqual(again.body.id, first.body.id);
	assert.equal((await post(question(7, { fresh: true }))).body.cached, undefined);
	assert.equal((await post(question(8))).body.cached, undefined);
	const device = { class: 'a', name: 'b', target: 'sm_90', driver: '1' }, key = keyOf(question(7), device);
	for (const different of [keyOf(question(8), device), keyOf(question(7, { launches: 1 }), device), keyOf(question(7, {}, `${addPtx}\n`), device), keyOf(question(7), { ...device, driver: '2' })])
		assert.notEqual(different, key);
	assert.equal(keyOf(question(7, { fresh: true }), device), key);
});

test('runner service: a question that is asked again under its tag is the same job', { skip }, async () => {
	const headers = { 'Idempotency-Key': 'a' }, [a, b] = [await post(question(100), '', { headers }), await post(question(100), '', { headers })];
	assert.equal(a.body.id, b.body.id);
	assert.notEqual((await post(question(100), '', { headers, as: other })).body.id, a.body.id);
});

test('runner service: no token, a wrong one, and another page are refused', { skip }, async () => {
	for (const path of ['/devices', '/metrics', `/jobs/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`]) {
		const none = await call(path, { as: '' });
		assert.deepEqual([none.status, none.body.error.code, none.headers.get('www-authenticate')], [401, 'token', 'Bearer'], path);
		assert.equal((await call(path, { as: `${token}x` })).status, 401);
	}
	assert.equal((await post(question(1), '', { as: '' })).status, 401);
	const strange = await call('/devices', { headers: { Origin: 'https://evil.example' } });
	assert.deepEqual([strange.status, strange.body.error.code, strange.headers.get('access-control-allow-origin')], [403, 'origin', null]);
	assert.equal((await post(question(1), '', { headers: { Origin: 'null' } })).status, 403);
	const known = await call('/devices', { headers: { Origin: page } });
	assert.deepEqual([known.status, known.headers.get('access-control-allow-origin')], [200, page]);
	const preflight = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization', 'Access-Control-Request-Private-Network': 'true' };
	const asked = await call('/jobs', { method: 'OPTIONS', as: '', headers: { Origin: page, ...preflight } });
	assert.deepEqual([asked.status, asked.headers.get('access-control-allow-origin'), asked.headers.get('access-control-allow-private-network')], [204, page, 'true']);
	const evil = await call('/jobs', { method: 'OPTIONS', as: '', headers: { Origin: 'https://evil.example', ...preflight } });
	assert.deepEqual([evil.headers.get('access-control-allow-origin'), evil.headers.get('access-control-allow-private-network')], [null, null]);
	const refused = await call('/jobs/x', { as: '', headers: { Origin: page } });
	assert.equal(refused.headers.get('access-control-allow-origin'), page, 'a page can read why it was refused');
});

test('runner service: jobs are visible to their token alone', { skip }, async () => {
	const { id } = (await post(question(9))).body;
	assert.equal((await call(`/jobs/${id}`)).status, 200);
	for (const [path, method] of [[`/jobs/${id}`, 'GET'], [`/jobs/${id}/events`, 'GET'], [`/jobs/${id}`, 'DELETE']])
		assert.equal((await call(path, { as: other, method })).status, 404);
	assert.equal((await call(`/jobs/${id}`, { method: 'DELETE' })).status, 200);
	assert.equal((await call(`/jobs/${id}`)).status, 404);
});

test('runner service: every limit has its status', { skip }, async () => {
	const code = async (answer) => { const { status, body } = await answer; return [status, body.error.code]; };
	assert.deepEqual(await code(post('{"ptx":', '')), [400, 'bad-request']);
	assert.deepEqual(await code(post({ ptx: addPtx }, '')), [400, 'bad-request']);
	assert.deepEqual(await code(post({ ...question(1), host: '#include <stdio.h>' }, '')), [400, 'bad-request']);
	assert.deepEqual(await code(post({ ...question(1), ptx: ' '.repeat(1 << 18) }, '')), [413, 'too-large']);
	assert.deepEqual(await code(post({ ...question(1), ptx: `${addPtx}${' '.repeat(1 << 16)}` }, '')), [413, 'too-large']);
	assert.deepEqual(await code(post({ ...question(1), launch: { ...addLaunch(1), buffers: { x: { type: 'u32', count: 1 << 20 } } } }, '')), [413, 'too-large']);
	assert.deepEqual(await code(post({ ...question(1), device: 'h100' }, '')), [422, 'no-device']);
	const launch = await post({ ...question(1), launch: { ...addLaunch(1), args: [{ buffer: 'y' }] } }, '');
	assert.deepEqual([launch.status, launch.body.error.path], [422, 'args[0].buffer']);
	assert.deepEqual(await code(call('/nothing')), [404, 'not-found']);
	assert.deepEqual(await code(post(question(1), '', { headers: { 'Content-Type': 'application/xml' } })), [415, 'bad-media-type']);
});

test('runner service: PTX that is wrong has its line, before a job is made or from the driver', { skip: skip || (existsSync(wasm) ? false : 'no WebAssembly build') }, async () => {
	const bad = addPtx.replace('mad.lo', 'mud.lo'), line = 1 + bad.slice(0, bad.indexOf('mud.lo')).split('\n').length - 1;
	const { status, body } = await post(question(1, {}, bad), '');
	assert.deepEqual([status, body.error.code, body.error.line], [422, 'bad-ptx', line]);
	const few = await post({ ...question(1), launch: { ...addLaunch(1), args: [{ buffer: 'x' }] } }, '');
	assert.match(few.body.error.message, /k takes 2 arguments, the launch gives 1/);
	const wide = await post({ ...question(1), launch: { ...addLaunch(1), args: [{ buffer: 'x' }, { u64: 1 }] } }, '');
	assert.match(wide.body.error.message, /argument 1 of k has 4 bytes, the launch gives 8/);
	assert.match((await post({ ...question(1), launch: { ...addLaunch(1), kernel: 'q' } }, '')).body.error.message, /no kernel q; its kernels are k/);
	const late = await post(question(1, { check: false }, bad));
	assert.deepEqual([late.status, late.body.state, late.body.error.code, late.body.error.line], [200, 'failed', 'refused', line]);
});

test('runner service: a kernel that hangs is ended, and the next job runs', { skip }, async () => {
	const hung = await post(question(1, { timeoutMs: 400 }, loopPtx));
	assert.deepEqual([hung.status, hung.body.state, hung.body.error.code, hung.body.error.status], [504, 'failed', 'timed-out', 504]);
	assert.equal((await call(`/jobs/${hung.body.id}`)).status, 200);
	assert.equal((await post(question(11))).body.state, 'done');
});

test('runner service: events, a full queue, turns and cancelling', { skip }, async () => {
	const long = (n) => post(question(n, {}, loopPtx), '');
	const running = (await long(1)).body;
	while ((await call(`/jobs/${running.id}`)).body.state === 'queued')
		await new Promise((resolve) => { setTimeout(resolve, 20); });
	const waiting = [(await long(2)).body, (await long(3)).body, (await long(4)).body];
	const full = await long(5);
	assert.deepEqual([full.status, full.body.error.code, full.headers.get('retry-after')], [429, 'queue-full', '5']);
	const theirs = (await post(question(21), '', { as: other })).body;
	assert.equal(theirs.position, 1, 'one job of the other client comes first');
	assert.deepEqual(waiting.map((job) => [job.state, job.position]), [['queued', 0], ['queued', 1], ['queued', 2]]);
	const events = call(`/jobs/${theirs.id}/events`, { as: other });
	for (const { id } of [running, ...waiting]) {
		const gone = await call(`/jobs/${id}`, { method: 'DELETE' });
		assert.deepEqual([gone.status, gone.body.state], [200, 'cancelled']);
	}
	assert.equal((await call(`/jobs/${running.id}`)).body.error.code, 'cancelled');
	const { text, headers } = await events, seen = [...text.matchAll(/^event: (\w+)$/gm)].map(([, state]) => state);
	assert.match(headers.get('content-type'), /^text\/event-stream/);
	assert.deepEqual([...new Set(seen)], ['queued', 'running', 'done']);
	assert.equal(JSON.parse(/event: done\ndata: (.*)/.exec(text)[1]).result.buffers.x.count, 1);
});

test('runner service: devices, health, metrics, the OpenAPI page', { skip }, async () => {
	const devices = (await call('/devices')).body;
	assert.deepEqual([devices[0].class, devices[0].kind, devices[0].target], ['emulated', 'emulated', 'sm_90']);
	assert.equal((await call('/healthz', { as: '' })).body.ok, true);
	const { text } = await call('/metrics');
	assert.match(text, /ptxscope_jobs_total\{device="emulated",outcome="done"\} [1-9]/);
	assert.match(text, /ptxscope_jobs_total\{device="emulated",outcome="timed-out"\} 1/);
	assert.match(text, /ptxscope_queue_length 0/);
	const api = (await call('/openapi.json', { as: '' })).body;
	assert.deepEqual(Object.keys(api.paths).sort(), ['/devices', '/healthz', '/jobs', '/jobs/{id}', '/jobs/{id}/events', '/metrics']);
	const docs = await call('/docs', { as: '' });
	assert.match(docs.text, /POST \/jobs[\s\S]*launch[\s\S]*timeoutMs/);
	assert.doesNotMatch(docs.text, /<script/);
});

test('runner service: the client of the package; `run --on` says what `run` says', { skip: skip || (existsSync(wasm) ? false : 'no WebAssembly build') }, async () => {
	const states = [], job = await ask({ url, token }, question(31), { onState: ({ state }) => states.push(state) });
	assert.deepEqual([job.state, states.at(-1)], ['done', 'done']);
	await assert.rejects(ask({ url, token: 'none-of-them' }, question(1)), { name: 'RemoteProblem', status: 401 });
	await assert.rejects(ask({ url: 'http://127.0.0.1:9', token }, question(1)), { status: 0, code: 'unreachable' });
	const cancel = new AbortController(), hung = ask({ url, token }, question(32, {}, loopPtx), { signal: cancel.signal, onState: () => setTimeout(() => cancel.abort(), 50) });
	await assert.rejects(hung, { name: 'AbortError' });
	// The service runs in this process, so its answers need this process to go on meanwhile.
	const program = (...args) => new Promise((resolve) => {
		const child = spawn(process.execPath, [join(root, 'wasm/cli.mjs'), 'run', ...args], { env: { ...process.env, PTXSCOPE_TOKEN: token } });
		const said = { stdout: '', stderr: '' };
		for (const name of ['stdout', 'stderr'])
			child[name].on('data', (chunk) => { said[name] += chunk; });
		child.on('close', (status) => resolve({ status, ...said }));
	});
	const words = [join(root, 'examples/saxpy.ll'), '--launch', join(root, 'examples/saxpy.launch.json'), '--json', '-mcpu=sm_90'];
	const there = await program(...words, `--on=${url}`), here = await program(...words);
	assert.deepEqual([there.status, here.status], [0, 0], there.stderr);
	assert.deepEqual(JSON.parse(there.stdout).buffers, JSON.parse(here.stdout).buffers);
	assert.ok(JSON.parse(there.stdout).time.medianMs > 0);
	const wrong = await program(words[0], '--launch', join(root, 'package.json'), `--on=${url}`);
	assert.deepEqual([wrong.status, wrong.stderr.trim()], [1, 'ptxscope: kernel: the name of a kernel is wanted']);
});

test('a token is known from the moment it is made', () => {
	const file = join(temporaryFolder(), 'tokens'), tokens = new Tokens(file);
	assert.equal(tokens.count, 0);
	const made = addToken(file, 'new');
	assert.equal(tokens.nameOf(`Bearer ${made}`), 'new');
	assert.equal(tokens.nameOf(`Bearer ${made}x`), undefined);
});

test('runner service: the log has neither PTX nor tokens, and what is kept is for its owner alone', { skip }, () => {
	assert.match(logged, /"route":"\/jobs"/);
	assert.doesNotMatch(logged, /mad\.lo|\.version|ptxr_|Bearer|buffers/);
	assert.doesNotMatch(readFileSync(join(data, 'tokens'), 'utf8'), /ptxr_/);
	const [answer] = readdirSync(join(data, 'answers'));
	assert.doesNotMatch(readFileSync(join(data, 'answers', answer), 'utf8'), /mad\.lo/);
});

test('runner service: requests past the rate are refused, with the time to wait', { skip }, async () => {
	let last;
	for (let i = 0; i < 300 && last?.status !== 429; i++)
		last = await call('/devices', { as: other });
	assert.deepEqual([last.status, last.body.error.code], [429, 'too-many-requests']);
	assert.ok(Number(last.headers.get('retry-after')) > 0);
	assert.equal((await call('/devices')).status, 200, 'other clients go on');
});

test('runner service: nothing is kept past its time', { skip }, async () => {
	const { Jobs } = await import('../runner/src/jobs.js'), { Metrics } = await import('../runner/src/metrics.js'), { Store } = await import('../runner/src/store.js');
	const folder = temporaryFolder(), device = { class: 'c', kind: 'gpu', name: 'd', driver: '1' };
	const jobs = new Jobs({ store: new Store(folder), devices: () => [device], metrics: new Metrics(), retentionMs: 500 }), asked = { ...question(1), options: {} };
	const job = jobs.submit('me', undefined, asked);
	assert.equal(jobs.take('c').id, job.id);
	assert.equal(jobs.finish(job.id, { result: { device, fault: null } }), true);
	assert.equal(jobs.finish(job.id, { result: { device, fault: { result: 'late' } } }), false, 'a second answer changes nothing');
	assert.equal((await jobs.view(job, true)).result.fault, null);
	await new Promise((resolve) => { setTimeout(resolve, 600); });
	jobs.sweep();
	assert.deepEqual([jobs.get(job.id, 'me'), readdirSync(join(folder, 'jobs')), readdirSync(join(folder, 'answers'))], [undefined, [], []]);
	jobs.close();
});

test('runner service: clients take turns, and one job that kills its worker is given up', { skip }, async () => {
	const queue = new FairQueue({ most: 10, perClient: 4 });
	for (const [client, id] of [['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['b', 'b1'], ['c', 'c1'], ['b', 'b2']])
		queue.push('x', client, id);
	assert.deepEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'].map((id) => queue.position('x', id[0], id)), [0, 1, 2, 3, 4, 5]);
	assert.deepEqual(Array.from({ length: 7 }, () => queue.take('x')), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
	const { Jobs } = await import('../runner/src/jobs.js'), { Metrics } = await import('../runner/src/metrics.js'), { Store } = await import('../runner/src/store.js');
	const jobs = new Jobs({ store: new Store(temporaryFolder()), devices: () => [{ class: 'c', kind: 'gpu', name: 'd', driver: '1' }], metrics: new Metrics() });
	const job = jobs.submit('me', 'c', { ...question(1), options: {} });
	for (let i = 0; i < 5; i++) {
		assert.equal(jobs.take('c').id, job.id);
		jobs.retry(job.id, 'killed');
	}
	assert.deepEqual([job.state, (await jobs.view(job, true)).error.code], ['failed', 'died']);
	jobs.close();
});

test('runner service: no job is lost or answered twice while executors and the service are killed', { skip }, async () => {
	const { killed, restarted } = await loadLocal({ clients: 5, jobs: 40, restarts: 1, often: 0.15 });
	assert.ok(killed > 0 && restarted === 1);
});

const natsSkip = skip || (ensureTools(['nats'], () => undefined).length ? 'no nats-server' : false);
test('runner service: nor behind NATS, while workers, the queue and the service are killed', { skip: natsSkip }, async () => {
	const { killed, restarted } = await loadNats({ clients: 4, jobs: 24, restarts: 1 });
	assert.ok(killed > 0 && restarted === 1);
});

test('runner service: behind NATS a job that comes in is looked at once, however many wait', { skip: natsSkip }, async () => {
	const [{ Jobs }, { Metrics }, { Store }, { NatsQueue }, { WORKERS }] = await Promise.all(['jobs', 'metrics', 'store', 'nats', 'nats-common'].map((name) => import(`../runner/src/${name}.js`)));
	const port = await freePort(), server = await background(['nats-server', '-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', temporaryFolder()], /Server is ready/);
	const queue = await NatsQueue.connect({ servers: `nats://127.0.0.1:${port}` });
	const devices = ['a', 'b'].map((id) => ({ class: id, kind: 'gpu', name: id, driver: '1', parallel: 1 }));
	const jobs = new Jobs({ store: new Store(temporaryFolder()), devices: () => devices, metrics: new Metrics(), queue: { most: 1000, perClient: 1000 } });
	let taken = 0, looked = 0;
	const [take, known] = [jobs.take.bind(jobs), queue.devices.bind(queue)];
	jobs.take = (deviceClass) => {
		const job = take(deviceClass);
		taken += job ? 1 : 0;
		return job;
	};
	queue.devices = () => {
		assert.ok(++looked < 5000, 'with every job that waits, one that comes in costs more');
		return known();
	};
	try {
		queue.nats.connection.publish(WORKERS, JSON.stringify({ id: 'one', devices }));
		queue.serve(jobs, { limits: { wallMs: 1000 } });
		for (let i = 0; i < 100; i++)
			jobs.submit('me', 'ab'[i % 2], { ...question(i), options: {} });
		for (const began = Date.now(); taken < 4 && Date.now() - began < 10_000;)
			await new Promise((resolve) => { setTimeout(resolve, 20); });
		for (let i = 0; i < 100; i++)
			jobs.submit('me', 'ab'[i % 2], { ...question(i), options: {} });
		assert.equal(taken, 4, 'as many jobs as two devices will soon begin are handed out');
	} finally {
		await queue.close();
		jobs.close();
		await server.kill();
	}
});
