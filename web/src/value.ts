// One value on its way: the name that a line of the input defines, and what stands for it in every text up to its PTX register.
// What ties the texts together is the origin of their lines.

import { computed, signal } from '@preact/signals';
import type { Trace } from '@ptxscope/core';
import type { Compiled } from './compiler/protocol';
import { languageOf, type Language } from './lang/grammar';
import { wholeRows } from './panes/diffRows';
import { levelOf, shown, shownSource } from './store';
import { takenBy, type Line, type Taken } from './taken';

export interface Value {
	/** Its name in the input. */
	name: string;
	/** The input line that defines it: an instruction, or for an argument the function's head. */
	line: number;
	/** The argument's position. */
	param?: number;
}

/** The value looked at, wherever it was chosen. */
export const value = signal<Value | null>(null);

/** PTX instructions whose first operand is no result. */
const noResult = /^(?:st|red|bra|brx|bar|barrier|ret|exit|trap|membar|fence|call|prefetch|prefetchu|sust|sured|cp|discard|nanosleep|pmevent|mbarrier\.inval|mbarrier\.init)\b/;

/** The names that a line defines. */
export function definitions(language: Language, line: string): string[] {
	if (language === 'llvm') {
		const name = /^\s*(%(?:"[^"]*"|[-$._\w]+))\s*=/.exec(line)?.[1];
		return name ? [name] : [];
	}
	if (language === 'mir') {
		const left = /^\s*((?:[%$][\w.]+[^=()]*?))\s=\s/.exec(line)?.[1];
		return left ? [...left.matchAll(/[%$][\w]+/g)].map((m) => m[0]) : [];
	}
	const m = /^\s*(?:@!?%\w+\s+)?([a-z][\w.:]*)\s+(\{[^}]*\}|[^,;]*)/.exec(line);
	return m && !noResult.test(m[1]!) ? [...m[2]!.matchAll(/%[\w$]+/g)].map((r) => r[0]) : [];
}

/** The arguments' names in a function's head, in order. */
export function argumentNames(head: string): string[] {
	const open = head.indexOf('(', head.search(/@(?:"[^"]*"|[-$.\w]+)\s*\(/) + 1);
	return [...head.slice(open).matchAll(/%(?:"[^"]*"|[-$._\w]+)(?=\s*[,)])/g)].map((m) => m[0]);
}

const sourceLines = computed(() => shownSource.value.split('\n'));

/** The function's head that stands above a line, as a 1-based line, or 0. */
function headAbove(lines: readonly string[], line: number): number {
	for (let i = Math.min(line, lines.length); i >= 1; i--) {
		if (lines[i - 1]!.startsWith('define'))
			return i;
		if (lines[i - 1]!.startsWith('}') && i < line)
			return 0;
	}
	return 0;
}

/** The value that a word of the input, on that line, names. */
export function valueAt(line: number, name: string): Value | null {
	const lines = sourceLines.peek(), head = headAbove(lines, line);
	if (head === 0)
		return null;
	const param = argumentNames(lines[head - 1]!).indexOf(name);
	if (param >= 0)
		return { name, line: head, param };
	for (let i = head; i < lines.length && !lines[i]!.startsWith('}'); i++)
		if (definitions('llvm', lines[i]!)[0] === name)
			return { name, line: i + 1 };
	return null;
}

/** The value that an input line defines. */
export function valueOfLine(line: number): Value | null {
	const name = definitions('llvm', sourceLines.peek()[line - 1] ?? '')[0];
	return name ? { name, line } : null;
}

const functionOf = (line: number): string => {
	const head = sourceLines.peek()[headAbove(sourceLines.peek(), line) - 1] ?? '';
	return /@("[^"]*"|[-$.\w]+)\s*\(/.exec(head)?.[1]?.replace(/^"|"$/g, '') ?? '';
};

export interface PathRow {
	text: string;
	names: string[];
}

/** What stands for a value in one text. */
export function rowsOf({ line, param, name }: Value, language: Language, text: readonly string[], lines: readonly number[], fn: string): PathRow[] {
	const rows: PathRow[] = [];
	const symbol = `${fn}_param_${param}`;
	/** An argument is what is loaded from its parameter. */
	const loads = (row: string) => /^\s+(?!\.)/.test(row) && row.includes(language === 'ptx' ? '[' : ' = ')
		&& row.split(symbol).slice(1).some((rest) => !/^\d/.test(rest));
	const stands = (row: string, i: number) => param === undefined ? lines[i] === line
		: language === 'llvm' ? lines[i] === line && row.startsWith('define') : loads(row);
	text.forEach((row, i) => {
		if (!stands(row, i))
			return;
		const trimmed = row.replace(/\s*(?:;|\/\/|::).*$/, '').replace(/, !tbaa.*$/, '').trim();
		// Labels, braces and directives carry origins too, but no value.
		if (!trimmed || /^(?:[$\w.]+:|[{}()]|\.(?!reg)|\);)/.test(trimmed) || /^bb\./.test(trimmed))
			return;
		rows.push(param !== undefined && language === 'llvm' ? { text: `argument ${name}`, names: [name] } : { text: trimmed, names: definitions(language, row) });
	});
	return rows;
}

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

/** What the value is called in a text whose rows have these origins: the last that a row of its origin defines. */
export function namesIn(rows: readonly { text: string; origin: number }[], language: Language, wanted: Value): Set<string> {
	const names = new Set<string>();
	const fn = functionOf(wanted.line);
	if (wanted.param !== undefined && language === 'llvm')
		return names.add(wanted.name);
	for (const row of rows) {
		if (wanted.param !== undefined ? !row.text.includes(`${fn}_param_${wanted.param}`) : row.origin !== wanted.line)
			continue;
		for (const name of definitions(language, row.text))
			names.add(name);
	}
	return names;
}

/** Rows of the function around a row: names mean something inside it alone. */
export function functionRange(rows: readonly { text: string }[], at: number, language: Language): [number, number] {
	const opens = language === 'llvm' ? /^define\b/ : language === 'mir' ? /^---/ : /^\{/;
	let from = at, to = at;
	while (from > 0 && !opens.test(rows[from]!.text))
		from--;
	while (to < rows.length - 1 && !/^(?:\}|\.\.\.)/.test(rows[to]!.text))
		to++;
	return [from, to];
}

/** The value behind a name in any text: the origin of the nearest line that defines it. */
export function valueBehind(rows: readonly { text: string; origin: number }[], at: number, language: Language, name: string): Value | null {
	const [from, to] = functionRange(rows, at, language);
	const found = (i: number) => definitions(language, rows[i]!.text).includes(name) ? rows[i] : undefined;
	let row: { text: string; origin: number } | undefined;
	for (let i = at; i >= from && !row; i--)
		row = found(i);
	for (let i = at + 1; i <= to && !row; i++)
		row = found(i);
	if (!row) {
		// An argument of the function, in IR.
		const head = rows.slice(from, at + 1).find((r) => r.text.startsWith('define'));
		const param = head ? argumentNames(head.text).indexOf(name) : -1;
		return head && param >= 0 && head.origin ? { name: argumentNames(sourceLines.peek()[head.origin - 1] ?? '')[param] ?? name, line: head.origin, param } : null;
	}
	const param = /([-$.\w]+)_param_(\d+)\b/.exec(row.text);
	if (param && language !== 'llvm') {
		const head = sourceLines.peek().findIndex((l) => l.startsWith('define') && l.includes(`@${param[1]}(`));
		const names = head < 0 ? [] : argumentNames(sourceLines.peek()[head]!);
		return names[Number(param[2])] ? { name: names[Number(param[2])]!, line: head + 1, param: Number(param[2]) } : null;
	}
	return row.origin ? valueOfLine(row.origin) : null;
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
