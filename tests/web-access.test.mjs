// Everybody: five widths, light, dark and high contrast, axe, the keyboard alone, a frame in another page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityProblems, needsPage, Page, soon } from './tools/page.mjs';

const sizes = [390, 768, 1100, 1440, 2560], themes = ['light', 'dark', 'contrast'];
const height = 900;

async function look(page, width, theme) {
	await page.tab.setViewportSize({ width, height });
	await page.tab.evaluate((name) => {
		const select = [...document.querySelectorAll('.top select')].find((e) => [...e.options].some((o) => o.value === name));
		select.value = name;
		select.dispatchEvent(new Event('change', { bubbles: true }));
	}, theme);
	await page.waitFor(([name, w]) => document.documentElement.dataset.theme === name && innerWidth === w, [theme, width]);
}

/** What of the page's controls cannot be seen: outside of the window, or cut off by something that does not scroll. */
const cutOff = (page) => page.tab.evaluate(() => {
	const found = document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} wide`] : [];
	for (const e of document.querySelectorAll(':is(.top, .pane, .dock, .status, .strips, dialog) :is(button, select, input, [role=tab], summary)')) {
		if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.closest('.monaco, .code, .offscreen, pre'))
			continue;
		const box = e.getBoundingClientRect();
		let [left, right] = [0, innerWidth], scrolls = false;
		for (let up = e.parentElement; up && !scrolls; up = up.parentElement) {
			const { overflowX } = getComputedStyle(up);
			if (overflowX === 'visible')
				continue;
			// A list of tabs is not to be scrolled to be read.
			scrolls = overflowX !== 'hidden' && overflowX !== 'clip' && up.getAttribute('role') !== 'tablist';
			const outer = up.getBoundingClientRect();
			[left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
		}
		if (box.width > 0 && !scrolls && (box.left < left - 2 || box.right > right + 2))
			found.push(`${e.tagName} ${(e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 30)}: ${Math.round(box.left)} to ${Math.round(box.right)} in ${Math.round(left)} to ${Math.round(right)}`);
	}
	return found;
});

const show = (name) => (page) => page.tab.getByRole('tab', { name }).first().click();
/** How each state is reached from the one before it, on one page. */
const states = {
	'a diff': async (page) => { await page.id('pass').nth(2).click(); },
	'control flow': async (page) => { await show('Control flow')(page); await page.tab.waitForSelector('.canvas svg'); },
	'all values': async (page) => { await show(/^Follow/)(page); await page.tab.locator('.values-of').waitFor(); },
	'a value': async (page) => { await page.id('ptx').locator('.t-register', { hasText: '%r5' }).first().click(); await show(/^Follow/)(page); await page.id('value-path').waitFor(); },
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
/** The pane of a state, which a narrow window has to be shown. */
const paneOf = {
	'a diff': 'view', 'control flow': 'view', 'all values': 'view', 'a value': 'view', 'the call graph': 'view', pressure: 'view', 'A/B': 'view',
	'knobs that matter': 'panel', remarks: 'panel', 'the run panel': 'panel', 'a run': 'panel',
};
/** PTXSCOPE_ALL_LOOKS=1: axe looks at every size in every theme; otherwise at another combination in each state. */
const everything = process.env.PTXSCOPE_ALL_LOOKS === '1';
test('in every state of the page no control is cut off at any size, and axe finds nothing serious', needsPage, async (t) => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	const all = Object.entries({ 'the start': async () => {}, ...states });
	for (const [i, [name, reach]] of all.entries())
		await t.test(name, async () => {
			await look(page, 1440, themes[i % 3]);
			await reach(page);
			// axe looks at another size in each state, so that every size and every theme has several.
			const looked = everything ? sizes : i === 0 ? [390, 1100, 1440] : [sizes[i % 5]];
			for (const [k, width] of sizes.entries()) {
				for (const theme of everything && looked.includes(width) ? themes : [themes[(i + (i === 0 ? k : 0)) % 3]]) {
					await look(page, width, theme);
					if (width <= 1200 && paneOf[name] && await page.tab.locator('dialog[open]').count() === 0)
						await page.tab.locator(`#tab-app-${paneOf[name]}`).evaluate((e) => e.click());
					const at = (problem) => `${width} wide, ${theme}: ${problem}`;
					// The layout follows the window, and the editor gives its words the new colours line by line when it is idle.
					await soon.deepEqual(async () => (await cutOff(page)).map(at), []);
					if (looked.includes(width))
						await soon.deepEqual(async () => (await accessibilityProblems(page)).map(at), []);
				}
			}
			await page.tab.keyboard.press('Escape');
			await page.tab.getByRole('dialog').waitFor({ state: 'detached' });
		});
	await page.close();
});

test('from opening the page to a shared pass by keyboard alone', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const { keyboard } = page.tab;
	await page.tab.locator('body').press('n');
	const at = () => page.tab.locator('[data-testid=pass][aria-selected=true]').getAttribute('id');
	const first = await at();
	await keyboard.press('n');
	await soon.notEqual(at, first);
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

/** Where the focus is: its element in words, the pane, and whether one sees it there. */
const focusPlace = (page) => page.tab.evaluate(() => {
	const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
	const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none';
	return {
		name: e.dataset.testid || e.getAttribute('aria-label') || e.id || e.className || e.tagName, label: (e.getAttribute('aria-label') || e.textContent || e.value || '').trim().slice(0, 40),
		pane: e.closest('.dock, section, header.top, .status, .narrow-tabs')?.className.split(' ').find((c) => c !== 'pane') ?? e.tagName,
		monaco: !!e.closest('.monaco'), out: e === document.body || e.matches('.brand'),
		seen: !!e.closest('.monaco') || ring && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
	};
});

test('Tab goes through the whole page with the focus in sight, and no place keeps it; F6 goes through the panes', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	const { keyboard } = page.tab;
	await page.tab.locator('.brand').focus();
	const stops = [];
	for (;;) {
		await keyboard.press('Tab');
		let at = await focusPlace(page);
		if (at.monaco) {
			// Said where it happens: Escape, then Tab.
			await soon.match(() => page.tab.locator('section.ir').textContent(), /Esc, then Tab leaves the editor/);
			stops.push(at);
			await keyboard.press('Escape');
			await keyboard.press('Tab');
			at = await focusPlace(page);
			assert.ok(!at.monaco, 'the editor keeps the focus');
		}
		if (at.out)
			break;
		await soon.ok(async () => (await focusPlace(page)).seen, `the focus cannot be seen on ${at.name} (${at.label})`);
		stops.push(at);
		assert.ok(stops.length < 500, 'Tab never comes to the end');
	}
	const names = new Set(stops.map((s) => s.name)), panes = new Set(stops.map((s) => s.pane));
	for (const name of ['examples', 'target', 'level', 'share', 'pass-list', 'ptx'])
		assert.ok(names.has(name), `${name} not among ${[...names].join(', ')}`);
	for (const pane of ['top', 'ir', 'panel', 'passes', 'view', 'ptx', 'status'])
		assert.ok(panes.has(pane), `${pane} not among ${[...panes].join(', ')}`);
	const reached = new Set();
	for (let i = 0; i < 6; i++) {
		const { pane } = await focusPlace(page);
		await keyboard.press('F6');
		await soon.notEqual(async () => (await focusPlace(page)).pane, pane);
		reached.add((await focusPlace(page)).pane);
	}
	for (const name of ['ir', 'panel', 'passes', 'view', 'ptx'])
		assert.ok(reached.has(name), `${name} not among ${[...reached].join(', ')}`);
	await page.tab.locator('.monaco textarea').focus();
	await keyboard.press('Control+m');
	await keyboard.press('Tab');
	await soon.notEqual(async () => (await focusPlace(page)).pane, 'ir');

	// Arrows open every view and every panel; Tab goes into it, and back out of it.
	for (const [list, controls] of [['Views of the pass', '#pass-view'], ['Panels', '#panel']]) {
		const tabs = page.tab.getByRole('tablist', { name: list }), count = await tabs.getByRole('tab').count();
		const opened = new Set();
		await tabs.locator('[aria-selected=true]').focus();
		for (let i = 0; i < count; i++) {
			const focused = () => page.tab.evaluate(() => document.activeElement.matches('[role=tab][aria-selected=true]') && document.activeElement.id);
			const before = await focused();
			await keyboard.press('ArrowRight');
			await soon.ok(async () => ![false, before].includes(await focused()), `${list}: the focus does not follow`);
			const selected = await focused();
			opened.add(selected);
			await page.waitFor((panel) => [...document.querySelectorAll(`${panel} :is(button, input, select, textarea, [tabindex="0"])`)].some((e) => e.checkVisibility()), controls);
			for (let k = 0; k < 3 && !await page.tab.evaluate((panel) => document.activeElement.closest(panel) !== null, controls); k++)
				await keyboard.press('Tab');
			await soon.ok(() => page.tab.evaluate((panel) => document.activeElement.closest(panel) !== null, controls), `Tab does not lead into ${selected}`);
			await tabs.locator('[aria-selected=true]').focus();
		}
		assert.equal(opened.size, count);
	}
	// A kernel is run, and an example chosen, with keys alone.
	await page.tab.locator('#tab-panel-run').focus();
	await keyboard.press('Enter');
	for (let k = 0; k < 4 && !await page.tab.evaluate(() => document.activeElement.matches('.run .primary')); k++)
		await keyboard.press('Tab');
	await keyboard.press('Enter');
	await page.id('verdict-card').getByText('as expected').waitFor();
	await page.tab.locator('.brand').focus();
	await keyboard.press('e');
	await page.tab.getByRole('dialog').waitFor();
	await keyboard.type('collatz');
	for (let k = 0; k < 4 && !/collatz/i.test((await focusPlace(page)).label); k++)
		await keyboard.press('Tab');
	await keyboard.press('Enter');
	// In CUDA C++, which takes a while to be compiled the first time.
	await page.waitFor(() => /^collatz\./.test(document.querySelector('section.ir > header .quiet').textContent));
	await page.close();
});

test('splitters move with arrow keys and are remembered', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const splitter = page.tab.getByRole('separator', { name: 'Width of the editor' });
	const before = Number(await splitter.getAttribute('aria-valuenow'));
	await splitter.press('ArrowRight');
	await soon.ok(async () => Number(await splitter.getAttribute('aria-valuenow')) > before);
	await page.tab.reload();
	await page.settled();
	await soon.ok(async () => Number(await splitter.getAttribute('aria-valuenow')) > before);
	await page.close();
});

test('a phone gets one pane at a time and a plain text area', needsPage, async () => {
	const page = await Page.open({ width: 390, height: 800 });
	await page.settled();
	await soon.ok(() => page.tab.locator('textarea.plain').isVisible());
	await soon.equal(() => page.id('ptx').isVisible(), false);
	await page.tab.getByRole('tab', { name: 'PTX' }).click();
	await soon.ok(() => page.id('ptx').isVisible());
	await page.tab.getByRole('tab', { name: 'Passes' }).click();
	await page.id('pass').nth(1).click();
	await soon.ok(() => page.id('pass-diff').isVisible());
	const overflow = () => page.tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	await soon.ok(async () => await overflow() <= 0, 'the page is too wide');
	await page.close();
});

test('embedded: chosen panes, chosen theme, the address left alone', needsPage, async () => {
	const page = await Page.open({ query: '?embed=1&theme=dark&panes=ir,ptx' });
	await page.settled();
	await soon.equal(() => page.tab.locator('html').getAttribute('data-theme'), 'dark');
	await soon.ok(() => page.id('ptx').isVisible());
	await soon.equal(() => page.id('pass-list').isVisible(), false);
	await page.id('share').click();
	await page.waitFor(() => document.querySelector('[data-testid=status]').dataset.link);
	await soon.equal(() => page.tab.evaluate(() => location.hash), '');
	await page.close();
});
