// Nothing false on the page: every result belongs to the source, the configuration and the launch on screen, or says that it is older.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { needsPage, Page, soon } from './tools/page.mjs';

const saxpy = readFileSync(new URL('../examples/saxpy.ll', import.meta.url), 'utf8');
const tab = (page, name) => page.tab.getByRole('tab', { name, exact: true }).click();
const button = (page, name) => page.tab.getByRole('button', { name, exact: true });
const set = async (page, label, value) => {
	await page.tab.getByLabel(label, { exact: true }).fill(String(value));
	await page.tab.getByLabel(label, { exact: true }).press('Tab');
};
const run = async (page) => {
	await button(page, 'Run').click();
	await page.waitFor(() => document.querySelector('[data-testid=run-result]:not([data-outdated])'));
};
const check = async (page, says) => {
	await button(page, 'Check every pass').click();
	await page.waitFor((words) => document.querySelector('[data-testid=check-result]')?.textContent.includes(words), says);
	return page.id('check-result').textContent();
};
const source = async (page, text) => {
	await page.replaceSource(text);
	await page.waitFor(() => document.querySelector('[data-testid=status]').dataset.state === 'ready' && /compiled in/.test(document.querySelector('[data-testid=status]').textContent));
};

test('results, verdicts, marks and the link go or say that they are older once something changes', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	await tab(page, 'Run');
	await page.tab.getByLabel('block x').waitFor();
	await run(page);
	await check(page, 'always computes the same');
	const marks = () => page.tab.evaluate(() => ({
		ticks: document.querySelectorAll('.buffer-tabs :is(.good, .bad)').length, passes: document.querySelectorAll('[data-testid=pass-list] .good').length,
		heat: document.querySelectorAll('[data-testid=ptx] .row[style*="--heat"]').length,
		verdicts: document.querySelectorAll('[data-testid=check-result], [data-testid=checked]').length, outdated: document.querySelector('[data-testid=run-result]').dataset.outdated,
	}));
	await soon.ok(async () => { const m = await marks(); return m.ticks === 1 && m.passes > 2 && m.heat > 5 && m.verdicts === 2 && !m.outdated; });
	const before = await marks();
	await soon.match(() => page.id('run-result').textContent(), /lanes busy\d+ %/);

	await set(page, 'Value of %0', 100);
	await soon.match(() => page.id('run-result').textContent(), /From before the launch changed/);
	await soon.deepEqual(() => marks(), { ticks: 0, passes: 0, heat: 0, verdicts: 0, outdated: 'launch' });
	await set(page, 'Value of %0', 200);
	await soon.deepEqual(() => marks(), before);

	await page.id('share').click();
	await page.waitFor(() => /link (?:copied|made)/.test(document.querySelector('[data-testid=status]').textContent));
	await page.id('target').selectOption('sm_80');
	await page.waitFor(() => /compiled in/.test(document.querySelector('[data-testid=status]').textContent));
	await soon.doesNotMatch(() => page.id('status').textContent(), /link/);
	await soon.equal(async () => (await marks()).outdated, 'configuration');

	// A wrong result that the source computes, a fault, an endless loop, no kernel: none of them "always computes the same".
	await source(page, saxpy.replace('fmul contract', 'fadd contract'));
	await run(page);
	assert.match(await check(page, 'not what the launch expects'), /no pass is to blame/);
	await soon.ok(async () => await page.id('pass-list').locator('.good').count() > 2);
	await source(page, saxpy.replace('i64 %12\n  %14', 'i64 99999\n  %14'));
	await soon.equal(async () => (await marks()).outdated, 'source');
	await check(page, 'ended in the same fault');
	await soon.equal(() => page.id('pass-list').locator('.good').count(), 0);
	await source(page, saxpy.replace('br label %19', 'br label %11'));
	await page.waitFor(() => !document.querySelector('[data-testid=check-result]'));
	await source(page, saxpy.replace(/^(?:!nvvm\.annotations|!0) = .*$/gm, ''));
	await page.waitFor(() => /There is no kernel/.test(document.querySelector('[data-testid=run]').textContent));
	await soon.ok(() => button(page, 'Run').isDisabled());
	await soon.equal(async () => (await marks()).verdicts, 0);
	await page.close();
});

test('a fault is marked at its line of the PTX, of every stage and of the source, and the click goes there', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	await tab(page, 'Run');
	await page.tab.getByLabel('grid x').waitFor();
	await set(page, 'Value of %0', 512);
	await set(page, 'grid x', 8);
	await run(page);
	const fault = page.id('verdict-card').locator('.problems button').first();
	const [, ptxLine, line] = /line (\d+) of the PTX, line (\d+) of the source/.exec(await fault.textContent());
	assert.match(saxpy.split('\n')[line - 1], /load float/);
	const row = page.id('ptx').locator('.row.faulted');
	await soon.equal(() => row.getAttribute('data-no'), ptxLine);
	await soon.match(() => row.textContent(), /ld\.global/);
	await page.tab.waitForSelector('.squiggly-error');
	await fault.click();
	await page.waitFor((n) => document.querySelector('.monaco .active-line-number')?.textContent === n, line);
	// Other stages: the fault, and how often the line was executed.
	await tab(page, 'Code');
	for (const [pass, text] of [['nvptx-isel', /LD|ld_/i], ['infer-address-spaces', /load float/]]) {
		await page.tab.locator(`[data-testid=pass][data-pass=${pass}]`).first().click();
		await page.tab.waitForSelector('[data-testid=pass-diff] .row.faulted');
		await soon.match(() => page.id('pass-diff').locator('.row.faulted').last().textContent(), text);
		await soon.ok(async () => await page.id('pass-diff').locator('.row.by-origin').count() > 5, pass);
	}
	await tab(page, 'Diff');
	await tab(page, 'Code');
	await page.waitFor(() => document.querySelectorAll('[data-testid=pass-diff] .row.by-origin').length > 5);
	await page.tab.waitForSelector('.monaco .editor-ran');
	// Executed as IR the same line is at fault, and the PTX is marked through its origins.
	await page.tab.getByLabel('What to execute').selectOption('ir');
	await run(page);
	await page.waitFor(() => /LLVM IR/.test(document.querySelector('[data-testid=run-result]').textContent));
	await page.waitFor((n) => document.querySelector('[data-testid=ptx] .row.faulted')?.dataset.o === n, line);
	await soon.ok(async () => await page.id('ptx').locator('.row.by-origin').count() > 5);
	await page.close();
});

test('a link, and a reload, bring back launch, run of a pass, function and level', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	// The pass on screen is marked in the list before any is chosen.
	const first = page.tab.locator('[data-testid=pass][aria-selected=true]');
	await soon.equal(() => first.count(), 1);
	await soon.ok(() => first.getAttribute('data-function'));
	await tab(page, 'Run');
	await page.tab.getByLabel('block x').waitFor();
	await set(page, 'block x', 32);
	await page.tab.getByLabel('What to execute').selectOption('mir');
	await page.tab.getByLabel('changed only').uncheck();
	const [name, , second] = await page.id('pass').evaluateAll((all) => {
		const of = (row) => `${row.dataset.pass}/${row.dataset.function}`;
		const twice = all.find((row) => row.dataset.function && all.filter((x) => of(x) === of(row)).length > 1);
		return [twice.dataset.pass, ...all.filter((x) => of(x) === of(twice)).map((x) => x.id)];
	});
	await page.tab.locator(`#${second}`).click();
	await page.id('share').click();
	await page.waitFor(() => document.querySelector('[data-testid=status]').dataset.link);
	const link = await page.id('status').getAttribute('data-link');
	const other = await Page.open({ fragment: link.slice(link.indexOf('#')) });
	const same = async () => {
		await other.waitFor((id) => document.getElementById(id)?.getAttribute('aria-selected') === 'true', second);
		await soon.equal(() => other.tab.locator(`#${second}`).getAttribute('data-pass'), name);
		await other.waitFor(() => document.querySelector('[aria-label="block x"]')?.value === '32');
		await soon.equal(() => other.tab.getByLabel('What to execute').inputValue(), 'mir');
	};
	await same();
	await other.tab.reload();
	await same();
	// An edited example keeps its launch in a link without spelling it out.
	await set(other, 'block x', 64);
	await other.append('\n; an edit');
	await other.addressHolds('; an edit');
	await other.addressHolds('"launchOf":"saxpy"');
	await page.close();
	await other.close();
});

test('an example that cannot be fetched changes nothing and says so; the one chosen last wins', needsPage, async () => {
	let release;
	const held = new Promise((done) => { release = done; });
	const page = await Page.open({ before: async (p) => {
		await p.tab.route(/\/collatz-[^/]*\.ll$/, async (route) => { await held; await route.continue(); });
		await p.tab.route(/\/ddot-[^/]*\.ll$/, (route) => route.abort());
	} });
	await page.settled();
	await page.id('examples').selectOption('ddot');
	await page.tab.waitForSelector('[data-banner=link]');
	await soon.match(() => page.tab.locator('[data-banner=link]').textContent(), /ddot could not be fetched; nothing has changed/);
	await page.waitFor(() => document.querySelector('[data-testid=examples]').value === 'saxpy');
	await soon.match(() => page.ptx(), /entry saxpy/);
	await page.id('examples').selectOption('collatz');
	await page.waitFor(() => /fetching collatz/.test(document.querySelector('[data-testid=status]').textContent));
	await page.id('examples').selectOption('bittricks');
	await page.waitFor(() => /entry bittricks/.test(document.querySelector('[data-testid=ptx]').textContent));
	const late = page.tab.waitForResponse(/\/collatz-[^/]*\.ll$/);
	release();
	await (await late).finished();
	await page.tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
	await soon.equal(() => page.id('examples').inputValue(), 'bittricks');
	await soon.match(() => page.ptx(), /entry bittricks/);
	page.trouble = page.trouble.filter((t) => !/ERR_FAILED/.test(t));
	await page.close();
});
