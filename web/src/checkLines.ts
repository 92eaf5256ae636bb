// The CHECK lines of a compiler test: do they hold of the PTX on screen?

import { effect, signal } from '@preact/signals';
import { fresh } from './freshness';
import { checkWords } from './runLine';
import { shown, source, sourceKind } from './store';

export interface Checked {
	/** How many directives there are. */
	count: number;
	/** The first that does not hold, as a line of the source; 0: all do, or it has no line. */
	line: number;
	/** What is wrong; '' where all hold. */
	problem: string;
	/** Of the source and the PTX that were compared. */
	source: string;
	ptx: string;
}

const result = signal<Checked | null>(null);
/** Null where the source has no CHECK lines, or they have not been compared with the PTX on screen yet. */
export const checkLines = (): Checked | null => {
	const r = result.value;
	return r && fresh.value && r.source === source.value && r.ptx === shown.value?.trace.ptx ? r : null;
};

effect(() => {
	const words = fresh.value && sourceKind.value !== 'ptx' ? checkWords(source.value) : null;
	const text = source.value, ptx = shown.value?.trace.ptx ?? '';
	if (!words)
		return;
	void import('./filecheck.js').then(({ filecheck, readArguments, readDirectives }) => {
		try {
			const { options } = readArguments(words);
			const problem = filecheck(text, ptx, options, 'CHECK') ?? '';
			const line = Number(/^CHECK:(\d+):/.exec(problem)?.[1] ?? 0);
			result.value = { count: readDirectives(text, options).length, line, problem: problem.split('\n')[0]!.replace(/^CHECK:(?:\d+:)?\s*/, ''), source: text, ptx };
		} catch (error) {
			result.value = { count: 0, line: 0, problem: (error as Error).message, source: text, ptx };
		}
	}, () => undefined);
});
