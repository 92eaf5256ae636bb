// Many clients ask a runner at once while its processes are killed. Every job has an answer of its own, so a lost, a repeated and a mixed-up
// answer all show. Used by tests/runner-service.test.mjs with a few jobs and by tests/bench/runner.mjs with thousands.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { addToken } from '../../runner/src/tokens.js';
import { bytesOf } from '../../wasm/buffers.js';
import { RemoteProblem, ask } from '../../wasm/remote.js';
import { temporaryFolder } from './ptxscope.mjs';
import { root } from './setup.mjs';

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

export const addPtx = `.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n) {
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	mad.lo.u32 %r1, %r1, 3, 1;
	st.global.u32 [%rd1], %r1;
	ret;
}
`;
export const addLaunch = (n) => ({ kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'x' }, { u32: n }], buffers: { x: { type: 'u32', count: 1 } } });

/** A port that is free now. */
export const freePort = () => new Promise((resolve) => {
	const server = createServer().listen(0, '127.0.0.1', () => { const { port } = server.address(); server.close(() => resolve(port)); });
});

/** A program that runs until it is killed: { pid, kill(), said() }; resolves when it has printed `ready`. */
export function background(command, ready, env = {}) {
	return new Promise((resolve, reject) => {
		const child = spawn(command[0], command.slice(1), { cwd: root, env: { ...process.env, PTXSCOPE_RUNNER_DEVICE: 'emulated', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
		let said = '';
		const ended = new Promise((done) => { child.on('close', done); });
		const running = { pid: child.pid, said: () => said, kill: (signal = 'SIGKILL') => { child.kill(signal); return ended; } };
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (data) => {
				said += data;
				if (ready.test(said))
					resolve(running);
			});
		void ended.then(() => reject(new Error(`${command.join(' ')} ended:\n${said}`)));
	});
}

const runner = join(root, 'runner/cli.mjs');
export const serve = (port, data, ...more) => background([process.execPath, runner, 'serve', `--port=${port}`, `--data=${data}`, '--rate=1000000', '--quiet', ...more], /^http:/m);

/** The executors among the descendants of a process. */
function executors(of) {
	const parents = new Map(readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
		try {
			const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
			return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0])]];
		} catch {
			return [];
		}
	}));
	const own = (pid) => pid === of || (pid > 1 && own(parents.get(pid) ?? 0));
	return [...parents.keys()].filter((pid) => pid !== of && own(pid));
}

/** Kills one of the processes that do jobs for `of`; false: none was there. */
export function killExecutor(of, random) {
	const list = executors(of);
	if (!list.length)
		return false;
	try {
		process.kill(list[Math.floor(random() * list.length)], 'SIGKILL');
		return true;
	} catch {
		return false;
	}
}

/** One client: asks for its jobs a few at a time, and again under the same tag where the service was away. */
async function client({ url, token, jobs, first, answers }) {
	const one = async (n) => {
		for (;;)
			try {
				const job = await ask({ url, token }, { ptx: addPtx, launch: addLaunch(n), options: { launches: 0, warmup: 0 } }, { tag: `job-${n}` });
				answers.push({ n, job });
				return;
			} catch (error) {
				if (!(error instanceof RemoteProblem) || (error.status !== 0 && error.status !== 429 && error.code !== 'no-device'))
					throw error;
				await sleep(error.retryAfter ? 100 * error.retryAfter : 150);
			}
	};
	const queue = Array.from({ length: jobs }, (_, i) => first + i);
	await Promise.all(Array.from({ length: 4 }, async () => {
		while (queue.length)
			await one(queue.shift());
	}));
}

/**
 * `clients` clients ask for `jobs` jobs together at `url`, with tokens made in `data`. `disturb(done)` runs meanwhile; `done()` says how
 * many jobs have been answered. Throws where a job was lost, answered twice, or wrongly; returns the seconds that it took.
 */
export async function load({ url, data, clients, jobs, disturb }) {
	mkdirSync(data, { recursive: true });
	const tokens = Array.from({ length: clients }, (_, i) => addToken(join(data, 'tokens'), `client${i}`)), each = Math.ceil(jobs / clients), answers = [], began = Date.now();
	await sleep(600); // the service looks at the file of tokens twice a second
	const asking = Promise.all(tokens.map((token, i) => client({ url, token, jobs: each, first: i * each, answers })));
	let over = false;
	const disturbing = disturb(() => over || answers.length >= each * clients, () => answers.length);
	await asking.finally(() => { over = true; });
	await disturbing;
	assert.equal(answers.length, each * clients, 'a job was lost');
	for (const { n, job } of answers) {
		assert.equal(job.state, 'done', `job ${n}: ${JSON.stringify(job.error ?? job.result)}`);
		assert.equal(Buffer.from(bytesOf(job.result.buffers.x)).readUInt32LE(0), 3 * n + 1, 'an answer belongs to another job');
	}
	assert.equal(new Set(answers.map(({ job }) => job.id)).size, answers.length, 'two jobs are one');
	const kept = readdirSync(join(data, 'jobs')).filter((file) => file.endsWith('.json')).map((file) => JSON.parse(readFileSync(join(data, 'jobs', file), 'utf8')));
	assert.equal(kept.length, answers.length, 'a job exists twice');
	assert.ok(kept.every((job) => job.state === 'done' && !job.cached), 'a job on disk has no answer');
	return (Date.now() - began) / 1000;
}

/** A generator of numbers in [0, 1) for what is killed when. */
export function seeded(seed) {
	let state = seed >>> 0;
	return () => {
		state = Math.imul(state, 1664525) + 1013904223 >>> 0;
		return state / 2 ** 32;
	};
}

/** The service with its queue in the process: executors are killed at random, the first at once, then about `often` times in 40 ms, and the whole service
 * `restarts` times. A job whose executor was killed five times is given up, so not many of them may be. */
export async function loadLocal({ clients, jobs, restarts, often = 0.05, seed = 1 }) {
	const data = temporaryFolder(), port = await freePort(), random = seeded(seed);
	const start = () => serve(port, data, '--parallel=2'); // the same pace wherever it runs
	let service = await start(), killed = 0, restarted = 0;
	try {
		const seconds = await load({
			url: `http://127.0.0.1:${port}`, data, clients, jobs,
			async disturb(over, answered) {
				while (!over()) {
					await sleep(10 + 60 * random());
					killed += (!killed || random() < often) && killExecutor(service.pid, random) ? 1 : 0;
					if (restarted < restarts && answered() >= (restarted + 1) * jobs / (restarts + 1)) {
						restarted++;
						await service.kill();
						service = await start();
					}
				}
			},
		});
		return { seconds, killed, restarted };
	} finally {
		await service.kill();
	}
}

/** The queue in NATS: workers are killed and started at random, the NATS server and the service are restarted. */
export async function loadNats({ clients, jobs, restarts, workers = 2, seed = 1 }) {
	const data = temporaryFolder(), kept = temporaryFolder(), [port, natsPort] = [await freePort(), await freePort()], random = seeded(seed), nats = `--nats=nats://127.0.0.1:${natsPort}`;
	const queue = () => background(['nats-server', '-a', '127.0.0.1', '-p', `${natsPort}`, '-js', '-sd', kept], /Server is ready/);
	const work = () => background([process.execPath, runner, 'work', nats, '--parallel=2'], /working on/);
	let server = await queue(), service = await serve(port, data, nats), killed = 0, restarted = 0;
	const starting = [], team = await Promise.all(Array.from({ length: workers }, work));
	try {
		const seconds = await load({
			url: `http://127.0.0.1:${port}`, data, clients, jobs,
			async disturb(over, answered) {
				while (!over()) {
					await sleep(20);
					if (team.length && killed < 2 * restarts && answered() >= (killed + 0.5) * jobs / (2 * restarts + 1)) {
						const [worker] = team.splice(Math.floor(random() * team.length), 1);
						await worker.kill();
						killed++;
						starting.push(work().then((next) => { team.push(next); }));
					}
					if (restarted < restarts && answered() >= (restarted + 1) * jobs / (restarts + 1)) {
						restarted++;
						await server.kill();
						server = await queue();
						await service.kill();
						service = await serve(port, data, nats);
					}
				}
			},
		});
		return { seconds, killed, restarted };
	} finally {
		await Promise.all(starting);
		await Promise.all([service, server, ...team].map((p) => p.kill()));
	}
}
