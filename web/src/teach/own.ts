// The own pass in the page: it is run, its output takes the place of the compiler's on screen, and the results of both are compared.

import { batch, signal } from '@preact/signals';
import type { CompileResult } from '@ptxscope/core';
import { compileArguments } from '@ptxscope/core';
import { emulator, request } from '../actions';
import { changesOf } from '../compiler/diff';
import { fresh } from '../freshness';
import { countInstructions } from '../instructions';
import { kernels } from '../kernels';
import * as s from '../store';
import { execute, judge, type Ask, type Facts, type Goal } from './goals';
import { applyPass, ownPassId, points } from './ownPass';
import { call, PassError } from './sandbox';

export const idle = `// A pass: gets the text of a machine function (of the PTX, if it runs behind everything), returns the text in its place.
function pass(text, name) {
	return text;
}
`;

const same: Goal = { kind: 'same', text: 'same', hint: '' };

export const ownAsk: Ask = (argv, files) => emulator().ask({ kind: 'command', argv, files });

/** What the last run of an own pass gave. */
export interface Report {
	/** As in store.own. */
	of: string;
	error?: string;
	/** Of the code, where the error has one. */
	line?: number;
	printed: string;
	/** Functions whose text it has changed. */
	changed: number;
	/** Is every result as it was? Absent where there is nothing to execute. */
	same?: { met: boolean; said: string };
	before: number;
	after: number;
}
export const report = signal<Report | null>(null);
export const running = signal(false);

/** The compilation that the pass was put into; it is `shown` again once the pass is taken out. */
let without: CompileResult | null = null;
/** The output without the own pass. */
export const outputWithout = (): CompileResult | null => s.ownInOutput.value ? without : s.shown.value?.trace ?? null;

export const ownPoints = (): string[] => {
	const trace = outputWithout();
	return trace && !s.isPtx.value ? points(trace, s.levelOf) : [];
};

const options = () => compileArguments(request(s.config.value)).filter((a) => a.startsWith('-') && a !== '-o' && a !== '-' && !a.startsWith('--trace'));

/** Takes the own pass out of what is on screen. */
export function takeOut(): void {
	if (!s.ownInOutput.value || !without)
		return;
	const trace = without;
	batch(() => {
		s.shown.value = { trace, changes: changesOf(trace, (id) => s.passInfo.value.get(id)?.level), ms: s.shown.value?.ms ?? 0 };
		s.ownInOutput.value = '';
		report.value = null;
	});
}

/** Runs the own pass, and shows and compares what comes out. What it was judged by, or why there is nothing. */
export async function runOwn(launches: readonly string[]): Promise<Facts | string> {
	const own = s.own.value, base = outputWithout();
	if (!own || !base)
		return 'there is no own pass';
	if (!fresh.value)
		return s.state.value === 'error' ? 'the source has an error' : 'the source is still being compiled';
	const of = JSON.stringify(own), about = { of, printed: '', changed: 0, before: 0, after: 0 };
	running.value = true;
	try {
		let printed = '';
		const trace = await applyPass({
			trace: base, source: s.input.value, name: `input.${s.inputKind.value}`, options: options(), after: s.isPtx.value ? 'ptx' : own.after, ask: ownAsk,
			transform: async (pieces) => {
				const outcome = await call(own.code, pieces);
				({ printed } = outcome);
				return outcome.texts;
			},
		});
		if (typeof trace === 'string') {
			report.value = { ...about, error: trace, printed };
			return trace;
		}
		show(trace, base, of);
		const target = s.config.value.target;
		const [before, after] = launches.length ? [await execute(base.ptx, launches, target, ownAsk), await execute(trace.ptx, launches, target, ownAsk)] : [[], []];
		const problem = typeof before === 'string' ? before : typeof after === 'string' ? after : '';
		const facts: Facts = {
			source: own.code, trace, runs: typeof after === 'string' ? [] : after, ...(problem && { problem }),
			without: { ptx: base.ptx, runs: typeof before === 'string' ? [] : before },
		};
		report.value = {
			...about, printed, changed: trace.passes.filter((r) => r.id === ownPassId && r.changed).length,
			before: countInstructions(base.ptx), after: countInstructions(trace.ptx), ...(launches.length && { same: judge(same, facts) }),
		};
		return facts;
	} catch (error) {
		const { message, line = 0, printed = '' } = error as PassError;
		report.value = { ...about, error: message, line, printed };
		return `the pass failed: ${message}${line ? ` (its line ${line})` : ''}`;
	} finally {
		running.value = false;
	}
}

function show(trace: CompileResult, base: CompileResult, of: string): void {
	without = base;
	const at = trace.passes.findIndex((r) => r.id === ownPassId && r.changed);
	batch(() => {
		s.shown.value = { trace, changes: changesOf(trace, (id) => id === ownPassId ? 'mir' : s.passInfo.value.get(id)?.level), ms: s.shown.value?.ms ?? 0 };
		s.ownInOutput.value = of;
		s.selected.value = at >= 0 ? at : trace.passes.findIndex((r) => r.id === ownPassId && r.function !== '');
		if (s.tab.value === 'ab')
			s.tab.value = 'diff';
	});
}

/** The launches to compare by: that of the page, where it fits a kernel of the source. */
export const pageLaunches = (): string[] => {
	try {
		const { kernel } = JSON.parse(s.launchText.value) as { kernel?: string };
		return kernels.value.some((k) => k.name === kernel) ? [s.launchText.value] : [];
	} catch {
		return [];
	}
};
