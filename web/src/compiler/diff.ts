// How a pass changed a text, line by line. First lines are aligned that come from the same input line and read the same but for the
// numbers of unnamed values; from these follows one name for each value (names.ts). Under those names a line that still reads
// otherwise has changed, and renumbering has not changed anything.

import { diffArrays } from 'diff/lib/diff/array.js';
import type { Trace } from '@ptxscope/core';
import { comparable, Edit, rename, type Code, type Names, type Side } from './names';
import { freeNumbers, Naming, renaming } from './naming';

export interface Change {
	/** Index into `trace.passes` of the run whose text is "before", or -1 for none. */
	before: number;
	/** Runs of equal edits: kind, length, … */
	edits: number[];
	added: number;
	removed: number;
	/** The text before is of another level (IR → DAG → MIR): shown side by side, not diffed. */
	crossing: boolean;
	/** What the values of this text are called on screen, where that is not their printed name. */
	names: Names;
}

/** Comments say what the code says: who precedes a block, what an attribute group holds. */
const bare = (line: string) => line.replace(/\s*(?:;|\/\/).*$/, '').trim();
const unnumbered = (line: string) => bare(line).replace(/^\d+:/, '#:').replace(/([%!$]|bb\.|BB|%[a-z]+)\d+(?:_\d+)?/g, '$1#');
const keys = (side: Side) => side.text.map((line, i) => `${side.lines[i]}:${unnumbered(line)}`);
/** The same where blocks of machine code keep their numbers: the origin of a block's label is that of its first instruction, which may change. */
const blockKeys = (side: Side) => keys(side).map((key, i) => /^\s*bb\.\d/.test(side.text[i]!) ? bare(side.text[i]!) : key);

/** Past this many edits two texts count as rewritten. */
const maxEdits = 4000;

function aligned(before: readonly string[], after: readonly string[]): number[] {
	const edits: number[] = [];
	const parts = diffArrays([...before], [...after], { maxEditLength: maxEdits });
	if (!parts)
		return [Edit.Removed, before.length, Edit.Added, after.length];
	for (const part of parts)
		edits.push(part.added ? Edit.Added : part.removed ? Edit.Removed : Edit.Same, part.value.length);
	return edits;
}

/** The edits with those pairs taken for changes that read otherwise under the names shown. */
function strict(before: readonly string[], after: readonly string[], edits: readonly number[]): number[] {
	const result: number[] = [];
	let b = 0, a = 0, removed = 0, added = 0;
	const put = (kind: Edit, count: number) => count > 0 && result.push(kind, count);
	const flush = () => {
		put(Edit.Removed, removed);
		put(Edit.Added, added);
		removed = added = 0;
	};
	for (let k = 0; k < edits.length; k += 2) {
		let count = edits[k + 1]!;
		if (edits[k] === Edit.Removed) {
			removed += count;
			b += count;
		} else if (edits[k] === Edit.Added) {
			added += count;
			a += count;
		} else {
			for (let same = 0; count >= 0; count--) {
				const equal = count > 0 && bare(before[b]!) === bare(after[a]!);
				if (equal) {
					if (same++ === 0)
						flush();
				} else {
					put(Edit.Same, same);
					same = 0;
					if (count > 0) {
						removed++;
						added++;
					}
				}
				if (count > 0) {
					b++;
					a++;
				}
			}
		}
	}
	flush();
	return result;
}

/** Of texts of different sources the lines' origins mean nothing to each other. */
const withOrigins = (side: Side, origins: boolean) => origins ? side : { ...side, lines: side.lines.map(() => 0) };

/** Lines that come from the same input line, or are of the same shape, whatever their values are called. */
function alike(before: Side, after: Side, origins: boolean, renames = true): number[] {
	const keysOf = (side: Side) => !origins ? side.text.map(unnumbered) : renames ? keys(side) : blockKeys(side);
	return aligned(keysOf(before), keysOf(after));
}

/** One name for each value of B in all its texts: that of A's value where the texts of any stage show that they are the same. */
export function namesAcross(stages: readonly { code: Code; a: Side; b: Side }[], origins: boolean): ReadonlyMap<Code, Names> {
	const all = new Map<Code, Naming>(), free = new Map<Code, Map<string, number>>();
	for (const { code, a, b } of stages) {
		if (!all.has(code))
			all.set(code, new Naming());
		free.set(code, freeNumbers(code, a.text, free.get(code)));
		all.get(code)!.align(code, withOrigins(a, origins), withOrigins(b, origins), alike(a, b, origins));
	}
	for (const { code, b } of stages)
		all.get(code)!.finish(code, b, free.get(code)!);
	return new Map([...all].map(([code, naming]) => [code, naming.names]));
}

/** Names and edits between any two texts; `before` has the names that are shown, and `known` are those of `after`, if they are. */
export function compare(
	code: Code, before: Side, after: Side, { renames = true, origins = true, free = freeNumbers(code, before.text), known }: { renames?: boolean; origins?: boolean; free?: Map<string, number>; known?: Names } = {},
): { names: Names; edits: number[]; after: Side } {
	const first = alike(before, after, origins, renames);
	const names = known ?? (renames ? renaming(code, withOrigins(before, origins), withOrigins(after, origins), first, free) : {});
	const shown = { ...after, text: after.text.map((line) => rename(code, line, names)) };
	return { names, edits: strict(before.text, shown.text, first), after: shown };
}

const sum = (edits: readonly number[], kind: Edit) => {
	let total = 0;
	for (let k = 0; k < edits.length; k += 2)
		if (edits[k] === kind)
			total += edits[k + 1]!;
	return total;
};

/** Every run's change of its function's text. */
export function changesOf(trace: Trace, levelOf: (id: string) => string | undefined): (Change | null)[] {
	/** What was left last, by function ('' is the module outside its functions), under the names shown. */
	const latest = new Map<string, { index: number; side: Side; free: Map<string, number>; names: Names }>();
	return trace.passes.map((run, index) => {
		if (run.text === null)
			return null;
		const last = latest.get(run.function), previous = last && trace.passes[last.index]!;
		if (last && previous!.text === run.text) {
			last.index = index;
			return null;
		}
		const level = run.level ?? levelOf(run.id), was = previous && (previous.level ?? levelOf(previous.id));
		const side = comparable(trace.texts[run.text] ?? '', run.lines);
		const code: Code = level === 'ir' ? 'llvm' : 'mir';
		if (!last || level !== was) {
			latest.set(run.function, { index, side, free: freeNumbers(code, side.text), names: {} });
			return last ? { before: last.index, edits: [], added: 0, removed: 0, crossing: true, names: {} } : null;
		}
		// A virtual register keeps its number from pass to pass.
		const { edits, names, after } = compare(code, last.side, side, { renames: code === 'llvm', free: last.free });
		latest.set(run.function, { index, side: after, free: last.free, names });
		return { before: last.index, edits, added: sum(edits, Edit.Added), removed: sum(edits, Edit.Removed), crossing: false, names };
	});
}
