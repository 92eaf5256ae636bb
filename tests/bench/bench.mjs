// `npm run bench`: what is promised about speed and size, as ratios and sizes measured now, against their budgets.
//   npm run bench -- WORD…    only the rows whose name contains one of the words
// Ends with status 1 where a budget is broken.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../tools/build.mjs';
import { ensureNpm, root } from '../tools/setup.mjs';
import { compileRows } from './compile.mjs';
import { emulatorRows } from './emulator.mjs';
import { pageRows } from './page.mjs';
import { shapeRows } from './shapes.mjs';
import { sizeRows } from './size.mjs';

const words = process.argv.slice(2);
const wanted = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));

async function prepare() {
	const npm = ensureNpm((line) => console.log(`# ${line}`));
	if (npm)
		console.log(npm);
	for (const part of ['native', 'wasm', 'web']) {
		const failure = await build(part, { strict: false });
		if (failure)
			console.log(`# the build of ${part} failed${existsSync(join(root, 'build', part)) ? ': what was built before is measured' : ''}`);
	}
}

/** A row is { name, budget, missing, measure() → { value, text } } where budget is { least } or { most } in the row's unit. */
async function run(row) {
	const round = (value) => Number(value.toFixed(2));
	const limit = row.budget.least !== undefined ? `≥ ${round(row.budget.least)}${row.unit}` : `≤ ${round(row.budget.most)}${row.unit}`;
	if (row.missing)
		return { name: row.name, limit, measured: `skipped: ${row.missing}`, verdict: '-' };
	try {
		const { value, text = '' } = await row.measure();
		const good = row.budget.least !== undefined ? value >= row.budget.least : value <= row.budget.most;
		const shown = value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
		return { name: row.name, limit, measured: `${shown}${row.unit}${text && `  (${text})`}`, verdict: good ? 'ok' : 'BROKEN' };
	} catch (error) {
		return { name: row.name, limit, measured: error.message.split('\n')[0], verdict: 'BROKEN' };
	}
}

await prepare();
const rows = [...compileRows, ...shapeRows, ...emulatorRows, ...sizeRows, ...pageRows].filter(wanted);
const width = Math.max(...rows.map(({ name }) => name.length), 4);
console.log(`${'what'.padEnd(width)}  ${'budget'.padEnd(24)}  verdict  measured`);
let broken = 0;
for (const row of rows) {
	const { name, limit, measured, verdict } = await run(row);
	broken += verdict === 'BROKEN';
	console.log(`${name.padEnd(width)}  ${limit.padEnd(24)}  ${verdict.padEnd(7)}  ${measured}`);
}
process.exitCode = broken ? 1 : 0;
