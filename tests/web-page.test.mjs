// The page as people use it: compile, edit, look at passes, turn knobs, share.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { needsPage, Page, soon } from './tools/page.mjs';

/** What a visit of the start page comes to, one step after the other. */

const steps = {
	'the default kernel compiles as the page opens': async (page) => {
		assert.equal(await page.settled(), 'ready');
		await soon.match(() => page.ptx(), /\.target sm_90\b[^]*\.visible \.entry saxpy\(/);
		await soon.ok(async () => Number(await page.id('status').getAttribute('data-ms')) > 0);
		await soon.ok(() => page.id('status').getAttribute('data-version'));
		await soon.ok(async () => await page.id('pass').count() > 3);
		await soon.ok(async () => await page.id('knob').count() > 0);
		for (const name of ['ir-editor', 'ptx', 'pass-list', 'pass-diff', 'knobs', 'target', 'level', 'examples', 'share', 'status'])
			await soon.ok(() => page.id(name).isVisible(), name);
	},
	'pointing at a line lights the lines of the same origin elsewhere': async (page) => {
		await page.editor();
		const row = page.id('ptx').locator('.row:not([data-o="0"])').first();
		const origin = await row.getAttribute('data-o');
		await row.hover();
		await page.tab.waitForSelector('.editor-hot');
		await soon.ok(async () => await page.id('ptx').locator(`.row.hot[data-o="${origin}"]`).count() > 0);
	},
	'passes: changed only, filter, keys, and what the selected one did': async (page) => {
		const items = page.id('pass');
		await soon.equal(() => page.tab.locator('[data-testid=pass][data-changed=false]').count(), 0);
		const changed = await items.count();
		await page.tab.getByLabel('changed only').uncheck();
		await soon.ok(async () => await items.count() > changed);
		await page.tab.getByLabel('changed only').check();
		await soon.equal(() => items.count(), changed);

		const selected = () => page.tab.locator('[data-testid=pass][aria-selected=true]').getAttribute('id');
		const [first, second] = [await items.nth(1).getAttribute('id'), await items.nth(2).getAttribute('id')];
		await items.nth(1).click();
		await soon.equal(selected, first);
		await soon.ok(async () => (await page.id('pass-diff').locator('.row').count()) > 0);
		await page.id('pass-list').press('ArrowDown');
		await soon.equal(selected, second);
		await page.id('pass-list').press('k');
		await soon.equal(selected, first);
		await page.id('pass-list').press('n');
		await soon.equal(selected, second);

		await page.tab.getByLabel('Filter passes').fill('isel');
		await soon.ok(async () => {
			const found = await items.evaluateAll((all) => all.filter((e) => e.getAttribute('aria-selected') !== 'true').map((e) => `${e.dataset.pass} ${e.title}`));
			return found.length > 0 && found.length < changed && found.every((words) => /i.*s.*e.*l/is.test(words));
		});
		await page.tab.getByLabel('Filter passes').fill('');
	},
	'a diff marks lines with words and signs, not colour alone': async (page) => {
		await page.tab.locator('[data-testid=pass][data-pass=infer-address-spaces]').click();
		for (const [kind, sign] of [['added', '+'], ['removed', '−']])
			await soon.equal(() => page.id('pass-diff').locator(`.row.${kind}`).first().getAttribute('data-sign'), sign);
	},
	'an opcode under the pointer is explained': async (page) => {
		await page.id('ptx').locator('.t-opcode', { hasText: 'ld.param' }).first().hover();
		const card = page.tab.getByRole('tooltip');
		await card.waitFor();
		await soon.match(() => card.textContent(), /ld\.param.*from sm_\d+/);
	},
	'views: full text, control flow, pressure': async (page) => {
		await page.id('pass').nth(1).click();
		await page.tab.getByRole('tab', { name: 'Code' }).click();
		await soon.ok(async () => await page.id('pass-diff').locator('.row').count() > 5);
		await page.tab.getByRole('tab', { name: 'Control flow' }).click();
		await page.tab.waitForSelector('.canvas .block');
		await soon.ok(async () => await page.tab.locator('.canvas .block').count() >= 2);
		await soon.ok(async () => await page.tab.locator('.canvas path.edge').count() >= 2);
		await page.tab.getByRole('tab', { name: 'Registers' }).click();
		await page.tab.waitForSelector('.chart svg');
	},
	'every text, the trace and the pictures can be saved': async (page) => {
		const saved = async (button) => {
			const [download] = await Promise.all([page.tab.waitForEvent('download'), button.click()]);
			return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
		};
		await page.tab.getByRole('tab', { name: 'Diff' }).click();
		const ptx = await saved(page.tab.locator('section.ptx').getByRole('button', { name: 'Save' }));
		assert.equal(ptx.name, 'saxpy.ptx');
		await soon.equal(async () => `${(await page.ptx()).trimEnd()}\n`, ptx.text);
		await page.tab.locator('[data-testid=pass][data-pass=nvptx-isel]').first().click();
		const mir = await saved(page.tab.locator('section.view').getByRole('button', { name: 'Save', exact: true }));
		assert.equal(mir.name, 'saxpy.nvptx-isel.mir');
		assert.match(mir.text, /name: +saxpy/);
		const trace = JSON.parse((await saved(page.tab.getByRole('button', { name: 'Save the record' }))).text);
		assert.ok(trace.passes.length > 20 && trace.ptx === ptx.text);
		await page.tab.getByRole('tab', { name: 'Control flow' }).click();
		const picture = await saved(page.tab.getByRole('button', { name: 'Save SVG' }));
		assert.match(picture.name, /\.svg$/);
		assert.match(picture.text, /^<svg[^>]*xmlns=/);
	},
	'remarks are listed with their lines': async (page) => {
		await page.editor();
		await page.tab.getByRole('tab', { name: 'Remarks' }).click();
		const remark = page.tab.locator('.panel .remark', { hasText: 'load goes to address space 1' }).first();
		const line = await remark.locator('.place').textContent();
		await remark.getByRole('button').click();
		await page.waitFor((n) => document.querySelector('.monaco .active-line-number')?.textContent === n, line);
	},
	'the check executes the code after every pass and marks each': async (page) => {
		await page.tab.getByRole('tab', { name: 'Run' }).click();
		await page.tab.getByRole('button', { name: 'Check every pass' }).click();
		await page.id('check-result').waitFor();
		await soon.match(() => page.id('check-result').textContent(), /always computes the same/);
		await soon.ok(async () => await page.id('pass-list').locator('.good').count() >= 3);
		await soon.equal(() => page.id('pass-list').locator('.bad').count(), 0);
		await page.id('level').selectOption('1');
		await page.waitFor(() => !document.querySelector('[data-testid=pass-list] .good'));
		await page.id('level').selectOption('3');
		await page.until('ready');
	},
	'running the kernel gives the expected buffers, counts and a profile in the PTX': async (page) => {
		await page.tab.getByRole('tab', { name: 'Run' }).click();
		await page.tab.getByRole('button', { name: 'Run', exact: true }).click();
		await page.id('run-result').waitFor();
		await soon.match(() => page.id('run-result').textContent(), /as expected/);
		await soon.match(() => page.id('run-result').locator('.buffer-tabs').textContent(), /y ✓/);
		await soon.ok(async () => await page.id('ptx').locator('.row[style*="--heat"]').count() > 5);
		await page.tab.getByLabel('block x').fill('32');
		await page.tab.getByLabel('block x').press('Tab');
		await page.tab.getByRole('button', { name: 'Run', exact: true }).click();
		await page.waitFor(() => /not as expected/.test(document.querySelector('[data-testid=run-result]').textContent));
	},
	'a knob changes the configuration, is counted, and can be reset': async (page) => {
		await page.tab.getByRole('tab', { name: 'Knobs' }).click();
		await page.allKnobs();
		const knob = page.tab.locator('[data-testid=knob]:has(input[type=checkbox])').first();
		const name = await knob.getAttribute('data-knob');
		await knob.locator('input').click();
		await page.waitFor((n) => document.querySelector('.command').textContent.includes(`-${n}=`), name);
		await knob.getByRole('button', { name: `Reset ${name}` }).click();
		await page.waitFor((n) => !document.querySelector('.command').textContent.includes(`-${n}=`), name);
		await page.tab.getByLabel('Filter knobs').fill('no such knob at all');
		await soon.equal(() => page.id('knob').count(), 0);
		await page.tab.getByLabel('Filter knobs').fill('');
	},
	'A/B compares two configurations pass by pass': async (page) => {
		await page.tab.getByRole('button', { name: 'Compare with this' }).click();
		await page.id('level').selectOption('0');
		await page.tab.waitForSelector('.compare-list tr.differs');
		await soon.match(() => page.tab.locator('.verdict').textContent(), /First difference|No pass differs/);
		await soon.match(() => page.tab.locator('.sides').textContent(), /-O3.*-O0/s);
		await page.id('level').selectOption('3');
		await page.tab.getByRole('tab', { name: 'Diff' }).click();
	},
	'target and level reach the compiler': async (page) => {
		await page.id('target').selectOption('sm_70');
		await page.waitFor(() => /\.target sm_70/.test(document.querySelector('[data-testid=ptx]').textContent));
		await page.until('ready');
		const passes = await page.id('pass-count').textContent();
		await page.id('level').selectOption('0');
		await page.waitFor((old) => document.querySelector('[data-testid=pass-count]').textContent !== old, passes);
		await soon.match(() => page.tab.locator('.command').textContent(), /-mcpu=sm_70 -O0/);
	},
	'editing gives new PTX as you type': async (page) => {
		await page.replaceSource('target triple = "nvptx64-nvidia-cuda"\ndefine i32 @twice(i32 %x) {\n  %y = shl i32 %x, 1\n  ret i32 %y\n}\n');
		await page.waitFor(() => /twice/.test(document.querySelector('[data-testid=ptx]').textContent));
		await soon.equal(() => page.state(), 'ready');
		await soon.match(() => page.id('examples').evaluate((e) => e.selectedOptions[0].textContent), /saxpy\.ll, edited/);
	},
	'an error is a squiggle and a list entry, and the last good output stays': async (page) => {
		const before = await page.ptx();
		await page.append('\n  %oops = frobnicate i32 1\n');
		await page.until('error');
		await page.tab.waitForSelector('.squiggly-error');
		await soon.equal(() => page.ptx(), before);
		await soon.match(() => page.tab.locator('section.ptx > header').textContent(), /from before the error/);
		await soon.ok(() => page.id('problems').isVisible());
		await soon.match(() => page.id('problems').textContent(), /error/);
		await soon.match(() => page.id('status').textContent(), /line \d+: /);
		await page.id('problems').getByRole('button').first().click();
		await page.tab.waitForSelector('.monaco textarea:focus');
		await page.id('examples').selectOption('saxpy');
		await page.until('ready');
		await soon.equal(() => page.tab.locator('.squiggly-error').count(), 0);
	},
	'one function of several: its passes alone, or all of them': async (page) => {
		await page.id('examples').selectOption('recursion');
		await page.waitFor(() => /entry recursion\(/.test(document.querySelector('[data-testid=ptx]').textContent));
		await page.until('ready');
		const choice = page.tab.getByLabel('Function', { exact: true });
		const names = await choice.evaluate((e) => [...e.options].map((o) => o.value).filter(Boolean));
		assert.ok(names.length >= 2);
		const all = await page.id('pass').count();
		await choice.selectOption(names[1]);
		await page.waitFor((before) => document.querySelectorAll('[data-testid=pass]').length < before, all);
		await soon.deepEqual(() => page.id('pass').evaluateAll((rows) => [...new Set(rows.map((r) => r.dataset.function).filter(Boolean))]), [names[1]]);
	},
	'dropping a file opens it': async (page) => {
		const transfer = await page.tab.evaluateHandle(() => {
			const data = new DataTransfer();
			data.items.add(new File(['target triple = "nvptx64-nvidia-cuda"\ndefine void @dropped() {\n  ret void\n}\n'], 'k.ll'));
			return data;
		});
		await page.tab.locator('section.ir').dispatchEvent('drop', { dataTransfer: transfer });
		await page.waitFor(() => /dropped/.test(document.querySelector('[data-testid=ptx]').textContent));
	},
};

test('one visit', needsPage, async (t) => {
	const page = await Page.open();
	for (const [name, step] of Object.entries(steps))
		await t.test(name, () => step(page));
	await page.close();
});

test('the PTX is on screen before the compiler is, and is what the compiler gives', needsPage, async () => {
	let release;
	const held = new Promise((done) => { release = done; });
	const page = await Page.open({ before: (p) => p.tab.route('**/*.wasm', async (route) => { await held; await route.continue(); }) });
	await page.waitFor(() => /entry saxpy/.test(document.querySelector('[data-testid=ptx]')?.textContent));
	await soon.equal(() => page.state(), 'loading');
	const early = await page.ptx();
	release();
	await page.until('ready');
	await soon.equal(() => page.ptx(), early);
	await page.close();
});

test('every example compiles', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const names = await page.id('examples').evaluate((e) => [...e.options].map((o) => o.value).filter(Boolean));
	assert.ok(names.length >= 10);
	for (const name of names) {
		const before = await page.id('ptx').textContent();
		await page.id('examples').selectOption(name);
		// Kernels of whole programs have mangled names.
		const entry = name.startsWith('programs/') ? '_Z\\w+' : name;
		await page.waitFor(([kernel, old]) => {
			const ptx = document.querySelector('[data-testid=ptx]').textContent;
			return ptx !== old && new RegExp(`\\.entry ${kernel}\\(`).test(ptx);
		}, [entry, names[0] === name ? '' : before]);
		await page.until('ready');
		await soon.equal(() => page.state(), 'ready', name);
	}
	await page.close();
});

