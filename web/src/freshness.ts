// Whether a result still belongs to what is on screen. Every result (output, run, check, sweep, A, link) keeps the part of the key
// (source, configuration, launch, sanitizers) that it was made from; whatever shows one asks here, and dims or drops what is older.

import { computed } from '@preact/signals';
import { about, autoCompile, begun, config, launchText, opening, ownInOutput, sanitize, seed, shown, shownKey, slow, source, state, type Config, type Key, type State } from './store';

export type Part = 'source' | 'configuration' | 'launch' | 'own pass' | 'sanitizers';

const knobsOf = ({ knobs }: Config) => JSON.stringify(Object.entries(knobs).sort(([a], [b]) => a < b ? -1 : 1));
export const sameConfig = (a: Config, b: Config) => a === b || (a.target === b.target && a.level === b.level && knobsOf(a) === knobsOf(b));

/** A launch is the same however it is laid out. */
function launchOf(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text));
	} catch {
		return text;
	}
}
export const sameLaunch = (a: string, b: string): boolean => a === b || launchOf(a) === launchOf(b);

const launch = computed(() => launchOf(launchText.value));
const watch = computed(() => `${sanitize.value.join()} ${seed.value}`.trim());

/** The key of what is on screen. */
export const presentKey = (): Key => ({ source: source.value, config: config.value, launch: launch.value, own: ownInOutput.value, watch: watch.value });
/** The key of results that are the same whatever watches a run. */
export function unwatchedKey(): Key {
	const { watch: _, ...key } = presentKey();
	return key;
}

/** The first part in which what is on screen differs from what a result was made from; '' where it still belongs there. A part
 * that the key lacks does not matter to the result. */
export function changedSince(of: Partial<Key>): Part | '' {
	if (of.source !== undefined && of.source !== source.value)
		return 'source';
	if (of.config && !sameConfig(of.config, config.value))
		return 'configuration';
	if (of.own !== undefined && of.own !== ownInOutput.value)
		return 'own pass';
	if (of.launch !== undefined && of.launch !== launch.value)
		return 'launch';
	return of.watch !== undefined && of.watch !== watch.value ? 'sanitizers' : '';
}

export const isCurrent = (of: Partial<Key>): boolean => changedSince(of) === '';

/** The output on screen is that of the source and the configuration on screen. */
export const fresh = computed(() => state.value === 'ready' && shown.value !== null && isCurrent(shownKey.value));

/** The state of the source and the configuration on screen: while they are about to be compiled or fetched, what came of the ones
 * before is not theirs. */
export const stateHere = computed<State>(() => {
	const coming = opening.value !== '' || autoCompile.value && !isCurrent(begun.value);
	return about.value && coming ? 'compiling' : state.value;
});

/** Why the output is older than the source, in words; '' where it is not, or is about to be replaced. */
export const stale = computed(() => {
	if (!shown.value || isCurrent(shownKey.value))
		return '';
	switch (state.value) {
	case 'error': return 'from before the error';
	case 'crashed': return 'from before the crash';
	case 'cancelled': return 'from before the cancelled compilation';
	case 'compiling': return slow.value ? 'from before, compiling…' : '';
	default: return autoCompile.value ? '' : `from before the ${changedSince(shownKey.value)} changed`;
	}
});
