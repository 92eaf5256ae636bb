// One value on its way: the name that a line of the input defines, and what stands for it in every text up to its PTX register.
// What ties the texts together is the origin of their lines.

import { computed, signal } from '@preact/signals';
import type { Language } from './lang/grammar';
import { shownSource } from './store';

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

export const sourceLines = computed(() => shownSource.value.split('\n'));

/** The function's head that stands above a line, as a 1-based line, or 0. */
export function headAbove(lines: readonly string[], line: number): number {
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

export const functionOf = (line: number): string => {
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
