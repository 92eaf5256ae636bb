// Which runs the pass list shows, and how they are bundled.

import { computed } from '@preact/signals';
import { found, searchPattern } from './search';
import { changedHere, changedOnly, current, fuzzy, passFilter, passInfo, runsInScope, shown } from './store';

export const listedRuns = computed(() => {
	const all = shown.value?.trace.passes ?? [];
	const query = passFilter.value.trim(), searching = searchPattern.value !== null;
	const firstInput = runsInScope.value.find((i) => all[i]!.id === 'input' && all[i]!.function !== '');
	return runsInScope.value.filter((i) => {
		const run = all[i]!;
		if (query && !fuzzy(query, `${run.id} ${passInfo.value.get(run.id)?.title ?? ''}`))
			return false;
		if (i === current.value && !searching)
			return true;
		if (searching)
			return found.value.has(i);
		// One row for the input of all functions together.
		return run.id === 'input' ? i === firstInput : !changedOnly.value || changedHere.value.has(i);
	});
});

/** So many functions of one pass are folded to one row. */
const many = 3;

/** Neighbouring runs of one pass; those of many functions are folded unless one of them is on screen. */
export function bundled(runs: readonly number[]): { runs: number[]; folded: boolean }[] {
	const all = shown.value?.trace.passes ?? [], bundles: { runs: number[]; folded: boolean }[] = [];
	for (const i of runs) {
		if (bundles.length > 0 && all[bundles.at(-1)!.runs[0]!]!.id === all[i]!.id)
			bundles.at(-1)!.runs.push(i);
		else
			bundles.push({ runs: [i], folded: false });
	}
	for (const bundle of bundles)
		bundle.folded = bundle.runs.length > many && !bundle.runs.includes(current.value);
	return bundles;
}
