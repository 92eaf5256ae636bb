// What a visit fetches: every file at most once, packed, in the order in which it is needed, and no editor on a phone. The page's scripts
// have a budget. Other sizes are in `npm run bench`, and so is the time on a slow line.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import { serve } from '../web/serve.mjs';
import { browserFlags, patience, siteKept, slowDown } from './tools/browser.mjs';
import { needsPage, site, soon } from './tools/page.mjs';
import { browser } from './tools/setup.mjs';

test('the scripts that the page begins with have at most 60 kB, packed', needsPage, () => {
	const html = readFileSync(join(site, 'index.html'), 'utf8');
	const scripts = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, file]) => [file, gzipSync(readFileSync(join(site, file)), { level: 9 }).length]);
	assert.ok(scripts.length >= 3);
	const bytes = scripts.reduce((sum, [, size]) => sum + size, 0);
	assert.ok(bytes <= 60_000, `${bytes} bytes: ${scripts.map(([file, size]) => `${file} ${size}`).join(', ')}`);
});

describe('first visits', needsPage, () => {
	let engine, server, log;
	before(async () => {
		const { chromium } = await import('playwright-core');
		server = await serve({ root: site, log: (entry) => log.push(entry) });
		engine = await chromium.launch({ executablePath: browser(), args: browserFlags, timeout: patience });
	});
	after(async () => {
		await engine?.close();
		await server?.close();
	});

	/** A visit in a fresh profile. */
	async function visit(options) {
		log = [];
		const context = await engine.newContext(options), tab = await context.newPage();
		tab.setDefaultTimeout(patience);
		await slowDown(tab);
		await tab.goto(server.url);
		await tab.waitForSelector('[data-testid=status][data-state=ready]');
		return { context, tab };
	}
	const sent = () => log.filter((entry) => entry.status === 200).map((entry) => entry.path);
	const place = (pattern) => log.findIndex((entry) => pattern.test(entry.path));

	test('nothing comes twice, all is packed, the compiler comes before the editor, and the site is kept', async () => {
		const { context, tab } = await visit({ viewport: { width: 1440, height: 900 } });
		await siteKept(tab);
		const once = new Set(sent());
		assert.deepEqual(sent().filter((path, i, all) => all.indexOf(path) !== i), [], 'fetched twice');
		assert.ok(once.size <= 40, `${once.size} files`);
		const bytes = log.reduce((sum, entry) => sum + entry.bytes, 0);
		assert.ok(bytes < 1.9e6, `${bytes} bytes`);
		assert.ok(place(/\.wasm$/) >= 0 && place(/\.wasm$/) < place(/LlEditor-.*\.js$/), 'the compiler first');
		assert.ok(place(/offline-/) > place(/LlEditor-.*\.js$/), 'what is kept for later comes last');

		// Without a network: the page, the editor, a lesson's chunk and an example that was never opened.
		await context.setOffline(true);
		await tab.reload();
		await tab.waitForSelector('[data-testid=ir-editor] .monaco-editor .view-line');
		await tab.getByTestId('examples').selectOption('warp_vote');
		await tab.waitForFunction(() => /\.entry warp_vote/.test(document.querySelector('[data-testid=ptx]').textContent));
		await context.close();
	});

	test('a phone never fetches the editor', async () => {
		const { context, tab } = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
		await siteKept(tab, { editor: false });
		assert.deepEqual(sent().filter((path) => /LlEditor|codicon/.test(path)), []);
		await soon.equal(() => tab.locator('[data-testid=ir-editor] textarea').count(), 1);
		await context.close();
	});
});
