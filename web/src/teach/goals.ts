// Goals of questions and puzzles, one line each, and whether they are reached. A goal looks at the result, at what the sanitizers
// find, or at structure (registers, sectors, conflicts), never at time.
//
//   result                    every launch gives what its "expect" says
//   no race                   nor any other fault: "no fault", "no uninitialised"
//   registers <= 24           the counts below; of the first launch
//   ptx has ld.shared         or "ptx lacks TEXT", "source has TEXT", "source lacks TEXT"
//   same                      an own pass leaves every result as it was
//   saves 2                   an own pass leaves at least so many instructions fewer
// Behind " | " stands what to tell who misses it.

import type { Trace } from '@ptxscope/core';
import { countInstructions, registers } from '../instructions';
import { parseLaunch, wrongPlaces, type Fault, type Launch, type RunAnswer } from '../launch';

interface Executed {
	launch: Launch;
	answer: RunAnswer;
}

/** What goals are judged by. */
export interface Facts {
	source: string;
	trace: Pick<Trace, 'ptx' | 'passes'>;
	runs: Executed[];
	/** Why there are no runs, where something went wrong. */
	problem?: string;
	/** Registers live at the fullest place, where somebody has walked along the code; else the sum over the classes, each at its own. */
	registers?: number;
	/** Of an own pass: the same without it. */
	without?: { ptx: string; runs: Executed[] };
}

const metrics = {
	registers: { what: 'registers live at the fullest place', of: ({ trace, registers: most }: Facts) => most ?? Math.max(0, ...trace.passes.map((r, i) => lastOfFunction(trace, i) ? registers(r.pressure) ?? 0 : 0)) },
	instructions: { what: 'instructions of PTX', of: ({ trace }: Facts) => countInstructions(trace.ptx) },
	sectors: { what: 'sectors of global memory', of: stat('globalSectors') },
	conflicts: { what: 'bank conflicts', of: stat('sharedBankConflicts') },
	divergent: { what: 'divergent branches', of: stat('divergentBranches') },
	barriers: { what: 'barriers', of: stat('barriers') },
	steps: { what: 'warp instructions', of: stat('warpInstructions') },
} as const;
type Metric = keyof typeof metrics;

const comparisons = {
	'<=': (a: number, b: number) => a <= b, '>=': (a: number, b: number) => a >= b, '<': (a: number, b: number) => a < b,
	'>': (a: number, b: number) => a > b, '=': (a: number, b: number) => a === b,
} as const;
type Comparison = keyof typeof comparisons;

function stat(key: string) {
	return ({ runs }: Facts) => runs[0]?.answer.stats[key] ?? 0;
}

/** The last run over its function that knows its pressure. */
function lastOfFunction({ passes }: Facts['trace'], index: number): boolean {
	const { function: name, pressure } = passes[index]!;
	return !!pressure && !passes.slice(index + 1).some((r) => r.function === name && r.pressure);
}

export type Goal = { text: string; hint: string } & (
	| { kind: 'result' | 'same' }
	| { kind: 'no'; fault: string }
	| { kind: 'count'; metric: Metric; comparison: Comparison; number: number }
	| { kind: 'saves'; number: number }
	| { kind: 'text'; where: 'ptx' | 'source'; has: boolean; what: string }
);

/** A goal as it is written, or what is wrong with it. */
export function readGoal(line: string): Goal | string {
	const [text = '', hint = ''] = line.split(/\s+\|\s+/).map((part) => part.trim());
	if (text === 'result' || text === 'same')
		return { kind: text, text, hint };
	const [, fault] = /^no (race|uninitialised|fault)$/.exec(text) ?? [];
	if (fault)
		return { kind: 'no', fault, text, hint };
	const [, metric, comparison, number] = /^(\w+)\s*(<=|>=|<|>|=)\s*(\d+)$/.exec(text) ?? [];
	if (metric && metric in metrics)
		return { kind: 'count', metric: metric as Metric, comparison: comparison as Comparison, number: Number(number), text, hint };
	const [, saved] = /^saves (\d+)$/.exec(text) ?? [];
	if (saved)
		return { kind: 'saves', number: Number(saved), text, hint };
	const [, where, verb, what] = /^(ptx|source) (has|lacks) (.+)$/.exec(text) ?? [];
	if (what)
		return { kind: 'text', where: where as 'ptx' | 'source', has: verb === 'has', what, text, hint };
	return `"goal: ${text}" is not known: ${Object.keys(metrics).join(', ')} with a number, result, same, saves, no race, ptx has, source lacks`;
}

/** A goal in words. */
export function inWords(goal: Goal): string {
	switch (goal.kind) {
	case 'result': return 'The result is right.';
	case 'same': return 'Every result is as it was without the pass.';
	case 'no': return goal.fault === 'race' ? 'No data race.' : goal.fault === 'uninitialised' ? 'No read of memory that nobody has written.' : 'No fault.';
	case 'saves': return goal.number === 0 ? 'No instruction more than without the pass.' : `At least ${goal.number} ${goal.number === 1 ? 'instruction' : 'instructions'} fewer than without the pass.`;
	case 'text': return `The ${goal.where === 'ptx' ? 'PTX' : 'source'} ${goal.has ? 'has' : 'does not have'} “${goal.what}”.`;
	case 'count': {
		const { comparison: c, number, metric } = goal, { what } = metrics[metric];
		if (c === '=')
			return `${number === 0 ? 'No' : number} ${what}.`;
		return `${{ '<=': 'At most', '>=': 'At least', '<': 'Fewer than', '>': 'More than' }[c]} ${number} ${what}.`;
	}
	}
}

export interface Judged {
	goal: Goal;
	met: boolean;
	/** What was seen. */
	said: string;
}

const thread = (f: Fault) => f.thread ? `, thread (${f.thread.join(', ')}) of block (${f.block?.join(', ')})` : '';
const shape = ({ grid, block }: Launch) => `grid ${grid.join('×')}, block ${block.join('×')}`;

function faultOf(runs: readonly Executed[], only?: string): string {
	for (const { answer, launch } of runs)
		for (const f of answer.faults)
			if (!only || only === 'fault' || f.kind === only)
				return `${f.kind} at ${shape(launch)}${f.origin ? `, line ${f.origin}` : ''}${thread(f)}: ${f.message}`;
	return '';
}

function wrongResult({ runs, problem }: Facts): string {
	if (problem)
		return problem;
	for (const { launch, answer } of runs) {
		const fault = faultOf([{ launch, answer }]);
		if (fault)
			return `the kernel did not get to its end: ${fault}`;
		for (const [name, expected] of Object.entries(launch.expect ?? {})) {
			const buffer = answer.buffers[name], wrong = buffer ? wrongPlaces(buffer.values, buffer.type, expected) : [0];
			if (wrong?.length) {
				const i = wrong[0]!, of = expected.values!.length;
				return `${name}[${i}] is ${buffer?.values[i] ?? 'nothing'}, expected ${expected.values![i]} (${wrong.length} of ${of} are wrong; ${shape(launch)})`;
			}
		}
	}
	return runs.length ? '' : 'nothing was executed';
}

/** Buffers of the same launches that differ. */
function difference({ runs, without, problem }: Facts): string {
	if (problem)
		return problem;
	if (!without)
		return 'there is no own pass';
	for (const [i, { launch, answer }] of runs.entries()) {
		const before = without.runs[i]?.answer;
		if (!before)
			return 'it was not executed without the pass';
		const fault = faultOf([{ launch, answer }]);
		if (fault && before.faults.length === 0)
			return `with the pass the kernel ends in ${fault}`;
		for (const [name, { values }] of Object.entries(before.buffers)) {
			const k = values.findIndex((v, at) => String(v) !== String(answer.buffers[name]?.values[at]));
			if (k >= 0)
				return `${name}[${k}] was ${values[k]} and is ${answer.buffers[name]?.values[k]} now`;
		}
	}
	return runs.length ? '' : 'nothing was executed';
}

export function judge(goal: Goal, facts: Facts): Judged {
	const seen = (met: boolean, said: string): Judged => ({ goal, met, said: met || !goal.hint ? said : `${said}${said ? '. ' : ''}${goal.hint}` });
	switch (goal.kind) {
	case 'result': {
		const wrong = wrongResult(facts);
		return seen(!wrong, wrong);
	}
	case 'same': {
		const other = difference(facts);
		return seen(!other, other);
	}
	case 'no': {
		const fault = facts.problem ?? faultOf(facts.runs, goal.fault);
		return seen(!fault, fault);
	}
	case 'saves': {
		const now = countInstructions(facts.trace.ptx), before = countInstructions(facts.without?.ptx ?? '');
		return seen(!facts.problem && !!facts.without && before - now >= goal.number, facts.problem ?? `${before} instructions without it, ${now} with it`);
	}
	case 'text': {
		const text = goal.where === 'ptx' ? facts.trace.ptx : facts.source;
		const met = text.includes(goal.what) === goal.has;
		return seen(met && !facts.problem, facts.problem ?? (met ? '' : `${goal.what} is ${goal.has ? 'not there' : 'still there'}`));
	}
	case 'count': {
		const value = metrics[goal.metric].of(facts);
		// Counts of a run that a fault has cut short say nothing.
		const cut = facts.problem ?? (goal.metric === 'registers' || goal.metric === 'instructions' ? '' : faultOf(facts.runs.slice(0, 1)));
		return seen(!cut && comparisons[goal.comparison](value, goal.number), cut || `it has ${value} ${metrics[goal.metric].what}`);
	}
	}
}

/** Does the goal need the kernel to be executed? */
export const needsRuns = (goal: Goal): boolean => !(goal.kind === 'text' || goal.kind === 'count' && (goal.metric === 'registers' || goal.metric === 'instructions'));

/** One command line on files in memory, as both the page's worker and Node answer it. */
export type Ask = (argv: string[], files: Record<string, string>) =>
	Promise<{ status: number; stdout: string; stderr: string; files?: Record<string, Uint8Array> }>;

/** Executes PTX with every launch, under the sanitizers. */
export async function execute(ptx: string, launches: readonly string[], target: string, ask: Ask): Promise<Executed[] | string> {
	const runs: Executed[] = [];
	for (const text of launches) {
		const launch = parseLaunch(text);
		if (typeof launch === 'string')
			return launch;
		const { expect: _, ...rest } = launch;
		const { stdout, stderr } = await ask(
			['run', 'solution.ptx', '--launch=launch.json', '--json', '--profile', '--sanitize=race,init', '--max-steps=4000000', `-mcpu=${target}`],
			{ 'solution.ptx': ptx, 'launch.json': JSON.stringify(rest) });
		if (!stdout.trim().startsWith('{'))
			return stderr.trim().split('\n')[0] || 'it cannot be executed';
		runs.push({ launch, answer: JSON.parse(stdout) as RunAnswer });
	}
	return runs;
}

/** How often lines with a text stand in each function's code before and behind each pass: those that add or remove some, by name. */
export function passesThat(adds: boolean, text: string, { passes, texts }: Pick<Trace, 'passes' | 'texts'>): string[] {
	const last = new Map<string, { lines: number; level: string | undefined }>(), found = new Set<string>();
	const count = (index: number | null) => index === null ? 0 : (texts[index] ?? '').split('\n').filter((line) => line.includes(text)).length;
	for (const run of passes) {
		if (run.text === null)
			continue;
		const lines = count(run.text), before = last.get(run.function), { level } = run;
		// A lowering writes every line in another language.
		if (before && before.level === level && run.changed && run.id !== 'input' && (adds ? lines > before.lines : lines < before.lines))
			found.add(run.id);
		last.set(run.function, { lines, level });
	}
	return [...found];
}
