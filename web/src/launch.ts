// The launch description (grid, block, arguments, buffers) and what a run answers.

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

/** Where a thread did something. */
export interface Access {
	thread?: number[];
	block?: number[];
	/** In the executed text, and in the input. */
	line?: number;
	origin?: number;
	/** In the program that the input was made from, where debug information says so. */
	source?: { file: string; line: number };
}

/** Something that a thread of a report did: an access to its bytes, or what may order the thread with others. */
export interface RunEvent {
	/** Both threads' events are in its order; a barrier that both have passed has one moment. */
	moment: number;
	line: number;
	origin: number;
	what: string;
	bytes?: number;
	count?: number;
	reported?: boolean;
}

export interface Timeline {
	/** How often the thread had come to the access of the report by then. */
	visit: number;
	leftOut: number;
	events: RunEvent[];
}

export interface Fault extends Access {
	kind: string;
	message: string;
	/** A sanitizer's report, which does not end the run: who made it, how often, and the access. */
	sanitizer?: string;
	count?: number;
	access?: string;
	other?: Access & { access: string; bytes: number };
	memory?: { space: string; allocation: string; offset: number; size: number };
	/** Of two accesses: what both threads did, and what would order them. */
	timelines?: [Timeline, Timeline];
	needs?: string;
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

/** JSON with one line per entry, and arrays of numbers on one line. */
export function compactJson(value: unknown): string {
	return JSON.stringify(value, null, 2).replace(/\[\s+((?:[^[\]{}]|\{[^{}]*\})*?)\s+\]/g, (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`);
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
