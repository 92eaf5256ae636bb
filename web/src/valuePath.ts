// The way of a value through all passes, and all values of a function.

import { computed } from '@preact/signals';
import type { Trace } from '@ptxscope/core';
import type { Compiled } from './compiler/protocol';
import { languageOf, type Language } from './lang/grammar';
import { wholeRows } from './panes/diffRows';
import { levelOf, shown } from './store';
import { takenBy, type Line, type Taken } from './taken';
import { value, definitions, argumentNames, sourceLines, headAbove, functionOf, rowsOf, type Value, type PathRow } from './value';

export interface PathStep {
	/** Index of the run, or -1 for the input and -2 for the PTX. */
	index: number;
	id: string;
	language: Language;
	rows: PathRow[];
	/** Where it has no code of its own any more: what took it. */
	taken?: Taken;
}

/** Numbers of unnamed values aside, as renumbering is no change. */
const bare = (rows: readonly PathRow[]) => rows.map((r) => r.text.replace(/[%$]\d+/g, '%#')).join('\n');

/** Texts split into lines, once per trace. */
const splits = new WeakMap<Trace, Map<number, string[]>>();
function splitText(trace: Trace, index: number): string[] {
	let known = splits.get(trace);
	if (!known)
		splits.set(trace, known = new Map());
	let lines = known.get(index);
	if (!lines)
		known.set(index, lines = (index < 0 ? trace.ptx : trace.texts[index] ?? '').split('\n'));
	return lines;
}

/** The stations at which a value's code changed, from the input to the PTX. */
export function pathOf(result: Compiled, wanted: Value): PathStep[] {
	const { trace } = result, fn = functionOf(wanted.line);
	const steps: PathStep[] = [];
	let text = -1, last: readonly Line[] = [];
	const step = (index: number, id: string, language: Language, lines: readonly Line[]) => {
		const rows = rowsOf(wanted, language, lines.map((l) => l.text), lines.map((l) => l.origin), fn);
		const before = steps.at(-1);
		if (!before || index === -2 || bare(before.rows) !== bare(rows)) {
			const names = before?.rows.flatMap((r) => r.names) ?? [];
			steps.push({ index, id, language, rows, ...(before?.rows.length && rows.length === 0 && wanted.param === undefined && { taken: takenBy(last, lines, names, wanted.line) }) });
		}
		last = lines;
	};
	trace.passes.forEach((run, index) => {
		if (run.function !== fn || run.text === null || run.text === text)
			return;
		text = run.text;
		const language = languageOf(levelOf(run), trace.texts[text] ?? '');
		step(index, run.id, language, wholeRows(result, index));
	});
	step(-2, 'PTX', 'ptx', splitText(trace, -1).map((line, i) => ({ text: line, origin: trace.ptxLines[i] ?? 0 })));
	return steps;
}

/** Lines of the input that use the value. */
export function usersOf(wanted: Value): number[] {
	const lines = sourceLines.value, users: number[] = [];
	const head = headAbove(lines, wanted.line);
	const use = new RegExp(`${wanted.name.replace(/[$.|*+?()[\]{}^"\\]/g, '\\$&')}(?![-$._\\w])`);
	for (let i = head; i < lines.length && !lines[i]!.startsWith('}'); i++) {
		const right = lines[i]!.replace(/^\s*%(?:"[^"]*"|[-$._\w]+)\s*=/, '').replace(/;.*$/, '');
		if (use.test(right))
			users.push(i + 1);
	}
	return users;
}

/** Every value of a function with the registers it ends in. */
export function valuesOf(trace: Trace, fn: string): { value: Value; registers: string[] }[] {
	const lines = sourceLines.value;
	const head = lines.findIndex((l) => l.startsWith('define') && (/@("[^"]*"|[-$.\w]+)\s*\(/.exec(l)?.[1]?.replace(/^"|"$/g, '') === fn));
	if (head < 0)
		return [];
	const byLine = new Map<number, Set<string>>();
	const ptx = splitText(trace, -1);
	ptx.forEach((row, i) => {
		const line = trace.ptxLines[i];
		if (line)
			for (const name of definitions('ptx', row))
				byLine.set(line, (byLine.get(line) ?? new Set()).add(name));
	});
	const list: { value: Value; registers: string[] }[] = argumentNames(lines[head]!).map((name, param) => {
		const found: Value = { name, line: head + 1, param };
		return { value: found, registers: rowsOf(found, 'ptx', ptx, trace.ptxLines, fn).flatMap((r) => r.names) };
	});
	for (let i = head + 1; i < lines.length && !lines[i]!.startsWith('}'); i++) {
		const name = definitions('llvm', lines[i]!)[0];
		if (name)
			list.push({ value: { name, line: i + 1 }, registers: [...byLine.get(i + 1) ?? []] });
	}
	return list;
}

/** The path of the value looked at. */
export const path = computed(() => value.value && shown.value ? pathOf(shown.value, value.value) : []);
