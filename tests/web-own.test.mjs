// One's own code: a file or a pasted text runs at once, by a form that follows from the kernel's signature.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { needsPage, Page, soon } from './tools/page.mjs';

const drop = (page, name, content, where = 'section.ptx') => page.tab.evaluate(([n, text, at]) => {
	const data = new DataTransfer();
	data.items.add(new File([text], n));
	document.querySelector(at).dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}, [name, content, where]);
const tab = (page, name) => page.tab.getByRole('tab', { name, exact: true }).click();
const set = async (page, label, value) => {
	await page.tab.getByLabel(label, { exact: true }).fill(String(value));
	await page.tab.getByLabel(label, { exact: true }).press('Tab');
};
const run = async (page) => {
	await page.tab.getByRole('button', { name: 'Run', exact: true }).click();
	await page.waitFor(() => document.querySelector('[data-testid=run-result]:not([data-outdated])'));
};
const cells = (page) => page.tab.locator('.values tbody td:first-of-type').allTextContents();

const two = `; RUN: llc -mcpu=sm_80 -O1 -disable-dce < %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: .entry scale(
; CHECK:       mul.lo.s64
; CHECK:       st.global{{.*}}.b16
@format = private unnamed_addr constant [10 x i8] c"total %d\\0A\\00"
declare i32 @vprintf(ptr, ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @scale(ptr %data, i64 %by, ptr %half) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr i64, ptr %data, i64 %i
  %x = load i64, ptr %p
  %y = mul i64 %x, %by
  store i64 %y, ptr %p
  %q = getelementptr half, ptr %half, i64 %i
  store half 0xH3C00, ptr %q
  ret void
}

define ptx_kernel void @say(i32 %n) {
  %args = alloca i32
  store i32 %n, ptr %args
  %done = call i32 @vprintf(ptr @format, ptr %args)
  ret void
}
`;

test('a dropped file with two kernels: RUN line, form, chooser, table, plot, image, printf, names of files', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.editor();
	await drop(page, 'mine.ll', two);
	await page.waitFor(() => /entry scale/.test(document.querySelector('[data-testid=ptx]').textContent));
	// The RUN line.
	await soon.equal(() => page.id('target').inputValue(), 'sm_80');
	await soon.equal(() => page.id('level').inputValue(), '1');
	await soon.equal(() => page.tab.locator('[data-knob=disable-dce].edited').count(), 1);
	await soon.match(() => page.tab.locator('[data-banner=info]').textContent(), /-mcpu=sm_80 -O1 -disable-dce/);
	await page.until('ready');
	await page.waitFor(() => /all 3 lines hold/.test(document.querySelector('[data-testid=check-lines]')?.textContent));

	// The form has the kernel's parameters, with types of what their pointers point to.
	await tab(page, 'Run');
	await page.tab.getByLabel('Kernel', { exact: true }).waitFor();
	await soon.deepEqual(() => page.tab.locator('.argument-name').allTextContents(), ['data', 'by', 'half']);
	await soon.equal(() => page.tab.getByLabel('Type of data', { exact: true }).inputValue(), 'i64');
	await soon.equal(() => page.tab.getByLabel('Type of half', { exact: true }).inputValue(), 'f16');
	await page.tab.getByLabel('Contents of data').selectOption('values');
	await set(page, 'Values of data', '9007199254740993, -2, 3');
	await set(page, 'Value of by', '3');
	await set(page, 'grid x', 1);
	await run(page);
	await page.tab.locator('.buffer-tabs').getByRole('button', { name: 'data' }).click();
	// Integers are integers, beyond 2^53 too.
	await soon.deepEqual(async () => (await cells(page)).slice(0, 4), ['27021597764222979', '-6', '9', '0']);
	await page.tab.getByRole('button', { name: 'Plot', exact: true }).click();
	await page.tab.locator('svg.plot').waitFor();
	await page.tab.getByRole('button', { name: 'Image', exact: true }).click();
	await soon.equal(() => page.id('buffer-image').getAttribute('width'), '16');
	await page.tab.getByRole('button', { name: 'Table', exact: true }).click();
	await page.tab.getByLabel('Contents of data').selectOption('random');
	await set(page, 'max of data', 1);
	await run(page);
	await soon.deepEqual(async () => [...new Set((await cells(page)).slice(0, 64))].sort(), ['0', '3']);

	// The other kernel, and what was entered for the first when it comes back.
	await page.tab.getByLabel('Kernel', { exact: true }).selectOption('say');
	await set(page, 'Value of n', 42);
	await set(page, 'block x', 2);
	await run(page);
	await soon.equal(() => page.id('printed').textContent(), 'total 42\ntotal 42\n');
	await page.tab.getByLabel('Kernel', { exact: true }).selectOption('scale');
	await soon.equal(() => page.tab.getByLabel('Value of by', { exact: true }).inputValue(), '3');
	await page.tab.getByLabel('Value of by', { exact: true }).fill('many');
	await page.tab.getByLabel('Value of by', { exact: true }).press('Tab');
	await soon.equal(() => page.tab.getByLabel('Value of by', { exact: true }).inputValue(), '3');

	// Every pane's text can be saved, under the file's name.
	const saved = async (pane) => {
		const [download] = await Promise.all([page.tab.waitForEvent('download'), page.tab.locator(pane).getByRole('button', { name: 'Save', exact: true }).click()]);
		return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
	};
	assert.deepEqual(await saved('section.ir'), { name: 'mine.ll', text: two });
	assert.equal((await saved('section.ptx')).name, 'mine.ptx');
	for (const pane of ['section.ir', 'section.view', 'section.ptx'])
		await soon.ok(() => page.tab.locator(pane).getByRole('button', { name: 'Copy', exact: true }).isVisible(), pane);
	await soon.equal(() => page.tab.locator('section.ir > header .quiet').textContent(), 'mine.ll');
	// Only the kernel that was executed has verdicts.
	await page.id('checked').waitFor();
	await soon.deepEqual(() => page.id('pass').evaluateAll((rows) => [...new Set(rows.filter((r) => r.querySelector('.good')).map((r) => r.dataset.function))]), ['scale']);
	// A changed signature brings a form of its own.
	await page.replaceSource(two.replaceAll('%by', '%factor').replace('ptr %half)', 'ptr %half, float %more)').replace('@scale', '@other'));
	await page.waitFor(() => [...document.querySelectorAll('.argument-name')].map((e) => e.textContent).join() === 'data,factor,half,more');
	await page.waitFor(() => document.querySelector('li.warning[data-testid=check-lines] .place')?.textContent === '3');
	await soon.equal(() => page.tab.locator('section.ir > header .quiet').textContent(), 'mine.ll, edited');
	// What the RUN line said is gone with its source.
	await page.id('examples').selectOption('saxpy');
	await page.waitFor(() => !document.querySelector('[data-banner]') && /entry saxpy/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.close();
});

test('bitcode is opened as text; the launch is JSON behind a button; the last draft is offered on the start page', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.tab.evaluate((bytes) => {
		const data = new DataTransfer();
		data.items.add(new File([Uint8Array.from(bytes)], 'kept.bc'));
		document.querySelector('section.ptx').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	}, [...readFileSync(new URL('bitcode/clang.22.bc', import.meta.url))]);
	await soon.equal(() => page.tab.locator('section.ir > header .quiet').textContent(), 'kept.ll');
	await page.until('ready');
	await soon.match(() => page.ptx(), /\.entry /);

	await page.replaceSource(two.replace(/^; RUN.*\n/, '').replaceAll('scale', 'drafted'));
	await page.until('ready');
	await tab(page, 'Run');
	await soon.equal(() => page.tab.getByLabel('Launch description, JSON').count(), 0);
	await page.tab.getByRole('button', { name: 'Edit launch', exact: true }).click();
	const json = page.tab.getByLabel('Launch description, JSON');
	await soon.match(() => json.inputValue(), /"kernel": "drafted"/);
	await json.fill((await json.inputValue()).replace(/"block": \[[^\]]*\]/, '"block": [8, 1, 1]'));
	await soon.equal(() => page.tab.getByLabel('block x', { exact: true }).inputValue(), '8');

	await page.addressHolds('@drafted');
	await page.tab.goto(page.base);
	await page.tab.reload();
	await page.settled();
	await soon.match(() => page.ptx(), /entry saxpy/);
	await page.tab.getByRole('button', { name: 'Last draft' }).click();
	await soon.match(() => page.ptx(), /entry drafted/);
	await page.close();
});

test('the Open button takes a file; what cannot be read is named with what to do', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const [chooser] = await Promise.all([page.tab.waitForEvent('filechooser'), page.tab.getByRole('button', { name: 'Open', exact: true }).click()]);
	await chooser.setFiles({ name: 'opened.ll', mimeType: 'text/plain', buffer: Buffer.from(two.replaceAll('scale', 'opened').replace(/^; RUN.*\n/, '')) });
	await page.waitFor(() => /entry opened/.test(document.querySelector('[data-testid=ptx]').textContent));
	await soon.match(() => page.tab.locator('section.ir > header').textContent(), /opened\.ll/);
	await drop(page, 'k.cubin', '\x7fELF\x02');
	await page.waitFor(() => /k\.cubin is an object file.*cuobjdump/.test(document.querySelector('[data-banner=link]')?.textContent));
	await soon.match(() => page.ptx(), /entry opened/);
	await page.close();
});
