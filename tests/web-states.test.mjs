// The states that nobody hopes for: crashes, hangs, missing pieces, no network. Nothing is lost and everything is said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsPage, Page, soon } from './tools/page.mjs';

const kernel = (name, extra = '') => `target triple = "nvptx64-nvidia-cuda"\n${extra}\ndefine void @${name}() {\n  ret void\n}\n`;

test('a trap replaces the worker, keeps the output and says so; the next edit compiles', needsPage, async () => {
	const page = await Page.open({ faulty: true });
	await page.settled();
	const before = await page.ptx();
	await page.replaceSource(kernel('f', '; fault: trap'));
	await page.until('crashed');
	await soon.match(() => page.tab.locator('[data-banner=crash]').textContent(), /crashed and was restarted \(\d+ ms\)/);
	await soon.equal(() => page.ptx(), before);
	await page.replaceSource(kernel('after_the_trap'));
	await page.waitFor(() => /after_the_trap/.test(document.querySelector('[data-testid=ptx]').textContent));
	await soon.equal(() => page.state(), 'ready');
	await soon.equal(() => page.tab.locator('[data-banner=crash]').count(), 0);
	await page.close();
});

test('a worker that the browser ends in the middle is noticed and replaced', needsPage, async () => {
	const page = await Page.open({ faulty: true });
	await page.settled();
	const before = await page.ptx();
	await page.replaceSource(kernel('f', '; fault: die'));
	await page.until('crashed');
	// Not by the time limit, which says "stopped".
	await soon.match(() => page.tab.locator('[data-banner=crash]').textContent(), /crashed and was restarted/);
	await soon.equal(() => page.ptx(), before);
	await page.replaceSource(kernel('after_the_end'));
	await page.waitFor(() => /after_the_end/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.close();
});

test('PTX of 200,000 lines is read, shown and scrolled', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await page.tab.evaluate(() => {
		const body = Array.from({ length: 200_000 }, (_, i) => `\tadd.s32 %r${i % 90 + 1}, %r${(i + 7) % 90 + 1}, ${i};`);
		const text = ['.version 7.0', '.target sm_70', '.address_size 64', '.visible .entry wide()', '{', '\t.reg .b32 %r<100>;', ...body, '\tret;', '}', ''].join('\n');
		const data = new DataTransfer();
		data.items.add(new File([text], 'wide.ptx'));
		document.querySelector('section.ir').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	});
	await page.waitFor(() => /200001 instructions/.test(document.querySelector('section.ptx > header').textContent));
	await soon.ok(async () => await page.id('ptx').locator('.row').count() < 1000, 'the whole text stands in the page');
	await page.until('ready');
	await page.id('ptx').evaluate((e) => { e.scrollTop = e.scrollHeight; });
	await page.waitFor(() => /\tret;/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.id('examples').selectOption('saxpy');
	await page.waitFor(() => /entry saxpy/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.close();
});

test('after two crashes on one source compiling is by hand', needsPage, async () => {
	const page = await Page.open({ faulty: true });
	await page.settled();
	await page.replaceSource(kernel('f', '; fault: trap'));
	await page.until('crashed');
	await page.tab.getByRole('button', { name: 'Compile again' }).click();
	await page.waitFor(() => /off now/.test(document.querySelector('[data-banner=crash]')?.textContent ?? ''));
	await page.replaceSource(kernel('fine'));
	await page.tab.getByRole('button', { name: 'Compile', exact: true }).click();
	await page.waitFor(() => /fine/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.close();
});

test('a compilation that hangs can be cancelled by its button and by an edit', needsPage, async () => {
	const page = await Page.open({ faulty: true });
	await page.settled();
	await page.replaceSource(kernel('f', '; fault: hang'));
	await page.until('compiling');
	// No limit ends it: the seconds are counted, and what is on screen is said to be older.
	await page.waitFor(() => /compiling… [2-9]\d* s/.test(document.querySelector('[data-testid=status]').textContent));
	await soon.match(() => page.tab.locator('section.ptx > header').textContent(), /from before, compiling…/);
	await page.tab.getByRole('button', { name: 'Cancel' }).click();
	await page.until('cancelled');
	await soon.doesNotMatch(() => page.id('status').textContent(), /compil/);
	await soon.match(() => page.tab.locator('section.ptx > header').textContent(), /from before the cancelled compilation/);
	await page.replaceSource(kernel('g', '; fault: hang'));
	await page.until('compiling');
	await page.tab.getByRole('button', { name: 'Cancel' }).waitFor();
	await page.replaceSource(kernel('after_the_hang'));
	await page.waitFor(() => /after_the_hang/.test(document.querySelector('[data-testid=ptx]').textContent));
	await soon.equal(() => page.state(), 'ready');
	await page.close();
});

test('a heap that has grown too large is left behind', needsPage, async () => {
	const page = await Page.open({ faulty: true });
	await page.settled();
	await page.replaceSource(kernel('large', '; fault: grow'));
	await page.waitFor(() => /large/.test(document.querySelector('[data-testid=ptx]').textContent));
	await soon.equal(() => page.state(), 'ready');
	await page.replaceSource(kernel('small_again'));
	await page.waitFor(() => /small_again/.test(document.querySelector('[data-testid=ptx]').textContent));
	await soon.ok(() => page.tab.workers().length > 0);
	await page.close();
});

test('a reload after a crash of the whole page opens with compiling off', needsPage, async () => {
	const page = await Page.open({ faulty: true });
	await page.settled();
	await page.replaceSource(kernel('f', '; fault: hang'));
	await page.until('compiling');
	await page.addressHolds('; fault: hang');
	const fragment = await page.tab.evaluate(() => location.hash);
	await page.tab.goto('chrome://crash').catch(() => {});
	const again = await Page.open({ faulty: true, fragment, context: page.context });
	await again.tab.waitForSelector('[data-banner=crash]');
	await soon.match(() => again.tab.locator('[data-banner=crash]').textContent(), /compiling is off/);
	await again.editor();
	await soon.match(() => again.id('ir-editor').textContent(), /fault/);
	await again.close();
});

test('a reload in the middle of a compilation is no crash', needsPage, async () => {
	const page = await Page.open({ faulty: true });
	await page.settled();
	await page.replaceSource(kernel('f', '; fault: hang'));
	await page.until('compiling');
	await page.addressHolds('; fault: hang');
	await page.tab.reload();
	await page.until('compiling');
	await soon.equal(() => page.tab.locator('[data-banner=crash]').count(), 0);
	await page.close();
});

test('forbidden storage changes nothing but what is remembered', needsPage, async () => {
	const before = (page) => page.tab.addInitScript(() => {
		Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });
	});
	const page = await Page.open({ before });
	assert.equal(await page.settled(), 'ready');
	await page.replaceSource(kernel('forgotten'));
	await page.waitFor(() => /forgotten/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.id('not-kept').waitFor();
	await page.close();
});

test('full storage changes nothing but what is remembered', needsPage, async () => {
	const before = (page) => page.tab.addInitScript(() => {
		Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
	});
	const page = await Page.open({ before });
	assert.equal(await page.settled(), 'ready');
	await page.replaceSource(kernel('not_kept'));
	await page.waitFor(() => /not_kept/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.id('not-kept').waitFor();
	await soon.match(() => page.id('not-kept').getAttribute('title'), /full or forbidden/);
	await page.close();
});

test('without the module the page says what is missing and keeps the source editable', needsPage, async () => {
	const page = await Page.open({ before: (p) => p.tab.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' })) });
	await page.until('crashed');
	await soon.match(() => page.tab.locator('[data-banner=load]').textContent(), /could not be loaded/);
	await page.append('; still here');
	await soon.match(() => page.id('ir-editor').textContent(), /still/);
	page.trouble = page.trouble.filter((t) => !/404/.test(t));
	await page.close();
});

test('without WebAssembly the page says so', needsPage, async () => {
	const before = (page) => page.tab.route('**/assets/worker-*.js', async (route) => {
		const response = await route.fetch();
		await route.fulfill({ response, body: `delete globalThis.WebAssembly;${await response.text()}` });
	});
	const page = await Page.open({ before });
	await page.until('crashed');
	await page.tab.locator('[data-banner=load]').waitFor();
	await page.close();
});

test('without the editor the plain text area still works', needsPage, async () => {
	const page = await Page.open({ before: (p) => p.tab.route('**/assets/LlEditor-*.js', (route) => route.abort()) });
	await page.settled();
	await page.tab.locator('textarea.plain').fill(kernel('plainly'));
	await page.waitFor(() => /plainly/.test(document.querySelector('[data-testid=ptx]').textContent));
	page.trouble = page.trouble.filter((t) => !/ERR_FAILED/.test(t));
	await page.close();
});

test('the page opens again without a network', needsPage, async () => {
	const page = await Page.open({ offline: true });
	await page.settled();
	await page.tab.evaluate(() => navigator.serviceWorker.ready);
	await page.waitFor(() => navigator.serviceWorker.controller !== null);
	await page.context.setOffline(true);
	await page.tab.reload();
	assert.equal(await page.settled(), 'ready');
	await page.editor();
	await soon.match(() => page.tab.locator('[data-banner=offline]').textContent(), /offline/);
	await page.context.setOffline(false);
	page.trouble = page.trouble.filter((t) => !/ERR_INTERNET_DISCONNECTED/.test(t));
	await page.close();
});

test('ten megabytes of text are taken, answered and let go', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const line = '; a long comment that says nothing at all, again and again and again\n';
	const transfer = await page.tab.evaluateHandle(([text, count]) => {
		const data = new DataTransfer();
		data.items.add(new File([text.repeat(count), 'target triple = "nvptx64-nvidia-cuda"\ndefine void @heavy() {\n  ret void\n}\n'], 'k.ll'));
		return data;
	}, [line, Math.ceil(10e6 / line.length)]);
	await page.tab.locator('section.ir').dispatchEvent('drop', { dataTransfer: transfer });
	await page.waitFor(() => /heavy/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.id('examples').selectOption('saxpy');
	await page.waitFor(() => /entry saxpy/.test(document.querySelector('[data-testid=ptx]').textContent));
	await page.close();
});

test('an empty source is an invitation', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await (await page.editor()).click();
	await page.tab.keyboard.press('Control+A');
	await page.tab.keyboard.press('Delete');
	await page.tab.locator('.nothing').waitFor();
	await soon.match(() => page.tab.locator('.nothing').textContent(), /Paste LLVM IR/);
	await page.close();
});

test('the built page asks nobody else: its policy forbids it, and the browser enforces it', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const policy = await page.tab.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
	for (const rule of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"])
		assert.ok(policy.includes(rule), rule);
	await page.tab.evaluate(() => {
		globalThis.violated = [];
		addEventListener('securitypolicyviolation', (e) => globalThis.violated.push(e.effectiveDirective));
		const script = document.createElement('script');
		script.textContent = 'globalThis.injected = true';
		document.head.append(script);
	});
	assert.equal(await page.tab.evaluate(() => fetch('http://127.0.0.1:9/').then(() => 'fetched', (error) => error.name)), 'TypeError');
	await page.waitFor(() => globalThis.violated.some((d) => d.startsWith('script-src')) && globalThis.violated.includes('connect-src'));
	await soon.equal(() => page.tab.evaluate(() => globalThis.injected), undefined);
	page.trouble = page.trouble.filter((t) => !/Content Security Policy/.test(t));
	await page.close();
});

test('the page can be installed', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	const manifest = await page.tab.evaluate(() => fetch(document.querySelector('link[rel=manifest]').href).then((r) => r.json()));
	assert.ok(manifest.name && manifest.start_url && manifest.display === 'standalone');
	assert.ok(manifest.icons.length >= 1);
	for (const icon of manifest.icons)
		assert.equal(await page.tab.evaluate((src) => fetch(new URL(src, document.querySelector('link[rel=manifest]').href)).then((r) => r.status), icon.src), 200);
	await page.close();
});
