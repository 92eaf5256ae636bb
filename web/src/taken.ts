// A value that has no code of its own after a pass: what took it. Told by the lines that read it before and what became of them.

export interface Line {
	text: string;
	origin: number;
}

export interface Taken {
	how: 'folded' | 'merged' | 'unused' | 'gone';
	/** The line that holds it now, or the name of the value that stands for it. */
	by: string;
	/** The input line of that, 0: none. */
	origin: number;
}

const escaped = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const code = (line: string) => line.replace(/\s*(?:;|\/\/|::).*$/, '').replace(/, ![\w.]+ !\d+/g, '').trim();
const mentions = (names: readonly string[]) => new RegExp(`(?<![\\w.$])(?:${names.map(escaped).join('|')})(?![\\w$-])`);

/** `names` are those that the value's lines defined in the text before; lines of it have its input line, `origin`. */
export function takenBy(before: readonly Line[], after: readonly Line[], names: readonly string[], origin: number): Taken {
	if (names.length === 0)
		return { how: 'gone', by: '', origin: 0 };
	const reads = mentions(names);
	const readers = before.filter((l) => l.origin !== origin && reads.test(code(l.text)) && /^\s/.test(l.text));
	if (readers.length === 0)
		return { how: 'unused', by: '', origin: 0 };
	for (const reader of readers) {
		const was = code(reader.text), now = after.filter((l) => l.origin === reader.origin && reader.origin !== 0 && /^\s/.test(l.text)).map((l) => code(l.text));
		// The line is the same but for the name: another value stands in its place.
		const pattern = new RegExp(`^${escaped(was).replace(new RegExp(names.map((n) => `(?<![\\w.$])${escaped(escaped(n))}(?![\\w$-])`).join('|'), 'g'), '([%$][\\w.]+|-?\\d[\\w.]*)')}$`);
		const other = now.map((l) => pattern.exec(l)?.[1]).find((name) => name !== undefined && !names.includes(name));
		if (other !== undefined)
			return { how: 'merged', by: other, origin: after.find((l) => code(l.text).startsWith(`${other} = `))?.origin ?? 0 };
		if (now.length > 0)
			return { how: 'folded', by: now.at(-1)!, origin: reader.origin };
	}
	// Those that read it are gone, too: what reads them may say more.
	return { how: 'gone', by: code(readers[0]!.text), origin: readers[0]!.origin };
}
