// What address spaces are worth and what they must not change: the kernels about pointers, calls and control flow compute what
// they should at every level, with every knob of the passes in question at every other value; and how many accesses stay generic.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { load } from '../wasm/index.js';
import { complaints } from './tools/launch.mjs';
import { ptxscope } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const folder = join(root, 'tests/kernels');
const wasm = join(root, 'build/wasm/ptxscope.wasm');
const skip = existsSync(wasm) ? false : 'no WebAssembly build';
const compiler = skip ? null : await load(wasm);

/** Runs a command in this process: { status, stdout, stderr }. */
const run = (argv, files) => compiler.run(argv, files);
const text = (out) => typeof out === 'string' ? out : new TextDecoder().decode(out);

const owners = ['ipmsp', 'ipmsp-libnvvm', 'memory-space-opt:first-time', 'memory-space-opt:second-time', 'infer-address-spaces',
	'generic-to-nvvm', 'nvptx-lower-args', 'alloca-hoisting', 'nvptx-assign-valid-global-names', 'structurizecfg', 'cssa'];

/** The values of a knob that are worth a try: all of a few, the ends and the neighbours of the default of many. */
function valuesOf({ type, values, min, max, default: given }) {
	const all = type === 'bool' ? ['true', 'false'] : type === 'enum' ? values
		: [min, max, given - 1, given + 1, 0, 1, 2].filter((v) => v >= min && v <= max).map(String);
	return [...new Set(all)].filter((v) => v !== String(given));
}

const kernels = ['generic_as', 'generic_conflict', 'generic_ret', 'recursion', 'funcptr', 'swap_loop', 'irreducible', 'collatz', 'vm_interp'];

describe('each knob at each value', { skip }, () => {
	const knobs = skip ? [] : compiler.knobs().filter(({ passes }) => passes.some((id) => owners.includes(id)));
	// The other variant of ipmsp has knobs of its own.
	const settings = [[], ...knobs.flatMap((knob) => valuesOf(knob).map((value) => [
		...(knob.passes.includes('ipmsp') || !knob.passes.includes('ipmsp-libnvvm') ? [] : ['-ipmsp-variant=libnvvm']),
		`-${knob.name}=${value}`]))];
	test('there are knobs of every pass that has some', () => {
		for (const id of ['ipmsp', 'ipmsp-libnvvm', 'memory-space-opt:first-time', 'cssa', 'structurizecfg'])
			assert.ok(knobs.some(({ passes }) => passes.includes(id)), id);
		assert.ok(settings.length > 60, `${settings.length} settings`);
	});
	for (const kernel of kernels)
		for (const file of readdirSync(folder).filter((f) => f === `${kernel}.ll` || f === `${kernel}.O0.ll`))
			test(`${file} computes what it should`, () => {
				const source = readFileSync(join(folder, file), 'utf8');
				const launchText = readFileSync(join(folder, `${kernel}.launch.json`), 'utf8');
				const launch = JSON.parse(launchText), right = new Set();
				for (const level of file.endsWith('.O0.ll') ? ['-O3'] : ['-O0', '-O1', '-O2', '-O3'])
					for (const setting of settings) {
						const made = run(['compile', 'k.ll', '-mcpu=sm_90', level, ...setting, '-o', '-'], { 'k.ll': source });
						const ptx = text(made.stdout);
						assert.equal(made.status, 0, `${level} ${setting.join(' ')}\n${text(made.stderr)}`);
						if (right.has(ptx))
							continue;
						const ran = run(['run', 'k.ptx', '--launch=l.json', '--json'], { 'k.ptx': ptx, 'l.json': launchText });
						assert.equal(ran.status, 0, `${level} ${setting.join(' ')}\n${text(ran.stderr)}`);
						assert.deepEqual(complaints(launch, JSON.parse(text(ran.stdout))), [], `${level} ${setting.join(' ')}`);
						right.add(ptx);
					}
				assert.ok(right.size > 1);
			});
});

/** Accesses of PTX, and those that name no space; parameters do not count. */
function accesses(ptx) {
	const spaces = [...ptx.matchAll(/^\s*(?:@!?%p\d+\s+)?(?:ld|st|atom|red)\.([\w.:]+)\s/gm)].map(([, words]) => words.split('.'))
		.filter((words) => !words.some((word) => word.startsWith('param')));
	return { all: spaces.length, generic: spaces.filter((words) => !words.some((word) => /^(global|shared|local|const)/.test(word))).length };
}

const all = readdirSync(folder).filter((f) => f.endsWith('.ll')).sort();
const ours = (file, ...options) => {
	const { status, stdout, stderr } = ptxscope(['compile', join(folder, file), '-mcpu=sm_80', '-O3', '-o', '-', ...options]);
	assert.equal(status, 0, stderr);
	return accesses(stdout);
};

describe('accesses that stay generic', () => {
	test('generic_as has none, and without ipmsp it has them', () => {
		assert.equal(ours('generic_as.ll').generic, 0);
		assert.ok(ours('generic_as.ll', '-do-ip-msp=0').generic > 0);
		assert.ok(ours('generic_as.ll', '-ipmsp-clone-groups=0').generic > 0);
	});
	test('the other variant of ipmsp leaves as many', () => {
		for (const file of all)
			assert.deepEqual(ours(file, '-ipmsp-variant=libnvvm'), ours(file), file);
	});
	const llc = which('llc-19');
	test('no kernel has more, or a larger share, of them than llc-19 leaves, and where calls tell the space it is smaller', { skip: llc ? false : 'no llc-19' }, () => {
		const better = [];
		for (const file of all) {
			const { status, stdout } = spawnSync('llc-19', [join(folder, file), '-mcpu=sm_80', '-O3', '-o', '-'], { encoding: 'utf8', maxBuffer: 1 << 28 });
			if (status !== 0)
				continue;
			const mine = ours(file), theirs = accesses(stdout);
			assert.ok(mine.generic <= theirs.generic || mine.generic * theirs.all <= theirs.generic * mine.all, `${file}: ${mine.generic} of ${mine.all}, llc ${theirs.generic} of ${theirs.all}`);
			if (mine.generic < theirs.generic)
				better.push(file.slice(0, -3));
		}
		for (const kernel of ['generic_as', 'generic_conflict', 'generic_ret', 'generic_as.O0', 'generic_ret.O0'])
			assert.ok(better.includes(kernel), kernel);
	});
});
