// The built page in a real headless browser: a server and one Chromium for a test file, for every test a page as on a first visit. A new
// profile costs seconds (nothing is cached in it, nor compiled), so a page whose test is done is emptied and lent to the next one.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { serve } from '../../web/serve.mjs';
import { browserFlags, eventually, patience, slowDown } from './browser.mjs';
import { browser, root } from './setup.mjs';

export const site = join(root, 'build/web');
const lacking = !browser() ? 'chromium missing' : !existsSync(join(site, 'index.html')) ? 'build/web missing' : '';
/** The option of every test that needs the page. */
export const needsPage = lacking ? { skip: lacking } : {};

let running;
async function start() {
	const { chromium } = await import('playwright-core');
	// Under a sub-path, because the site must work anywhere.
	const server = await serve({ root: site, base: '/some/where/' });
	const engine = await chromium.launch({ executablePath: browser(), args: browserFlags, timeout: patience });
	return { server, engine };
}
after(async () => {
	if (!running)
		return;
	const { server, engine } = await running;
	await engine.close();
	await server.close();
});

/** Faults for the compiler to meet, at the border between its worker and the module: a source that names one gets it. */
const faults = `{
	const real = WebAssembly.instantiate;
	WebAssembly.instantiate = (module, imports) => {
		let memory;
		const { read } = imports.host;
		const host = { ...imports.host, read(path, size, error) {
			const at = read(path, size, error);
			const length = new DataView(memory.buffer).getUint32(size, true);
			const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
			if (text.includes('; fault: trap')) throw new WebAssembly.RuntimeError('unreachable');
			if (text.includes('; fault: hang')) for (;;);
			if (text.includes('; fault: die')) { self.postMessage = () => {}; self.close(); throw new Error('gone'); }
			if (text.includes('; fault: grow')) memory.grow(9000);
			return at;
		} };
		return real(module, { ...imports, host }).then((instance) => { memory = instance.exports.memory; return instance; });
	};
}
`;

/** Pages whose tests are done, by what cannot be changed afterwards. */
const idle = new Map();

/** A tab without storage, routes and history of a test; null where the last test's page cannot be reused. */
async function lent(key, viewport, colorScheme) {
	const tab = idle.get(key)?.pop();
	if (!tab)
		return null;
	await tab.setViewportSize(viewport);
	await tab.emulateMedia({ colorScheme });
	return tab;
}

async function takeBack(key, tab, url) {
	// A place of the site where nothing runs that would write again.
	await tab.goto(`${url}icon.svg`);
	await tab.evaluate(async () => {
		localStorage.clear();
		sessionStorage.clear();
		for (const name of await caches.keys())
			await caches.delete(name);
	});
	await tab.goto('about:blank');
	await tab.unrouteAll();
	tab.removeAllListeners();
	idle.set(key, [...idle.get(key) ?? [], tab]);
}

/**
 * assert's functions for what a page draws or computes in its own time, which is nearly everything: the first argument is a function,
 * asked until what it gives is right. `await soon.equal(() => page.id('pass').count(), 3)`.
 */
export const soon = Object.fromEntries(['ok', 'equal', 'notEqual', 'deepEqual', 'match', 'doesNotMatch'].map((name) => [name, (read, ...expected) =>
	eventually(async () => {
		assert[name](await read(), ...name === 'ok' && expected.length === 0 ? [`not so: ${read}`] : expected);
		return true;
	})]));

/** In the page: its limits of 20 s are meant for a machine that does nothing else. Tests leave more time, or what they set
 * `window.limitMs` to. */
function stretchLimits() {
	const { setTimeout } = window;
	window.setTimeout = (call, ms, ...rest) => setTimeout(call, ms === 20_000 ? window.limitMs ?? 120_000 : ms, ...rest);
}

export class Page {
	/** Errors in the console and requests to other places. */
	trouble = [];

	static async open({ fragment = '', query = '', width = 1440, height = 900, theme = 'light', faulty = false, offline = false, scale = 1, waitUntil = 'load', before, context } = {}) {
		const { server, engine } = await (running ??= start());
		const page = new Page();
		page.base = server.url;
		// What `before` does to a tab, and a service worker, would be there for the next test.
		page.key = before || offline || context ? '' : `${scale}`;
		const tab = page.key && await lent(page.key, { width, height }, theme);
		page.context = tab ? tab.context() : context ?? await engine.newContext({
			viewport: { width, height }, deviceScaleFactor: scale, colorScheme: theme,
			// It would answer before a test's own routes do.
			serviceWorkers: offline ? 'allow' : 'block',
		});
		page.tab = tab || await page.context.newPage();
		page.tab.setDefaultTimeout(patience);
		if (!tab) {
			await page.tab.addInitScript(stretchLimits);
			await slowDown(page.tab);
		}
		page.tab.on('pageerror', (error) => page.trouble.push(String(error)));
		page.tab.on('console', (line) => line.type() === 'error' && page.trouble.push(line.text()));
		page.tab.on('request', (request) => {
			if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(server.url))
				page.trouble.push(`asks for ${request.url()}`);
		});
		if (faulty)
			await page.tab.route('**/assets/worker-*.js', async (route) => {
				const response = await route.fetch();
				await route.fulfill({ response, body: faults + await response.text() });
			});
		if (before)
			await before(page);
		await page.tab.goto(`${server.url}${query}${fragment}`, { waitUntil });
		return page;
	}

	id(name) { return this.tab.getByTestId(name); }
	async settled() {
		await this.tab.waitForSelector('[data-testid=status]:is([data-state=ready], [data-state=error], [data-state=crashed])');
		return this.state();
	}
	state() { return this.id('status').getAttribute('data-state'); }
	async until(state) { await this.tab.waitForSelector(`[data-testid=status][data-state=${state}]`); }
	ptx() { return this.id('ptx').locator('pre').textContent(); }
	async editor() {
		const box = this.id('ir-editor');
		await this.tab.waitForSelector('[data-testid=ir-editor] :is(.monaco-editor .view-line)');
		return box;
	}

	/** Replaces the source as a user would: all selected, pasted over. */
	async replaceSource(text) {
		const box = await this.editor();
		await box.click();
		await this.tab.keyboard.press('Control+A');
		await this.tab.keyboard.insertText(text);
	}

	/** All knobs are listed: until somebody chooses, those that matter are, once they are known. */
	async allKnobs() { await this.tab.getByLabel('Which knobs').selectOption('all'); }

	/** Appends at the end. */
	async append(text) {
		const box = await this.editor();
		await box.click();
		await this.tab.keyboard.press('Control+End');
		await this.tab.keyboard.insertText(text);
	}

	/** Waits until the condition on the page holds; what it looks at need not be there yet. */
	waitFor(condition, argument) { return eventually(() => this.tab.evaluate(condition, argument), `never so: ${condition}`); }

	/** Waits until the address, which follows what is on screen, is a link that holds the text. */
	async addressHolds(text) {
		const held = () => {
			const [, packed] = /^#v1\.(.+)$/.exec(new URL(this.tab.url()).hash) ?? [];
			return packed && inflateRawSync(Buffer.from(packed, 'base64url')).includes(text);
		};
		await eventually(held, `the address never held ${text}`);
	}

	async close() {
		assert.deepEqual(this.trouble, [], 'the page had trouble');
		if (this.key && this.context.pages().length === 1)
			await takeBack(this.key, this.tab, this.base);
		else
			await this.context.close();
	}
}

/** Parts of the page that axe has found nothing in, as they look: another state has most of them unchanged. */
const clean = new Set();
const parts = 'header.top, section.ir, section.passes, section.view, section.ptx, section.panel, .dock';

/** axe's serious findings, as text. */
export async function accessibilityProblems(page) {
	const axe = (await import('axe-core')).default;
	if (!await page.tab.evaluate(() => 'axe' in globalThis))
		await page.tab.evaluate(axe.source);
	const looks = await page.tab.evaluate((selector) => [...document.querySelectorAll(selector)].map((e) => {
		const dialog = document.querySelector('dialog[open], [role=dialog]') ? 'behind' : '';
		return [document.documentElement.dataset.theme, innerWidth < 768 ? 'phone' : innerWidth <= 1200 ? 'narrow' : 'wide', dialog, e.scrollTop, e.outerHTML].join();
	}), parts);
	const violations = await page.tab.evaluate(async ([selector, skip]) => {
		const all = [...document.querySelectorAll(selector)];
		const result = await globalThis.axe.run({ exclude: all.filter((_, i) => skip[i]) }, { resultTypes: ['violations'] });
		return result.violations;
	}, [parts, looks.map((look) => clean.has(look))]);
	const found = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
		.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary?.split('\n')[1]?.trim() ?? ''}`));
	if (found.length === 0)
		looks.forEach((look) => clean.add(look));
	return found;
}
