// The page as its user feels it: in headless Chromium, from the served site, times by the page's own clock.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesFolder } from '../tools/ptxscope.mjs';
import { browser, root } from '../tools/setup.mjs';
import { median } from './measure.mjs';

const site = join(root, 'build/web');
const missing = !browser() ? 'chromium missing' : existsSync(join(site, 'index.html')) ? null : 'page not built';

/** Calls `use(tab, url)` with a fresh page of the site, not yet opened. */
async function withTab(use) {
	const { chromium } = await import('playwright-core');
	const { serve } = await import('../../web/serve.mjs');
	const { browserFlags } = await import('../tools/browser.mjs');
	const server = await serve({ root: site });
	const engine = await chromium.launch({ executablePath: browser(), args: browserFlags });
	try {
		return await use(await engine.newPage({ viewport: { width: 1440, height: 900 } }), server.url);
	} finally {
		await engine.close();
		await server.close();
	}
}

const ready = '[data-testid=status][data-state=ready]';
const percentile = (list, p) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * p))];

/** Milliseconds from navigation to the first PTX of the default kernel, each time with an empty cache. */
function firstPtx() {
	const one = () => withTab(async (tab, url) => {
		await tab.goto(url, { waitUntil: 'commit' });
		return (await tab.waitForFunction(() => /\.entry/.test(document.querySelector('[data-testid=ptx]')?.textContent ?? '')
			&& performance.now(), null, { polling: 'raf' })).jsonValue();
	});
	return repeat(5, one);
}

async function repeat(times, one) {
	const list = [];
	for (let i = 0; i < times; i++)
		list.push(await one());
	return list;
}

/** Milliseconds from a key that renames the kernel to PTX under the new name, debounce included. */
function keystrokes() {
	return withTab(async (tab, url) => {
		await tab.goto(url);
		await tab.waitForSelector(ready);
		const text = readFileSync(join(examplesFolder, 'saxpy.ll'), 'utf8');
		const line = text.split('\n').findIndex((content) => content.startsWith('define'));
		const column = text.split('\n')[line].indexOf('@saxpy') + '@saxpy'.length;
		await tab.locator('[data-testid=ir-editor] .view-line').first().click();
		await tab.keyboard.press('Control+Home');
		for (let i = 0; i < line; i++)
			await tab.keyboard.press('ArrowDown');
		await tab.keyboard.press('Home');
		for (let i = 0; i < column; i++)
			await tab.keyboard.press('ArrowRight');
		await tab.evaluate(() => addEventListener('keydown', () => { window.pressed = performance.now(); }, true));
		let name = 'saxpy';
		return repeat(30, async () => {
			const key = 'abcdefghij'[name.length % 10];
			name += key;
			await tab.keyboard.press(key);
			const took = await tab.waitForFunction((entry) => document.querySelector('[data-testid=ptx]').textContent.includes(entry)
				&& performance.now() - window.pressed, `.entry ${name}(`, { polling: 'raf' });
			return took.jsonValue();
		});
	});
}

/** Milliseconds from the click on a pass to its diff on screen. */
function passSwitch() {
	return withTab(async (tab, url) => {
		await tab.goto(url);
		await tab.waitForSelector(ready);
		return tab.evaluate(async () => {
			const passes = [...document.querySelectorAll('[data-testid=pass]')].slice(0, 20);
			const took = [];
			for (const pass of passes) {
				const from = performance.now();
				(pass.querySelector('button') ?? pass).click();
				// The frame after the one in which the new diff was drawn.
				await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
				took.push(performance.now() - from);
			}
			return took;
		});
	});
}

let keys;
const keyTimes = () => keys ??= keystrokes();

const row = (name, most, unit, measure) => ({ name, unit, budget: { most }, missing, measure });

export const pageRows = [
	row('page: navigation to PTX', 800, ' ms', async () => ({ value: median(await firstPtx()), text: 'median of 5, empty cache' })),
	row('page: keystroke to PTX, half of them', 150, ' ms', async () => ({ value: median(await keyTimes()) })),
	row('page: keystroke to PTX, 95 of 100', 300, ' ms', async () => ({ value: percentile(await keyTimes(), 0.95) })),
	row('page: pass switch', 50, ' ms', async () => {
		const list = await passSwitch();
		return { value: percentile(list, 0.95), text: `95 of 100, ${list.length} passes` };
	}),
];
