// How tests run ptxscope: the native program, and the same command line over WebAssembly.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load } from '../../wasm/index.js';
import { serverOf } from './served.mjs';
import { root, which } from './setup.mjs';

export const native = join(root, 'build/native/ptxscope');
export const sanitized = join(root, 'build/asan/ptxscope');
export const wasm = join(root, 'build/wasm/ptxscope.wasm');

const servers = new Map();

/** Runs the native program: { status, stdout, stderr, signal }; stdout is a string unless `bytes`. */
export function ptxscope(args, { input = '', cwd = root, bytes = false, program = native, env = {}, timeout = 120000 } = {}) {
	if (!servers.has(program))
		servers.set(program, [native, sanitized].includes(program) ? serverOf(program, temporaryFolder) : null);
	const { status, signal, error, stdout, stderr } = servers.get(program)?.run(args, { input, cwd, env, timeout })
		?? spawnSync(program, args, { input, cwd, timeout, maxBuffer: 1 << 29, env: { ...process.env, ...env } });
	if (error && error.code !== 'EPIPE' && error.code !== 'ETIMEDOUT')
		throw error;
	return { status, signal: error?.code === 'ETIMEDOUT' ? 'timeout' : signal, stdout: bytes ? stdout : stdout.toString('utf8'), stderr: stderr.toString('utf8') };
}

/** The same over WebAssembly, in a process of its own. */
export const ptxscopeWasm = (args, options = {}) => ptxscope([join(root, 'wasm/cli.mjs'), ...args], { ...options, program: process.execPath });

/** The same over WebAssembly in this process: one command of a loaded module. It throws where the module traps. */
function commandOf(compiler, args, cwd) {
	const out = { 1: [], 2: [] };
	const host = {
		read: (path) => readFileSync(resolve(cwd, path)),
		write: (path, bytes) => writeFileSync(resolve(cwd, path), bytes),
		print: (stream, bytes) => out[stream].push(Buffer.from(bytes)),
	};
	const text = (stream) => Buffer.concat(out[stream]).toString('utf8');
	try {
		const status = compiler.command(args, host, 2 ** 31 - 2 ** 20);
		return { status, signal: null, stdout: text(1), stderr: text(2) };
	} catch (error) {
		throw Object.assign(error, { stdout: text(1), stderr: text(2) });
	}
}

/** The same over WebAssembly in this process, for tests of many short runs: starting a process would take most of their time. */
export async function wasmHere() {
	const compiler = await load();
	return (args, { cwd = root } = {}) => commandOf(compiler, args, cwd);
}

/** The same for inputs that may trap, which has the status 3; the next run begins with a fresh instance. */
export function wasmInProcess() {
	let compiler = null;
	return async (args, { cwd = root } = {}) => {
		compiler ??= await load();
		try {
			return commandOf(compiler, args, cwd);
		} catch (error) {
			compiler = null;
			return { status: 3, signal: null, stdout: error.stdout, stderr: `${error.stderr}ptxscope: ${error.message}\n` };
		}
	};
}

/** Both hosts, each with the reason to skip its tests where it was not built. */
export const hosts = [
	{ host: 'native', run: ptxscope, skip: existsSync(native) ? false : 'no native build' },
	{ host: 'wasm', run: ptxscopeWasm, skip: existsSync(wasm) ? false : 'no WebAssembly build' },
];

const temporary = [];

/** A fresh folder that is gone when the process ends. */
export function temporaryFolder() {
	mkdirSync(join(root, 'build/tmp'), { recursive: true });
	if (!temporary.length)
		process.once('exit', () => temporary.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
	temporary.push(mkdtempSync(join(root, 'build/tmp/t-')));
	return temporary.at(-1);
}

export const examplesFolder = join(root, 'examples');

/** The example kernels: [{ name, file, text }]. */
export const examples = readdirSync(examplesFolder).filter((file) => file.endsWith('.ll')).sort().map((file) => ({
	name: file.slice(0, -3), file: join(examplesFolder, file), text: readFileSync(join(examplesFolder, file), 'utf8'),
}));

/** Where ptxas is, or null. */
export const ptxas = which('ptxas') ?? (existsSync('/usr/local/cuda/bin/ptxas') ? '/usr/local/cuda/bin/ptxas' : null);

/** What `check` prints of a kernel of tests/kernels whose stages agree. */
export function agreement(kernel) {
	// Eight threads of variadic_format subtract 1,000,000,000 from an int that it takes below the least: that is poison.
	const open = kernel.startsWith('variadic_format') ? '; not compared: 8 elements that derive from poison or undef' : '(; permitted to differ: \\d+ elements that contraction changes)?';
	return new RegExp(`^\\d+ stages agree${open}\n$`);
}
