// The lowest target of every llvm.nvvm intrinsic (tests/dag/nvvm-minimums.csv): it is accepted there, and refused on the architecture
// and in the PTX version just below, with a message that names the target it needs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const folder = temporaryFolder();

/** {a,b}c is ac and bc. */
function spelled(names) {
	const braces = /\{([^}]*)\}/.exec(names);
	return !braces ? [names] : braces[1].split(',').flatMap((word) => spelled(names.replace(braces[0], () => word)));
}

/** "i32, {ptr, i1}": its types. */
function types(text) {
	const list = [];
	let depth = 0;
	for (const part of text.split(/([,({<>})])/)) {
		depth += '({<'.includes(part) && part ? 1 : '>})'.includes(part) && part ? -1 : 0;
		if (part === ',' && !depth)
			list.push('');
		else
			list.push((list.pop() ?? '') + part);
	}
	return list.map((type) => type.trim()).filter(Boolean);
}

const rows = readFileSync(join(root, 'tests/dag/nvvm-minimums.csv'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#')).flatMap((line) => {
	const [sm, version, signature, constants, names, , variants] = line.split(';');
	const [, ret, params] = /^(.*?) \((.*)\)$/.exec(signature);
	const fixed = Object.fromEntries(constants.split(' ').filter(Boolean).map((one) => one.split('=')));
	return names.split(' ').flatMap(spelled).map((name) => ({ name: `llvm.nvvm.${name}`, sm, version: Number(version), ret, params: types(params), fixed, variants: variants ? variants.split(' ') : undefined }));
});

/** Names of older versions of LLVM, by which a message does not call them. */
const today = new Map([['llvm.nvvm.barrier.sync', 'llvm.nvvm.barrier.cta.sync.all'], ['llvm.nvvm.barrier.sync.cnt', 'llvm.nvvm.barrier.cta.sync.count'], ['llvm.nvvm.abs.bf16', 'llvm.nvvm.fabs.bf16'], ['llvm.nvvm.abs.bf16x2', 'llvm.nvvm.fabs.v2bf16'], ['llvm.nvvm.ex2.approx.f16x2', 'llvm.nvvm.ex2.approx.v2f16']]);

function moduleOf(list) {
	const functions = list.map(({ name, ret, params, fixed }, k) => {
		const args = params.map((type, i) => `${type} ${fixed[i] === undefined ? `%a${i}` : type === 'i1' ? fixed[i] !== '0' : fixed[i]}`);
		return `define ${ret} @f${k}(${args.filter((_, i) => fixed[i] === undefined).join(', ')}) {
  ${ret === 'void' ? '' : '%r = '}call ${ret} @${name}(${args.join(', ')})
  ret ${ret}${ret === 'void' ? '' : ' %r'}
}
`;
	});
	return ['target triple = "nvptx64-nvidia-cuda"\n', ...functions, ...list.map(({ name, ret, params }) => `declare ${ret} @${name}(${params.join(', ')})\n`)].join('');
}

/** What is said of each of the list: messages by name. */
function refused(list, sm, version) {
	const file = join(folder, 'calls.ll');
	writeFileSync(file, moduleOf(list));
	const { status, stderr } = ptxscope(['compile', file, `-mcpu=sm_${sm}`, `-mattr=+ptx${version}`, '--error-limit=100000', '-o', join(folder, 'calls.ptx')]);
	/* instructions older than PTX 3.2, the first version that there is here, name their own */
	const said = new Map([...stderr.matchAll(/error: in 'f(\d+)': (.*)/g)].map(([, k, text]) => [list[k].name, text.replace(/PTX (?:[12]\.\d|3\.[01])$/, 'PTX 3.2').replace(/^\S+(?= needs )/, (name) => today.get(list[k].name) === name ? list[k].name : name)]));
	assert.equal(status === 0, said.size === 0, stderr.slice(0, 2000));
	return said;
}

const architectures = ['20', '21', '30', '32', '35', '37', '50', '52', '53', '60', '61', '62', '70', '72', '75', '80', '86', '87', '89', '90', '100', '120'];
const versions = [32, 40, 41, 42, 43, 50, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90];
const highest = versions.at(-1);

/** The least version of each target, by what is said of an older one. */
const least = new Map();
function leastOf(sm) {
	if (!least.has(sm)) {
		const [, major, minor] = /came with PTX (\d+)\.(\d)/.exec(ptxscope(['compile', '-', `-mcpu=sm_${sm}`, '-mattr=+ptx32', '-o', '-'], '').stderr) ?? [0, '3', '2'];
		least.set(sm, Number(major + minor));
	}
	return least.get(sm);
}

/** The target below: for variants (sm_90a) the plain one. */
const below = (sm) => /[af]$/.test(sm) ? sm.slice(0, -1) : architectures[architectures.indexOf(sm) - 1];
const versionBelow = (version) => versions[versions.indexOf(version) - 1];

// A module has one texture mode, so fetches without a sampler are compiled apart from the others.
const groups = new Map();
for (const row of rows) {
	const needed = `sm_${row.sm} and PTX ${Math.floor(row.version / 10)}.${row.version % 10}`;
	const key = `${needed}${/\.(tex|tld4)\.unified\./.test(row.name) ? ', in the unified texture mode' : ''}`;
	groups.set(key, { needed, list: [...groups.get(key)?.list ?? [], row] });
}

describe('lowest targets of intrinsics', { skip }, () => {
	for (const [key, { needed, list }] of groups)
		test(`${list.length} intrinsics need ${key}`, () => {
			const { sm, version } = list[0];
			assert.deepEqual([...refused(list, sm, version)], [], 'accepted');
			const lower = [[below(sm), highest], [sm, versionBelow(version)]].filter(([target, ptx]) => target && ptx >= leastOf(target));
			for (const [less, ptx] of lower) {
				const said = refused(list, less, ptx);
				assert.deepEqual(list.map(({ name }) => `${name}: ${said.get(name)}`), list.map(({ name }) => `${name}: ${name} needs ${needed}`), `sm_${less}, PTX ${ptx}`);
			}
		});
});

// Of the variants sm_NNa and sm_NNf, some have what no plain target has.
const variants = ['90a', ...['100', '101', '103', '110', '120', '121'].flatMap((sm) => [`${sm}a`, `${sm}f`])];
const own = rows.filter((row) => row.variants);
test(`${own.length} intrinsics of variants`, { skip }, () => {
	for (const sm of variants) {
		const said = refused(own, sm, 90);
		assert.deepEqual(own.filter(({ name }) => !said.has(name)).map(({ name }) => name), own.filter((row) => row.variants.includes(sm)).map(({ name }) => name), `sm_${sm}`);
	}
});

// The PTX of each group at its lowest target is PTX: from sm_75 on, which is where ptxas begins.
describe('PTX of the lowest targets', { skip: skip || (ptxas ? false : 'ptxas missing') }, () => {
	for (const { needed, list } of [...groups.values()].filter(({ list: [{ variants: of, sm }] }) => of || Number(sm) >= 89)) {
		const { sm, version } = list[0];
		test(`${list.length} intrinsics for ${needed}`, () => {
			assert.deepEqual([...refused(list, sm, version)], []);
			const { status, stderr } = spawnSync(ptxas, ['-c', `-arch=sm_${sm}`, '-O0', join(folder, 'calls.ptx'), '-o', join(folder, 'calls.cubin')], { encoding: 'utf8', maxBuffer: 1 << 28 });
			assert.equal(status, 0, stderr.slice(0, 2000));
		});
	}
});

test(`${rows.length} rows: each name once`, () => assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length));
