// Stepping through a kernel: one instruction, one line, stops, lanes that part, registers and memory, back, pause, end.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accessibilityProblems, needsPage, Page, soon } from './tools/page.mjs';

async function stepping(example = 'saxpy', options = {}) {
	const page = await Page.open(options);
	await page.settled();
	if (example !== 'saxpy') {
		await page.id('examples').selectOption(example);
		await page.waitFor((kernel) => new RegExp(`\\.entry ${kernel}\\(`).test(document.querySelector('[data-testid=ptx]').textContent), example);
		await page.until('ready');
	}
	await openRun(page);
	await page.waitFor((kernel) => document.querySelector('.launch-form code')?.textContent === kernel, example);
	await page.tab.getByRole('button', { name: 'Step through' }).click();
	await page.tab.locator('.where').waitFor({ state: 'attached' });
	return page;
}

async function openRun(page) {
	if (await page.tab.locator('#tab-app-panel').isVisible())
		await page.tab.locator('#tab-app-panel').click();
	await page.tab.getByRole('tab', { name: 'Run', exact: true }).click();
}

const where = (page) => page.tab.locator('.where').evaluate((e) => ({ ...e.dataset }));
async function act(page, name) {
	const before = await page.tab.locator('.where').evaluate((e) => e.outerHTML);
	await page.tab.getByRole('button', { name, exact: true }).click();
	await page.waitFor((old) => { const e = document.querySelector('.where'); return e && e.outerHTML !== old && !document.querySelector('.debug-tools progress'); }, before);
	return where(page);
}
const codeOf = (page, line) => page.id('ptx').locator(`.row[data-no="${line}"]`).textContent();

test('a kernel starts standing at its first instruction and moves by one', needsPage, async () => {
	const page = await stepping();
	const first = await where(page);
	assert.equal(first.steps, '0');
	await soon.match(() => codeOf(page, first.line), /ld\.param/);
	const second = await act(page, 'Step');
	assert.equal(second.steps, '1');
	assert.ok(Number(second.line) > Number(first.line));
	await soon.equal(() => page.id('ptx').locator('.row.current').getAttribute('data-no'), second.line);
	// The line of IR that it comes from is lit.
	const line = await page.id('ptx').locator('.row', { hasText: 'mad.lo.s32' }).getAttribute('data-no');
	await page.tab.getByLabel('Run to line').fill(line);
	assert.equal((await act(page, 'Go')).line, line);
	await page.tab.waitForSelector('.editor-hot');
	await page.close();
});

test('registers of a lane, and what a step changed in them', needsPage, async () => {
	const page = await stepping();
	const rows = page.id('registers').locator('tr[data-register]');
	await rows.first().waitFor();
	let line;
	do
		({ line } = await act(page, 'Step'));
	while (!/mov\.u32.*%tid\.x/.test(await codeOf(page, line)));
	const target = /%r\d+/.exec(await codeOf(page, line))[0];
	// Warps advance evenly: on until this one has done it.
	do
		({ line } = await act(page, 'Step'));
	while (/%tid\.x/.test(await codeOf(page, line)));
	const row = page.tab.locator(`tr[data-register="${target}"]`);
	await soon.equal(() => row.locator('.value').textContent(), '0');
	await soon.match(() => row.textContent(), /32 values/);
	await page.tab.getByLabel('lane', { exact: false }).locator('visible=true').last().fill('5');
	await page.waitFor((r) => document.querySelector(`tr[data-register="${r}"] .value`).textContent === '5', target);
	await page.close();
});

test('a click on a line number is a stop, and Continue runs to it, then to the end', needsPage, async () => {
	const page = await stepping();
	const row = page.id('ptx').locator('.row', { hasText: 'fma.rn.f32' });
	const line = await row.getAttribute('data-no');
	await row.click({ position: { x: 10, y: 9 } });
	await page.tab.waitForSelector('.row.stop');
	assert.equal((await act(page, 'Continue')).line, line);
	await page.tab.getByRole('button', { name: `Take away the stop at line ${line}` }).click();
	await page.waitFor(() => !document.querySelector('.row.stop'));
	assert.equal((await act(page, 'Continue')).state, 'done');
	// At the end the buffers and the profile are those of a run.
	await soon.match(() => page.id('run-result').textContent(), /as expected/);
	await page.close();
});

test('run to a line by its number, back to the stop before, and from the beginning', needsPage, async () => {
	const page = await stepping();
	const line = await page.id('ptx').locator('.row', { hasText: 'setp.ge.s32' }).getAttribute('data-no');
	await page.tab.getByLabel('Run to line').fill(line);
	const there = await act(page, 'Go');
	assert.equal(there.line, line);
	const next = await act(page, 'Step');
	const back = await act(page, 'Back');
	assert.deepEqual([back.line, back.steps], [there.line, there.steps]);
	const again = await act(page, 'Step');
	assert.deepEqual([again.line, again.steps], [next.line, next.steps]);
	assert.equal((await act(page, 'Restart')).steps, '0');
	await page.close();
});

test('lanes that part are seen, warp by warp and path by path', needsPage, async () => {
	const page = await stepping('collatz');
	await page.id('warps').locator('tr[data-warp]').first().waitFor();
	await soon.equal(() => page.id('warps').locator('tr[data-warp]').count(), 2);
	await soon.equal(() => page.id('warps').locator('tr[data-warp="0.0"] .lanes .on').count(), 32);
	for (let i = 0; i < 200 && await page.tab.locator('.paths li').count() === 0; i++)
		await act(page, 'Next line');
	const paths = () => page.tab.locator('.paths .lanes').evaluateAll((all) => all.map((e) => e.querySelectorAll('.on').length));
	await soon.ok(async () => (await paths()).length >= 2);
	await soon.equal(async () => (await paths()).reduce((a, b) => a + b, 0), 32);
	// Another warp can be looked at.
	await page.id('warps').locator('tr[data-warp="0.1"] button').click();
	await page.tab.waitForSelector('tr[data-warp="0.1"][aria-current=true]');
	await soon.match(() => page.tab.locator('.where').textContent(), /warp 1 of block 0/);
	await page.close();
});

test('on a phone, too, registers are seen; memory of halves shows numbers', needsPage, async () => {
	const page = await stepping('half_axpy', { width: 390, height: 800 });
	await act(page, 'Step');
	await soon.ok(async () => (await page.id('registers').boundingBox()).height > 100, 'registers');
	await page.tab.getByRole('button', { name: 'Memory', exact: true }).click();
	await page.tab.locator('.debug-machine select').selectOption({ label: 'buffer x' });
	await soon.ok(async () => (await page.tab.locator('.memory').textContent()).match(/-?\d\.\d+/g)?.length > 10, 'halves as numbers');
	await page.close();
});

test('memory shows a buffer, and what the last move wrote', needsPage, async () => {
	const page = await stepping();
	await page.tab.getByRole('button', { name: 'Memory' }).click();
	await page.tab.getByLabel('Memory', { exact: true }).selectOption('buffer y');
	await page.id('memory').waitFor();
	const line = await page.id('ptx').locator('.row', { hasText: 'st.global.b32' }).getAttribute('data-no');
	await page.tab.getByLabel('Run to line').fill(line);
	await act(page, 'Go');
	await act(page, 'Step');
	await act(page, 'Step');
	await page.waitFor(() => document.querySelectorAll('[data-testid=memory] .changed').length > 0);
	await soon.ok(async () => await page.id('memory').locator('.changed').count() <= 64);
	await page.close();
});

const endless = `.version 7.0
.target sm_70
.address_size 64
.visible .entry spin()
{
	.reg .b32 %r<2>;
$again:
	add.s32 %r1, %r1, 1;
	bra.uni $again;
}
`;

test('a kernel that never ends shows its progress and can be paused and left', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.id('examples').selectOption('saxpy');
	await openRun(page);
	const transfer = await page.tab.evaluateHandle((text) => {
		const data = new DataTransfer();
		data.items.add(new File([text], 'k.ptx'));
		return data;
	}, endless);
	await page.tab.locator('section.ir').dispatchEvent('drop', { dataTransfer: transfer });
	await page.tab.getByRole('button', { name: 'Stop', exact: true }).click();
	await page.tab.getByRole('button', { name: 'Step through' }).click();
	await page.tab.locator('.where').waitFor();
	await page.tab.getByRole('button', { name: 'Continue' }).click();
	await page.waitFor(() => Number(document.querySelector('.debug-tools .quiet')?.textContent.replaceAll(',', '')) > 300_000);
	await page.tab.getByRole('button', { name: 'Pause' }).click();
	await page.waitFor(() => Number(document.querySelector('.where')?.dataset.steps) > 300_000 && !document.querySelector('.debug-tools progress'));
	await page.tab.getByRole('button', { name: 'End', exact: true }).click();
	await page.id('debug').waitFor({ state: 'detached' });
	await page.close();
});

test('LLVM IR can be stepped through as well, and an edit ends it', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await openRun(page);
	await page.tab.getByLabel('What to execute').selectOption('ir');
	await page.tab.getByRole('button', { name: 'Step through' }).click();
	await page.tab.locator('.where').waitFor();
	await soon.match(() => page.tab.locator('section.ptx h2').textContent(), /LLVM IR, executed/);
	await act(page, 'Step');
	await soon.match(() => page.id('ptx').locator('.row.current').textContent(), /%\d+ = /);
	await page.append('\n; an edit\n');
	await page.id('debug').waitFor({ state: 'detached' });
	await page.waitFor(() => document.querySelector('section.ptx h2').textContent === 'PTX');
	await page.close();
});

test('by keyboard alone: S, L, C, B', needsPage, async () => {
	const page = await stepping();
	await page.tab.getByRole('tab', { name: 'Stepping' }).focus();
	const press = async (key) => {
		const before = await page.tab.locator('.where').evaluate((e) => e.outerHTML);
		await page.tab.keyboard.press(key);
		await page.waitFor((old) => { const e = document.querySelector('.where'); return e && e.outerHTML !== old && !document.querySelector('.debug-tools progress'); }, before);
		return where(page);
	};
	assert.equal((await press('s')).steps, '1');
	assert.ok(Number((await press('l')).steps) > 1);
	const { steps } = await where(page);
	assert.equal((await press('b')).steps, '1');
	assert.notEqual(steps, '1');
	assert.equal((await press('c')).state, 'done');
	await page.close();
});

test('a fault stops where it happens and names itself', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const source = readFileSync(new URL('../examples/saxpy.ll', import.meta.url), 'utf8').replace('icmp slt i32 %9, %0', 'icmp slt i32 %9, 2147483647');
	await page.replaceSource(source);
	await page.waitFor(() => document.querySelector('[data-testid=examples]').value === '');
	await page.until('ready');
	await openRun(page);
	await page.tab.getByLabel('grid x').fill('4096');
	await page.tab.getByLabel('grid x').press('Tab');
	await page.tab.getByRole('button', { name: 'Step through' }).click();
	await page.tab.locator('.where').waitFor();
	assert.equal((await act(page, 'Continue')).state, 'faulted');
	await soon.match(() => page.tab.locator('.where').textContent(), /at line \d+/);
	await page.close();
});

for (const [width, theme] of [[1440, 'light'], [1000, 'dark'], [390, 'light']])
	test(`axe finds nothing serious while stepping: ${width} px, ${theme}`, needsPage, async () => {
		const page = await stepping('saxpy', { width, theme });
		await page.id('debug').waitFor();
		await soon.deepEqual(() => accessibilityProblems(page), []);
		await page.close();
	});
