// The launch description (grid, block, arguments, buffers) and what a run answers.

import { atCommas } from './commas';

export type Scalar = number | string;

export interface Buffer {
	type: string;
	count: number;
	init?: { kind: string; [field: string]: unknown };
}

export interface Expectation {
	values?: Scalar[];
	head?: Scalar[];
	tolerance?: number;
	abs?: number;
	rel?: number;
	order?: 'any';
}

export interface Launch {
	kernel: string;
	grid: [number, number, number];
	block: [number, number, number];
	sharedBytes?: number;
	args: Record<string, unknown>[];
	buffers: Record<string, Buffer>;
	expect?: Record<string, Expectation>;
}

/** Counts of one line of the executed text. */
export interface ProfileRow {
	line: number;
	/** Warps that executed it, and how many of their lanes were active on average. */
	executions: number;
	lanes: number;
	divergent: number;
	sectors: number;
	requests: number;
	bankConflicts: number;
}

export interface Fault {
	kind: string;
	thread?: number[];
	block?: number[];
	/** In the executed text, and in the input. */
	line?: number;
	origin?: number;
	message: string;
}

export interface RunAnswer {
	buffers: Record<string, { type: string; values: Scalar[] }>;
	stats: Record<string, number>;
	faults: Fault[];
	profile?: ProfileRow[];
	printf?: string;
}

/** What is wrong with a launch as typed, or the launch. */
export function parseLaunch(text: string): Launch | string {
	let raw: unknown;
	try {
		raw = JSON.parse(text);
	} catch (error) {
		return (error as Error).message;
	}
	const l = raw as Partial<Launch>;
	if (typeof raw !== 'object' || raw === null || typeof l.kernel !== 'string')
		return 'A launch is an object that names its "kernel".';
	for (const name of ['grid', 'block'] as const)
		if (!Array.isArray(l[name]) || l[name].length !== 3 || !l[name].every((n) => Number.isInteger(n) && n > 0))
			return `"${name}" holds three positive integers.`;
	if (!Array.isArray(l.args) || typeof l.buffers !== 'object')
		return 'A launch has "args" and "buffers".';
	return l as Launch;
}

const number = (value: Scalar): number => value === 'nan' ? NaN : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : Number(value);

/** Indices at which a buffer is not what was expected; null where nothing is known about it. */
export function wrongPlaces(values: readonly Scalar[], type: string, expected: Expectation | undefined): number[] | null {
	if (!expected?.values)
		return null;
	const abs = expected.tolerance ?? expected.abs ?? 0, rel = expected.tolerance ?? expected.rel ?? 0;
	const isFloat = type.startsWith('f');
	const sorted = (list: readonly Scalar[]) => expected.order === 'any' ? [...list].sort((a, b) => number(a) - number(b)) : list;
	const got = sorted(values), want = sorted(expected.values);
	const wrong: number[] = [];
	for (let i = 0; i < want.length; i++) {
		const g = got[i] ?? 0, e = want[i]!;
		const a = number(g), b = number(e);
		const good = isFloat ? Object.is(a, b) || a === b || Math.abs(a - b) <= Math.max(abs, rel * Math.abs(b)) : String(g) === String(e);
		if (!good)
			wrong.push(i);
	}
	return wrong;
}

export const asNumbers = (values: readonly Scalar[]) => values.map(number);

/** A launch to start from, for a kernel that has none: one block, arguments guessed from the signature in the source. */
export function guessLaunch(source: string): Launch | null {
	const kernels = [...source.matchAll(/^define\b(?<before>[^@\n]*)@(?<name>[-$.\w]+)\((?<params>.*)\)[^)\n]*\{/gm)];
	const marked = /!\{ptr @([-$.\w]+), !"kernel"/.exec(source)?.[1];
	const kernel = kernels.find((k) => k.groups!.name === marked || k.groups!.before!.includes('ptx_kernel')) ?? kernels[0];
	if (!kernel)
		return null;
	const buffers: Record<string, Buffer> = {};
	const args = atCommas(kernel.groups!.params!).map((param, i) => {
		const type = /^(?:ptr|i\d+|half|float|double)/.exec(param)?.[0];
		if (type === 'ptr') {
			const name = /%([A-Za-z_][\w.]*)/.exec(param)?.[1] ?? `buffer${i}`;
			buffers[name] = { type: 'f32', count: 256, init: { kind: 'linear', start: 0, step: 1 } };
			return { buffer: name };
		}
		const names: Record<string, string> = { half: 'f16', float: 'f32', double: 'f64' };
		return { [names[type ?? ''] ?? type ?? 'i32']: type?.startsWith('i') ? 256 : 2 };
	});
	return { kernel: kernel.groups!.name!, grid: [4, 1, 1], block: [64, 1, 1], args, buffers };
}

const scalarTypes: Readonly<Record<string, string>> = { f16: 'f16', f32: 'f32', f64: 'f64', b16: 'i16', b32: 'i32', b64: 'i64', b8: 'i8' };

/** The same for the first entry of a PTX text: 64-bit unsigned parameters are taken for pointers. */
export function guessPtxLaunch(ptx: string): Launch | null {
	const entry = /\.entry\s+([$%\w]+)\s*\(([^)]*)\)/.exec(ptx);
	if (!entry)
		return null;
	const buffers: Record<string, Buffer> = {};
	const args = [...entry[2]!.matchAll(/\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s*(\.ptr[^,]*?)?\s+([$%\w]+)(?:\[(\d+)\])?/g)].map((m, i) => {
		const [, align, type = '', pointer, , bytes] = m;
		if (bytes)
			return { bytes: '00'.repeat(Number(bytes)), align: Number(align ?? 1) };
		if (pointer || type === 'u64' || type === 'b64') {
			buffers[`buffer${i}`] = { type: 'f32', count: 256, init: { kind: 'linear', start: 0, step: 1 } };
			return { buffer: `buffer${i}` };
		}
		const scalar = scalarTypes[type] ?? type;
		return { [scalar]: scalar.startsWith('f') ? 2 : 256 };
	});
	return { kernel: entry[1]!, grid: [4, 1, 1], block: [64, 1, 1], args, buffers };
}
