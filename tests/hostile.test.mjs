// Inputs that attack the emulator: sizes that wrap, accesses past the ends of images, calls that do not fit their callee.
// Each ends with a diagnostic, a fault with its place or the right result, within a limit of time and memory, and the same
// natively, under the sanitizers and over WebAssembly.
//
// An input's first lines say how it runs: `LAUNCH:` the launch description, `EXPECT:` what its output must match, `ARGS:` further
// options. Where the folder ../shared/hostile is at hand, its inputs run too.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hosts, ptxscope, sanitized, temporaryFolder, wasmInProcess } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const limits = { timeout: 60000 };
const memory = '--max-memory=900';
const programs = [hosts[0], { ...hosts[1], run: wasmInProcess() }, { host: 'asan', run: (args, options) => ptxscope(args, { ...options, program: sanitized }), skip: existsSync(sanitized) ? false : 'no asan build' }]
	.filter(({ skip }) => !skip);
const needsPrograms = programs.length ? {} : { skip: 'no build' };

/** Runs it on every host; their common output. Where the first one's messages say that it is `pointless`, on that one alone. */
async function runEverywhere(name, file, launch, more = [], pointless = () => false) {
	const results = [];
	for (const { host, run } of programs) {
		const { status, signal, stdout, stderr } = await run(['run', file, `--launch=${launch}`, memory, ...more], limits);
		assert.ok(!signal && [0, 1, 2].includes(status), `${name} (${host}): status ${status}, signal ${signal}\n${stderr}`);
		results.push({ host, status, stdout, stderr });
		if (pointless(stderr))
			break;
	}
	for (const other of results.slice(1)) {
		assert.equal(other.stderr, results[0].stderr, `${name}: messages of ${other.host} and ${results[0].host}`);
		assert.deepEqual([other.status, other.stdout], [results[0].status, results[0].stdout], `${name}: results of ${other.host} and ${results[0].host}`);
	}
	return results[0];
}

const folder = join(root, 'tests/hostile');
const line = (text, word) => text.match(new RegExp(`^(?://|;) ${word}: (.*)$`, 'm'))?.[1];

for (const name of readdirSync(folder).filter((file) => /\.(ptx|ll|mir)$/.test(file)).sort())
	test(`hostile ${name}`, needsPrograms, async () => {
		const text = readFileSync(join(folder, name), 'utf8'), launch = join(temporaryFolder(), 'launch.json');
		writeFileSync(launch, line(text, 'LAUNCH'));
		const { status, stdout, stderr } = await runEverywhere(name, join(folder, name), launch, line(text, 'ARGS')?.split(' '));
		assert.match(stdout + stderr, new RegExp(line(text, 'EXPECT')));
		assert.equal(status, stderr ? 1 : 0);
	});

// Random cases of each generator of tests/fuzz/emulator/, the same ones each time; `make fuzz-NAME` looks for others.
for (const name of ['launch', 'variables', 'images', 'calls', 'api']) {
	const program = join(root, `build/asan/fuzz-${name}`);
	test(`200 random cases of fuzz-${name}`, existsSync(program) ? {} : { skip: 'no asan build of the unit programs' }, () => {
		const { status, stdout, stderr } = spawnSync(program, ['--count=200', '--seed=1'], { encoding: 'utf8', maxBuffer: 1 << 28 });
		assert.equal(status, 0, stdout + stderr);
		assert.match(stdout, /^200 cases, 0 failed/m);
	});
}

const shared = join(root, '../shared/hostile');
const found = existsSync(shared) ? readdirSync(shared) : [];
test('the shared folder of hostile inputs', found.length && programs.length ? {} : { skip: 'no ../shared/hostile' }, async (t) => {
	for (const name of found.filter((file) => /\.(ptx|ll)$/.test(file)).sort()) {
		const base = name.replace(/\.\w+$/, ''), own = found.filter((file) => file === `${base}.json` || file === `${base}.launch.json`);
		const launches = name === 'nop.ptx' ? found.filter((file) => /overflow\d?\.json$|hexalign|^x\d?\.json$/.test(file) && !file.startsWith('tex'))
			: own.length ? own : ['x.json', 'x2.json', 'io.json'];
		await t.test(name, async () => {
			for (const launch of launches)
				await runEverywhere(`${name} with ${launch}`, join(shared, name), join(shared, launch), [], (stderr) => /takes \d+ arguments; the launch gives/.test(stderr));
		});
	}
});
