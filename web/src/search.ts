// The search over all passes: which of them add what is looked for, and which remove it.

import { computed, signal } from '@preact/signals';
import { Edit } from './compiler/names';
import { sideOf } from './panes/diffRows';
import { patternIn, timesIn } from './searching';
import { shown } from './store';

/** An opcode, a value or any text. */
export const search = signal('');

export const searchPattern = computed(() => {
	const query = search.value.trim(), trace = shown.value?.trace;
	return query && trace ? patternIn(query, [...trace.texts, trace.ptx]) : null;
});

export interface Found {
	/** So many more than before the pass, or fewer. */
	more: number;
	/** Lines with it that the pass changed. */
	touched: number;
	/** How often it is in the text that the pass leaves. */
	left: number;
}

/** By run, those that add, remove or change what is looked for; the input where it has it. */
export const found = computed(() => {
	const result = shown.value, pattern = searchPattern.value, map = new Map<number, Found>();
	if (!result || !pattern)
		return map;
	const counts = new Map<number, number[]>();
	/** How often it is in each line of a run's text. */
	const timesAt = (index: number): number[] => {
		let list = counts.get(index);
		if (!list)
			counts.set(index, list = sideOf(result, index).text.map((line) => timesIn(line, pattern)));
		return list;
	};
	const sum = (list: readonly number[]) => list.reduce((n, m) => n + m, 0);
	result.trace.passes.forEach((run, index) => {
		const change = result.changes[index];
		if (!change && (run.id !== 'input' || run.text === null))
			return;
		const after = timesAt(index), left = sum(after), before = change ? timesAt(change.before) : [];
		let touched = 0, a = 0;
		for (let k = 0; change && k < change.edits.length; k += 2)
			for (let n = change.edits[k] === Edit.Removed ? 0 : change.edits[k + 1]!; n > 0; n--, a++)
				touched += change.edits[k] === Edit.Added && after[a] ? 1 : 0;
		const more = change ? left - sum(before) : 0;
		if (more !== 0 || touched > 0 || (!change && left > 0))
			map.set(index, { more, touched, left });
	});
	return map;
});

/** How often it is in the PTX. */
export const inPtx = computed(() => searchPattern.value ? timesIn(shown.value?.trace.ptx ?? '', searchPattern.value) : 0);
