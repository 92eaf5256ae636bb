// Changes between texts of two compilations, as rows.

import { compare } from '../compiler/diff';
import type { Code, Side } from '../compiler/names';
import type { Row } from '../ui/rows';
import { editRows } from './diffRows';

/** The change between two texts that no pass connects; `origins` tells whether their lines count in the same source. */
export function changeRows(code: Code, before: Side, after: Side, origins: boolean): Row[] {
	const { edits, after: shown } = compare(code, before, after, { origins });
	// A line of the other source must not light lines of this one.
	return editRows(origins ? before : { ...before, lines: before.lines.map(() => 0) }, shown, edits);
}
