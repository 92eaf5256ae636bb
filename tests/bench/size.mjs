// Sizes of what a visitor downloads, gzipped.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wasm } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';
import { gzipped } from './measure.mjs';

const site = join(root, 'build/web');
const index = join(site, 'index.html');
const kb = (bytes) => bytes / 1000;

/** The scripts that the page loads before anything is asked for: those of index.html and what they import at once. */
function firstLoad() {
	const html = readFileSync(index, 'utf8');
	return closure([...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+\.m?js)"/g)].map(([, path]) => join(site, path)));
}

/** Files with all that they import at once. */
function closure(queue) {
	const seen = new Set();
	while (queue.length) {
		const file = queue.pop();
		if (seen.has(file) || !existsSync(file))
			continue;
		seen.add(file);
		// import"./a.js", import{b}from"./b.js", export{c}from"./c.js"; not import("./later.js")
		for (const [, path] of readFileSync(file, 'utf8').matchAll(/\b(?:import|from)\s*["']([^"']+\.m?js)["']/g))
			queue.push(join(dirname(file), path));
	}
	return [...seen];
}

/** With the editor and the workers, which come by themselves; not what a tab or a dialog brings when it is opened. */
function mainView() {
	const early = firstLoad();
	return [...new Set([...early, ...closure(files(site).filter((file) => /\/(?:LlEditor|worker|editor\.worker)-[^/]*\.js$/.test(file)))])];
}

const files = (folder) => readdirSync(folder, { withFileTypes: true, recursive: true })
	.filter((entry) => entry.isFile()).map((entry) => join(entry.path, entry.name));

export const sizeRows = [
	{
		name: 'ptxscope.wasm, gzipped', unit: ' kB', budget: { most: 800 }, missing: existsSync(wasm) ? null : 'not built',
		measure: () => ({ value: kb(gzipped(wasm)) }),
	},
	{
		name: 'first-load JavaScript, gzipped', unit: ' kB', budget: { most: 60 }, missing: existsSync(index) ? null : 'page not built',
		measure: () => {
			const list = firstLoad();
			return { value: kb(list.reduce((sum, file) => sum + gzipped(file), 0)), text: `${list.length} files` };
		},
	},
	{
		name: 'JavaScript of the main view, gzipped', unit: ' kB', budget: { most: 1000 }, missing: existsSync(index) ? null : 'page not built',
		measure: () => {
			const list = mainView();
			return { value: kb(list.reduce((sum, file) => sum + gzipped(file), 0)), text: `${list.length} files` };
		},
	},
	{
		name: 'all JavaScript of the page, gzipped', unit: ' kB', budget: { most: 1000 }, missing: existsSync(index) ? null : 'page not built',
		measure: () => {
			const list = files(site).filter((file) => /\.m?js$/.test(file));
			return { value: kb(list.reduce((sum, file) => sum + gzipped(file), 0)), text: `${list.length} files` };
		},
	},
];
