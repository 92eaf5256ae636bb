// Lessons, puzzles, passes of one's own, and handing on what is on screen. Many checks share a page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { passes, solutions } from './puzzles/solutions.mjs';
import { accessibilityProblems, needsPage, Page, soon } from './tools/page.mjs';

const linkOf = (state) => `#v1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
const stateIn = (link) => JSON.parse(inflateRawSync(Buffer.from(link.slice(link.indexOf('#v1.') + 4), 'base64url')));
const puzzle = (name) => readFileSync(new URL(`../examples/puzzles/${name}.md`, import.meta.url), 'utf8');
const sourceOf = (name, language = 'llvm') => new RegExp(`\`\`\`${language} source=\\w+\\n([^]*?)\`\`\``).exec(puzzle(name))[1];
const filled = (source, text) => source.replace(/^(\s*(?:;|\/\/) >>>.*\n)[^]*?(^\s*(?:;|\/\/) <<<)/m, (_, open, close) => `${open}${text}\n${close}`);

const openLesson = async (page, id) => {
	await page.tab.getByRole('tab', { name: 'Lessons' }).click();
	await page.tab.locator(`[data-lesson="${id}"]`).click();
	await page.tab.waitForSelector('[data-testid=lesson] .lesson');
};
const dock = (page) => page.id('lesson');
const visible = (page, selector) => page.tab.evaluate((s) => {
	const el = document.querySelector(s), box = el?.getBoundingClientRect();
	return !!el && el.checkVisibility({ visibilityProperty: true }) && box.width > 50 && box.height > 40;
}, selector);

test('a lesson stays beside what it shows, and it, a step and its frame can be linked', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await openLesson(page, '13-placement');
	const steps = dock(page).locator('.show'), last = await steps.count() - 1;
	await soon.match(() => steps.nth(last).getAttribute('data-show'), /tab=run/);
	await steps.nth(last).click();
	await page.tab.waitForSelector('#tab-panel-run[aria-selected=true]');
	await page.tab.waitForSelector('[data-testid=run]');
	await soon.ok(async () => await visible(page, '[data-testid=lesson]') && await visible(page, '[data-testid=run]'), 'the run and the lesson');
	await soon.equal(() => steps.nth(last).getAttribute('aria-current'), 'true');
	await page.addressHolds(`"step":${last + 1}`);
	const fragment = new URL(page.tab.url()).hash;
	assert.deepEqual(stateIn(fragment).lesson, { id: '13-placement', step: last + 1 });

	// The same link in a frame.
	await page.tab.goto(`${page.base}?embed=1${fragment}`);
	await page.tab.waitForSelector('[data-testid=lesson] .show[aria-current]');
	await page.waitFor(() => document.querySelector('[data-testid=status]').dataset.state === 'ready');
	await soon.equal(() => page.tab.getByRole('button', { name: 'All lessons' }).count(), 0);

	// A link that says nothing but the step.
	await page.tab.goto(`${page.base}${linkOf({ lesson: { id: '13-placement', step: 3, go: true } })}`);
	await page.tab.waitForSelector('[data-testid=lesson] .show[data-step="3"][aria-current]');
	await page.waitFor(() => /place/.test(document.querySelector('[data-testid=ptx]').textContent) && document.querySelector('[data-knob="enable-block-placement"].edited, .cfg'));
	await soon.ok(() => page.id('lesson').getByRole('button', { name: 'Link to this step' }).isVisible());

	await soon.equal(() => page.id('examples').evaluate((e) => e.selectedOptions[0]?.textContent), 'placement');

	// A value's way, and its line in every pane: files that are at hand come before the compiler has answered.
	for (let visit = 0; visit < 3; visit++) {
		await page.tab.goto('about:blank');
		await page.tab.goto(`${page.base}${linkOf({ lesson: { id: '01-first-kernel', step: 6, go: true } })}`);
		await soon.match(() => page.id('value-path').textContent(), /fmul.*folded into.*FMA/);
		await page.tab.goto('about:blank');
		await page.tab.goto(`${page.base}${linkOf({ lesson: { id: '04-cloning', step: 2, go: true } })}`);
		await page.tab.waitForSelector('[data-testid=ptx] .row.spot');
		await soon.ok(() => page.id('ptx').evaluate((e) => e.scrollTop > 0), 'the call is in view');
	}

	// One that is not here.
	await page.tab.goto(`${page.base}${linkOf({ lesson: { id: 'gone', go: true } })}`);
	await page.tab.waitForSelector('[data-testid=lesson] [role=alert]');
	await soon.match(() => dock(page).textContent(), /there is no lesson gone/);
	await page.close();
});

const own = `# Mine <b>bold</b>

<script>window.hit = 1</script><img src=x onerror="window.hit = 2">

[bad](javascript:window.hit=3) [show me](show:pass=instsimplify&lines=4-5) [out](https://example.org/)

> A note of mine: <svg onload="window.hit = 4">

| a | b |
|---|---|
| 1 | \`<i>\` |

\`\`\`llvm source=mine
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @mine(ptr %p, i32 %x) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %zero = mul i32 %x, 0
  %y = add i32 %i, %zero
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %y, ptr %q
  ret void
}
\`\`\`

\`\`\`json launch
{ "kernel": "mine", "grid": [1, 1, 1], "block": [4, 1, 1], "args": [{ "buffer": "p" }, { "i32": 7 }], "buffers": { "p": { "type": "i32", "count": 4 } }, "expect": { "p": { "values": [0, 1, 2, 3] } } }
\`\`\`

\`\`\`question
Which pass removes the multiplication?
pass: removes mul i32
hint: Look at what simplifies single instructions.
\`\`\`

\`\`\`question
How many threads are there?
answer: 4 | four
\`\`\`

\`\`\`question
What is \`%zero\`?
choice: unknown
choice: * zero
\`\`\`

\`\`\`goals
goal: registers < 30
goal: result
goal: no race
\`\`\`
`;

test('a lesson of one\'s own: pasted, dropped, by address; its questions are checked and its HTML is text', needsPage, async () => {
	const page = await Page.open({ before: async ({ tab }) => tab.route('**/lessons/mine.md', (route) => route.fulfill({ contentType: 'text/markdown', body: own })) });
	await page.settled();
	await page.tab.getByRole('tab', { name: 'Lessons' }).click();
	const shelf = page.tab.getByRole('region', { name: 'A lesson of your own' });
	await shelf.getByRole('textbox', { name: 'Lesson, Markdown' }).fill(own.replace('registers < 30', 'elegance > 3'));
	await soon.match(() => shelf.textContent(), /"goal: elegance > 3" is not known/);
	await shelf.getByRole('textbox', { name: 'Lesson, Markdown' }).fill(own);
	await shelf.getByRole('button', { name: 'Show it' }).click();
	await page.tab.waitForSelector('[data-testid=lesson] .task');
	await page.waitFor(() => /entry mine/.test(document.querySelector('[data-testid=ptx]').textContent));

	await soon.equal(() => dock(page).locator('script, img, svg, b, i').count(), 0);
	await soon.deepEqual(() => dock(page).locator('a').evaluateAll((list) => list.map((a) => a.href)), ['https://example.org/']);
	await soon.match(() => dock(page).textContent(), /<script>window\.hit/);
	await soon.equal(() => page.tab.evaluate(() => window.hit), undefined);

	const [which, threads, zero, goals] = await page.id('task').all();
	const check = async (task, good, text) => {
		await task.getByRole('button', { name: /^Check/ }).click();
		await task.locator(`[role=status].${good ? 'good' : 'bad'}`).waitFor();
		await soon.match(() => task.locator('[role=status]').textContent(), text);
	};
	await which.getByLabel('The pass').selectOption('nvptx-lower-args');
	await check(which, false, /behind nvptx-lower-args it stands there as often.*single instructions/);
	await which.getByLabel('The pass').selectOption('instsimplify');
	await check(which, true, /Yes, instsimplify removes it/);
	await threads.getByLabel('Your answer').fill('5');
	await check(threads, false, /No/);
	await threads.getByLabel('Your answer').fill('Four');
	await check(threads, true, /Yes/);
	await zero.getByRole('radio').nth(1).check();
	await check(zero, true, /Yes/);
	await check(goals, true, /All goals/);
	await dock(page).getByRole('button', { name: 'show me' }).click();
	await page.tab.waitForSelector('.editor-spot');

	// The link holds the lesson itself; a dropped file and an address of the site open one, too.
	await page.addressHolds('A note of mine');
	await dock(page).getByRole('button', { name: 'Close the lesson' }).click();
	await page.tab.evaluate((text) => {
		const data = new DataTransfer();
		data.items.add(new File([text.replace('# Mine', '# Dropped')], 'dropped.md'));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	}, own);
	await page.waitFor(() => /Dropped/.test(document.querySelector('[data-testid=lesson] h2')?.textContent));
	await page.tab.getByRole('button', { name: 'All lessons' }).click();
	for (const [address, text] of [['lessons/mine.md', /Mine/], ['https://example.org/x.md', /from this site/], ['lessons/none.md', /cannot be had \(404\)/]]) {
		await shelf.getByRole('textbox', { name: 'Address on this site' }).fill(address);
		await shelf.getByRole('button', { name: 'Show', exact: true }).click();
		await page.waitFor((p) => new RegExp(p).test(document.querySelector('[data-testid=lesson]')?.textContent), text.source);
		if (address !== 'lessons/none.md')
			await page.tab.getByRole('tab', { name: 'Lessons' }).click();
	}
	page.trouble = page.trouble.filter((t) => !/404/.test(t));
	await page.close();
});

test('a puzzle is checked, its progress is kept, and a solution is a link', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await openLesson(page, '07-shared');
	await page.waitFor(() => /entry shared/.test(document.querySelector('[data-testid=ptx]').textContent));
	const task = page.id('task');
	await page.replaceSource(filled(sourceOf('07-shared'), solutions['07-shared'].wrong[0].ll));
	await task.getByRole('button', { name: 'Check it' }).click();
	await task.locator('[data-met=false] .said').first().waitFor();
	await soon.match(() => task.locator('[data-met=false] .said').first().textContent(), /uninitialised.*there has to be a barrier/);
	for (const theme of ['light', 'dark', 'contrast']) {
		await page.tab.evaluate((t) => { document.documentElement.dataset.theme = t; }, theme);
		await soon.deepEqual(() => accessibilityProblems(page), [], theme);
	}
	// F6 goes to the lesson as it goes to every pane.
	for (let i = 0; i < 8 && !await page.tab.evaluate(() => document.activeElement.closest('.dock')); i++)
		await page.tab.keyboard.press('F6');
	await soon.ok(() => page.tab.evaluate(() => document.activeElement.closest('.dock')));

	// Text that does not compile is said to be that.
	await page.append('\nnonsense\n');
	await page.until('error');
	await task.getByRole('button', { name: 'Check it' }).click();
	await task.locator('[role=status].bad').waitFor();
	await soon.match(() => task.locator('[role=status]').textContent(), /error in line \d+/);
	await soon.equal(() => task.locator('[data-met]').count(), 0);

	await page.replaceSource(filled(sourceOf('07-shared'), solutions['07-shared'].ll));
	await task.getByRole('button', { name: 'Check it' }).click();
	await task.locator('[role=status].good').waitFor();
	await soon.equal(() => task.locator('[data-met=true]').count(), 4);
	await page.addressHolds('barrier0()\\n%m = sub i32 63');
	const fragment = new URL(page.tab.url()).hash;
	await page.tab.getByRole('button', { name: 'All lessons' }).click();
	await soon.match(() => page.tab.locator('.shelves').textContent(), /1 of 15 solved/);

	// A reload knows it; starting over gives the hole back, and opening again the text as it was left.
	await page.tab.reload();
	await page.settled();
	await openLesson(page, '07-shared');
	await page.waitFor(() => /sub i32 63/.test(document.querySelector('[data-testid=ir-editor]').textContent.replace(/\u00a0/g, ' ')));
	await soon.match(() => page.id('task').textContent(), /✓ solved/);
	await page.tab.getByRole('button', { name: 'Start over' }).click();
	await page.waitFor(() => !/sub i32 63/.test(document.querySelector('[data-testid=ir-editor]').textContent.replace(/\u00a0/g, ' ')));

	// Somebody else, on a phone: the solution, the puzzle above it, and the check.
	const other = await Page.open({ fragment, width: 390, height: 844, theme: 'dark' });
	await other.settled();
	await other.tab.waitForSelector('[data-testid=lesson] .task');
	await soon.match(() => other.tab.locator('[data-testid=ir-editor] textarea').inputValue(), /sub i32 63/);
	await soon.ok(async () => await visible(other, '[data-testid=lesson]') && await visible(other, '[data-testid=ir-editor]'), 'both fit');
	await other.id('task').getByRole('button', { name: 'Check it' }).click();
	await other.id('task').locator('[role=status]:not(:empty)').waitFor();
	await soon.match(() => other.id('task').locator('[role=status]').textContent(), /All goals/);
	await soon.deepEqual(() => accessibilityProblems(other), []);
	await other.close();
	await page.close();
});

test('a pass of one\'s own runs without a network, is shown like any other, and is compared', needsPage, async () => {
	const page = await Page.open();
	await page.settled();
	await openLesson(page, 'pass-1-dead-code');
	await page.waitFor(() => /XORb32/.test(document.querySelector('[data-testid=ir-editor]').textContent) && document.querySelector('[data-testid=status]').dataset.state === 'ready');
	const code = page.tab.getByLabel('Code of the pass, JavaScript'), report = page.id('own-report');
	const runPass = async (text, pattern) => {
		await code.fill(text);
		await page.tab.getByRole('button', { name: 'Run pass' }).click();
		await page.waitFor((p) => new RegExp(p).test(document.querySelector('[data-testid=own-report]').textContent) && !document.querySelector('.own .primary:disabled'), pattern.source);
	};
	await runPass('function pass(text) {\n\n\treturn text +; }', /Line 3: SyntaxError/);
	await runPass('function pass(text) {\n\tthrow new Error("mine");\n}', /Line 2: mine/);
	await runPass('function pass() { return 7; }', /returned number/);
	await runPass('const other = 1;', /function named pass/);
	await runPass('function pass(text) { for (;;); }', /stopped after 2 s/);
	await runPass('function pass(text) { return text.replace("ADDs32ri %6, 5", "ADDs32ri %6, 5, 6"); }', /refused/);
	await runPass('function pass(text) { return text.replace("ADDs32ri %6, 5", "ADDs32ri %6, 4"); }', /✗ Executed: out\[0\] was 0 and is -1 now/);
	await soon.equal(() => page.tab.locator('[data-testid=pass][aria-selected=true]').getAttribute('data-pass'), 'own-pass');
	await page.tab.waitForSelector('[data-testid=pass-diff] .row.added');
	await soon.match(() => page.ptx(), /add\.s32 \t%r\d+, %r\d+, 4/);

	// Every way out is closed, also to this site: names are gone, and a policy stands behind them.
	const asked = [];
	// A request that the policy refuses is announced, too; what counts is whether anything was answered.
	page.tab.on('response', (response) => asked.push(response.url()));
	await runPass(`import('${page.base}index.html').then(() => console.log('imported'), () => 0);
const ways = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'importScripts', 'indexedDB', 'caches', 'Worker', 'navigator', 'BroadcastChannel'];
let evaluated = 0;
try { evaluated = (0, eval)('1'); } catch {}
function pass(text) { console.log('open:' + ways.filter((n) => self[n] !== undefined) + evaluated + self.origin); return text; }`, /open:0null/);
	assert.deepEqual(asked.filter((url) => !/^blob:|icon\.svg$/.test(url)), []);
	// The same with the names as a browser has them: it is the policy that refuses.
	const refused = await page.tab.evaluate((base) => new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = ({ data }) => resolve(data);
		const code = `onmessage = async () => { const tried = {};
			for (const [name, way] of Object.entries({ fetch: () => fetch('${base}index.html'), load: () => importScripts('${base}index.html'), module: () => import('${base}index.html') }))
				tried[name] = await Promise.resolve().then(way).then(() => 'done', () => 'refused');
			postMessage(tried); }`;
		document.querySelector('iframe[title="Where an own pass runs"]').contentWindow.postMessage({ code, pieces: [] }, '*', [port2]);
	}), page.base);
	assert.deepEqual(refused, { fetch: 'refused', load: 'refused', module: 'refused' });
	assert.deepEqual(asked.filter((url) => !/^blob:|icon\.svg$/.test(url)), []);
	// The page's console tells of what was refused, which is as it should be.
	page.trouble = page.trouble.filter((t) => !/Content Security Policy/.test(t));

	await page.tab.getByRole('button', { name: 'Take it out' }).click();
	await page.waitFor(() => !document.querySelector('[data-pass="own-pass"]') && /, 5;/.test(document.querySelector('[data-testid=ptx]').textContent));
	await code.fill(passes['pass-1-dead-code'].code);
	await page.id('task').getByRole('button', { name: 'Check it' }).click();
	await page.id('task').locator('[role=status].good').waitFor();
	await soon.match(() => report.textContent(), /13 instructions|instructions of PTX before/);
	await soon.deepEqual(() => accessibilityProblems(page), []);

	// A link brings the code, which runs when its reader says so; editing the source takes the pass out.
	await page.addressHolds('lines.some(read)');
	const { own: held } = stateIn(new URL(page.tab.url()).hash);
	assert.equal(held.code, passes['pass-1-dead-code'].code);
	await page.append('\n');
	await page.waitFor(() => !document.querySelector('[data-pass="own-pass"]'));
	await page.close();
});

test('sharing: this view, the source, a frame; a warning, a report, paper', needsPage, async () => {
	const page = await Page.open({ before: ({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']) });
	await page.settled();
	await page.id('level').selectOption('1');
	await page.until('ready');
	await page.id('share-more').click();
	const dialog = page.tab.getByRole('dialog'), text = () => page.id('share-text').inputValue();
	const ask = async (name, pattern) => {
		await dialog.getByRole('button', { name, exact: true }).click();
		await page.waitFor((p) => new RegExp(p).test(document.querySelector('[data-testid=share-text]').value), pattern.source);
		return text();
	};
	assert.equal(stateIn(await ask('This view', /#v1/)).level, 1);
	await soon.equal(() => page.id('long-link').count(), 0);
	await dialog.getByRole('button', { name: 'Source only' }).click();
	await soon.equal(async () => stateIn(await text()).level, undefined);
	await ask('A frame', /^<iframe/);
	await dialog.getByLabel('passes').check();
	await dialog.getByLabel('width').fill('640');
	await dialog.getByLabel('theme').selectOption('dark');
	await soon.match(text, /^<iframe src="[^"]*\?embed=1&amp;theme=dark&amp;panes=ir,passes,ptx#v1\.[\w-]+" width="640" height="600" title="ptxscope"><\/iframe>$/);
	const html = await text();
	await soon.deepEqual(() => accessibilityProblems(page), []);
	await dialog.getByRole('button', { name: 'Close' }).click();

	// The frame shows the panes that it names.
	const frame = await Page.open({ width: 640, height: 600 });
	await frame.tab.goto(/src="([^"]*)"/.exec(html)[1].replaceAll('&amp;', '&'));
	await frame.settled();
	await soon.equal(() => frame.tab.evaluate(() => document.documentElement.dataset.theme), 'dark');
	await frame.close();

	// What cannot be compressed makes a long link.
	let noise = '';
	for (let i = 0, x = 12345; i < 6000; i++) {
		x = Math.imul(x, 1103515245) + 12345 >>> 0;
		noise += (x >>> 8).toString(36);
	}
	await page.append(`\n; ${noise}\n`);
	await page.id('share-more').click();
	await dialog.getByRole('button', { name: 'This view' }).click();
	await page.id('long-link').waitFor();
	await soon.match(() => page.id('long-link').textContent(), /characters: some browsers/);
	await dialog.getByRole('button', { name: 'Close' }).click();

	await page.tab.keyboard.press('Escape');
	await page.tab.getByRole('button', { name: 'Help' }).click();
	await dialog.getByRole('button', { name: 'Report a problem' }).click();
	await dialog.getByLabel('What happened').fill('It was slow.');
	await dialog.getByRole('button', { name: 'Copy report' }).click();
	await dialog.getByRole('button', { name: 'Copied' }).waitFor();
	for (const part of ['It was slow.', '#v1.', 'ptxscope compile', '-O1', 'Chrome', '@saxpy', '"kernel": "saxpy"', '.visible .entry saxpy'])
		await soon.ok(async () => (await page.tab.evaluate(() => navigator.clipboard.readText())).includes(part), part);
	await dialog.getByRole('button', { name: 'Close' }).click();

	// On paper: the whole source and the PTX, nothing to click.
	await page.tab.emulateMedia({ media: 'print' });
	await page.tab.waitForSelector('.printed-source');
	const paper = () => page.tab.evaluate(() => ({
		source: document.querySelector('.printed-source').getBoundingClientRect().height,
		ptx: document.querySelector('[data-testid=ptx]').getBoundingClientRect().height,
		lines: document.querySelectorAll('[data-testid=ptx] .row').length,
		buttons: [...document.querySelectorAll('button:not([role=tab])')].filter((b) => b.checkVisibility() && !b.closest('.row')).map((b) => b.textContent),
	}));
	await soon.ok(async () => { const { source, ptx, lines } = await paper(); return source > 600 && ptx > lines * 10; });
	await soon.deepEqual(async () => (await paper()).buttons, []);
	await page.close();
});
