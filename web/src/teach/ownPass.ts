// A pass of one's own: a function over the text of machine code, or of the PTX, that takes the place of a pass at one point of the
// pipeline. What it returns is read and verified by the compiler, goes through the passes behind it, and stands in the trace as their
// runs do, so every view shows it like any other pass.

import { diffArrays } from 'diff/lib/diff/array.js';
import type { CompileResult, PassRun, Trace } from '@ptxscope/core';
import type { Ask } from './goals';

export const ownPassId = 'own-pass';

/** What the function is called for: the body of one machine function, or the PTX. */
export interface Piece {
	name: string;
	text: string;
}

export interface Request {
	/** The compilation without the pass. */
	trace: CompileResult;
	/** What it was made from, IR or machine code, the name of that, and the options of its command line. */
	source: string;
	name: string;
	options: string[];
	/** The pass behind which it runs; 'ptx': behind all. */
	after: string;
	/** Calls the function for every piece, in order. Rejects where it fails. */
	transform: (pieces: Piece[]) => Promise<string[]>;
	ask: Ask;
}

/** The points at which a pass may be put: machine passes that ran once for each function. */
export function points({ passes }: Pick<Trace, 'passes'>, levelOf: (run: PassRun) => string | undefined): string[] {
	const counts = new Map<string, number>(), first = passes.find((r) => r.function && levelOf(r) === 'mir')?.function;
	for (const run of passes)
		if (run.function === first && levelOf(run) === 'mir' && run.text !== null)
			counts.set(run.id, (counts.get(run.id) ?? 0) + 1);
	return [...counts].filter(([id, n]) => n === 1 && id !== ownPassId).map(([id]) => id);
}

/** The origins of a text that was made from another: those of the lines that stayed; of a line that took another's place, that one's. */
export function originsOf(before: string, lines: readonly number[], after: string): number[] {
	const origins: number[] = [];
	let at = 0, replaced: number[] = [];
	for (const part of diffArrays(before.split('\n'), after.split('\n'))) {
		const { length } = part.value;
		if (part.removed) {
			replaced = lines.slice(at, at + length);
			at += length;
		} else if (part.added) {
			for (let i = 0; i < length; i++)
				origins.push(replaced[Math.min(i, replaced.length - 1)] ?? origins.at(-1) ?? 0);
			replaced = [];
		} else {
			for (let i = 0; i < length; i++)
				origins.push(lines[at + i] ?? 0);
			at += length;
			replaced = [];
		}
	}
	// One for each line: behind the last line break there is none.
	return after.endsWith('\n') ? origins.slice(0, -1) : origins;
}

const bodyMark = /^body: +\|\n/m;

/** A machine function's text with another body, in the indentation of MIR. */
function withBody(text: string, body: string): string {
	const at = bodyMark.exec(text)!, from = at.index + at[0].length;
	return `${text.slice(0, from)}${body.replace(/\n*$/, '\n')}...\n`;
}
function bodyOf(text: string): string {
	const at = bodyMark.exec(text);
	return at ? text.slice(at.index + at[0].length).replace(/^\.\.\.\n?$/m, '') : '';
}

const firstError = (stderr: string) => stderr.trim().split('\n').find((l) => /error/.test(l)) ?? stderr.trim().split('\n')[0] ?? '';
const traceOf = (files: Record<string, Uint8Array> | undefined): Trace | null =>
	files?.['trace.json'] ? JSON.parse(new TextDecoder().decode(files['trace.json'])) as Trace : null;

/** The compilation with the pass in it, or why there is none. */
export async function applyPass(request: Request): Promise<CompileResult | string> {
	return request.after === 'ptx' ? onPtx(request) : onMachineCode(request);
}

async function onPtx({ trace, transform, ask }: Request): Promise<CompileResult | string> {
	const [text = ''] = await transform([{ name: '', text: trace.ptx }]);
	const { stderr, files } = await ask(['fmt', 'own.ptx', '--disable-output', '--trace=trace.json'], { 'own.ptx': text });
	const read = traceOf(files), error = read?.diagnostics.find((d) => d.severity === 'error');
	if (!read || error)
		return `what the pass returned cannot be read: ${error ? `line ${error.line}: ${error.message}` : firstError(stderr)}`;
	const lines = originsOf(trace.ptx, trace.ptxLines, text), texts = [...trace.texts, trace.ptx, text];
	const run = (id: string, changed: boolean, at: number, of: readonly number[]): PassRun =>
		({ i: 0, id, function: '', changed, ms: 0, insts: 0, text: at, lines: [...of], level: 'emit' });
	const passes = [...trace.passes, run('ptx', false, texts.length - 2, trace.ptxLines), run(ownPassId, text !== trace.ptx, texts.length - 1, lines)];
	return { ...trace, passes: passes.map((r, i) => ({ ...r, i })), texts, ptx: text, ptxLines: lines };
}

async function onMachineCode({ trace, source, name, options, after, transform, ask }: Request): Promise<CompileResult | string> {
	const end = trace.passes.findLastIndex((r) => r.id === after);
	if (end < 0)
		return `there is no pass ${after} in this compilation`;
	const prefix = trace.passes.slice(0, end + 1);
	/* What stands behind the point, function by function: the last text that each has. */
	const latest = new Map<string, PassRun>();
	for (const run of prefix)
		if (run.function && run.text !== null && bodyMark.test(trace.texts[run.text] ?? ''))
			latest.set(run.function, run);
	const stopped = await ask(['compile', name, ...options, '-o', '-', `--stop-after=${after}`], { [name]: source });
	if (stopped.status !== 0)
		return firstError(stopped.stderr);
	// Machine code that was read without IR has none in front.
	const module = stopped.stdout.startsWith('--- |') ? `${stopped.stdout.slice(0, stopped.stdout.search(/^\.\.\.\n/m))}...\n` : '';
	const runs = [...latest.values()], bodies = await transform(runs.map((r) => ({ name: r.function, text: bodyOf(trace.texts[r.text!]!) })));
	let mir = module;
	const origins = module.split('\n').slice(0, -1).map(() => 0), whole = new Map<string, string>();
	runs.forEach((run, i) => {
		const before = trace.texts[run.text!]!, now = withBody(before, bodies[i]!);
		whole.set(run.function, now);
		origins.push(...originsOf(before, run.lines ?? [], now));
		mir += now;
	});
	const { stderr, status, files } = await ask(['compile', 'own.mir', ...options, '-o', '-', '--trace=trace.json', `--start-after=${after}`], { 'own.mir': mir });
	const rest = traceOf(files), error = rest?.diagnostics.find((d) => d.severity === 'error');
	if (!rest || error || status !== 0)
		return `what the pass returned is refused: ${error ? placed(error.message, mir, error.line) : firstError(stderr)}`;
	const shift = trace.texts.length, at = (line: number) => origins[line - 1] ?? 0;
	const behind = rest.passes.filter((r) => r.function || r.id !== 'input').map((r): PassRun => ({
		...r, ...(r.text !== null && { text: r.text + shift }), ...(r.lines && { lines: r.lines.map(at) }),
		...(r.id === 'input' && { id: ownPassId, changed: whole.get(r.function) !== trace.texts[latest.get(r.function)?.text ?? -1] }),
	}));
	// What comes from the module outside of machine functions (a kernel's head, its last line) is where it was.
	const stayed = originsOf(trace.ptx, trace.ptxLines, rest.ptx);
	const ran = new Set(prefix.map((r) => r.id));
	return {
		...trace, passes: [...prefix, ...behind].map((r, i) => ({ ...r, i })), texts: [...trace.texts, ...rest.texts], ptx: rest.ptx,
		ptxLines: rest.ptxLines.map((line, i) => at(line) || stayed[i]!), status: 0, stderr: '',
		remarks: [...trace.remarks.filter((r) => ran.has(r.pass)), ...rest.remarks.map((r) => ({ ...r, line: at(r.line) }))],
		diagnostics: [...trace.diagnostics, ...rest.diagnostics.map((d) => ({ ...d, line: at(d.line), col: 1, endLine: 0, endCol: 0 }))],
	};
}

/** A message with the line that it is about. */
const placed = (message: string, text: string, line: number) => `${message}${line > 0 ? `: ${text.split('\n')[line - 1]?.trim() ?? ''}` : ''}`;
