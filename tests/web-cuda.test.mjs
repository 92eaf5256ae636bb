// CUDA C++ in the page: clang is fetched when somebody writes CUDA C++ and not before, is kept for a visit without a network, and what
// it says is shown at its place. One page for all of it, as the browser compiles 75 MB of WebAssembly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsPage, Page, soon } from './tools/page.mjs';

const kernel = `#define FACTOR 3
__device__ float twice(float x) {
	return x * FACTOR;
}
extern "C" __global__ void scale(float *x, int n) {
	int thread = blockIdx.x * blockDim.x + threadIdx.x;
	if (thread < n)
		x[thread] = twice(x[thread]) + 1;
}
`;

test('a kernel in CUDA C++: download, PTX, errors with fixes, lines, offline', needsPage, async () => {
	const asked = [], clang = /\/clang-[0-9a-f]+\.bin$/;
	let release;
	const cancelled = new Promise((done) => { release = done; });
	const page = await Page.open({ offline: true, before: async ({ context }) => {
		context.on('request', (request) => asked.push(request.url()));
		await context.route(clang, async (route) => { await cancelled; await route.continue().catch(() => {}); });
	} });
	await page.settled();
	await page.tab.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
	assert.deepEqual(asked.filter((url) => url.includes('/clang-')), []);

	// Cancelled, the text stays; asked again, it loads.
	await page.replaceSource(kernel);
	await page.tab.waitForSelector('[data-testid=clang][data-state=loading]');
	await page.id('clang').getByRole('button', { name: 'Cancel' }).click();
	await page.tab.waitForSelector('[data-testid=clang][data-state=cancelled]');
	release();
	await page.context.unroute(clang);
	await page.until('error');
	const keptFiles = () => page.tab.evaluate(async () => (await (await caches.open('kept-clang')).keys()).map((request) => request.url.split('.').at(-1)));
	await soon.deepEqual(() => keptFiles(), ['js']);
	await page.id('clang').getByRole('button', { name: /Load clang \(22\.\d MB\)/ }).click();
	await page.until('ready');
	await page.waitFor(() => /\.entry scale\(/.test(document.querySelector('[data-testid=ptx] pre')?.textContent ?? ''));
	await soon.equal(() => page.id('clang').count(), 0);
	await soon.match(() => page.ptx(), /fma\.rn\.f32/);

	// The line of CUDA C++ under the pointer is marked in the PTX.
	await page.id('ptx').locator('pre .row', { hasText: 'fma.rn.f32' }).hover();
	await page.tab.waitForSelector('.editor-hot');

	// An error at its place, with clang's proposal.
	await page.replaceSource(kernel.replace('twice(x[thread])', 'twice(x[thred])'));
	await page.until('error');
	await soon.match(() => page.id('problems').innerText(), /8:23[^]*use of undeclared identifier 'thred'; did you mean 'thread'\?/);
	await page.tab.waitForSelector('.squiggly-error');
	await page.id('fix').first().click();
	await page.until('ready');

	// Examples come in CUDA C++ now, and run; the gallery has kernels that are there in nothing else.
	await page.id('examples').selectOption('reduce_shared');
	await page.waitFor(() => /__shared__/.test(document.querySelector('[data-testid=ir-editor]').textContent));
	await page.waitFor(() => /\.entry reduce_shared\(/.test(document.querySelector('[data-testid=ptx] pre')?.textContent ?? ''));
	await page.waitFor(() => /every pass computes the same/.test(document.querySelector('.status').textContent));

	await page.tab.getByRole('button', { name: 'Gallery' }).click();
	await page.tab.getByRole('button', { name: /Groups by label/ }).click();
	await page.waitFor(() => /\.entry cg_labels\(/.test(document.querySelector('[data-testid=ptx] pre')?.textContent ?? ''));
	await page.waitFor(() => /every pass computes the same/.test(document.querySelector('.status').textContent));
	await soon.match(() => page.tab.evaluate(() => location.hash), /^#v1\./);

	await soon.deepEqual(async () => (await keptFiles()).sort(), ['bin', 'js']);

	// Another visit, without a network: clang is there, and the page begins in CUDA C++.
	await page.context.setOffline(true);
	const url = page.tab.url().replace(/#.*/, '');
	await page.tab.goto('about:blank');
	await page.tab.goto(url);
	await page.settled();
	await page.waitFor(() => /__global__/.test(document.querySelector('[data-testid=ir-editor]').textContent));
	await page.waitFor(() => document.querySelector('[data-testid=examples]').value === 'saxpy');
	await page.until('ready');
	await page.replaceSource(kernel.replace('scale', 'again'));
	await page.waitFor(() => /\.entry again\(/.test(document.querySelector('[data-testid=ptx] pre')?.textContent ?? ''));

	// What takes longer than 20 s (0.2 s here) is ended, the text stays, and the next source compiles.
	await page.tab.evaluate(() => { window.limitMs = 200; });
	const endless = 'template <int N, int M> struct Tree { enum { leaves = Tree<N - 1, 2 * M>::leaves + Tree<N - 1, 2 * M + 1>::leaves }; };\n'
		+ 'template <int M> struct Tree<0, M> { enum { leaves = 1 }; };\n__global__ void k(int *p) { *p = Tree<30, 0>::leaves; }\n';
	await page.replaceSource(endless);
	await page.waitFor(() => /clang was stopped after 20 s/.test(document.body.innerText));
	assert.match(await page.id('ir-editor').textContent(), /struct.Tree/);
	await page.tab.evaluate(() => { delete window.limitMs; });
	await page.replaceSource(kernel.replace('scale', 'after'));
	await page.waitFor(() => /\.entry after\(/.test(document.querySelector('[data-testid=ptx] pre')?.textContent ?? ''));
	await page.close();
});
