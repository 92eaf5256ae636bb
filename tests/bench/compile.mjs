// Time and memory of the native program beside LLVM 19's.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { native } from '../tools/ptxscope.mjs';
import { root, which } from '../tools/setup.mjs';
import { callGraph, diamonds, instructions, manyFunctions, manyKernels, oneBlock, oneKernel } from './generate.mjs';
import { interleaved, median, once } from './measure.mjs';

const folder = join(root, 'build/bench');
mkdirSync(folder, { recursive: true });

function input(name, make) {
	const file = join(folder, name);
	if (!existsSync(file))
		writeFileSync(file, make());
	return file;
}

const needs = (...tools) => {
	const lacking = tools.filter((tool) => !which(tool));
	return lacking.length ? `${lacking.join(', ')} missing` : null;
};

const ms = (seconds) => `${(seconds * 1000).toFixed(seconds < 0.1 ? 2 : 0)} ms`;
const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const compile = (file, level = '-O3') => [native, 'compile', file, '-mcpu=sm_90', level, '-o', '/dev/null'];
const llc = (file, level) => ['llc-19', '-march=nvptx64', '-mcpu=sm_90', level, file, '-o', '/dev/null'];

const saxpy = join(root, 'examples/saxpy.ll');
const sha256 = () => input('sha256-200.ll', () => manyKernels(200));

let largeRuns;
const large = () => largeRuns ??= interleaved([compile(sha256()), llc(sha256(), '-O3')], 3);

const libdevice = ['/usr/local/cuda/nvvm/libdevice/libdevice.10.bc'].find(existsSync);
function libdeviceText() {
	return input('libdevice.ll', () => spawnSync('llvm-dis-19', [libdevice, '-o', '-'], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout);
}
let libdeviceRuns;
const readLibdevice = () => libdeviceRuns ??= interleaved([
	[native, 'fmt', '-disable-output', libdeviceText()],
	['opt-19', '-passes=verify', '-disable-output', libdeviceText()],
], 15);
const libdeviceMissing = libdevice ? needs('opt-19', 'llvm-dis-19') : 'libdevice.10.bc missing';

/** Microseconds that reading takes by itself (read.c): libdevice as text and as bitcode, both of opt-22, and as it is shipped. */
function readingLibdevice() {
	const { status, stderr } = spawnSync('make', ['build/native/bench-read'], { cwd: root, encoding: 'utf8' });
	if (status !== 0)
		throw new Error(stderr);
	const written = (name, ...options) => input(name, () => spawnSync('opt-22', [...options, libdevice, '-o', '-'], { maxBuffer: 1 << 28 }).stdout);
	const files = [written('libdevice-22.ll', '-passes=verify', '-S'), written('libdevice-22.bc', '-passes=verify'), libdevice];
	const read = spawnSync(join(root, 'build/native/bench-read'), ['201', ...files], { encoding: 'utf8' });
	if (read.status !== 0)
		throw new Error(read.stderr);
	return read.stdout.trim().split('\n').map(Number);
}

/**
 * Processor time per instruction in seconds, beyond that of the first file, a small one: what every run takes is left out. All sizes
 * take turns, short runs more often: what else the machine does touches them alike.
 */
function perInstruction(files) {
	const taken = files.map(() => []);
	for (let turn = 0; turn < 5; turn++)
		files.forEach(({ path, count }, k) => {
			for (let i = 0; i < (count < 50000 ? 7 : 1); i++)
				taken[k].push(once(compile(path)).cpu);
		});
	const [least, ...rest] = taken.map(median);
	return rest.map((cpu, i) => (cpu - least) / (files[i + 1].count - files[0].count));
}

/** How much more an instruction costs in a larger input than in any smaller one: cheaper ones are no fault. */
function growth(each) {
	return Math.max(...each.map((time, i) => time / Math.min(...each.slice(0, i + 1))));
}

function scaling(name, make, sizes) {
	return {
		name, unit: '×', budget: { most: 1.3 }, /* of processor time */
		measure: () => {
			const files = sizes.map((size) => {
				const text = make(size);
				return { path: input(`${make.name}-${size}.ll`, () => text), count: instructions(text) };
			});
			const each = perInstruction(files);
			return {
				value: growth(each),
				text: files.slice(1).map(({ count }, i) => `${count} instructions: ${(each[i] * 1e9).toFixed(0)} ns each`).join(', '),
			};
		},
	};
}

/** Processor time of one IR pass per instruction and phi operand: what it takes beyond a pass that does nothing there. */
function passScaling(pass, make, sizes) {
	return {
		name: `${pass}: time per instruction and phi operand`, unit: '×', budget: { most: 2 },
		measure: () => {
			const only = (file, id) => [native, 'compile', file, `-run-pass=${id}`, '-o', '/dev/null'];
			const each = sizes.map((size) => {
				const text = make(size), file = input(`${make.name}-${size}.ll`, () => text);
				const count = instructions(text) + (text.match(/\[ /g) ?? []).length;
				const [run, idle] = interleaved([only(file, pass), only(file, 'unreachableblockelim')], 5);
				return { count, ns: (run.cpu - idle.cpu) / count * 1e9 };
			});
			return {
				value: each.at(-1).ns / each[0].ns,
				text: each.map(({ count, ns }) => `${count}: ${ns.toFixed(0)} ns each`).join(', '),
			};
		},
	};
}

export const compileRows = [
	{
		name: 'saxpy.ll: times faster than llc-19 -O2', unit: '×', budget: { least: 10 }, missing: needs('llc-19'),
		measure: () => {
			const [ours, theirs] = interleaved([compile(saxpy, '-O2'), llc(saxpy, '-O2')], 31);
			return { value: theirs.wall / ours.wall, text: `${ms(ours.wall)} against ${ms(theirs.wall)}` };
		},
	},
	{
		name: 'sha256 × 200: part of llc-19 -O3\'s time', unit: '', budget: { most: 0.1 }, missing: needs('llc-19'),
		measure: () => {
			const [ours, theirs] = large();
			return { value: ours.wall / theirs.wall, text: `${ms(ours.wall)} of ${ms(theirs.wall)}` };
		},
	},
	{
		name: 'sha256 × 200: part of llc-19 -O3\'s memory', unit: '', budget: { most: 1 / 3 }, missing: needs('llc-19'),
		measure: () => {
			const [ours, theirs] = large();
			return { value: ours.memory / theirs.memory, text: `${mib(ours.memory)} of ${mib(theirs.memory)}` };
		},
	},
	scaling('time per instruction, many kernels', manyKernels, [1, 4, 40, 400]),
	scaling('time per instruction, one kernel', oneKernel, [100, 1000, 10000, 100000, 1000000]),
	scaling('time per instruction, one block', oneBlock, [100, 1000, 10000, 100000, 1000000]),
	scaling('time per instruction, small functions', manyFunctions, [100, 1000, 10000, 100000, 1000000]),
	passScaling('cssa', diamonds, [10000, 100000, 1000000]),
	{
		name: 'ipmsp on 10,000 functions', unit: 's', budget: { most: 1 },
		measure: () => {
			const [small, large] = [1000, 10000].map((count) => {
				const file = input(`callGraph-${count}.ll`, () => callGraph(count));
				const only = (id) => [native, 'compile', file, `-run-pass=${id}`, '-o', '/dev/null'];
				const [run, idle] = interleaved([only('ipmsp'), only('unreachableblockelim')], 5);
				return run.cpu - idle.cpu;
			});
			return { value: large, text: `1,000 functions: ${ms(small)}, 10,000: ${ms(large)}, beyond a pass that does nothing there` };
		},
	},
	{
		name: 'libdevice: times faster than opt-19 verify', unit: '×', budget: { least: 8 }, missing: libdeviceMissing,
		measure: () => {
			const [ours, theirs] = readLibdevice();
			return { value: theirs.wall / ours.wall, text: `${ms(ours.wall)} against ${ms(theirs.wall)}` };
		},
	},
	{
		name: 'libdevice: times faster as bitcode than as text', unit: '×', budget: { least: 2.9 },
		missing: libdevice ? needs('opt-22') : libdeviceMissing,
		measure: () => {
			const [text, bitcode, shipped] = readingLibdevice();
			const times = (value) => `${ms(value / 1e6)}, ${(text / value).toFixed(2)} times`;
			return { value: text / bitcode, text: `text ${ms(text / 1e6)}, LLVM 22's bitcode ${times(bitcode)}, as shipped ${times(shipped)}` };
		},
	},
	{
		name: 'libdevice: part of opt-19 verify\'s memory', unit: '', budget: { most: 1 }, missing: libdeviceMissing,
		measure: () => {
			const [ours, theirs] = readLibdevice();
			return { value: ours.memory / theirs.memory, text: `${mib(ours.memory)} of ${mib(theirs.memory)}` };
		},
	},
];
