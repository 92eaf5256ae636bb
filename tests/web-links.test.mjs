// Links: what a link holds comes back, old links open for ever, and a bad one does no harm.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { needsPage, Page, soon } from './tools/page.mjs';

const linkOf = (state) => `#v1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
const golden = JSON.parse(readFileSync(new URL('web/links.json', import.meta.url), 'utf8'));

const share = async (page) => {
	const old = await page.id('status').getAttribute('data-link');
	await page.id('share').click();
	await page.waitFor((before) => (document.querySelector('[data-testid=status]').dataset.link ?? null) !== before, old);
	const link = await page.id('status').getAttribute('data-link');
	return link.slice(link.indexOf('#'));
};

test('PIPE-24: a link reopens the same source, target, level, knobs and pass', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const source = 'target triple = "nvptx64-nvidia-cuda"\n; ünïcödé ✓\ndefine i32 @linked(i32 %x) {\n  %y = mul i32 %x, 3\n  ret i32 %y\n}\n';
	await page.replaceSource(source);
	await page.id('target').selectOption('sm_80');
	await page.id('level').selectOption('2');
	await page.allKnobs();
	const knob = page.tab.locator('[data-testid=knob]:has(input[type=checkbox])').first();
	const name = await knob.getAttribute('data-knob');
	await knob.locator('input').click();
	await page.waitFor(() => /linked/.test(document.querySelector('[data-testid=ptx]').textContent) && /sm_80/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.until('ready');
	const selected = await page.id('pass').nth(1).getAttribute('data-pass');
	await page.id('pass').nth(1).click();
	await soon.equal(() => page.id('pass').nth(1).getAttribute('aria-selected'), 'true');
	const ptx = await page.ptx();
	const fragment = await share(page);

	const again = await Page.open({ fragment });
	await again.settled();
	await soon.equal(() => again.ptx(), ptx);
	await soon.equal(() => again.id('target').inputValue(), 'sm_80');
	await soon.equal(() => again.id('level').inputValue(), '2');
	await soon.equal(() => again.tab.locator(`[data-knob="${name}"].edited`).count(), 1);
	await soon.equal(() => again.tab.locator('[data-testid=pass][aria-selected=true]').getAttribute('data-pass'), selected);
	assert.equal(await share(again), fragment);
	await page.close();
	await again.close();
});

test('a link of the default state is short, one of a 6.3 KB kernel is at most 2,200 characters', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	assert.ok((await share(page)).length < 100);
	const kernel = readFileSync(new URL('../examples/stencil1d.ll', import.meta.url), 'utf8').slice(0, 6325);
	await page.replaceSource(kernel);
	await page.waitFor(() => document.querySelector('[data-testid=examples]').value === '');
	await page.settled();
	const { length } = await share(page);
	assert.ok(length <= 2200, `${length} characters`);
	await page.close();
});

for (const [name, { fragment, target, level, ptx }] of Object.entries(golden))
	test(`golden link: ${name}`, needsPage, async () => {
		const page = await Page.open({ fragment });
		await page.waitFor((pattern) => new RegExp(pattern).test(document.querySelector('[data-testid=ptx]').textContent), ptx);
		await soon.equal(() => page.id('target').inputValue(), target);
		await soon.equal(() => page.id('level').inputValue(), level);
		await page.close();
	});

const bad = {
	'a link cut in half': linkOf({ source: 'define void @f() { ret void }' }).slice(0, 40),
	'a link from the future': '#v2.abc',
	'a link that is no base64': '#v1.%%%',
	'a link that holds no object': `#v1.${deflateRawSync('[1]').toString('base64url')}`,
	'a link to an example that is gone': linkOf({ example: 'no_such_kernel' }),
};
for (const [name, fragment] of Object.entries(bad))
	test(`${name} says so and changes nothing`, needsPage, async () => {
		const page = await Page.open({ fragment });
		await page.settled();
		await soon.match(() => page.tab.locator('[data-banner=link]').textContent(), /This link/);
		await soon.match(() => page.ptx(), /saxpy/);
		// Whoever goes on to edit need not put it away.
		await page.append('\n; on\n');
		await soon.equal(() => page.tab.locator('[data-banner=link]').count(), 0);
		await page.close();
	});

test('fields of the wrong type in a link are ignored', needsPage, async () => {
	const page = await Page.open({ fragment: linkOf({ target: 7, level: 99, knobs: { a: {}, b: [1] }, view: { tab: 'nonsense', pass: 3 } }) });
	assert.equal(await page.settled(), 'ready');
	await soon.equal(() => page.id('level').inputValue(), '3');
	await page.close();
});

test('a link that would inflate beyond all measure is refused', needsPage, async () => {
	const page = await Page.open({ fragment: linkOf({ source: ';'.repeat(40 << 20) }) });
	await page.settled();
	await soon.match(() => page.tab.locator('[data-banner=link]').textContent(), /16 MB/);
	await page.close();
});

test('a link made with another compiler says so', needsPage, async () => {
	const page = await Page.open({ fragment: linkOf({ compiler: '0.0.0 (elsewhere)' }) });
	await page.settled();
	await page.tab.waitForSelector('[data-banner=info]');
	await soon.match(() => page.tab.locator('[data-banner=info]').textContent(), /0\.0\.0/);
	await page.close();
});

test('a reload keeps what was edited', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.replaceSource('target triple = "nvptx64-nvidia-cuda"\ndefine void @kept_over_a_reload() {\n  ret void\n}\n');
	await page.addressHolds('@kept_over_a_reload');
	await page.tab.reload();
	await page.waitFor(() => /kept_over_a_reload/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.close();
});

test('a link can be had as Markdown and as a frame', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await share(page);
	await page.tab.getByRole('button', { name: /Markdown/ }).click();
	const dialog = page.tab.getByRole('dialog');
	await dialog.waitFor();
	for (const name of ['Copy link', 'Copy Markdown', 'Copy iframe'])
		await soon.ok(() => dialog.getByRole('button', { name }).isVisible());
	await soon.match(() => dialog.locator('input').inputValue(), /#v1\./);
	await page.close();
});
