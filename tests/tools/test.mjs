// `npm test`: sets up what is missing, builds everything, runs every test, and ends with one line that counts them.
//   npm test -- WORD…    only the test files and unit tests whose name contains one of the words

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { countRows } from './behaviours.mjs';
import { build, isReferenceCompiler, output } from './build.mjs';
import { ensureNpm, ensureTools, howToInstall, nodeProblem, root } from './setup.mjs';

const words = process.argv.slice(2);
const wanted = (name) => words.length === 0 || words.some((word) => name.includes(word));
const count = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skips = new Map(); // reason → names
const outcomes = []; // of every test: { name, status }
const times = new Map(); // build, file of unit tests or test file → milliseconds
const jobs = Math.max(2, availableParallelism());

const say = (line) => console.log(`# ${line}`);
const took = (name, ms) => times.set(name, (times.get(name) ?? 0) + ms);

function result(status, name, reason = '') {
	count[status]++;
	outcomes.push({ name, status });
	if (status === 'failed')
		failures.push(name);
	if (status === 'skipped')
		skips.set(reason, [...(skips.get(reason) ?? []), name]);
}

/** The builds, in an order in which each finds what it needs; one that fails is a failed test. The linker of WebAssembly keeps
 * one processor busy for a minute: what needs it and what does not are built side by side. */
async function buildAll(missing) {
	const needs = {
		native: ['make', 'cc'], ...process.platform === 'linux' ? { cuda: ['make', 'cc'] } : {}, unit: ['make', 'cc'], asan: ['make', 'sanitizers'], 'unit-asan': ['make', 'sanitizers'],
		wasm: ['make', 'emcc'], 'unit-wasm': ['make', 'emcc'], web: ['make', 'emcc'],
	};
	const one = async ([name, tools]) => {
		const lacking = tools.filter((tool) => missing.includes(tool));
		if (lacking.length) {
			result('skipped', `build ${name}`, `${lacking.join(', ')} missing`);
			return;
		}
		say(`building ${name}`);
		const began = Date.now();
		const failure = await build(name);
		took(`build ${name}`, Date.now() - began);
		if (!failure) {
			result('passed', `build ${name}`);
			return;
		}
		console.log(failure);
		// The tests can still tell something where nothing but a warning stopped the build.
		const onlyWarnings = name !== 'web' && await build(name, { strict: false }) === null;
		if (onlyWarnings && !isReferenceCompiler(name))
			result('skipped', `build ${name} without warnings`, 'a compiler whose warnings we have not seen');
		else
			result('failed', `build ${name}`);
	};
	const lane = async (wants) => {
		for (const entry of Object.entries(needs).filter(([, tools]) => tools.includes('emcc') === wants))
			await one(entry);
	};
	await Promise.all([lane(true), lane(false)]);
}

/** Runs the unit tests of one file, which print TAP; a crash after the last line is one more failure. */
async function runUnit({ label, command: [program, ...args] }) {
	const began = Date.now();
	const { status, signal, stdout, stderr } = await output(program, args);
	let failed = 0;
	for (const [, no, name] of stdout.matchAll(/^(not )?ok \d+ - (.*)$/gm)) {
		failed += no ? 1 : 0;
		result(no ? 'failed' : 'passed', `${label}: ${name}`);
	}
	const complete = /^1\.\.\d+$/m.test(stdout);
	if (failed || status !== 0 || !complete)
		console.log(`${stdout.replace(/^ok .*\n/gm, '')}${stderr}`);
	if (!failed && (status !== 0 || !complete))
		result('failed', `${label}: ended with ${signal ?? `status ${status}`}`);
	took(label, Date.now() - began);
}

/** Runs all unit tests, as many files at a time as there are processors. */
async function runUnits() {
	const programs = {
		native: [join(root, 'build/native/unit')],
		asan: [join(root, 'build/asan/unit')],
		wasm: [process.execPath, join(root, 'build/wasm/unit/unit.js')],
	};
	const names = readdirSync(join(root, 'tests/unit')).filter((file) => file.endsWith('.c')).map((file) => file.slice(0, -2)).sort();
	const queue = [];
	for (const [mode, command] of Object.entries(programs))
		for (const name of names.filter((unit) => wanted(`unit/${unit}`)))
			if (existsSync(command.at(-1)))
				queue.push({ label: `unit/${name} (${mode})`, command: [...command, name] });
	await Promise.all(Array.from({ length: jobs }, async () => {
		while (queue.length)
			await runUnit(queue.shift());
	}));
}

function testFiles(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? testFiles(path) : entry.name.endsWith('.test.mjs') ? [path] : [];
	}).sort();
}

function runNode() {
	const files = testFiles(join(root, 'tests')).filter((file) => wanted(relative(root, file)));
	if (files.length === 0)
		return;
	const log = join(root, 'build/test-results.jsonl');
	mkdirSync(join(root, 'build'), { recursive: true });
	const { status } = spawnSync(process.execPath, [
		'--test', `--test-concurrency=${jobs}`, // without it, one file at a time on two processors
		`--test-reporter=${join(root, 'tests/tools/quiet-reporter.mjs')}`, '--test-reporter-destination=stdout',
		`--test-reporter=${join(root, 'tests/tools/count-reporter.mjs')}`, `--test-reporter-destination=${log}`, ...files,
	], { cwd: root, stdio: 'inherit' });
	const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
	for (const { status: outcome, name, file, reason, ms } of lines) {
		const where = file ? relative(root, file) : 'node';
		result(outcome, `${where}: ${name}`, reason);
		took(where, ms);
	}
	if (status !== 0 && !lines.some((line) => line.status === 'failed'))
		result('failed', `node --test ended with status ${status}`);
}

const old = nodeProblem();
if (old)
	say(old);
const missing = ensureTools(['make', 'cc', 'sanitizers', 'emcc', 'chromium', 'llvm', 'filecheck', 'format'], say);
if (missing.length)
	say(`not everything could be set up:\n${howToInstall(missing)}`);
const npm = ensureNpm(say);
if (npm) {
	console.log(npm);
	result('failed', 'npm packages');
}
await buildAll(missing);
await runUnits();
runNode();

const behaviours = countRows(outcomes);
for (const id of behaviours.unknown)
	result('failed', `a test names ${id}, which no row of tests/behaviours.md has`);
for (const [reason, names] of skips)
	console.log(`skipped (${reason || 'no reason given'}): ${names.join('; ')}`);
for (const name of failures)
	console.log(`failed: ${name}`);
const slowest = [...times].sort((a, b) => b[1] - a[1]).slice(0, 10);
say(`slowest: ${slowest.map(([name, ms]) => `${name} ${Math.round(ms / 1000)} s`).join(', ')}`);
console.log(behaviours.line);
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed ? 1 : 0;
