// The sanitizers in the run panel: switches that links keep, reports that lead to line and lane, a race as two timelines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { accessibilityProblems, needsPage, Page, soon } from './tools/page.mjs';

const barrier = '  call void @llvm.nvvm.barrier0()\n';
const racy = `target triple = "nvptx64-nvidia-cuda"
@sh = internal addrspace(3) global [64 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @racy(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr [64 x i32], ptr addrspace(3) @sh, i32 0, i32 %t
${barrier}  store i32 %t, ptr addrspace(3) %mine, align 4
  %n = xor i32 %t, 36
  %theirs = getelementptr [64 x i32], ptr addrspace(3) @sh, i32 0, i32 %n
  %v = load i32, ptr addrspace(3) %theirs, align 4
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %o, align 4
  ret void
}
`;
const lineOf = (text) => racy.slice(0, racy.indexOf(text)).split('\n').length;
const launch = JSON.stringify({ kernel: 'racy', grid: [1, 1, 1], block: [64, 1, 1], args: [{ buffer: 'out' }], buffers: { out: { type: 'i32', count: 64 } } });
const link = (state) => `#v1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;

test('a race: switch, report, line and lane, two timelines; kept in links and reloads; silent with a barrier', needsPage, async () => {
	const page = await Page.open({ fragment: link({ source: racy, launch, sanitize: 'race', view: { panel: 'run' } }) });
	await page.settled();
	await page.editor();
	const { tab } = page;
	const run = () => tab.getByRole('button', { name: 'Run', exact: true }).click();
	const box = (name) => page.id('sanitizers').getByLabel(name, { exact: true });
	const caret = (line) => page.waitFor((n) => document.querySelector('.monaco .active-line-number')?.textContent === String(n), line);
	const marked = async (pattern) => {
		await page.waitFor((words) => {
			const rows = [...document.querySelectorAll('[data-testid=ptx] .row.faulted')];
			return rows.length === 1 && new RegExp(words).test(rows[0].textContent);
		}, pattern);
	};
	await soon.deepEqual(() => Promise.all(['memory', 'race', 'init', 'sync', 'leak'].map((n) => box(n).isChecked())), [false, true, false, false, false]);

	await run();
	await page.id('verdict-card').getByText('The sanitizers found one thing').waitFor();
	const report = page.id('reports').locator('.report');
	await soon.equal(() => report.count(), 1);
	await soon.match(() => page.id('reports').locator('section').textContent(), /^Races 1.*race.*sh \+ \d+.*thread \(\d+, 0, 0\) of block \(0, 0, 0\)/);
	await report.locator('button').first().click();
	await caret(lineOf('store i32 %t'));
	await marked('st\\.shared');
	// Two columns, what both passed in one row, what is missing between the two accesses.
	const times = page.id('timelines');
	await soon.deepEqual(() => times.locator('thead th').count(), 2);
	await soon.equal(() => times.locator('tr.together').count(), 1);
	await soon.match(() => times.locator('tr.missing').textContent(), /No barrier of the (?:block|warp).*stands between/);
	await soon.deepEqual(async () => (await times.locator('.reported').allTextContents()).map((t) => /^\w+/.exec(t)[0]), ['read', 'write']);
	const order = () => times.locator('tbody tr').evaluateAll((rows) => rows.map((r) => r.className || r.textContent.match(/write|read/)?.[0]));
	await soon.deepEqual(async () => (await order()).filter((row) => ['together', 'read', 'missing', 'write'].includes(row)), ['together', 'read', 'missing', 'write']);
	await times.locator('.reported').first().click();
	await caret(lineOf('%v = load'));
	await marked('ld\\.shared');
	await soon.deepEqual(() => accessibilityProblems(page), []);

	// Warp 1 comes to its read before warp 0 to its write: the report is about the later of the two.
	const [thread] = /thread \((\d+)/.exec(await report.textContent()).slice(1).map(Number);
	await report.getByRole('button', { name: 'Step to it' }).click();
	await page.waitFor(() => /st\.shared/.test(document.querySelector('.where[data-state=stopped] code')?.textContent ?? ''));
	await soon.equal(() => tab.locator('.lane-choice input').inputValue(), String(thread % 32));
	await soon.equal(() => tab.locator('.warps tr[aria-current]').getAttribute('data-warp'), `0.${Math.floor(thread / 32)}`);
	await tab.getByRole('button', { name: 'End', exact: true }).click();

	await box('init').check();
	await page.waitFor(() => /From before the sanitizers changed/.test(document.querySelector('[data-testid=run-result]').textContent));
	await tab.getByLabel('Seed of the order of warps').fill('7');
	await tab.getByLabel('Seed of the order of warps').press('Tab');
	await page.addressHolds('"sanitize":"race,init"');
	await page.addressHolds('"seed":"7"');
	await tab.reload();
	await page.settled();
	await soon.ok(async () => await box('race').isChecked() && await box('init').isChecked());
	await soon.equal(() => tab.getByLabel('Seed of the order of warps').inputValue(), '7');
	await page.editor();
	await page.replaceSource(racy.replace('  %n = xor', `${barrier}  %n = xor`));
	await page.waitFor(() => (document.querySelector('[data-testid=ptx]').textContent.match(/bar\.sync|barrier\.sync/g) ?? []).length === 2);
	await page.until('ready');
	await run();
	await page.waitFor(() => /watched for race, init: nothing found, warps in order 7/.test(document.querySelector('[data-testid=run-result]')?.textContent ?? ''));
	await page.close();
});
