// What ptxas makes of PTX: registers, spills and memory as `ptxas -v` prints them, and the size of the machine code, from the cubin.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runConfined, defaultLimits } from './executor.js';

function usable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** The path of ptxas: $PTXAS, on PATH, in $CUDA_HOME or /usr/local/cuda; null where there is none. */
export function findPtxas() {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...[process.env.CUDA_HOME, '/usr/local/cuda'].filter(Boolean).map((home) => join(home, 'bin'))];
	return [process.env.PTXAS, ...folders.map((folder) => join(folder, 'ptxas'))].find((file) => file && usable(file)) ?? null;
}

/** What is in the sections .text.* of a cubin (ELF64, little endian): { bytes, instructions }, no-operations left out of the count. */
export function codeOf(cubin, kernel) {
	const at = Number(cubin.readBigUInt64LE(0x28)), size = cubin.readUInt16LE(0x3A), count = cubin.readUInt16LE(0x3C);
	const section = (i) => ({ name: cubin.readUInt32LE(at + i * size), offset: Number(cubin.readBigUInt64LE(at + i * size + 0x18)), bytes: Number(cubin.readBigUInt64LE(at + i * size + 0x20)) });
	const names = section(cubin.readUInt16LE(0x3E)).offset, wanted = `.text.${kernel}`;
	const code = { bytes: 0, instructions: 0 };
	for (let i = 0; i < count; i++) {
		const s = section(i), name = cubin.toString('latin1', names + s.name, cubin.indexOf(0, names + s.name));
		if (name !== wanted)
			continue;
		code.bytes += s.bytes;
		for (let p = s.offset; p < s.offset + s.bytes; p += 16)
			code.instructions += (cubin.readUInt16LE(p) & 0x1FF) !== 0x118 ? 1 : 0;
	}
	return code;
}

/** The numbers of `ptxas -v` about one entry: its lines follow "Function properties for NAME". */
export function numbersOf(text, kernel) {
	const lines = text.split('\n'), from = lines.findIndex((line) => new RegExp(`Compiling entry function '${kernel.replace(/[$%]/g, '\\$&')}'`).test(line));
	const until = lines.findIndex((line, i) => i > from && /Compiling entry function/.test(line));
	const own = lines.slice(from < 0 ? 0 : from, until < 0 ? undefined : until).join('\n');
	const number = (pattern) => Number(pattern.exec(own)?.[1] ?? 0);
	return {
		registers: number(/Used (\d+) registers/), stackBytes: number(/(\d+) bytes stack frame/), spillStoreBytes: number(/(\d+) bytes spill stores/),
		spillLoadBytes: number(/(\d+) bytes spill loads/), sharedBytes: number(/(\d+) bytes smem/), constBytes: number(/(\d+) bytes cmem\[0\]/),
	};
}

/** The first error of ptxas: { line, message }. */
export function ptxasError(text) {
	const found = /line (\d+); (?:error|fatal)\s*: (.*)/.exec(text);
	return found ? { line: Number(found[1]), message: found[2].trim() } : { line: 0, message: text.trim().split('\n')[0] || 'ptxas failed' };
}

/** Assembles PTX for `target`: { ok, registers, …, sassBytes, sassInstructions }, or { ok: false, line, message }. */
export async function assemble(ptxas, ptx, { target, kernel, limits = defaultLimits, signal, sandbox }) {
	// The cubin comes back on standard output, so that nothing inside the sandbox has to be written outside of it.
	const script = 'cat >/tmp/k.$$ && "$1" -v -arch="$2" /tmp/k.$$ -o /tmp/o.$$ 1>&2; s=$?; [ $s = 0 ] && cat /tmp/o.$$; rm -f /tmp/k.$$ /tmp/o.$$; exit $s';
	const { status, stdout, stderr, timedOut } = await runConfined(['sh', '-c', script, 'sh', ptxas, target], {
		limits: { ...limits, printed: limits.file }, files: [ptxas], input: Buffer.from(ptx), signal, sandbox,
	});
	const said = stderr.bytes.toString('utf8');
	if (timedOut)
		return { ok: false, line: 0, message: 'ptxas took too long' };
	if (status !== 0)
		return { ok: false, ...ptxasError(said) };
	const { bytes, instructions } = codeOf(stdout.bytes, kernel);
	return { ok: true, ...numbersOf(said, kernel), sassBytes: bytes, sassInstructions: instructions };
}
