// A change as rows: three lines of context around every hunk, the rest folded.

import type { PassRun, Trace } from '@ptxscope/core';
import { changeBetween, comparable, Edit, type Change } from '../compiler/diff';
import type { Row } from '../ui/CodeView';

const context = 3;

export interface DiffView {
	rows: Row[];
	/** For each fold row, by row index, the place it hides. */
	folds: Map<number, number>;
	/** Row indices at which hunks begin. */
	hunks: number[];
}

/** Pairs lines that were changed rather than replaced; what differs inside them is found when they are drawn. */
function pairUp(removed: Row[], added: Row[]): void {
	const open = [...added];
	for (const [k, row] of removed.entries()) {
		let at = row.origin ? open.findIndex((a) => a.origin === row.origin) : -1;
		if (at < 0 && removed.length === added.length && !added[k]!.origin && !row.origin)
			at = open.indexOf(added[k]!);
		if (at < 0)
			continue;
		const [other] = open.splice(at, 1);
		row.pair = { before: row.text, after: other!.text, side: 0 };
		other!.pair = { before: row.text, after: other!.text, side: 1 };
	}
}

/** The change between two texts, unchanged stretches folded away for good. */
export function changeRows(before: string, after: string, linesBefore: readonly number[], linesAfter: readonly number[]): Row[] {
	const edits = changeBetween(before, after, linesBefore, linesAfter);
	return editRows(comparable(before, linesBefore), comparable(after, linesAfter), edits, new Set()).rows;
}

const sides = new WeakMap<Trace, Map<PassRun, ReturnType<typeof comparable>>>();

/** A run's text in lines, once per trace. */
function sideOf(trace: Trace, run: PassRun): ReturnType<typeof comparable> {
	let known = sides.get(trace);
	if (!known)
		sides.set(trace, known = new Map());
	let side = known.get(run);
	if (!side)
		known.set(run, side = comparable(trace.texts[run.text!] ?? '', run.lines));
	return side;
}

const views = new WeakMap<Change, DiffView>();

/** `opened` holds the places (line of the text after) of folds that the user opened. */
export function diffRows(trace: Trace, index: number, change: Change, opened: ReadonlySet<number>): DiffView {
	const known = opened.size === 0 ? views.get(change) : undefined;
	if (known)
		return known;
	const view = editRows(sideOf(trace, trace.passes[change.before]!), sideOf(trace, trace.passes[index]!), change.edits, opened);
	if (opened.size === 0)
		views.set(change, view);
	return view;
}

function editRows(old: ReturnType<typeof comparable>, fresh: ReturnType<typeof comparable>, edits: readonly number[], opened: ReadonlySet<number>): DiffView {
	const before = old.text, after = fresh.text;
	const rows: Row[] = [], folds = new Map<number, number>(), hunks: number[] = [];
	let b = 0, a = 0, removed: Row[] = [], added: Row[] = [];
	const flush = () => {
		if (removed.length || added.length) {
			pairUp(removed, added);
			hunks.push(rows.length);
			rows.push(...removed, ...added);
		}
		removed = [];
		added = [];
	};
	const same = (count: number) => {
		for (; count > 0; count--, a++, b++) {
			const text = after[a]!, renumbered = before[b] !== text;
			rows.push({ text, origin: fresh.lines[a]!, no: fresh.no[a]!, ...(renumbered && { mark: 'renumbered' }) });
		}
	};
	for (let k = 0; k < edits.length; k += 2) {
		const kind = edits[k], count = edits[k + 1]!;
		if (kind === Edit.Removed) {
			for (const end = b + count; b < end; b++)
				removed.push({ text: before[b]!, origin: old.lines[b]!, no: '', mark: 'removed' });
			continue;
		}
		if (kind === Edit.Added) {
			for (const end = a + count; a < end; a++)
				added.push({ text: after[a]!, origin: fresh.lines[a]!, no: fresh.no[a]!, mark: 'added' });
			continue;
		}
		flush();
		const lead = k === 0 ? 0 : context, tail = k + 2 >= edits.length ? 0 : context;
		const hidden = count - lead - tail, place = a + lead;
		if (hidden < 3 || opened.has(place)) {
			same(count);
			continue;
		}
		same(lead);
		folds.set(rows.length, place);
		rows.push({ text: `⋯ ${hidden} unchanged lines`, origin: 0, no: '', mark: 'fold' });
		a += hidden;
		b += hidden;
		same(tail);
	}
	flush();
	// The text's final newline is no line.
	if (rows.at(-1)?.text === '')
		rows.pop();
	return { rows, folds, hunks };
}
