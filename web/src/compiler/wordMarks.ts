// What differs between two versions of a line.

import { diffArrays } from 'diff/lib/diff/array.js';

/** Lines are alike where this part of their words is common. */
const alike = 0.5;

/** Ranges in which two versions of a line differ, at word borders; none where the lines have little in common. */
export function wordMarks(before: string, after: string): [[number, number][], [number, number][]] {
	const split = (line: string) => line.match(/[%@$!]?[\w.-]+|\s+|./g) ?? [];
	const a = split(before), b = split(after);
	if (a.length > 200 || b.length > 200)
		return [[], []];
	const left: [number, number][] = [], right: [number, number][] = [];
	let i = 0, j = 0, common = 0;
	const words = (list: readonly string[]) => list.filter((w) => /\w/.test(w)).length;
	for (const part of diffArrays(a, b)) {
		const length = part.value.reduce((n, w) => n + w.length, 0);
		if (part.removed) {
			left.push([i, i + length]);
			i += length;
		} else if (part.added) {
			right.push([j, j + length]);
			j += length;
		} else {
			common += words(part.value);
			i += length;
			j += length;
		}
	}
	return common >= alike * Math.max(words(a), words(b)) ? [left, right] : [[], []];
}
