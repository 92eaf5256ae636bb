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

/** Million thread instructions per second. */
function speed(name, host) {
	const { large, small } = cases[name]();
	const args = (launch) => ['run', kernel(name), `--launch=${launch}`, '-mcpu=sm_80'];
	const count = (launch) => Number(/(\d+) thread instructions/.exec(ptxscope(args(launch)).stdout)[1]);
	const [all, idle] = interleaved([[...hosts[host], ...args(large)], [...hosts[host], ...args(small)]], 3);
	return (count(large) - count(small)) / (all.cpu - idle.cpu) / 1e6;
}

export const emulatorRows = Object.keys(cases).flatMap((name) => [
	{ name: `emulator, ${name}`, unit: ' Minst/s', budget: { least: 150 }, measure: () => ({ value: speed(name, 'native') }) },
	{
		name: `emulator, ${name}: WASM's part of native speed`, unit: '', budget: { least: 0.5 }, missing: existsSync(wasm) ? null : 'not built',
		measure: () => {
			const ours = speed(name, 'wasm'), theirs = speed(name, 'native');
			return { value: ours / theirs, text: `${ours.toFixed(0)} of ${theirs.toFixed(0)} Minst/s` };
		},
	},
]);
