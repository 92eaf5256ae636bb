// Everybody: three widths, two themes and high contrast, axe, the keyboard alone, a frame in another page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityProblems, needsPage, Page } from './tools/page.mjs';

for (const width of [1440, 1000, 390])
	test(`axe finds nothing serious: ${width} px, light and dark`, needsPage, async () => {
		const page = await Page.open({ width });
		await page.settled();
		if (width >= 768)
			await page.editor();
		for (const colorScheme of ['light', 'dark']) {
			await page.tab.emulateMedia({ colorScheme });
			await page.waitFor((name) => document.documentElement.dataset.theme === name, colorScheme);
			// The editor gives its words the new colours line by line, when it is idle: until then some have those of other words.
			let found = await accessibilityProblems(page);
			for (let tries = 0; tries < 10 && found.some((problem) => problem.includes('.mtk')); tries++)
				found = await accessibilityProblems(page);
			assert.deepEqual(found, [], colorScheme);
		}
		await page.close();
	});

const show = (name) => (page) => page.tab.getByRole('tab', { name }).first().click();
/** How each state is reached from the one before it, on one page. */
const states = {
	'a diff': async (page) => { await page.id('pass').nth(2).click(); },
	'control flow': async (page) => { await show('Control flow')(page); await page.tab.waitForSelector('.canvas svg'); },
	'all values': async (page) => { await show(/^Follow/)(page); await page.tab.locator('.values-of').waitFor(); },
	'a value': async (page) => { await page.id('ptx').locator('.t-register').nth(8).click(); await show(/^Follow/)(page); await page.id('value-path').waitFor(); },
	'the call graph': async (page) => { await show('Call graph')(page); await page.tab.waitForSelector('.callee'); },
	'pressure': async (page) => { await show('Registers')(page); await page.id('pressure-along').waitFor(); },
	'knobs that matter': async (page) => { await page.id('knob-matters').first().waitFor(); },
	'remarks': show('Remarks'),
	'the run panel': show(/^Run/),
	'a run': async (page) => { await page.tab.getByRole('button', { name: 'Run', exact: true }).click(); await page.id('run-result').waitFor(); },
	'the gallery': async (page) => { await page.tab.getByRole('button', { name: 'Gallery' }).click(); await page.tab.getByRole('dialog').waitFor(); },
	'help': async (page) => { await page.tab.getByRole('button', { name: 'Help' }).click(); await page.tab.getByRole('dialog').waitFor(); },
	'the share dialog': async (page) => { await page.id('share').click(); await page.tab.getByRole('button', { name: /Markdown/ }).click(); await page.tab.getByRole('dialog').waitFor(); },
	'A/B': async (page) => { await show('Knobs')(page); await page.tab.getByRole('button', { name: 'Compare with this' }).click(); await page.id('level').selectOption('0'); await page.tab.waitForSelector('.compare-list tr.differs'); },
	'a lesson': async (page) => { await show('Lessons')(page); await page.tab.locator('.lesson-list button').first().click(); await page.id('lesson').waitFor(); },
	'a bad link': async (page) => { await page.tab.evaluate(() => { location.hash = '#v9.x'; }); await page.tab.waitForSelector('[data-banner=link]'); },
	'an error': async (page) => { await page.append('\nnonsense\n'); await page.until('error'); },
	'nothing at all': async (page) => { await page.replaceSource(' '); await page.tab.locator('.nothing').waitFor(); },
};
test('axe finds nothing serious in any state of the page', needsPage, async (t) => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	for (const [i, [name, reach]] of Object.entries(states).entries())
		await t.test(name, async () => {
			await page.tab.emulateMedia({ colorScheme: i % 2 ? 'dark' : 'light' });
			await reach(page);
			assert.deepEqual(await accessibilityProblems(page), []);
			await page.tab.keyboard.press('Escape');
			await page.tab.getByRole('dialog').waitFor({ state: 'detached' });
		});
	await page.close();
});

test('high contrast is a theme like the others', needsPage, async () => {
	const page = await Page.open({ query: '?theme=contrast' });
	await page.settled();
	await page.editor();
	assert.equal(await page.tab.locator('html').getAttribute('data-theme'), 'contrast');
	assert.deepEqual(await accessibilityProblems(page), []);
	await page.close();
});

test('from opening the page to a shared pass by keyboard alone', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const { keyboard } = page.tab;
	await page.tab.locator('body').press('n');
	await keyboard.press('n');
	const selected = await page.tab.locator('[data-testid=pass][aria-selected=true]').getAttribute('data-pass');
	assert.ok(selected);
	await keyboard.press(']');
	await keyboard.press('Control+s');
	await page.waitFor(() => location.hash.startsWith('#v1.'));
	await keyboard.press('e');
	await page.tab.getByRole('dialog').waitFor();
	await keyboard.press('Escape');
	await page.tab.getByRole('dialog').waitFor({ state: 'detached' });
	await keyboard.press('?');
	await page.tab.getByRole('dialog').waitFor();
	await keyboard.press('Escape');
	await page.close();
});

test('Tab reaches the controls and leaves the editor, F6 goes through the panes', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	const where = () => page.tab.evaluate(() => {
		const el = document.activeElement;
		return el?.dataset.testid ?? el?.closest('section')?.className.split(' ')[1] ?? el?.tagName;
	});
	const walk = async (key, most) => {
		const seen = new Set();
		for (let i = 0; i < most; i++) {
			await page.tab.keyboard.press(key);
			seen.add(await where());
		}
		return seen;
	};
	await page.tab.locator('.brand').focus();
	const tabbed = await walk('Tab', 20);
	for (const name of ['examples', 'target', 'level', 'share', 'ir'])
		assert.ok(tabbed.has(name), `${name} not among ${[...tabbed].join(', ')}`);
	const panes = await walk('F6', 6);
	for (const name of ['ir', 'panel', 'pass-list', 'view', 'ptx'])
		assert.ok(panes.has(name), `${name} not among ${[...panes].join(', ')}`);
	await page.tab.locator('.monaco textarea').focus();
	await page.tab.keyboard.press('Control+m');
	await page.tab.keyboard.press('Tab');
	assert.notEqual(await where(), 'ir');
	await page.close();
});

test('splitters move with arrow keys and are remembered', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const splitter = page.tab.getByRole('separator', { name: 'Width of the editor' });
	const before = Number(await splitter.getAttribute('aria-valuenow'));
	await splitter.press('ArrowRight');
	assert.ok(Number(await splitter.getAttribute('aria-valuenow')) > before);
	await page.tab.reload();
	await page.settled();
	assert.ok(Number(await splitter.getAttribute('aria-valuenow')) > before);
	await page.close();
});

test('a phone gets one pane at a time and a plain text area', needsPage, async () => {
	const page = await Page.open({ width: 390, height: 800 });
	await page.settled();
	assert.ok(await page.tab.locator('textarea.plain').isVisible());
	assert.equal(await page.id('ptx').isVisible(), false);
	await page.tab.getByRole('tab', { name: 'PTX' }).click();
	assert.ok(await page.id('ptx').isVisible());
	await page.tab.getByRole('tab', { name: 'Passes' }).click();
	await page.id('pass').nth(1).click();
	assert.ok(await page.id('pass-diff').isVisible());
	const overflow = await page.tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(overflow <= 0, `${overflow} px too wide`);
	await page.close();
});

test('embedded: chosen panes, chosen theme, the address left alone', needsPage, async () => {
	const page = await Page.open({ query: '?embed=1&theme=dark&panes=ir,ptx' });
	await page.settled();
	assert.equal(await page.tab.locator('html').getAttribute('data-theme'), 'dark');
	assert.ok(await page.id('ptx').isVisible());
	assert.equal(await page.id('pass-list').isVisible(), false);
	await page.id('share').click();
	await page.tab.waitForTimeout(100);
	assert.equal(await page.tab.evaluate(() => location.hash), '');
	await page.close();
});
