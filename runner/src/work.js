// Does a job: runs it on a device through the executor, has ptxas assemble it, and puts both into one answer.

import { defaultLimits, runExecutor } from './executor.js';
import { jobBytes, readLaunch } from './launch.js';
import { assemble } from './ptxas.js';

/** How an execution failed: `code` is for programs, `status` the HTTP status that says the same. */
const failures = {
	refused: 422, 'timed-out': 504, died: 500, cancelled: 409, 'too-large': 413, 'no-device': 503,
};
export const failed = (code, message, more = {}) => ({ error: { code, status: failures[code], message, ...more } });

/** The line of PTX that a log of the driver names first; 0: none. */
const lineIn = (log) => Number((/ptx[^\n]{0,200}?(?::|line )(\d+)/.exec(log) ?? [])[1] ?? 0);

/** A fault, with what our driver says of its place: kernel, block, thread, and the line of PTX. */
function faultOf(fault, said) {
	const place = /block \((\d+),(\d+),(\d+)\), thread \((\d+),(\d+),(\d+)\): ([^\n]*)/.exec(said);
	return {
		...fault,
		...place ? { block: place.slice(1, 4).map(Number), thread: place.slice(4, 7).map(Number), message: place[7], line: Number((/line (\d+)/.exec(said.slice(place.index)) ?? [])[1] ?? 0) } : {},
	};
}

function median(list) {
	const sorted = [...list].sort((a, b) => a - b), half = sorted.length >> 1;
	return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The part of the warps that a processor can hold which this launch keeps there. */
function occupancyOf({ blocksPerProcessor }, { warp, threadsPerProcessor }, threads) {
	return threadsPerProcessor ? Math.min(1, blocksPerProcessor * Math.ceil(threads / warp) * warp / threadsPerProcessor) : 0;
}

function buffersOf(launch, sizes, bytes) {
	let at = 0;
	return Object.fromEntries(launch.buffers.map(({ name, type, count }, i) => {
		const part = bytes.subarray(at, at += sizes[i]);
		return [name, { type, count, base64: part.toString('base64') }];
	}));
}

/** The executor's answer: a line of JSON and the bytes behind it. */
function parse({ bytes }) {
	const end = bytes.indexOf(10);
	return end < 0 ? null : { head: JSON.parse(bytes.toString('utf8', 0, end)), rest: bytes.subarray(end + 1) };
}

function answerOf(ran, launch) {
	const said = ran.stderr.bytes.toString('utf8'), parsed = ran.status === 0 ? parse(ran.answer) : null;
	if (ran.answer.cut)
		return failed('too-large', 'the buffers are more than an answer may hold');
	if (!parsed)
		return failed(ran.status === 1 ? 'no-device' : 'died', said.trim().split('\n').at(-1) || `the executor ended with ${ran.signal ?? `status ${ran.status}`}`);
	const { head: { device, refused, log, fault, times, buffers, ...head }, rest } = parsed;
	if (refused)
		return failed('refused', log.trim() || `${refused.result}: ${refused.text}`, { line: lineIn(log), result: refused.result, device });
	return {
		result: {
			device, function: { ...head.function, occupancy: occupancyOf(head.function, device, launch.threads) },
			fault: fault ? faultOf(fault, said) : null, buffers: buffers ? buffersOf(launch, buffers, rest) : {},
			time: times.length ? { medianMs: median(times), launches: times.length, ms: times } : null,
			printf: ran.stdout.bytes.toString('utf8'), printfCut: ran.stdout.cut, log,
		},
	};
}

async function execute(job, device, { limits, signal, started }) {
	const launch = readLaunch(job.launch, { mostBytes: limits.bufferBytes });
	const { launches, warmup } = job.options;
	const bytes = jobBytes({ ptx: job.ptx, launch, device: device.ordinal, launches, warmup, budgetMs: Math.min(500, Math.ceil(limits.wallMs / 8)) });
	const ran = await runExecutor(bytes, { driver: device.driverFile, environment: device.environment, limits, signal, started, sandbox: device.sandbox });
	if (signal?.aborted)
		return failed('cancelled', 'the job was cancelled');
	if (ran.timedOut)
		return failed('timed-out', `the kernel was ended after ${limits.wallMs / 1000} s`);
	return answerOf(ran, launch);
}

async function assembleFor(job, device, { limits, signal }) {
	const target = job.options.target ?? device.target ?? /^\s*\.target\s+(sm_\w+)/m.exec(job.ptx)?.[1] ?? 'sm_90';
	return { target, ...await assemble(device.ptxas, job.ptx, { target, kernel: job.launch.kernel, limits, signal, sandbox: device.sandbox }) };
}

/**
 * Does `job` ({ ptx, launch, options }) on `device` (devices.js): { result } or { error: { code, status, message } }. `signal` cancels
 * it, `started` is told the process. An answer { error: { code: 'died' } } means that the process was ended by something else than the
 * job's limits: whoever asked may try again.
 */
export async function doJob(job, device, { limits: given = {}, signal, started } = {}) {
	const limits = { ...defaultLimits, bufferBytes: 1 << 28, ...given, wallMs: Math.min(given.wallMs ?? defaultLimits.wallMs, job.options.timeoutMs ?? Infinity) };
	if (device.kind === 'ptxas') {
		const { ok, ...numbers } = await assembleFor(job, device, { limits, signal });
		return ok ? { result: { device: { name: 'ptxas', target: numbers.target, driver: device.driver }, ptxas: numbers, buffers: {}, fault: null, time: null, printf: '' } }
			: failed('refused', numbers.message, { line: numbers.line });
	}
	const assembling = job.options.ptxas && device.ptxas ? assembleFor(job, device, { limits, signal }).catch((error) => ({ ok: false, message: error.message })) : null;
	const answer = await execute(job, device, { limits, signal, started });
	const ptxas = await assembling;
	if (answer.result)
		answer.result.ptxas = ptxas;
	return answer;
}
