// node tests/cuda/references.mjs [--check]: writes the launch file of every kernel in tests/cuda/kernels, with what it must give as the
// references compute it in JavaScript, in another way than the kernel does; or checks that the files are those.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kernels as parallel } from './reference-parallel.mjs';
import { kernels as programs } from './reference-programs.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'kernels');
const references = { ...parallel, ...programs };

/** One line for each buffer, so that a difference can be read. */
function textOf(launch) {
	const rows = (object) => `{\n${Object.entries(object).map(([name, v]) => `\t\t${JSON.stringify(name)}: ${JSON.stringify(v)}`).join(',\n')}\n\t}`;
	return `{\n${Object.entries(launch).map(([key, v]) => `\t${JSON.stringify(key)}: ${['buffers', 'expect', 'textures'].includes(key) ? rows(v) : JSON.stringify(v)}`).join(',\n')}\n}\n`;
}

/** Names of kernels without a reference, and of files that are not what the reference says. */
export function stale() {
	const names = readdirSync(folder).filter((file) => file.endsWith('.cu')).map((file) => file.slice(0, -3));
	return [...new Set([...names, ...Object.keys(references)])].filter((name) => {
		try {
			return readFileSync(join(folder, `${name}.launch.json`), 'utf8') !== textOf(references[name]()) || !names.includes(name);
		} catch {
			return true;
		}
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	if (!process.argv.includes('--check'))
		for (const [name, reference] of Object.entries(references))
			writeFileSync(join(folder, `${name}.launch.json`), textOf(reference()));
	const wrong = stale();
	if (wrong.length) {
		console.error(`without a reference, or not as it says: ${wrong.join(', ')}`);
		process.exitCode = 1;
	}
}
