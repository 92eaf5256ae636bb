// "Run on GPU": the page names a runner, runs the kernel there and shows both results. The runner is the project's own, on the emulator
// behind CUDA's driver API, so the two have to agree; where they should not, its answer is changed on the way.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addToken } from '../runner/src/tokens.js';
import { needsPage, Page, soon } from './tools/page.mjs';
import { native, temporaryFolder } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const needs = needsPage.skip || (which('cc') && existsSync(native) && process.platform === 'linux') ? needsPage : { skip: 'no C compiler, no native build, or not Linux' };
let service, token;
after(() => service?.close());

/** A service that takes requests of the page at `base`. */
async function start(base) {
	assert.equal(spawnSync('make', ['-s', 'cuda'], { cwd: root }).status, 0);
	process.env.PTXSCOPE_RUNNER_DEVICE = 'emulated';
	const { startService } = await import('../runner/src/service.js'), data = temporaryFolder();
	token = addToken(join(data, 'tokens'), 'page');
	service = await startService({ data, origins: [new URL(base).origin], log: false });
	return service.address;
}

const button = (page, name) => page.tab.getByRole('button', { name, exact: true });
async function connect(page, url, as) {
	await button(page, 'Run on GPU').click();
	await page.id('runner-settings').getByLabel('Address').fill(url);
	await page.id('runner-settings').getByLabel('Token').fill(as);
	await button(page, 'Connect').click();
}

test('the page runs a kernel on a runner and compares; address and token stay on the device', needs, async () => {
	const page = await Page.open();
	assert.equal(await page.settled(), 'ready');
	const url = await start(page.base);
	await page.tab.getByRole('tab', { name: 'Run', exact: true }).click();
	assert.equal(page.trouble.length, 0, 'nobody is asked before a server is named');

	await connect(page, url, `${token}x`);
	await page.waitFor(() => /token is not known/.test(document.querySelector('[data-testid=runner-error]')?.textContent));
	await page.id('runner-settings').getByLabel('Token').fill(token);
	await button(page, 'Connect').click();
	await page.waitFor(() => /emulator/.test(document.querySelector('[data-testid=runner-devices]')?.textContent));
	await button(page, 'Close').click();

	await button(page, 'Run on GPU').click();
	const result = page.id('gpu-result');
	await result.waitFor();
	await soon.deepEqual(() => result.locator('[data-buffer]').evaluateAll((rows) => rows.map((r) => [r.dataset.buffer, r.dataset.different])), [['x', '0'], ['y', '0']]);
	await soon.match(() => result.textContent(), /y equal, all 256 elements bit by bit/);
	for (const row of [/time–[\d.,]+ µs, median of 5/, /registers–\d+/, /instructions per warp[\d.]+–/, /global sectors[1-9]\d*–/])
		await soon.match(() => page.id('emulated-measured').textContent(), row);

	// A result that is not the emulator's: one element three units away.
	await page.tab.route(/\/jobs\?wait=/, async (route) => {
		const response = await route.fetch(), body = await response.json(), bytes = Buffer.from(body.result.buffers.y.base64, 'base64');
		bytes.writeUInt32LE(bytes.readUInt32LE(40) + 3, 40);
		body.result.buffers.y.base64 = bytes.toString('base64');
		await route.fulfill({ response, json: body });
	});
	await button(page, 'Run on GPU').click();
	await page.waitFor(() => document.querySelector('[data-buffer=y]')?.dataset.different === '1');
	await soon.match(() => result.locator('[data-buffer=y]').textContent(), /1 of 256 differ; the first: \[10\] is [\d.]+, the emulator's [\d.]+: 3 ULPs apart/);
	await page.tab.unroute(/\/jobs\?wait=/);

	// A link made here, and the address, which is one, hold neither; what is kept is kept.
	await page.replaceSource(`; changed\ndefine ptx_kernel void @k(ptr %p) {\n  store i32 7, ptr %p\n  ret void\n}\n`);
	await page.addressHolds('store i32 7');
	const { inflateRawSync } = await import('node:zlib');
	const held = inflateRawSync(Buffer.from(/^#v1\.(.+)$/.exec(new URL(page.tab.url()).hash)[1], 'base64url')).toString('utf8');
	for (const secret of [token, new URL(url).host, 'runner'])
		assert.ok(!held.includes(secret) && !page.tab.url().includes(secret), secret);
	await soon.match(() => page.tab.evaluate(() => localStorage.getItem('ptxscope.runner')), new RegExp(token));
	await page.waitFor(() => document.querySelector('[data-testid=gpu-result]').dataset.outdated);

	await page.tab.getByRole('button', { name: 'change…' }).click();
	await button(page, 'Forget').click();
	await soon.equal(() => page.tab.evaluate(() => localStorage.getItem('ptxscope.runner')), null);
	// The requests to the runner, and what the browser says of the 401, are all the trouble there was.
	page.trouble = page.trouble.filter((line) => !line.startsWith(`asks for ${url}/`) && !/401/.test(line));
	await page.close();
});

test('a page in a frame offers no GPU, and one that the runner does not list is refused', needs, async (t) => {
	const framed = await Page.open({ query: '?embed=1' });
	await framed.settled();
	await soon.equal(() => framed.id('run-on-gpu').count(), 0);
	await framed.close();
	const page = await Page.open();
	await page.settled();
	const data = temporaryFolder(), { startService } = await import('../runner/src/service.js'), own = addToken(join(data, 'tokens'), 'page');
	const strict = await startService({ data, log: false });
	t.after(() => strict.close());
	await page.tab.getByRole('tab', { name: 'Run', exact: true }).click();
	await connect(page, strict.address, own);
	await page.waitFor(() => /does not answer/.test(document.querySelector('[data-testid=runner-error]')?.textContent));
	page.trouble = [];
	await page.close();
});
