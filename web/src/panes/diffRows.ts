// A change as rows: three lines of context around every hunk, the rest folded.

import type { PassRun } from '@ptxscope/core';
import type { Change } from '../compiler/diff';
import { comparable, Edit, rename, type Code, type Side } from '../compiler/names';
import type { Compiled } from '../compiler/protocol';
import type { Row } from '../ui/rows';

const context = 3;

/** Pairs lines that were changed rather than replaced; what differs inside them is found when they are drawn. */
function pairUp(removed: Row[], added: Row[]): void {
	const open = [...added];
	for (const [k, row] of removed.entries()) {
		let at = row.origin ? open.findIndex((a) => a.origin === row.origin) : -1;
		if (at < 0 && removed.length === added.length && (!added[k]!.origin || !row.origin))
			at = open.indexOf(added[k]!);
		if (at < 0)
			continue;
		const [other] = open.splice(at, 1);
		row.pair = { before: row.text, after: other!.text, side: 0 };
		other!.pair = { before: row.text, after: other!.text, side: 1 };
	}
}

const named = new WeakMap<Compiled, Map<number, Side>>();

/** A run's text under the names that its values have on screen. */
export function sideOf(result: Compiled, index: number): Side {
	let known = named.get(result);
	if (!known)
		named.set(result, known = new Map());
	let side = known.get(index);
	if (!side) {
		const run = result.trace.passes[index]!, { names, code } = namesAt(result, index);
		side = comparable(result.trace.texts[run.text ?? -1] ?? '', run.lines);
		if (Object.keys(names).length > 0)
			side.text = side.text.map((line) => rename(code, line, names));
		known.set(index, side);
	}
	return side;
}

/** The names of a text are those of the run that left it. */
function namesAt({ trace, changes }: Compiled, index: number): { names: Change['names']; code: Code } {
	const { text, function: fn } = trace.passes[index]!;
	for (let i = index; i >= 0; i--) {
		const run = trace.passes[i]!;
		if (run.function === fn && run.text !== null && run.text !== text)
			break;
		if (run.function === fn && changes[i])
			return { names: changes[i]!.names, code: 'llvm' };
	}
	return { names: {}, code: 'llvm' };
}

/** How a line of a run's text reads under the names that its values have on screen. */
export function underNames(result: Compiled, index: number): (line: string) => string {
	const { names, code } = namesAt(result, index);
	return Object.keys(names).length > 0 ? (line) => rename(code, line, names) : (line) => line;
}

const wholes = new WeakMap<PassRun, { of: Compiled; rows: Row[] }>();

/** The whole text after a run as rows, once. */
export function wholeRows(result: Compiled, index: number): Row[] {
	const run = result.trace.passes[index]!, known = wholes.get(run);
	if (known?.of === result)
		return known.rows;
	const named = underNames(result, index);
	const list = (result.trace.texts[run.text ?? -1] ?? '').split('\n');
	if (list.at(-1) === '')
		list.pop();
	const rows = list.map((line, i): Row => ({ text: named(line), origin: run.lines?.[i] ?? 0, no: i + 1 }));
	wholes.set(run, { of: result, rows });
	return rows;
}

const views = new WeakMap<Change, Row[]>();

export function diffRows(result: Compiled, index: number, change: Change): Row[] {
	let rows = views.get(change);
	if (!rows)
		views.set(change, rows = editRows(sideOf(result, change.before), sideOf(result, index), change.edits));
	return rows;
}

/** Edits between two texts as rows. */
export function editRows(old: Side, fresh: Side, edits: readonly number[]): Row[] {
	const rows: Row[] = [];
	let b = 0, a = 0, removed: Row[] = [], added: Row[] = [];
	const flush = () => {
		if (removed.length || added.length) {
			pairUp(removed, added);
			(removed[0] ?? added[0])!.hunk = true;
			rows.push(...removed, ...added);
		}
		removed = [];
		added = [];
	};
	const same = (count: number): Row[] => {
		const list: Row[] = [];
		for (; count > 0; count--, a++, b++)
			list.push({ text: fresh.text[a]!, origin: fresh.lines[a]!, no: fresh.no[a]! });
		return list;
	};
	for (let k = 0; k < edits.length; k += 2) {
		const kind = edits[k], count = edits[k + 1]!;
		if (kind === Edit.Removed) {
			for (const end = b + count; b < end; b++)
				removed.push({ text: old.text[b]!, origin: old.lines[b]!, no: '', mark: 'removed' });
			continue;
		}
		if (kind === Edit.Added) {
			for (const end = a + count; a < end; a++)
				added.push({ text: fresh.text[a]!, origin: fresh.lines[a]!, no: fresh.no[a]!, mark: 'added' });
			continue;
		}
		flush();
		const lead = k === 0 ? 0 : context, tail = k + 2 >= edits.length ? 0 : context;
		const hidden = count - lead - tail;
		if (hidden < 3) {
			rows.push(...same(count));
			continue;
		}
		rows.push(...same(lead), { text: `${hidden} unchanged lines`, origin: 0, no: '', mark: 'fold', hidden: same(hidden) }, ...same(tail));
	}
	flush();
	// The text's final newline is no line.
	if (rows.at(-1)?.text === '' && !rows.at(-1)!.mark)
		rows.pop();
	return rows;
}
