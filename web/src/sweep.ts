// Which knobs matter for this very source, as far as they have been tried (sweeping.ts).

import { computed, signal } from '@preact/signals';
import type { KnobValue } from '@ptxscope/core';
import { isCurrent } from './freshness';
import type { Key } from './store';

export interface Effect {
	/** What it was turned to. */
	to: KnobValue;
	/** Instructions of PTX more (or fewer) than now. */
	instructions: number;
}

export interface Sweep {
	key: Partial<Key>;
	/** By name, those that change the PTX. */
	effects: Map<string, Effect>;
	done: number;
	all: number;
}

export const sweep = signal<Sweep | null>(null);

/** The sweep, where it is of what is on screen. */
export const presentSweep = computed(() => sweep.value && isCurrent(sweep.value.key) ? sweep.value : null);
export const effectOf = (name: string): Effect | undefined => presentSweep.value?.effects.get(name);
