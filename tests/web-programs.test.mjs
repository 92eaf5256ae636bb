// Whole programs in the page: a link opened fresh, output, arguments, an end by the user, faults at their line; launches in comments, and
// stepping by lines of the source. One page for all of it, as the browser compiles clang's 75 MB.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { needsPage, Page, soon } from './tools/page.mjs';
import { root } from './tools/setup.mjs';

const linkTo = (state) => `#v1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
const program = `#include <cstdio>
#include <cstring>
__global__ void spin(volatile int *x) {
	while (*x == 0)
		;
}
__global__ void times(int *x, int by) {
	x[threadIdx.x] *= by;
}
int main(int argc, char **argv) {
	int *x;
	cudaMallocManaged(&x, 4 * sizeof(int));
	for (int i = 0; i < 4; i++)
		x[i] = i;
	if (argc > 1 && !strcmp(argv[1], "spin now"))
		x[0] = 0, spin<<<1, 1>>>(x);
	times<<<1, 4>>>(x, 7);
	cudaDeviceSynchronize();
	printf("%d arguments, x[3] = %d\\n", argc - 1, x[3]);
	return 5;
}
`;
const comment = `// scale<<<2, {16, 1}>>>(data[20] = 1.. by 0.5, 20, 3.0f)
__global__ void scale(float *x, int n, float by) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float old = x[i];
		float now = old * by;
		x[i] = now + 1;
	}
}
`;

test('a program by link: a damaged download, output, arguments, Stop, faults; launches in comments, stepping', needsPage, async () => {
	let asked = 0, release;
	const said = new Promise((done) => { release = done; });
	const page = await Page.open({
		fragment: linkTo({ source: program, file: 'times.cu', args: '', view: { panel: 'run' } }),
		before: ({ context }) => context.route(/\/clang-[0-9a-f]+\.bin$/, async (route) => {
			if (!asked++)
				return route.fulfill({ status: 200, body: Buffer.alloc(4096, 7) });
			await said;
			return route.continue();
		}),
	});
	// What comes first is no module: it is fetched again, and that is said.
	await page.tab.waitForSelector('[data-testid=clang][data-state=loading]:has-text("fetched again")');
	release();
	await page.until('ready');
	assert.equal(asked, 2);
	const status = page.id('program-status'), output = page.id('program-output');
	const ends = (text) => page.waitFor((words) => document.querySelector('[data-testid=program-status]')?.textContent.includes(words), text);
	await ends('Exit status 5; 1 launch;');
	await soon.equal(() => output.innerText(), '0 arguments, x[3] = 21\n');
	await soon.match(() => page.ptx(), /\.address_size 64[^]*\.entry _Z5timesPii\(/);

	// Arguments, which a link holds; a kernel that does not end is ended by the user, and the page goes on.
	await page.tab.getByLabel('Arguments of the program').fill('"a b" c');
	await page.tab.getByRole('button', { name: 'Run program' }).click();
	await page.waitFor(() => /2 arguments, x\[3\] = 21/.test(document.querySelector('[data-testid=program-output]')?.textContent ?? ''));
	await page.addressHolds('\\"a b\\" c');
	await page.tab.getByLabel('Arguments of the program').fill('"spin now"');
	await page.tab.getByRole('button', { name: 'Run program' }).click();
	await ends('Running');
	await page.tab.getByRole('button', { name: 'Stop', exact: true }).click();
	await ends('Stopped.');

	// What cannot be built is said, with its place or its name.
	await page.replaceSource(program.replace('int main', 'void later(int);\nint main').replace('return 5', 'later(1);\n\treturn 5'));
	await page.until('ready');
	await page.tab.getByRole('button', { name: 'Run program' }).click();
	await ends('The program cannot be built.');
	await soon.match(() => page.id('program').innerText(), /the program calls later\(int\), which is declared and not there/);

	// A program of the gallery runs by itself; a click on its fault goes to the line.
	await page.id('examples').selectOption('programs/find_the_fault');
	await ends('Exit status 1; 1 launch;');
	const printed = readFileSync(join(root, 'tests/programs/examples/find_the_fault.out'), 'utf8');
	await soon.ok(async () => await output.innerText() === printed + await output.locator('.bad').innerText());
	const fault = page.id('program-faults').getByRole('button');
	await soon.match(() => fault.innerText(), /out-of-bounds[^]*line 8 of the source[^]*thread \(0, 0, 0\) of block \(0, 0, 0\), kernel smooth/);
	await fault.click();
	await page.waitFor(() => document.querySelector('.editor-hot') !== null);
	await soon.match(() => status.innerText(), /ms by the model of time/);

	// A comment proposes a launch.
	await page.replaceSource(comment);
	await page.waitFor(() => document.querySelector('.launch-form code')?.textContent === 'scale');
	const values = () => page.tab.locator('.launch-form input').evaluateAll((all) => all.map((e) => e.value));
	await soon.deepEqual(() => values(), ['2', '1', '1', '16', '1', '1', '20', '1', '0.5', '20', '3']);
	await page.tab.getByRole('button', { name: 'Run', exact: true }).click();
	await page.tab.waitForSelector('[data-testid=run-result]');
	await soon.deepEqual(async () => { const cells = await page.tab.locator('[data-testid=run-result] .values td').allInnerTexts(); return [0, 1, 19].map((i) => cells[i]); }, ['4', '5.5', '32.5']);

	// The debugger goes from line to line of the source.
	await page.tab.getByRole('button', { name: 'Step through' }).click();
	await page.tab.locator('.where').waitFor({ state: 'attached' });
	const lines = [];
	for (let i = 0; i < 3; i++) {
		const before = await page.tab.locator('.where').evaluate((e) => e.outerHTML);
		await page.tab.getByRole('button', { name: 'Next line', exact: true }).click();
		await page.waitFor((old) => { const e = document.querySelector('.where'); return e && e.outerHTML !== old && !document.querySelector('.debug-tools progress'); }, before);
		lines.push(Number(await page.tab.locator('.where').getAttribute('data-origin')));
	}
	assert.ok(lines.every((line, i) => line >= 2 && line <= 9 && line !== lines[i - 1]), `lines ${lines}`);
	await page.close();
});
