// How the page looks: what matters leads, colours mean one thing, contrast holds with heat on, nothing flashes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accessibilityProblems, needsPage, Page, soon } from './tools/page.mjs';

const saxpy = readFileSync(new URL('../examples/saxpy.ll', import.meta.url), 'utf8');
const tab = (page, name) => page.tab.getByRole('tab', { name, exact: typeof name === 'string' }).click();
const example = async (page, name) => {
	await page.id('examples').selectOption(name);
	await page.waitFor((kernel) => new RegExp(`\\.entry ${kernel}\\(`).test(document.querySelector('[data-testid=ptx]').textContent), name);
	await page.until('ready');
};

test('Run and the knobs that matter stand in the bar; targets in use come first; four columns; the verdict leads', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	await soon.deepEqual(() => page.id('target').evaluate((e) => [...e.querySelector('optgroup').children].map((o) => o.value)), ['sm_75', 'sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_100', 'sm_120']);
	await soon.equal(() => page.id('target').evaluate((e) => new Set([...e.options].map((o) => o.value)).size === e.options.length), true);
	await soon.match(() => page.tab.locator('.passes .columns').textContent(), /pass.*change.*ok.*regs.*ms/);
	await soon.equal(() => page.tab.locator('[data-testid=pass] .delta').evaluateAll((all) => new Set(all.map((e) => Math.round(e.getBoundingClientRect().right))).size), 1, 'a column does not line up');
	for (const ms of await page.tab.locator('[data-testid=pass] .ms').allTextContents())
		assert.ok(ms === '' || Number(ms) > 1, ms);
	for (const name of ['Calls', 'Value', 'Text', 'CFG'])
		await soon.equal(() => page.tab.getByRole('tab', { name, exact: true }).count(), 0, name);
	for (const name of ['Save all', 'Compare from here'])
		await soon.equal(() => page.tab.getByRole('button', { name, exact: true }).count(), 0, name);

	await page.tab.mouse.move(300, 9);
	await page.id('knobs-here').waitFor();
	const count = Number(/^(\d+) knobs? matters? here/.exec(await page.id('knobs-here').textContent().then((t) => t.replace('knobs matter', 'knob matters').replace('knob matters', 'knobs matter')))?.[1] ?? 0);
	// Nobody has chosen: the list is those that matter, and all are a click away.
	await page.waitFor((n) => document.querySelectorAll('[data-testid=knob]').length === n, count);
	await page.tab.getByRole('button', { name: /Show all \d+ knobs/ }).click();
	await soon.ok(async () => await page.id('knob').count() > 50);

	await page.tab.getByRole('button', { name: 'Run the kernel' }).click();
	await page.id('verdict-card').getByText('as expected').waitFor();
	// What a newcomer looks for, without scrolling: the sectors, in all and at their lines.
	const [, sectors, requests, most] = /([\d,]+) memory sectors in ([\d,]+) requests; most at line \d+ of the PTX \(([\d,]+) sectors,/.exec(await page.id('run-memory').textContent()).map((n) => Number(n.replace(/,/g, '')));
	await soon.equal(() => page.id('ptx').locator('.row[data-tail]').count(), 3);
	const tails = await page.id('ptx').locator('.row[data-tail]').evaluateAll((rows) => rows.map((r) => [/^\s*(\w+\.\w+)/.exec(r.textContent)[1], Number(/^"(\d+) sectors/.exec(getComputedStyle(r, '::after').content)[1])]));
	assert.deepEqual(tails.map(([op]) => op), ['ld.global', 'ld.global', 'st.global']);
	assert.equal(tails.reduce((n, [, s]) => n + s, 0), sectors);
	assert.equal(Math.max(...tails.map(([, s]) => s)), most);
	await soon.ok(async () => requests > 0 && await page.id('run-memory').evaluate((e) => e.getBoundingClientRect().bottom < innerHeight));
	await soon.equal(() => page.id('run').evaluate((e) => e.querySelector('.verdict-card, .launch-form').className.split(' ')[0]), 'verdict-card');
	await tab(page, /^Remarks/);
	await page.tab.getByLabel('Filter remarks').fill('address space');
	await soon.ok(async () => { const remarks = await page.tab.locator('.remark').allTextContents(); return remarks.length > 0 && remarks.every((r) => /address/.test(r)); });
	await soon.equal(() => page.tab.locator('.remark .text').evaluateAll((all) => new Set(all.map((e) => Math.round(e.getBoundingClientRect().left))).size), 1, 'remarks do not line up');
	await soon.ok(async () => await page.tab.locator('.remark-list h3').count() >= 1);

	// A fault names element, size and thread, and the debugger stands in front of it.
	await page.replaceSource(saxpy.replace('i64 %12\n  %14', 'i64 99999\n  %14'));
	await page.until('ready');
	await page.tab.getByRole('button', { name: 'Run the kernel' }).click();
	const card = page.id('verdict-card');
	await card.getByText('The kernel faults').waitFor();
	await soon.match(() => card.textContent(), /element 99\d+ of \w+, which has \d+ of 4 bytes, in thread \(0, 0, 0\) of block \(0, 0, 0\)/);
	await card.getByRole('button', { name: 'Step to it' }).click();
	await page.waitFor(() => /ld\.global\.nc\.b32/.test(document.querySelector('.where[data-state=stopped] code')?.textContent ?? ''));
	await page.close();
});

test('heat only where counts differ; contrast holds with it in every theme; many functions of a pass are one row', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	const heats = () => page.id('ptx').locator('.row.counted').evaluateAll((all) => all.map((e) => Number(e.style.getPropertyValue('--heat'))));
	await example(page, 'collatz');
	await page.waitFor(() => document.querySelector('[data-testid=status]').textContent.includes('compiled'));
	await page.tab.getByRole('button', { name: 'Run the kernel' }).click();
	await page.waitFor(() => document.querySelectorAll('[data-testid=ptx] .row.counted').length > 5);
	await soon.ok(async () => new Set(await heats()).size > 1);
	await page.tab.locator('[data-testid=pass][data-pass=nvptx-isel]').first().click();
	await tab(page, 'Control flow');
	await page.tab.waitForSelector('.block[data-heat]');
	for (const theme of ['light', 'dark', 'contrast']) {
		await page.tab.getByLabel('Theme').first().selectOption(theme);
		await soon.deepEqual(async () => (await accessibilityProblems(page)).filter((p) => !p.includes('.mtk')), [], theme);
	}
	// Yellow is for the line under the pointer and what belongs to it: nothing else has that colour.
	await page.tab.mouse.move(2, 2);
	await tab(page, 'Diff');
	const yellow = () => page.tab.evaluate(() => {
		const root = document.documentElement, probe = document.body.appendChild(document.createElement('i'));
		probe.style.background = getComputedStyle(root).getPropertyValue('--hot-edge');
		const color = getComputedStyle(probe).backgroundColor;
		probe.remove();
		return [...document.querySelectorAll('.app *')].filter((e) => [e, '::before', '::after'].some((p) => {
			const s = getComputedStyle(e, typeof p === 'string' ? p : null);
			return s.backgroundColor === color || s.backgroundImage.includes(color) || s.boxShadow.includes(color);
		})).map((e) => e.className);
	});
	await soon.deepEqual(yellow, []);

	// Equal counts: no heat, and the counts are still there.
	await page.replaceSource('.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry even(.param .u64 even_param_0)\n{\n\t.reg .b32 %r<3>;\n\tmov.u32 %r1, 1;\n\tadd.s32 %r2, %r1, 2;\n\tret;\n}\n');
	await page.waitFor(() => document.querySelectorAll('[data-testid=ptx] .row.counted').length >= 3 && /even/.test(document.querySelector('[data-testid=ptx]').textContent));
	await soon.deepEqual(async () => [...new Set(await heats())], [0]);
	await soon.match(() => page.id('ptx').locator('.row.counted').first().getAttribute('title'), /executed by/);

	const functions = Array.from({ length: 7 }, (_, i) => `define i32 @f${i}(i32 %x) {\n  %a = add i32 %x, 0\n  %b = mul i32 %a, ${i + 2}\n  ret i32 %b\n}\n`).join('');
	await page.replaceSource(`target triple = "nvptx64-nvidia-cuda"\n${functions}`);
	await page.waitFor(() => /f6/.test(document.querySelector('[data-testid=ptx]').textContent));
	const folded = page.tab.locator('.pass.folded', { hasText: '7 functions' }).first();
	await folded.waitFor();
	const pass = await folded.getAttribute('data-pass');
	await soon.equal(() => page.tab.locator(`[data-testid=pass][data-pass="${pass}"]`).count(), 1);
	await folded.click();
	await page.waitFor((id) => document.querySelectorAll(`[data-testid=pass][data-pass="${id}"]`).length === 7, pass);
	await page.close();
});

test('operands of PTX stand in a column, with long lines wrapped and without, and in the editor', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const columns = () => page.id('ptx').locator('.row').evaluateAll((rows) => [...new Set(rows.filter((r) => /^\s+(mov\.u32|mad\.lo\.s32|ld\.param\.b32|mul\.wide\.s32)\s/.test(r.textContent)).map((r) => Math.round(r.querySelector('.t-register').getBoundingClientRect().left)))]);
	const folds = () => page.id('ptx').locator('.row.fold button').first().evaluate((e) => parseFloat(getComputedStyle(e.parentElement).paddingLeft));
	await soon.equal(async () => (await columns()).length, 1);
	await page.tab.locator('section.ptx').getByLabel('Wrap lines').click();
	await page.tab.waitForSelector('[data-testid=ptx].wrap');
	await soon.equal(async () => (await columns()).length, 1);
	await soon.equal(folds, 0);
	await page.replaceSource(`${(await page.ptx())}\n`);
	await page.waitFor(() => /^PTX\b/.test(document.querySelector('[data-testid=ir-editor] textarea').ariaLabel));
	await soon.ok(async () => page.tab.evaluate(() => {
		const columns = [...document.querySelectorAll('[data-testid=ir-editor] .view-line')].filter((l) => /(mov\.u32|mad\.lo\.s32|mul\.wide\.s32)/.test(l.textContent)).map((l) => l.textContent.indexOf('%'));
		return columns.length > 2 && new Set(columns).size === 1;
	}), 'in the editor');
	await page.close();
});

test('a dark page is dark before its scripts have come', needsPage, async () => {
	for (const [theme, before] of [['dark', null], ['light', 'dark']]) {
		let release;
		const held = new Promise((done) => { release = done; });
		const page = await Page.open({ theme, waitUntil: 'commit', before: async (p) => {
			if (before)
				await p.tab.addInitScript((name) => localStorage.setItem('ptxscope.theme', JSON.stringify(name)), before);
			await p.tab.route('**/assets/index-*.js', async (route) => { await held; await route.continue(); });
		} });
		await soon.deepEqual(() => page.tab.evaluate(() => [document.documentElement.dataset.theme, document.querySelector('#app').childElementCount]), ['dark', 0]);
		await soon.equal(() => page.tab.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(15, 17, 19)');
		release();
		await page.settled();
		await page.close();
	}
});
