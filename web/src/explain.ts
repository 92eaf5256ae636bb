// Words for what the pointer is on. Facts come from the compiler's own tables where it lists them.

import type { Language } from './lang/grammar';
import { about } from './store';

/** Markdown paragraphs about a word, most specific first; none where nothing is known. */
export function explain(language: Language, word: string, _line: string): string[] {
	const found: string[] = [];
	if (language === 'llvm' && /^@?llvm\./.test(word)) {
		const name = word.replace(/^@/, '');
		const row = about.value?.intrinsics?.find((i) => i.name === name || (i.name.endsWith('*') && name.startsWith(i.name.slice(0, -1))));
		if (row)
			found.push(`**${row.name}**`, row.summary);
	}
	return found;
}
