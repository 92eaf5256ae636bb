// The card of words about what the pointer is on. What they are comes from explain.ts, which is fetched with the first of them.

import { signal } from '@preact/signals';

export interface Explanation {
	title: string;
	/** The form, where there is one. */
	form?: string;
	text: string;
	/** What each modifier that is present means. */
	parts?: ReadonlyArray<readonly [word: string, meaning: string]>;
	/** From which machine and PTX version on. */
	since?: string;
}

/** What is explained just now, and where it stands on the screen. */
export const explained = signal<(Explanation & { x: number; y: number }) | null>(null);
