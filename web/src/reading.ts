// How texts are read: wrapped, with their noise, in two columns, in a pane that fills the window. Kept between visits.

import { effect, signal, type Signal } from '@preact/signals';
import { isBoolean, keep, recall } from './storage';
import type { Pane } from './store';

function kept(name: string): Signal<boolean> {
	const it = signal(recall(name, isBoolean) ?? false);
	let first = true;
	effect(() => {
		const value = it.value;
		if (!first)
			keep(name, value);
		first = false;
	});
	return it;
}

/** Long lines go on in the next row. */
export const wrap = kept('wrap');
/** Nothing is folded: attributes, metadata, declarations, heads. */
export const noise = kept('noise');
/** What was and what is stand side by side. */
export const split = kept('split');
/** The pane that fills the window, or ''. */
export const full = signal<Pane | ''>('');
