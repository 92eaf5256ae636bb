// Looking closer: one value's way, the call graph, heat, which knobs matter, explanations, lessons, the tour, other kinds of input.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { needsPage, Page, soon } from './tools/page.mjs';
import { ptxscope, native } from './tools/ptxscope.mjs';
import { existsSync } from 'node:fs';

const text = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const openExample = async (page, name) => {
	await page.id('examples').selectOption(name);
	await page.waitFor((kernel) => new RegExp(`\\.entry ${kernel}\\(`).test(document.querySelector('[data-testid=ptx]').textContent), name);
	await page.until('ready');
};
const drop = async (page, name, content) => {
	const transfer = await page.tab.evaluateHandle(([n, t]) => {
		const data = new DataTransfer();
		data.items.add(new File([t], n));
		return data;
	}, [name, content]);
	await page.tab.locator('section.ir').dispatchEvent('drop', { dataTransfer: transfer });
};

test('a register of the PTX is followed back to its value, station by station, and lit in every text', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	const row = page.id('ptx').locator('.row', { hasText: 'mad.lo.s32' });
	await row.locator('.t-register').first().click();
	await page.tab.getByRole('tab', { name: /^Follow/ }).click();
	const path = page.id('value-path');
	await path.waitFor();
	const stations = () => path.locator('[data-station]').evaluateAll((all) => all.map((e) => e.dataset.station));
	await soon.equal(async () => (await stations())[0], 'input');
	await soon.equal(async () => (await stations()).at(-1), 'PTX');
	await soon.ok(async () => (await stations()).includes('nvptx-isel'));
	const register = await row.locator('.t-register').first().textContent();
	await soon.match(() => path.locator('.value-head').textContent(), new RegExp(`%9→.*${register}`));
	await soon.ok(async () => await page.id('ptx').locator('.is-value', { hasText: register }).count() >= 2);
	await page.tab.waitForSelector('.monaco .is-value');
	// Its user is one click further, and a value that was folded away says so.
	await path.getByRole('button', { name: 'All values' }).click();
	await page.tab.getByRole('button', { name: '%15', exact: true }).click();
	await page.tab.locator('.stations .gone').first().waitFor();
	await soon.match(() => page.tab.locator('.value-head').textContent(), /no register/);
	await path.locator('[data-station=nvptx-isel] button').first().click();
	await soon.equal(() => page.tab.locator('[data-testid=pass][aria-selected=true]').getAttribute('data-pass'), 'nvptx-isel');
	await page.close();
});

test('a newcomer finds which pass removed an instruction, and shares just that view', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	// Five moves: the product in the editor, the tab that now bears its name, the pass named there, Share, and the link.
	await page.id('ir-editor').locator('.view-line', { hasText: '%15 = fmul' }).getByText('%15').first().click();
	await page.tab.getByRole('tab', { name: 'Follow %15' }).click();
	const gone = page.tab.locator('.stations .gone').first();
	await soon.match(() => gone.textContent(), /folded into|removed here/);
	const pass = await gone.getAttribute('data-station');
	await gone.getByRole('button').first().click();
	await page.tab.getByRole('tab', { name: 'Diff' }).click();
	await page.id('share').click();
	await page.waitFor(() => document.querySelector('[data-testid=status]').dataset.link);
	const link = await page.id('status').getAttribute('data-link');
	const other = await Page.open({ fragment: link.slice(link.indexOf('#')) });
	await other.settled();
	await other.waitFor((id) => document.querySelector('[data-testid=pass][aria-selected=true]')?.dataset.pass === id, pass);
	await other.tab.getByRole('tab', { name: 'Follow %15' }).waitFor();
	await other.close();
	await page.close();
});

/** Every second element, three times as large. */
const mine = `target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @mine(ptr noalias %in, ptr noalias %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %even = mul i32 %t, 2
  %from = getelementptr i32, ptr %in, i32 %even
  %x = load i32, ptr %from
  %tripled = mul i32 %x, 3
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %tripled, ptr %to
  ret void
}
`;

test('from the start page to one\'s own kernel, its sectors and where its value went: five clicks, nothing scrolled', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.tab.evaluate(() => {
		globalThis.clicks = 0;
		addEventListener('pointerdown', () => globalThis.clicks++, true);
	});
	const inSight = (locator) => soon.ok(() => locator.evaluate((e) => { const box = e.getBoundingClientRect(); return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; }));
	await page.replaceSource(mine);
	await page.until('ready');
	await page.tab.getByRole('button', { name: 'Run the kernel' }).click();
	// With each request a warp reads from 8 sectors and writes 4, in the verdict and at the lines.
	await soon.match(() => page.id('run-memory').textContent(), /[\d,]+ memory sectors in [\d,]+ requests; most at line \d+ of the PTX/);
	await inSight(page.id('run-memory'));
	const tails = () => page.id('ptx').locator('.row[data-tail]').evaluateAll((rows) => rows.map((r) => [/^\s*(\w+\.\w+)/.exec(r.textContent)[1], getComputedStyle(r, '::after').content]));
	await soon.deepEqual(async () => (await tails()).map(([op]) => op), ['ld.global', 'st.global']);
	await soon.ok(async () => { const [read, written] = (await tails()).map(([, tail]) => Number(/^"([\d,]+) sectors/.exec(tail)[1].replace(/,/g, ''))); return read === 2 * written; });
	await page.id('ir-editor').locator('.view-line', { hasText: '%tripled = mul' }).getByText('%tripled').first().click();
	await page.tab.getByRole('tab', { name: 'Follow %tripled' }).click();
	const path = page.id('value-path');
	await soon.match(() => path.locator('.value-head').textContent(), /%tripled→.*%r\d+/);
	await inSight(path.locator('.value-head'));
	await soon.equal(() => path.locator('[data-station]').last().getAttribute('data-station'), 'PTX');
	await soon.ok(async () => await page.id('ptx').locator('.is-value').count() >= 2);
	assert.ok(await page.tab.evaluate(() => globalThis.clicks) <= 5);
	await page.close();
});

test('the caret on a value in the editor follows it too, and arguments are values', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	await page.tab.getByRole('tab', { name: /^Follow/ }).click();
	await page.tab.getByRole('button', { name: '%1', exact: true }).click();
	await page.id('value-path').waitFor();
	await soon.match(() => page.id('value-path').textContent(), /ld\.param\.b32/);
	await page.id('ir-editor').locator('.view-line', { hasText: '%12 = sext' }).getByText('%12').first().click();
	await page.waitFor(() => document.querySelector('.value-head strong')?.textContent === '%12');
	await page.close();
});

test('the call graph shows the memory of pointer arguments, before and after they are resolved', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await openExample(page, 'generic_conflict');
	await page.tab.getByRole('tab', { name: 'Call graph' }).click();
	const spaces = (name) => page.tab.locator(`.callee[data-function="${name}"] .space`).allTextContents();
	await page.tab.locator('.callee.kernel').waitFor();
	const before = page.tab.locator('[data-testid=pass][data-pass=input]').first();
	await before.click();
	await soon.deepEqual(() => spaces('_ZL10via_globalPKii'), ['generic']);
	await soon.ok(async () => await page.tab.locator('.callee-passed').count() >= 5);
	await page.tab.locator('[data-testid=pass][data-pass=ipmsp]').first().click();
	await page.waitFor(() => document.querySelector('.callee[data-function="_ZL10via_globalPKii"] .space')?.textContent === 'global');
	// What callers disagree on is cloned, or stays generic: every edge shows what is passed.
	await soon.ok(async () => new Set(await page.tab.locator('.callee-passed .space').allTextContents()).size >= 3);
	await page.close();
});

test('after a run the blocks of the graph carry how often they were executed', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await openExample(page, 'collatz');
	await page.tab.getByRole('tab', { name: 'Run', exact: true }).click();
	await page.waitFor(() => document.querySelector('.launch-form code')?.textContent === 'collatz');
	await page.tab.getByRole('button', { name: 'Run', exact: true }).click();
	await page.id('run-result').waitFor();
	await page.tab.locator('[data-testid=pass][data-pass=branch-folder], [data-testid=pass][data-pass=register-coalescer]').last().click();
	await page.tab.getByRole('tab', { name: 'Control flow' }).click();
	await page.tab.waitForSelector('.block[data-heat]');
	const heats = () => page.tab.locator('.block').evaluateAll((all) => all.map((e) => Number(e.dataset.heat)));
	const profile = () => page.id('ptx').locator('.row[style*="--heat"]').evaluateAll((all) => all.map((e) => Number(/executed by (\d+)/.exec(e.title)[1])));
	await soon.ok(async () => (await heats()).every(Number.isFinite));
	await soon.equal(async () => Math.max(...await heats()) - Math.max(...await profile()), 0);
	await soon.ok(async () => Math.max(...await heats()) > Math.min(...await heats()));
	await page.close();
});

test('registers alive along the code: as many at the fullest place as the compiler counts', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	for (const name of ['saxpy', 'matmul_tiled', 'swap_loop']) {
		await openExample(page, name);
		const pass = page.tab.locator('[data-testid=pass][data-pass=branch-folder]').last();
		await pass.click();
		await soon.equal(() => pass.getAttribute('aria-selected'), 'true');
		await page.tab.getByRole('tab', { name: 'Diff' }).click();
		await soon.match(() => page.tab.locator('.pass-heading').textContent(), /\d+ registers/);
		const counted = Number(/(\d+) registers/.exec(await page.tab.locator('.pass-heading').textContent())[1]);
		await page.tab.getByRole('tab', { name: 'Registers' }).click();
		await page.id('pressure-along').waitFor();
		await soon.equal(async () => Number(/: (\d+) at the fullest place/.exec(await page.id('pressure-along').locator('figcaption').textContent())[1]), counted, name);
		// One number everywhere, and who is alive there: 64-bit values count twice, predicates have a file of their own.
		const alive = () => page.id('alive-at-peak').locator('button').count();
		await soon.ok(async () => await alive() > 0 && await alive() <= counted && await alive() >= counted / 4, `of ${counted}`);
	}
	await page.close();
});

test('live ranges: a row for each register, coloured by what became of it, and the budget as a line', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.tab.getByRole('tab', { name: 'Registers' }).click();
	const chart = page.id('live-ranges');
	await chart.waitFor();
	const [, registers, instructions] = /: (\d+) registers over (\d+) instructions/.exec(await chart.locator('figcaption').textContent()).map(Number);
	await soon.equal(() => chart.locator('.range').count(), registers);
	await soon.equal(async () => Number(/(\d+) instructions/.exec(await page.tab.locator('.pane.ptx').textContent())[1]), instructions);
	await soon.equal(() => page.id('budget-line').count(), 0); // 255 is far away
	await soon.equal(() => chart.locator('.range.spilled, .range.rematerialised').count(), 0);
	await page.allKnobs();
	await page.tab.locator('[data-knob=maxreg] input').fill('4');
	await page.tab.locator('[data-knob=maxreg] input').press('Enter');
	await page.id('budget-line').waitFor({ state: 'attached' });
	await soon.match(() => page.id('pressure-along').locator('figcaption').textContent(), /budget: 4 \(-maxreg=4\)/);
	await chart.locator('.range.spilled').first().waitFor({ state: 'attached' });
	await soon.match(() => chart.locator('figcaption').textContent(), /coloured: .*(?:spilled|rematerialised)/);
	await page.close();
});

test('the modulo schedule of a pipelined loop is a table of cycles and units', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.tab.evaluate(() => { location.hash = ''; });
	await page.replaceSource(readFileSync(new URL('../examples/lessons/pipelined.ll', import.meta.url), 'utf8'));
	await page.until('ready');
	await page.tab.getByRole('tab', { name: 'Registers' }).click();
	await page.id('live-ranges').waitFor();
	await soon.equal(() => page.id('modulo-schedule').count(), 0);
	await page.allKnobs();
	await page.tab.locator('[data-knob=enable-pipeliner] input').check();
	await page.id('modulo-schedule').waitFor();
	const cycles = async () => Number(/each (\d+) cycles/.exec(await page.id('modulo-schedule').locator('figcaption').textContent())[1]);
	await soon.ok(async () => await page.id('modulo-schedule').locator('tbody tr').count() === await cycles());
	const stages = () => page.id('modulo-schedule').locator('td button').evaluateAll((all) => all.map((b) => parseInt(b.textContent, 10)));
	await soon.ok(async () => (await stages()).length >= 9 && new Set(await stages()).size >= 3);
	await page.close();
});

test('a while after a compilation the code after every pass has been executed, without being asked', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.id('checked').waitFor();
	await soon.match(() => page.id('checked').textContent(), /every pass computes the same/);
	await soon.ok(async () => await page.id('pass-list').locator('.good').count() >= 3);
	// An edit takes the verdict back until the next one.
	await page.append('\nnonsense\n');
	await page.until('error');
	await soon.equal(() => page.id('checked').count(), 0);
	await page.close();
});

test('knobs that change the PTX of this source are marked and can be listed alone; a pass has its own', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.tab.mouse.move(9, 9);
	await page.tab.getByTestId('knob-matters').first().waitFor();
	await page.tab.getByLabel('Which knobs').selectOption('matter');
	await page.waitFor(() => /matter here \(\d+\)/.test(document.querySelector('[aria-label="Which knobs"]').textContent));
	const names = () => page.id('knob').evaluateAll((all) => all.map((e) => e.dataset.knob));
	await soon.ok(async () => (await names()).length > 0 && (await names()).length < 60);
	// What the mark says is so.
	const mark = page.tab.locator('[data-testid=knob]:has(input[type=checkbox])').first();
	const old = await page.ptx();
	await mark.locator('input').click();
	await page.waitFor((before) => document.querySelector('[data-testid=ptx] pre').textContent !== before, old);
	await page.tab.getByRole('button', { name: /^Reset \d/ }).click();
	await page.waitFor((before) => document.querySelector('[data-testid=ptx] pre').textContent === before, old);
	await page.allKnobs();
	await page.tab.getByLabel('Knobs of a pass').selectOption('infer-address-spaces');
	await soon.ok(async () => (await names()).includes('disable-MemorySpaceOptPass') && (await names()).length < 10);
	await page.close();
});

test('a knob and an intrinsic under the pointer are explained', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	await page.allKnobs();
	await page.tab.locator('[data-knob=disable-dce] label').hover();
	const card = page.tab.getByRole('tooltip');
	await card.waitFor();
	await soon.match(() => card.textContent(), /-disable-dce=off.*Keep dead instructions.*read by dce/s);
	await page.tab.locator('.monaco').getByText('@llvm.nvvm.read.ptx.sreg.ctaid.x').first().hover();
	const hover = page.tab.locator('.monaco-hover:not(.hidden)');
	await hover.getByText(/index of the block/).waitFor();
	await soon.match(() => hover.textContent(), /becomes.*mov\.u32\s%r\d+,\s%ctaid\.x/s);
	await page.close();
});

test('a remark stands at its line of IR, in words where the caret is', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	await page.tab.waitForSelector('.editor-remark');
	await page.id('ir-editor').locator('.view-line', { hasText: '%14 = load' }).click();
	await page.tab.locator('.remark-after').waitFor();
	await soon.match(() => page.tab.locator('.remark-after').textContent(), /load.goes.to.address.space/);
	await page.close();
});

const lessons = readdirSync(new URL('../examples/lessons/', import.meta.url)).filter((f) => f.endsWith('.md')).sort();

test('the links of every lesson name what there is', { skip: existsSync(native) ? false : 'no native build' }, () => {
	const passes = new Set(JSON.parse(ptxscope(['passes', '--json']).stdout).map((p) => p.id));
	const knobs = new Set(JSON.parse(ptxscope(['knobs', '--json']).stdout).map((k) => k.name));
	assert.ok(lessons.length >= 3);
	for (const file of lessons) {
		const content = text(`examples/lessons/${file}`);
		const front = /^---\n([\s\S]*?)\n---/.exec(content)?.[1] ?? '';
		assert.ok(/^title: \S/m.test(front) || /^# \S/m.test(content), `${file} has no title`);
		const base = /^example: (\S+)/m.exec(front)?.[1] ?? 'saxpy';
		const links = [...content.matchAll(/\]\(show:([^)\s]*)\)/g)].map((m) => m[1]);
		assert.ok(links.length >= 2, `${file} shows nothing`);
		for (const link of links) {
			const q = new URLSearchParams(link), where = `${file}: ${link}`;
			const source = text(`examples/${q.get('example') ?? base}.ll`).split('\n');
			if (q.get('pass'))
				assert.ok(passes.has(q.get('pass').split('#')[0]), where);
			for (const pair of (q.get('knobs') ?? '').split(',').filter(Boolean))
				assert.ok(knobs.has(pair.split('=')[0]), where);
			for (const line of [...(q.get('lines') ?? '').split('-'), q.get('value') ?? ''].filter(Boolean))
				assert.ok(Number(line) >= 1 && Number(line) <= source.length, where);
			assert.match(q.get('tab') ?? 'diff', /^(?:diff|text|mir|cfg|value|path|calls|pressure|compare|ab|run)$/, where);
		}
	}
});

test('every "show me" of every lesson shows what it names', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.tab.getByRole('tab', { name: 'Lessons' }).click();
	const shelf = page.tab.getByRole('region', { name: 'Lessons', exact: true });
	await shelf.locator('.lesson-list button').first().waitFor();
	await soon.equal(() => shelf.locator('.lesson-list button').count(), lessons.length);
	for (let l = 0; l < lessons.length; l++) {
		await shelf.locator('.lesson-list button').nth(l).click();
		const links = page.tab.locator('.lesson .show');
		await links.first().waitFor();
		for (let i = 0; i < await links.count(); i++) {
			await page.tab.getByRole('tab', { name: 'Lessons' }).click();
			const query = new URLSearchParams(await links.nth(i).getAttribute('data-show'));
			await links.nth(i).click();
			const pass = query.get('pass')?.split('#')[0];
			if (pass)
				await page.waitFor((id) => document.querySelector('[data-testid=pass][aria-selected=true]')?.dataset.pass === id, pass);
			if (query.get('value'))
				await page.id('value-path').waitFor();
			if (query.get('lines'))
				await page.tab.waitForSelector('.editor-spot');
			await page.until('ready');
		}
		await page.tab.getByRole('tab', { name: 'Lessons' }).click();
		await page.tab.getByRole('button', { name: 'All lessons' }).click();
	}
	await soon.equal(() => page.tab.locator('[data-banner]').count(), 0);
	await page.close();
});

test('a first visit gets a tour of four stops, once; a visit by link gets none', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	for (let i = 1; i <= 4; i++) {
		await soon.match(() => page.id('tour').textContent(), new RegExp(`^${i} of 4`));
		await page.id('tour').getByRole('button', { name: i < 4 ? 'Next' : 'Done' }).click();
	}
	await soon.equal(() => page.id('tour').count(), 0);
	await page.tab.evaluate(() => { location.hash = ''; });
	await page.tab.reload();
	await page.settled();
	await soon.equal(() => page.id('tour').count(), 0);
	await page.tab.getByRole('button', { name: 'Help' }).click();
	await page.tab.getByRole('button', { name: 'Tour of the page' }).click();
	await page.id('tour').waitFor();
	const byLink = await Page.open({ fragment: '#v1.q1ZKrUjMLchJVbJSKk6sKKhUqgUA' });
	await byLink.settled();
	await soon.equal(() => byLink.id('tour').count(), 0);
	await byLink.close();
	await page.close();
});

const ptx = `.version 7.0
.target sm_70
.address_size 64
.visible .entry triple(.param .u64 triple_param_0)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [triple_param_0];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd2, %rd3;
	mul.lo.s32 %r2, %r1, 3;
	st.global.u32 [%rd4], %r2;
	ret;
}
`;

test('a dropped .ptx file is read and executed', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await drop(page, 'k.ptx', ptx);
	await page.id('run-result').waitFor();
	await soon.match(() => page.tab.locator('.launch-form').textContent(), /triple/);
	await soon.match(() => page.id('ptx').textContent(), /mul\.lo\.s32/);
	await soon.ok(async () => await page.id('ptx').locator('.row[style*="--heat"]').count() >= 8);
	await soon.match(() => page.tab.locator('section.passes').textContent(), /PTX already/);
	// The form knows what is an address; what PTX cannot be executed as is not offered; the views show what they can.
	await soon.equal(() => page.tab.getByLabel('Type of triple_param_0').inputValue(), 'u32');
	await soon.deepEqual(() => page.tab.getByLabel('What to execute').evaluate((e) => [...e.options].filter((o) => o.disabled).map((o) => o.value)), ['mir', 'ir']);
	await soon.match(() => page.id('pass-diff').textContent(), /PTX already/);
	await page.tab.getByRole('tab', { name: 'Control flow' }).click();
	await page.tab.waitForSelector('.canvas .block');
	await soon.match(() => page.tab.locator('.canvas .block').textContent(), /8 ×|mul\.lo\.s32/);
	await page.tab.getByRole('tab', { name: 'Registers' }).click();
	await page.id('live-ranges').waitFor();
	await soon.match(() => page.id('live-ranges').textContent(), /Live ranges of triple after the input: 6 registers over 8 instructions/);
	await page.tab.getByRole('tab', { name: 'Diff' }).click();
	// Wrong PTX has its squiggle as wrong IR does.
	await page.append('\nnonsense here;\n');
	await page.until('error');
	await page.tab.waitForSelector('.squiggly-error');
	await page.id('examples').selectOption('saxpy');
	await page.waitFor(() => /entry saxpy/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.until('ready');
	await soon.ok(async () => await page.id('pass').count() > 3);
	await page.close();
});

test('pasted PTX is executed too', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.replaceSource(ptx);
	await page.id('run-result').waitFor();
	await soon.match(() => page.id('run-result').textContent(), /u32 × 256/);
	// It has nothing of the example's name, and nothing is compiled.
	await soon.match(() => page.tab.locator('section.ir > header .quiet').textContent(), /^input\.ptx/);
	await soon.equal(() => page.tab.locator('.command').textContent(), 'ptxscope fmt input.ptx -o -');
	await soon.match(() => page.id('status').textContent(), /^read in/);
	// Loads and stores of bits: the arithmetic tells floats, here and in the debugger.
	await page.replaceSource(ptx.replace(/triple/g, 'scale').replace('.param .u64 scale_param_0', '.param .u64 scale_param_0, .param .b32 scale_param_1')
		.replace('mul.lo.s32 %r2, %r1, 3;', 'ld.global.b32 %r2, [%rd4];\n\tld.param.b32 %r3, [scale_param_1];\n\tmul.rn.f32 %r2, %r2, %r3;').replace('st.global.u32', 'st.global.b32'));
	await soon.equal(() => page.tab.getByLabel('Type of scale_param_0').inputValue(), 'f32');
	await soon.match(() => page.tab.locator('.launch-form').textContent(), /(?<!scale_)param_1\s*f32/);
	await page.close();
});

test('machine IR goes on from where it was stopped', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const mir = ptxscope(['compile', 'examples/saxpy.ll', '-mcpu=sm_90', '-stop-after=nvptx-isel', '-o', '-']).stdout;
	await drop(page, 'k.mir', mir);
	await page.waitFor(() => document.querySelector('section.ir h2').textContent === 'Machine IR');
	await page.until('ready');
	await soon.match(() => page.ptx(), /fma\.rn\.f32/);
	// It runs at once, by a form that follows from its kernel.
	await page.tab.getByRole('tab', { name: 'Run', exact: true }).click();
	await page.waitFor(() => document.querySelector('.launch-form code')?.textContent === 'saxpy');
	await page.tab.getByRole('button', { name: 'Run', exact: true }).click();
	await page.waitFor(() => document.querySelector('[data-testid=run-result]:not([data-outdated])'));
	await page.close();
});
