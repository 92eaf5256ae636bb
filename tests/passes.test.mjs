// The list of passes: what the documents name is in it, and what is not built is told apart and runs nowhere.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { native, ptxscope } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const passes = skip ? [] : JSON.parse(ptxscope(['passes', '--json']).stdout);
const saxpy = 'examples/saxpy.ll';

/** Every pass and analysis of the documents, by id. */
const documented = `
ipmsp ipmsp-libnvvm memory-space-opt:first-time memory-space-opt:second-time nvvm-peephole-ir common-base-elim nvvm-remat sinking2 structurizecfg cssa
generic-to-nvvm nvptx-assign-valid-global-names nvptx-image-optimizer alloca-hoisting nvptx-lower-args isel-dag-printer nvptx-isel scheduledag-sdnodes
instr-emitter finalize-isel param-opt nvptx-trunc-opts redundant-move-elim early-tailduplication opt-phis stack-coloring localstackalloc early-ifcvt
machine-combiner early-machinelicm machine-cse machine-sink peephole-opt nvptx-peephole nvptx-mir-peephole basr machineir-peepholes ldgxform
invariant-load-tagging dead-mi-elimination machine-cp machine-rpa extra-machineinstr-printer detect-dead-lanes two-address-instruction
phi-node-elimination register-coalescer rename-independent-subregs machine-scheduler greedy regallocfast nvptx-remat-block stack-slot-coloring
nvptx-mem2reg post-ra-pseudos machinelicm postra-machine-sink machine-cp:postra branch-folder tailduplication block-placement machine-pipeliner
post-RA-sched postmisched machine-latecleanup prologepilog nvptx-prolog-epilog machine-outliner nvptx-proxy-reg-erasure nvptx-replace-image-handles
asm-printer machine-verifier slot-indexes live-intervals live-reg-matrix machine-dom-tree machine-post-dom-tree machine-loops machine-block-freq
machine-branch-prob machine-trace-metrics machine-opt-remark-emitter edge-bundles spill-code-placement regalloc-evict regalloc-priority virtregmap
divergence-analysis alias-analysis selectiondag-legalizer`.trim().split(/\s+/);

describe('the list of passes', { skip }, () => {
	test('PIPE-20: every documented pass and analysis is listed, with title, level, group and gates', () => {
		assert.equal(documented.length, 90);
		for (const id of documented) {
			const row = passes.find((p) => p.id === id);
			assert.ok(row?.title && row.level && row.group && row.summary && Array.isArray(row.gates), id);
		}
	});

	test('PIPE-28: both places of a pass that runs twice are listed', () => {
		for (const id of ['infer-address-spaces', 'dead-mi-elimination'])
			assert.deepEqual(passes.filter((p) => p.id === id).map(({ instance }) => instance), [0, 1], id);
		for (const pair of [['memory-space-opt:first-time', 'memory-space-opt:second-time'], ['machine-cp', 'machine-cp:postra'],
			['early-machinelicm', 'machinelicm'], ['machine-sink', 'postra-machine-sink'], ['early-tailduplication', 'tailduplication']])
			assert.deepEqual(passes.filter(({ id }) => pair.includes(id)).map(({ id }) => id), pair);
	});

	test('what is not built runs at no level, and asking for it is an error that says so', () => {
		const planned = passes.filter(({ built }) => !built);
		for (const { id, at } of planned) {
			assert.deepEqual(Object.values(at), [false, false, false, false], id);
			const { status, stderr } = ptxscope(['compile', saxpy, '-o', '-', `-stop-after=${id}`]);
			assert.equal(status, 2);
			assert.equal(stderr, `ptxscope: -stop-after: pass '${id}' is not built; 'ptxscope passes' says which are\n`);
		}
	});
});
