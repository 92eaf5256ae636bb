// One name for a value in all texts of a function. LLVM IR numbers its unnamed values and blocks anew after every pass, so the same
// sum is %7 here and %11 there; two compilations give their PTX registers in different orders. Lines that a diff has aligned tell
// which name of one text is which name of the other: the later text is shown under the names of the earlier one, and what is new in
// it gets a number that no text before has used.

export type Code = 'llvm' | 'mir' | 'ptx';
/** Printed name → name shown; names that stay are left out. A block of LLVM IR is `%13`, as where it is branched to. */
export type Names = Readonly<Record<string, string>>;

/** What of a text is compared: its lines, the input line and the line number of each. */
export interface Side {
	text: string[];
	lines: number[];
	no: number[];
}

/** What of a text is worth comparing: MIR lists its registers ahead of the code, and every change of code changes that list. */
export function comparable(text: string, lines: readonly number[] = []): Side {
	const side: Side = { text: [], lines: [], no: [] };
	text.split('\n').forEach((line, i) => {
		if (/^\s+- \{ id: \d+, class: /.test(line))
			return;
		side.text.push(line);
		side.lines.push(lines[i] ?? 0);
		side.no.push(i + 1);
	});
	return side;
}

/** Runs of equal edits: kind, length, kind, length, … Same lines count in both texts. */
export const enum Edit { Same, Removed, Added }

/** A name, or a string that may hold what looks like one. */
const patterns: Readonly<Record<Code, RegExp>> = {
	llvm: /c?"(?:[^"\\]|\\.)*"|%\d+(?![\w.$-])|^\d+(?=:)/g,
	mir: /"[^"]*"|%\d+(?!\w)|\bbb\.\d+(?!\w)/g,
	ptx: /"[^"]*"|%[a-z]+\d+(?!\w)|\$L__BB\d+_\d+(?!\w)/g,
};
const nameOf = (word: string) => /^\d/.test(word) ? `%${word}` : word;
const isString = (word: string) => word.endsWith('"');

export const namesOf = (code: Code, line: string): string[] => (line.match(patterns[code]) ?? []).filter((w) => !isString(w)).map(nameOf);

export function rename(code: Code, line: string, names: Names): string {
	return line.replace(patterns[code], (word) => {
		const to = isString(word) ? undefined : names[nameOf(word)];
		return to === undefined ? word : word.startsWith('%') || !/^\d/.test(word) ? to : to.slice(1);
	});
}
