// Changes between texts of two compilations, as rows.

import { compare } from '../compiler/diff';
import type { Code, Names, Side } from '../compiler/names';
import type { Row } from '../ui/rows';
import { editRows } from './diffRows';

/** The change between two texts that no pass connects; `origins` tells whether their lines count in the same source, `known` what values
 * of the later one are called where that is known. */
export function changeRows(code: Code, before: Side, after: Side, origins: boolean, known?: Names): Row[] {
	const { edits, after: shown } = compare(code, before, after, { origins, ...(known && { known }) });
	// A line of the other source must not light lines of this one.
	return editRows(origins ? before : { ...before, lines: before.lines.map(() => 0) }, shown, edits);
}
