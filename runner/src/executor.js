// Runs the executor (executor/): one process for one job, in a sandbox, with a limit on everything.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { confine } from './sandbox.js';

const sources = fileURLToPath(new URL('../executor', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Where the program is kept: in the build folder of the repository, or in the user's cache. */
const folder = () => existsSync(join(repository, 'emscripten.mk')) ? join(repository, 'build/runner')
	: join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ptxscope');

let path;
/** The executor, built from its sources where that has not been done yet. It needs a C compiler and nothing else. */
export function executor() {
	if (path)
		return path;
	const files = readdirSync(sources).filter((file) => /\.(c|h|def)$/.test(file)).sort().map((file) => join(sources, file)), hash = createHash('sha256');
	files.forEach((file) => hash.update(readFileSync(file)));
	const program = join(folder(), `executor-${hash.digest('hex').slice(0, 16)}`);
	if (!existsSync(program)) {
		mkdirSync(folder(), { recursive: true });
		const fresh = `${program}.${process.pid}`;
		const { status, stderr, error } = spawnSync(process.env.CC ?? 'cc', ['-std=c11', '-O2', '-ffp-contract=off', '-Wall', '-Wextra', '-o', fresh,
			...files.filter((file) => file.endsWith('.c')), '-ldl'], { encoding: 'utf8' });
		if (status !== 0)
			throw new Error(`the executor cannot be built: ${error?.message ?? stderr}`);
		renameSync(fresh, program);
	}
	return path = program;
}

/** Collects a stream up to a number of bytes and reads on without keeping the rest, so that the writer does not stand still. */
function collect(stream, most) {
	const chunks = [], kept = { bytes: 0, cut: false };
	stream.on('data', (chunk) => {
		const room = most - kept.bytes;
		kept.cut ||= chunk.length > room;
		if (room > 0)
			chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
		kept.bytes += Math.min(room, chunk.length);
	});
	stream.on('error', () => undefined);
	return () => ({ bytes: Buffer.concat(chunks), cut: kept.cut });
}

/** Ends a process and whatever it has started. */
function end(child) {
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch { /* it is gone */ }
}

/**
 * Runs a program to its end or for `wallMs`: { status, signal, timedOut, stdout, stderr, answer }, the last three { bytes, cut }, `answer`
 * what came on descriptor 3. `signal` ends it early.
 */
export function runProgram(command, { env, input = Buffer.alloc(0), wallMs, most, signal, started = () => undefined }) {
	return new Promise((resolve, reject) => {
		const child = spawn(command[0], command.slice(1), { cwd: '/', env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'], detached: true });
		let timedOut = false;
		const stop = () => end(child);
		const timer = setTimeout(() => { timedOut = true; stop(); }, wallMs);
		const [stdout, stderr, answer] = [collect(child.stdout, most.printed), collect(child.stderr, 1 << 16), collect(child.stdio[3], most.answer)];
		signal?.addEventListener('abort', stop, { once: true });
		if (signal?.aborted)
			stop();
		child.on('spawn', () => started(child.pid));
		child.on('error', (error) => { clearTimeout(timer); reject(error); });
		// What it has started ends with it; else a process that outlives it would keep the pipes open.
		child.on('exit', stop);
		child.on('close', (status, name) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', stop);
			resolve({ status, signal: name, timedOut, stdout: stdout(), stderr: stderr(), answer: answer() });
		});
		child.stdin.on('error', () => undefined); // it may have ended before it has read everything
		child.stdin.end(input);
	});
}

/** What a job may take. Processor time is a little more than wall time, so that the clock on the wall decides. */
export const defaultLimits = { wallMs: 20_000, memory: 4 * 2 ** 30, file: 64 * 2 ** 20, printed: 1 << 20, answer: (1 << 28) + (1 << 20) };

const limitWords = (limits) => [`--cpu=${Math.ceil(limits.wallMs / 1000) + 2}`, `--memory=${limits.memory}`, `--file=${limits.file}`];

/** Runs `program` with arguments under the limits, in the sandbox. */
export function runConfined(program, { limits = defaultLimits, files = [], sandbox, ...rest }) {
	const { command, env } = confine([executor(), ...limitWords(limits), 'exec', ...program], { files: [executor(), ...files], sandbox });
	return runProgram(command, { env, wallMs: limits.wallMs, most: limits, ...rest });
}

/** Runs the executor with a job on the driver `driver`. */
export function runExecutor(job, { driver, limits = defaultLimits, environment = {}, sandbox, ...rest }) {
	const { command, env } = confine([executor(), ...limitWords(limits), 'run', driver], { files: [executor(), ...(driver.includes('/') ? [driver] : [])], env: environment, sandbox });
	return runProgram(command, { env, input: job, wallMs: limits.wallMs, most: limits, ...rest });
}

/** The devices of a driver, in its order; an error says why it has none. */
export async function listDevices(driver, environment = {}) {
	const { command, env } = confine([executor(), 'devices', driver], { files: [executor(), ...(driver.includes('/') ? [driver] : [])], env: environment });
	const { status, stdout, stderr } = await runProgram(command, { env, wallMs: 30_000, most: defaultLimits });
	if (status !== 0)
		throw new Error(stderr.bytes.toString('utf8').trim() || `the driver ended with status ${status}`);
	return JSON.parse(stdout.bytes.toString('utf8'));
}
