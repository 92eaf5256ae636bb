// The order in which a visit fetches what it needs: the page, the compiler, then the editor, then what is kept for visits without a
// network. On a slow line they would share it, and the compiler would come last.

import { effect } from '@preact/signals';
import { state } from './store';

/** Resolves once the compiler is there, or has failed. */
export const compilerCame: Promise<void> = new Promise((resolve) => {
	effect(() => {
		if (state.value !== 'loading')
			resolve();
	});
});

let editorIsDone: () => void;
/** Of the editor: it is there, cannot be had, or is not wanted. */
export const editorDone = (): void => editorIsDone();

/** Resolves once nothing that this visit needs is on its way. */
export const complete: Promise<unknown> = Promise.all([compilerCame, new Promise<void>((resolve) => { editorIsDone = resolve; })]);
