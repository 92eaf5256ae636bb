// How a pass changed a text, line by line. Two lines are the same instruction when they come from the same input line and read
// the same but for the numbers of unnamed values: deleting %7 renumbers everything after it, and that is no change.

import { diffArrays } from 'diff';
import type { Trace } from '@ptxscope/core';

export const enum Edit { Same, Removed, Added }

/** Runs of equal edits: kind, length, kind, length, … Same lines count in both texts. */
export interface Change {
	/** Index into `trace.passes` of the run whose text is "before", or -1 for none. */
	before: number;
	edits: number[];
	added: number;
	removed: number;
	/** The text before is of another level (IR → DAG → MIR): shown side by side, not diffed. */
	crossing: boolean;
}

/** What of a text is worth comparing: MIR lists its registers ahead of the code, and every change of code changes that list. */
export function comparable(text: string, lines: readonly number[] = []): { text: string[]; lines: number[]; no: number[] } {
	const side = { text: [] as string[], lines: [] as number[], no: [] as number[] };
	text.split('\n').forEach((line, i) => {
		if (/^\s+- \{ id: \d+, class: /.test(line))
			return;
		side.text.push(line);
		side.lines.push(lines[i] ?? 0);
		side.no.push(i + 1);
	});
	return side;
}

const unnumbered = (line: string) => line.replace(/^\d+:/, '#:').replace(/([%!$]|bb\.|BB)\d+(?:_\d+)?/g, '$1#').replace(/\s*;.*$/, '').trim();

function keys(text: string, lines: readonly number[] | undefined): string[] {
	const side = comparable(text, lines);
	return side.text.map((line, i) => `${side.lines[i]}:${unnumbered(line)}`);
}

/** Past this many edits two texts count as rewritten. */
const maxEdits = 4000;

function editsBetween(before: string[], after: string[]): number[] {
	const edits: number[] = [];
	const parts = diffArrays(before, after, { maxEditLength: maxEdits });
	if (!parts)
		return [Edit.Removed, before.length, Edit.Added, after.length];
	for (const part of parts) {
		const kind = part.added ? Edit.Added : part.removed ? Edit.Removed : Edit.Same;
		edits.push(kind, part.value.length);
	}
	return edits;
}

/** The edits between any two texts. */
export function changeBetween(before: string, after: string, linesBefore: readonly number[], linesAfter: readonly number[]): number[] {
	return editsBetween(keys(before, linesBefore), keys(after, linesAfter));
}

const sum = (edits: readonly number[], kind: Edit) => {
	let total = 0;
	for (let k = 0; k < edits.length; k += 2)
		if (edits[k] === kind)
			total += edits[k + 1]!;
	return total;
};

/** Every run's change of its function's text. */
export function changesOf(trace: Trace, levelOf: (id: string) => string | undefined): (Change | null)[] {
	const keyed = new Map<string, string[]>();
	const keysOf = (index: number) => {
		const run = trace.passes[index]!;
		const name = `${run.text}`;
		let list = keyed.get(name);
		if (!list)
			keyed.set(name, list = keys(trace.texts[run.text!] ?? '', run.lines));
		return list;
	};
	/** The last run that left a text, by function; '' is the module outside its functions. */
	const latest = new Map<string, number>();
	return trace.passes.map((run, index) => {
		if (run.text === null)
			return null;
		const before = latest.get(run.function) ?? -1;
		latest.set(run.function, index);
		if (before < 0)
			return null;
		const previous = trace.passes[before]!;
		if (previous.text === run.text)
			return null;
		const level = run.level ?? levelOf(run.id), was = previous.level ?? levelOf(previous.id);
		if (level !== was)
			return { before, edits: [], added: 0, removed: 0, crossing: true };
		const edits = editsBetween(keysOf(before), keysOf(index));
		return { before, edits, added: sum(edits, Edit.Added), removed: sum(edits, Edit.Removed), crossing: false };
	});
}

/** Ranges in which two versions of a line differ: what is left between their common ends, at word borders. */
export function wordMarks(before: string, after: string): [[number, number][], [number, number][]] {
	const split = (line: string) => line.match(/[%@$!]?[\w.-]+|\s+|./g) ?? [];
	const a = split(before), b = split(after);
	if (a.length > 200 || b.length > 200)
		return [[], []];
	const left: [number, number][] = [], right: [number, number][] = [];
	let i = 0, j = 0;
	for (const part of diffArrays(a, b)) {
		const length = part.value.reduce((n, w) => n + w.length, 0);
		if (part.removed) {
			left.push([i, i + length]);
			i += length;
		} else if (part.added) {
			right.push([j, j + length]);
			j += length;
		} else {
			i += length;
			j += length;
		}
	}
	return [left, right];
}
