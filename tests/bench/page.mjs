// The page as its user feels it: in headless Chromium, from the served site, times by the page's own clock.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { examplesFolder } from '../tools/ptxscope.mjs';
import { siteKept } from '../tools/browser.mjs';
import { browser, root } from '../tools/setup.mjs';
import { median } from './measure.mjs';

const site = join(root, 'build/web');
const missing = !browser() ? 'chromium missing' : existsSync(join(site, 'index.html')) ? null : 'page not built';

/** Calls `use(tab, url)` with a fresh page of the site, not yet opened. */
async function withTab(use, options = {}, serving = {}) {
	const { chromium } = await import('playwright-core');
	const { serve } = await import('../../web/serve.mjs');
	const { browserFlags } = await import('../tools/browser.mjs');
	const server = await serve({ root: site, ...serving });
	const engine = await chromium.launch({ executablePath: browser(), args: browserFlags });
	try {
		return await use(await engine.newPage({ viewport: { width: 1440, height: 900 }, ...options }), server.url);
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
		list.push(await one(i));
	return list;
}

/** Milliseconds from a key that renames the kernel to PTX under the new name, debounce included. */
function keystrokes() {
	return withTab(async (tab, url) => {
		await tab.goto(url);
		await tab.waitForSelector(ready);
		// Named once, so that every key leaves a kernel that compiles.
		const text = readFileSync(join(examplesFolder, 'saxpy.ll'), 'utf8')
			.replace('define dso_local void', 'define dso_local ptx_kernel void').replace(/^!nvvm\.annotations.*\n/m, '').replace(/^(!\d+ = )!\{ptr @saxpy,.*$/m, '$1!{}');
		const line = text.split('\n').findIndex((content) => content.startsWith('define'));
		const column = text.split('\n')[line].indexOf('@saxpy') + '@saxpy'.length;
		await tab.locator('[data-testid=ir-editor] .view-line').first().click();
		await tab.keyboard.press('Control+A');
		await tab.keyboard.insertText(text);
		await tab.waitForFunction(() => document.querySelector('[data-testid=examples]').value === '');
		await tab.waitForSelector(ready);
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

/** From a key that renames a kernel in CUDA C++ to PTX under the new name, against what clang's worker takes for it: the ratios. */
function cudaKeystrokes() {
	return withTab(async (tab, url) => {
		await tab.addInitScript(() => {
			const post = Worker.prototype.postMessage;
			Worker.prototype.postMessage = function (message, ...rest) {
				if (message?.kind === 'translate') {
					const from = performance.now();
					this.addEventListener('message', ({ data }) => {
						if (data.kind === 'done' && data.id === message.id)
							window.clangAlone = performance.now() - from;
					});
				}
				return post.call(this, message, ...rest);
			};
		});
		await tab.goto(url);
		await tab.waitForSelector(ready);
		await tab.locator('[data-testid=ir-editor] .view-line').first().click();
		await tab.keyboard.press('Control+A');
		await tab.keyboard.insertText(`#define NAME k\n${readFileSync(join(examplesFolder, 'matmul_tiled.cu'), 'utf8').replaceAll('matmul_tiled(', 'NAME(')}`);
		const shown = (entry) => document.querySelector('[data-testid=ptx]')?.textContent.includes(entry) && performance.now();
		await tab.waitForFunction(shown, '.entry k(', { polling: 'raf', timeout: 120_000 });
		await tab.keyboard.press('Control+Home');
		await tab.keyboard.press('End');
		await tab.evaluate(() => addEventListener('keydown', () => { window.pressed = performance.now(); }, true));
		let name = 'k';
		return repeat(10, async () => {
			name += 'e';
			await tab.keyboard.press('e');
			const at = await (await tab.waitForFunction(shown, `.entry ${name}(`, { polling: 'raf' })).jsonValue();
			return tab.evaluate((done) => (done - window.pressed) / window.clangAlone, at);
		});
	});
}

/** Milliseconds from the click on a pass to its diff on screen. */
function passSwitch() {
	return withTab(async (tab, url) => {
		await tab.goto(url);
		await tab.waitForSelector(ready);
		return tab.evaluate(switchAll);
	});
}

/** In the page: clicks one listed pass after the other. */
async function switchAll() {
	const passes = [...document.querySelectorAll('[data-testid=pass]')].slice(0, 20);
	const took = [];
	for (const pass of passes) {
		const from = performance.now();
		pass.click();
		// The frame after the one in which the new diff was drawn.
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		took.push(performance.now() - from);
	}
	return took;
}

/** The same for a kernel whose passes leave more than 1,000 lines. */
function longPassSwitch() {
	return withTab(async (tab, url) => {
		await tab.goto(url);
		await tab.waitForSelector(ready);
		await tab.getByTestId('examples').selectOption('matmul_regblock');
		await tab.waitForFunction(() => /entry matmul_regblock/.test(document.querySelector('[data-testid=ptx]').textContent));
		await tab.waitForSelector(ready);
		return tab.evaluate(switchAll);
	});
}

/** Milliseconds from a trap to the worker that takes its place, ready to compile. */
function replaced() {
	return withTab(async (tab, url) => {
		await tab.route('**/assets/worker-*.js', async (route) => {
			const response = await route.fetch();
			const fault = `{ const real = WebAssembly.instantiate; WebAssembly.instantiate = (m, i) => { let memory; const { read } = i.host;
				return real(m, { ...i, host: { ...i.host, read(p, size, e) { const at = read(p, size, e);
					if (new TextDecoder().decode(new Uint8Array(memory.buffer, at, new DataView(memory.buffer).getUint32(size, true))).includes('; trap'))
						throw new WebAssembly.RuntimeError('unreachable');
					return at; } } }).then((instance) => { memory = instance.exports.memory; return instance; }); }; }\n`;
			await route.fulfill({ response, body: fault + await response.text() });
		});
		await tab.goto(url);
		await tab.waitForSelector(ready);
		return repeat(7, async (i) => {
			await tab.locator('[data-testid=ir-editor] .view-line').first().click();
			await tab.keyboard.press('Control+A');
			await tab.keyboard.insertText(`; trap ${i}\ndefine void @f() {\n  ret void\n}\n`);
			const banner = await tab.waitForFunction((text) => {
				const said = document.querySelector('[data-banner=crash]')?.textContent;
				return document.querySelector('[data-testid=ir-editor]').textContent.includes(text) && /restarted \((\d+) ms\)/.exec(said)?.[1];
			}, `trap\u00a0${i}`);
			const took = Number(await banner.jsonValue());
			await tab.locator('[data-banner=crash] .close').click();
			await tab.waitForFunction(() => !document.querySelector('[data-banner=crash]'));
			return took;
		});
		// A service worker would answer in the place of the route.
	}, { serviceWorkers: 'block' });
}

/** Characters of the link that holds 6,325 characters of a kernel. */
function linkLength() {
	return withTab(async (tab, url) => {
		await tab.goto(url);
		await tab.waitForSelector(ready);
		const kernel = readFileSync(join(examplesFolder, 'stencil1d.ll'), 'utf8').slice(0, 6325);
		await tab.locator('[data-testid=ir-editor] .view-line').first().click();
		await tab.keyboard.press('Control+A');
		await tab.keyboard.insertText(kernel);
		await tab.waitForFunction(() => document.querySelector('[data-testid=examples]').value === '');
		await tab.getByTestId('share').click();
		await tab.waitForSelector('[data-testid=status][data-link]');
		const link = await tab.getByTestId('status').getAttribute('data-link');
		return link.slice(link.indexOf('#')).length;
	});
}

/** Milliseconds on a line of 1.6 Mbit/s with 75 ms to the server: to the PTX, and until the compiler is there. The server keeps the
 * pace for all connections together, as the browser's own emulation knows neither workers nor the service worker. */
function slowLine() {
	const bytesPerMs = 1.6e6 / 8 / 1000, delay = 75;
	let free = 0, bytes = 0, files = 0;
	const pace = (response) => {
		const line = new Transform({
			transform(piece, _, done) {
				const now = performance.now();
				free = Math.max(free, now + delay) + piece.length / bytesPerMs;
				setTimeout(() => done(null, piece), free - now);
			},
			readableHighWaterMark: 4096, writableHighWaterMark: 4096,
		});
		line.pipe(response);
		return line;
	};
	const log = (entry) => {
		bytes += entry.bytes;
		files++;
	};
	return withTab(async (tab, url) => {
		await tab.goto(url, { waitUntil: 'commit' });
		const at = async (condition, argument) => (await tab.waitForFunction(condition, argument, { polling: 'raf' })).jsonValue();
		const ptx = await at(() => /\.entry/.test(document.querySelector('[data-testid=ptx]')?.textContent ?? '') && performance.now());
		const compiler = await at((selector) => document.querySelector(selector) && performance.now(), ready);
		await siteKept(tab);
		return { ptx, compiler, bytes, files };
	}, {}, { pace, log });
}

let slow;
const slowTimes = () => slow ??= slowLine();

let keys;
const keyTimes = () => keys ??= keystrokes();

const row = (name, most, unit, measure) => ({ name, unit, budget: { most }, missing, measure });

export const pageRows = [
	row('page: navigation to PTX', 800, ' ms', async () => ({ value: median(await firstPtx()), text: 'median of 5, empty cache' })),
	row('page: PTX at 1.6 Mbit/s', 2000, ' ms', async () => ({ value: (await slowTimes()).ptx })),
	row('page: compiler at 1.6 Mbit/s', 6000, ' ms', async () => ({ value: (await slowTimes()).compiler })),
	row('page: first visit, all of it', 1900, ' kB', async () => {
		const { bytes, files } = await slowTimes();
		return { value: bytes / 1000, text: `${files} requests, kept for offline use` };
	}),
	row('page: keystroke to PTX, half of them', 150, ' ms', async () => ({ value: median(await keyTimes()) })),
	row('page: keystroke to PTX, 95 of 100', 300, ' ms', async () => ({ value: percentile(await keyTimes(), 0.95) })),
	row('page: CUDA C++, keystroke to PTX against clang alone', 1.3, ' ×', async () => ({ value: median(await cudaKeystrokes()), text: 'median of 10' })),
	row('page: pass switch', 50, ' ms', async () => {
		const list = await passSwitch();
		return { value: percentile(list, 0.95), text: `95 of 100, ${list.length} passes` };
	}),
	row('page: pass switch, 1,000 lines and more', 50, ' ms', async () => {
		const list = await longPassSwitch();
		return { value: median(list), text: `median of ${list.length} passes` };
	}),
	row('page: worker replaced after a trap', 100, ' ms', async () => ({ value: median(await replaced()), text: 'median of 7' })),
	row('page: link of a 6.3 KB kernel', 2200, ' characters', async () => ({ value: await linkLength() })),
];
