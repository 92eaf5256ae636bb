// Takes the pictures of the documents anew: `node tests/tools/screenshots.mjs [WORD…]`, all or those whose file names contain a word. The
// page has to be built. Look at what comes out.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { Page } from './page.mjs';
import { root } from './setup.mjs';

const folder = join(root, 'web/screenshots');
const linkOf = (state) => `#v1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
const words = process.argv.slice(2);

const run = async (page) => {
	await page.tab.getByRole('tab', { name: 'Run' }).click();
	await page.tab.locator('.run .primary').click();
	await page.id('run-result').waitFor();
};
const checked = (page) => page.waitFor(() => /✓/.test(document.querySelector('[data-testid=checked]')?.textContent));

/** One family of passes: the list and what one of them did. */
const pass = (name, example, view, more = {}) => [`passes/${name}`, { state: { example, ...more, view }, height: 760, clip: ['.passes', '.column.right'] }];

const pictures = {
	'page-light': { state: { example: 'saxpy.cu', view: { pass: 'nvptx-isel', fn: 'saxpy' } }, prepare: async (page) => {
		// The first translation loads clang; the time on screen is to be that of another.
		for (const level of ['2', '3']) {
			await page.id('level').selectOption(level);
			await page.waitFor((word) => document.querySelector('[data-testid=status]').dataset.state === 'ready' && document.querySelector('.command').textContent.includes(word), `-O${level}`);
		}
		await checked(page);
		await run(page);
	} },
	'page-dark': { theme: 'dark', state: { example: 'collatz', view: { pass: 'branch-folder', fn: 'collatz', tab: 'cfg' } }, prepare: async (page) => { await checked(page); await run(page); } },
	'value': { state: { lesson: { id: '01-first-kernel', step: 6, go: true } }, prepare: async (page) => {
		await page.tab.waitForSelector('[data-testid=lesson] .show[aria-current]');
		await page.id('value-path').waitFor();
		// The product has no register; the sum that it was folded into has.
		await page.id('value-path').getByRole('button', { name: '%18', exact: true }).click();
	} },
	'stepping': { state: { example: 'collatz', view: { panel: 'run' } }, prepare: async (page) => {
		await page.tab.getByRole('button', { name: 'Step through' }).click();
		await page.tab.waitForSelector('.stepping');
		for (let i = 0; i < 36; i++)
			await page.tab.locator('.debug-tools button', { hasText: /^Step$/ }).click();
	} },
	'puzzle': { state: { lesson: { id: '09-dot', go: true } }, prepare: async (page) => {
		await page.tab.waitForSelector('[data-testid=lesson] .task');
		await page.waitFor(() => /entry dot/.test(document.querySelector('[data-testid=ptx]').textContent));
		await page.id('task').getByRole('button', { name: 'Check it' }).click();
		await page.tab.waitForSelector('.goals .bad, .goals .good');
	} },
	'own-pass': { state: { lesson: { id: 'pass-3-strength', go: true } }, prepare: async (page) => {
		await page.id('own-pass').waitFor();
		await page.waitFor(() => /mul\.lo/.test(document.querySelector('[data-testid=ptx]').textContent));
		const { passes } = await import('../puzzles/solutions.mjs');
		await page.tab.getByLabel('Code of the pass, JavaScript').fill(passes['pass-3-strength'].code);
		await page.id('task').getByRole('button', { name: 'Check it' }).click();
		await page.id('task').locator('[role=status].good').waitFor();
	} },
	'phone': { width: 390, height: 800, scale: 1.5, state: { example: 'reduce_shared', view: { pass: 'nvptx-isel' } }, prepare: async (page) => { await page.tab.getByRole('tab', { name: 'PTX', exact: true }).click(); } },
	...Object.fromEntries([
		pass('address-spaces', 'generic_as', { pass: 'infer-address-spaces' }),
		pass('cssa', 'lessons/swap', { pass: 'cssa', fn: 'swap' }),
		pass('selection', 'saxpy', { pass: 'nvptx-isel', fn: 'saxpy' }),
		pass('images', 'tex_surf', { pass: 'nvptx-isel' }),
		pass('clean-up', 'generic_conflict', { pass: 'machineir-peepholes' }),
		pass('redundancy', 'floyd_warshall', { pass: 'machine-cse' }),
		pass('coalescing', 'swap_loop', { pass: 'register-coalescer' }),
		pass('allocation', 'lessons/budget', { pass: 'greedy', tab: 'pressure' }, { knobs: { maxreg: 6 } }),
		pass('pipelining', 'lessons/pipelined', { pass: 'machine-pipeliner' }, { knobs: { 'enable-pipeliner': true } }),
		pass('placement', 'lessons/placement', { pass: 'block-placement', tab: 'cfg' }, { knobs: { 'enable-block-placement': true } }),
		pass('frame', 'local_array', { pass: 'prologepilog' }),
	]),
};

/** What surrounds elements. */
async function around(tab, selectors) {
	const boxes = await Promise.all(selectors.map((s) => tab.locator(s).first().boundingBox()));
	const x = Math.min(...boxes.map((b) => b.x)), y = Math.min(...boxes.map((b) => b.y));
	return { x, y, width: Math.max(...boxes.map((b) => b.x + b.width)) - x, height: Math.max(...boxes.map((b) => b.y + b.height)) - y };
}

for (const [name, { state, prepare, clip, theme = 'light', width = 1440, height = 900, scale = 1 }] of Object.entries(pictures))
	if (words.length === 0 || words.some((word) => name.includes(word)))
		test(name, async () => {
			const page = await Page.open({ fragment: linkOf(state), width, height, theme, scale });
			await page.settled();
			await page.tab.waitForSelector('[data-testid=status][data-state=ready]');
			if (prepare)
				await prepare(page);
			// Nothing is under way, and the pointer is nowhere.
			await page.tab.mouse.move(2, 2);
			await page.tab.waitForTimeout(1800);
			const path = join(folder, `${name}.png`);
			mkdirSync(dirname(path), { recursive: true });
			await page.tab.screenshot({ path, ...(clip && { clip: await around(page.tab, clip) }) });
			await page.close();
		});
