// Speed of the emulator: thread instructions per second of processor time, natively and in WebAssembly, beyond what a launch of
// one block takes (start, reading, compiling, filling buffers). The launches are large enough to run for half a second.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { native, ptxscope, temporaryFolder, wasm } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';
import { interleaved } from './measure.mjs';

const folder = temporaryFolder();
const kernel = (name) => join(root, `tests/kernels/${name}.ll`);

/** The corpus's launch, changed: { large, small }, files. */
function launches(name, change) {
	const base = JSON.parse(readFileSync(join(root, `tests/kernels/${name}.launch.json`), 'utf8'));
	delete base.expect;
	const large = change(base), file = (size, launch) => {
		const path = join(folder, `${name}-${size}.json`);
		writeFileSync(path, JSON.stringify(launch));
		return path;
	};
	return { large: file('large', large), small: file('small', { ...large, grid: [1, 1, 1] }) };
}

const cases = {
	matmul_tiled: () => launches('matmul_tiled', (l) => {
		const n = 64, k = 32768;
		l.args.splice(3, 3, { i32: n }, { i32: n }, { i32: k });
		l.buffers.a.count = l.buffers.b.count = n * k;
		l.buffers.c.count = n * n;
		return { ...l, grid: [n / 16, n / 16, 1] };
	}),
	mandelbrot: () => launches('mandelbrot', (l) => {
		l.args.splice(1, 7, { i32: 192 }, { i32: 128 }, { f32: -2.1 }, { f32: -1.15 }, { f32: 0.0156 }, { f32: 0.018 }, { i32: 20000 });
		l.buffers.iters.count = 192 * 128;
		return { ...l, grid: [12, 16, 1] };
	}),
};

const hosts = { native: [native], wasm: [process.execPath, '--no-liftoff', join(root, 'wasm/cli.mjs')] };

/** Million thread instructions per second, with each list of options, measured in turns. */
function speeds(name, host, options) {
	const { large, small } = cases[name]();
	const args = (launch) => ['run', kernel(name), `--launch=${launch}`, '-mcpu=sm_80'];
	const count = (launch) => Number(/(\d+) thread instructions/.exec(ptxscope(args(launch)).stdout)[1]);
	const instructions = count(large) - count(small);
	const times = interleaved(options.flatMap((more) => [large, small].map((launch) => [...hosts[host], ...args(launch), ...more])), 3);
	return options.map((_, i) => instructions / (times[2 * i].cpu - times[2 * i + 1].cpu) / 1e6);
}
const speed = (name, host) => speeds(name, host, [[]])[0];

/** 8 blocks of 1,024 threads that wait for each other, so that all stand in memory at once. */
const meeting = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p0, .param .u32 p1)
{
	.reg .pred %p<2>;
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p0];
	ld.param.u32 %r1, [p1];
	atom.global.add.u32 %r2, [%rd1], 1;
$L:
	ld.volatile.global.u32 %r2, [%rd1];
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra $L;
	ret;
}
`;
const registers = 2 * 4 + 3 * 4 + 2 * 8; // bytes of a thread: %p0, %p1, %r0 to %r2, %rd0, %rd1

function memoryPerThread() {
	const file = join(folder, 'meeting.ptx');
	writeFileSync(file, meeting);
	const commands = [1, 8].map((blocks) => {
		const launch = join(folder, `meeting-${blocks}.json`);
		writeFileSync(launch, JSON.stringify({
			kernel: 'k', grid: [blocks, 1, 1], block: [1024, 1, 1], args: [{ buffer: 'count' }, { u32: blocks * 1024 }],
			buffers: { count: { type: 'u32', count: 1, init: { kind: 'zero' } } },
		}));
		return ['--small-pages', native, 'run', file, `--launch=${launch}`];
	});
	const [one, all] = interleaved(commands, 3);
	return (all.memory - one.memory) / (7 * 1024) - registers;
}

/** How many times as long a launch takes under the sanitizer. */
function slowDown(sanitizer) {
	const { small } = cases[Object.keys(cases)[0]](), plain = [native, 'run', kernel(Object.keys(cases)[0]), `--launch=${small}`, '-mcpu=sm_80'];
	const [without, watched] = interleaved([plain, [...plain, `--sanitize=${sanitizer}`]], 3);
	return watched.cpu / without.cpu;
}
const sanitizers = ['memory', 'race', 'init', 'sync', 'leak', 'all'];

export const emulatorRows = Object.keys(cases).flatMap((name) => [
	{ name: `emulator, ${name}`, unit: ' Minst/s', budget: { least: 150 }, measure: () => ({ value: speed(name, 'native') }) },
	{
		name: `emulator, ${name}: WASM's part of native speed`, unit: '', budget: { least: 0.5 }, missing: existsSync(wasm) ? null : 'not built',
		measure: () => {
			const ours = speed(name, 'wasm'), theirs = speed(name, 'native');
			return { value: ours / theirs, text: `${ours.toFixed(0)} of ${theirs.toFixed(0)} Minst/s` };
		},
	},
	{
		name: `emulator, ${name}: WASM with compiled lanes, of WASM without`, unit: ' times', budget: { least: 2 },
		missing: existsSync(wasm) ? null : 'not built',
		measure: () => {
			const [compiled, without] = speeds(name, 'wasm', [[], ['--compiled=never']]);
			return { value: compiled / without, text: `${compiled.toFixed(0)} of ${without.toFixed(0)} Minst/s` };
		},
	},
]).concat([{
	name: 'emulator: time of a run under each sanitizer', unit: ' times', budget: { most: 100 },
	measure: () => {
		const all = sanitizers.map((sanitizer) => [sanitizer, slowDown(sanitizer)]);
		return { value: Math.max(...all.map(([, times]) => times)), text: all.map(([sanitizer, times]) => `${sanitizer} ${times.toFixed(1)}`).join(', ') };
	},
}, {
	name: 'emulator: memory of a thread beside its registers', unit: ' bytes', budget: { most: 64 }, measure: () => ({ value: memoryPerThread() }),
}]);
