// How values of one text come to the names of another (names.ts has what names are).

import { Edit, namesOf, type Code, type Names, type Side } from './names';

/** The names that a line defines; of PTX, whose lines may define a name again, all that it has. */
function defined(code: Code, line: string): string[] {
	if (code === 'ptx' || /^define\b/.test(line))
		return namesOf(code, line);
	const left = code === 'llvm' ? /^\s*%\d+ = |^\d+:/.exec(line)?.[0] : /^\s*bb\.\d+|^[^=]*? = /.exec(line)?.[0];
	return left ? namesOf(code, left) : [];
}

/** The number behind the greatest one that a text has for each kind of name. */
export function freeNumbers(code: Code, text: readonly string[], free = new Map<string, number>()): Map<string, number> {
	for (const line of text)
		for (const name of namesOf(code, line)) {
			const [, kind, number] = /^(.*?)(\d+)$/.exec(name)!;
			free.set(kind!, Math.max(free.get(kind!) ?? 0, Number(number) + 1));
		}
	return free;
}

const opcode = (line: string) => / = (?:tail |musttail |notail )?(\S+)/.exec(line)?.[1] ?? '';

/** Pairs of lines that define the same thing: those that the diff has aligned, and changed ones of the same input line. */
function* pairs(before: Side, after: Side, edits: readonly number[]): Generator<[string, string]> {
	let b = 0, a = 0;
	for (let e = 0; e < edits.length;) {
		const removed: number[] = [], added: number[] = [];
		for (; e < edits.length && edits[e] !== Edit.Same; e += 2)
			for (let n = edits[e + 1]!; n > 0; n--)
				if (edits[e] === Edit.Removed)
					removed.push(b++);
				else
					added.push(a++);
		// Lines of other sources have no origin in common: as many for as many stand in each other's place.
		const inPlace = removed.length === added.length && [...removed.map((i) => before.lines[i]), ...added.map((j) => after.lines[j])].every((line) => line === 0);
		for (const [k, i] of removed.entries()) {
			if (inPlace) {
				yield [before.text[i]!, after.text[added[k]!]!];
				continue;
			}
			const of = (j: number) => before.lines[i] !== 0 && after.lines[j] === before.lines[i];
			let at = added.findIndex((j) => of(j) && opcode(after.text[j]!) === opcode(before.text[i]!));
			if (at < 0 && !removed.some((o) => o > i && before.lines[o] === before.lines[i]))
				at = added.findLastIndex(of);
			if (at >= 0)
				yield [before.text[i]!, after.text[added.splice(at, 1)[0]!]!];
		}
		if (e < edits.length)
			for (let n = edits[e + 1]!; n > 0; n--)
				yield [before.text[b++]!, after.text[a++]!];
		e += 2;
	}
}

/** Printed names and what is shown for them; one shown name stands for one value. */
export class Naming {
	#to = new Map<string, string>();
	#taken = new Set<string>();

	#give(printed: string, shown: string): void {
		if (this.#to.has(printed) || this.#taken.has(shown) || printed.replace(/\d+$/, '') !== shown.replace(/\d+$/, ''))
			return;
		this.#to.set(printed, shown);
		this.#taken.add(shown);
	}

	/** Values of `after` that lines of `before` define, too, get their names. */
	align(code: Code, before: Side, after: Side, edits: readonly number[]): void {
		for (const [was, is] of pairs(before, after, edits)) {
			const old = defined(code, was), now = defined(code, is);
			if (old.length === now.length)
				now.forEach((name, i) => this.#give(name, old[i]!));
		}
	}

	/** The others of a text get free ones; `free` goes on to later texts. */
	finish(code: Code, after: Side, free: Map<string, number>): void {
		// What no line of this text defines, as the block at a function's entry, is called the same everywhere.
		const definitions = new Set(after.text.flatMap((line) => defined(code, line)));
		for (const line of after.text)
			for (const name of namesOf(code, line)) {
				if (this.#to.has(name))
					continue;
				if (!definitions.has(name))
					this.#give(name, name);
				if (this.#to.has(name))
					continue;
				const kind = name.replace(/\d+$/, ''), number = free.get(kind) ?? 0;
				free.set(kind, number + 1);
				this.#give(name, `${kind}${number}`);
			}
	}

	get names(): Names { return Object.fromEntries([...this.#to].filter(([printed, shown]) => printed !== shown)); }
}

/** Names of `after` by those of `before`, whose text has the names that are shown already. */
export function renaming(code: Code, before: Side, after: Side, edits: readonly number[], free: Map<string, number>): Names {
	const naming = new Naming();
	naming.align(code, before, after, edits);
	naming.finish(code, after, free);
	return naming.names;
}
