// The rows of tests/behaviours.md and the tests that stand for them: a test bears the ids of its rows in its name,
// as IPMSP-02 or IPMSP_02; a text test in a line "; ROWS: EMIT-37, EMIT-39".

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

export const rows = [...readFileSync(join(root, 'tests/behaviours.md'), 'utf8').matchAll(/^- \*\*([A-Z0-9]+-\d\d)\*\*/gm)]
	.map(([, id]) => id);

const groups = new Set(rows.map((id) => id.split('-')[0]));

/** The ids in a test's name, known or not, in the form GROUP-NN. */
export function rowsInName(name) {
	return [...name.matchAll(/(?<![A-Za-z0-9])([A-Z0-9]+)[-_](\d\d)(?!\d)/g)]
		.filter(([, group]) => groups.has(group)).map(([, group, number]) => `${group}-${number}`);
}

/** The ids that the text of a text test names, or []. */
export function rowsInText(text) {
	return [...text.matchAll(/^\W*ROWS:(.*)$/gm)].flatMap(([, list]) => list.split(',').map((id) => id.trim()));
}

/**
 * tests: [{ name, status: 'passed' | 'failed' | 'skipped' }]. A row passes when a test that names it passed and none failed.
 * Returns { unknown: ids no row has, passing, line: the summary }.
 */
export function countRows(tests) {
	const outcomes = new Map();
	for (const { name, status } of tests)
		for (const id of rowsInName(name))
			outcomes.set(id, (outcomes.get(id) ?? new Set()).add(status));
	const passes = (id) => outcomes.get(id)?.has('passed') && !outcomes.get(id).has('failed');
	const passing = rows.filter(passes);
	const share = [...groups].map((group) => {
		const of = rows.filter((id) => id.startsWith(`${group}-`));
		return { group, done: of.filter(passes).length, all: of.length };
	}).filter(({ done }) => done);
	return {
		passing,
		unknown: [...outcomes.keys()].filter((id) => !rows.includes(id)),
		line: `${passing.length} of ${rows.length} behaviour rows pass: ${share.map(({ group, done, all }) => `${group} ${done}/${all}`).join(', ')}`,
	};
}
