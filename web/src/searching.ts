// What a word typed into a search finds.

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Anywhere, as browsers find. */
export const anywhere = (query: string): RegExp | null => query ? new RegExp(escaped(query), 'gi') : null;

/** An opcode, a value or a text as a whole word: `add` is in `add.s64` and in `ADDs64rr`, not in `addrspacecast`; `%9` is not in `%90`. */
export function wholeWord(query: string): RegExp | null {
	if (!query)
		return null;
	const begins = /^\w/.test(query) ? '(?<![\\w%$@.])' : '';
	if (!/\w$/.test(query))
		return new RegExp(begins + escaped(query), 'gi');
	if (!/^[a-z][\w.]*$/i.test(query))
		return new RegExp(`${begins}${escaped(query)}(?!\\w)`, 'g');
	// The machine's opcodes are written in capitals, with types and operand forms behind them.
	const capitals = escaped(query.toUpperCase().replace(/\./g, '_')), small = escaped(query);
	return new RegExp(`${begins}(?:${small}(?!\\w)|${capitals}(?![A-Z]))`, 'g');
}

/** The pattern for a query over texts: whole words where there are any, else anything. */
export function patternIn(query: string, texts: Iterable<string>): RegExp | null {
	const whole = wholeWord(query);
	if (!whole)
		return null;
	for (const text of texts) {
		whole.lastIndex = 0;
		if (whole.test(text))
			return whole;
	}
	return anywhere(query);
}

/** How often a pattern is in a line. */
export const timesIn = (line: string, pattern: RegExp): number => line.match(pattern)?.length ?? 0;
