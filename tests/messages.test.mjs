// The documented texts, to the letter: titles of passes, help of knobs, and what is printed on the way.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { native, ptxscope } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const json = (list) => skip ? [] : JSON.parse(ptxscope([list, '--json']).stdout);
const passes = json('passes'), knobs = json('knobs');

const titles = {
	'nvptx-remat-block': 'NVPTX Specific Block Remat',
	'machine-rpa': 'Register pressure analysis on Machine IRs',
	ldgxform: 'Ldg Transformation',
	'nvptx-mem2reg': 'Mem2Reg on Machine Instructions to remove local stack objects',
	'generic-to-nvvm': 'Ensure that the global variables are in the global address space',
	'nvptx-proxy-reg-erasure': 'NVPTX optimize redundant cvta.to.local instruction',
	'nvptx-assign-valid-global-names': 'Assign valid PTX names to globals',
	'nvptx-image-optimizer': 'NVPTX Image Optimizer',
	'nvptx-replace-image-handles': 'NVPTX Replace Image Handles',
	'alloca-hoisting': 'Hoisting alloca instructions in non-entry blocks to the entry block',
	'param-opt': 'Optimize NVPTX ld.param',
	'nvptx-trunc-opts': 'Optimize redundant ANDb16ri instrunctions',
	'redundant-move-elim': 'Remove redundant moves',
	'nvptx-prolog-epilog': 'NVPTX Prolog Epilog Pass',
};

const helps = {
	'join-splitedges': 'Coalesce copies on split edges (default=subtarget)',
	'join-globalcopies': 'Coalesce copies that span blocks (default=subtarget)',
	'remat-load-param': 'Support remating const ld.param that are not exposed in NVVM IR',
};

describe('documented texts', { skip }, () => {
	for (const [id, title] of Object.entries(titles))
		test(`the title of ${id}, in the list and in dumps`, () => {
			const pass = passes.find((p) => p.id === id);
			assert.equal(pass?.title, title);
			if (pass.built && pass.at.O3 && pass.level !== 'analysis' && !pass.gates.length) {
				const { stderr } = ptxscope(['compile', 'examples/local_array.ll', '-print-after-all', '-o', '-']);
				assert.ok(stderr.includes(`# *** IR Dump After ${title} (${id}) ***:\n`), id);
			}
		});

	for (const [name, help] of Object.entries(helps))
		test(`the help of ${name}, in both lists`, () => {
			assert.ok(knobs.find((k) => k.name === name)?.summary.startsWith(help));
			assert.ok(ptxscope(['knobs']).stdout.split('\n').find((line) => line.startsWith(`${name} `))?.includes(help));
		});

	test('the heading of -dump-before-cssa', () => {
		const { stderr } = ptxscope(['compile', 'examples/collatz.ll', '-dump-before-cssa', '-o', '-']);
		assert.ok(stderr.startsWith('IR Module before CSSA:\n; ModuleID'), stderr.slice(0, 60));
	});
});
