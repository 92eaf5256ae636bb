// What the check of all passes says, in words: only what it has seen, and beside what a run of the same launch has shown.

import { computed } from '@preact/signals';
import { changedSince, isCurrent } from './freshness';
import { wrongPlaces } from './launch';
import { checked, ran, type Verdict } from './running';

export interface Spoken {
	/** `open`: there is nothing to be glad of or to worry about. */
	tone: 'good' | 'bad' | 'open';
	short: string;
	long: string;
	/** The pass to look at. */
	pass?: string;
	/** The stages were compared, so that each pass has a mark. */
	compared: boolean;
}

/** Buffers of the last run of what is on screen that are not what the launch expects. */
export const wrongBuffers = computed(() => {
	const run = ran.value;
	if (!run || !isCurrent(run.key))
		return [];
	return Object.entries(run.answer.buffers).filter(([name, b]) => wrongPlaces(b.values, b.type, run.launch.expect?.[name])?.length).map(([name]) => name);
});

function speak(v: Verdict, kernel: string, wrong: readonly string[]): Spoken {
	const times = `executed ${v.stages} times, as IR, after every pass that changed it and as PTX`;
	if (!v.ok) {
		const after = v.pass ? `after ${v.pass}` : 'in the PTX';
		return { tone: 'bad', short: `✗ first wrong result ${after}`, long: `✗ The first other result comes ${after}: ${v.message}.`, compared: true, ...(v.pass && { pass: v.pass }) };
	}
	if (v.undefined === true)
		return { tone: 'open', short: 'not compared: undefined behaviour', long: `${kernel} was ${times}. The results cannot be compared: what it does depends on poison or undef.`, compared: false };
	if (v.fault === 'step-limit')
		return { tone: 'open', short: 'no pass ends within the limit', long: `${kernel} was ${times}, and was stopped each time at the limit of steps: it does not end, so there is no result to compare.`, compared: false };
	if (v.fault)
		return { tone: 'open', short: `every pass ends in ${v.fault}`, long: `${kernel} was ${times}, and each time ended in the same fault, ${v.fault}: no pass is to blame.`, compared: false };
	const open = v.undefined ? ` ${v.undefined} elements that derive from poison or undef were not compared.` : '';
	if (wrong.length > 0)
		return { tone: 'bad', short: '✗ wrong result, the same after every pass', long: `✗ ${kernel} was ${times}, and computes the same each time, but ${wrong.join(', ')} is not what the launch expects: the source says so, no pass is to blame.${open}`, compared: true };
	return { tone: 'good', short: '✓ every pass computes the same', long: `✓ ${kernel} was ${times}: it always computes the same.${open}`, compared: true };
}

/** The verdict on what is on screen; null where none is known. */
export const verdict = computed<Spoken | null>(() => {
	const c = checked.value;
	return c && isCurrent(c.key) ? speak(c.verdict, c.kernel, wrongBuffers.value) : null;
});

/** What was checked before something changed, and what that was; null where the verdict is current or nobody has asked for one. */
export const outdatedVerdict = computed(() => {
	const c = checked.value, changed = c?.asked ? changedSince(c.key) : '';
	return changed ? `Checked before the ${changed} changed.` : null;
});
