// Knobs: every documented one is there, reads what it prints, and set to its default changes nothing.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const json = (list) => skip ? [] : JSON.parse(ptxscope([list, '--json']).stdout);
const knobs = json('knobs'), passes = json('passes');
const byName = (name) => knobs.find((k) => k.name === name || k.aliases.includes(name) || k.inverse.includes(name));
/** The default of the knob under the name `name`. */
const defaultAs = (name) => byName(name).inverse.includes(name) ? !byName(name).default : byName(name).default;
const saxpy = 'examples/saxpy.ll';
const compile = (...args) => ptxscope(['compile', '-o', '-', ...args]);

/** Every documented knob. Two have no name that could be typed and are ipmsp-depth-limit and nvptx-fold-copy-chains here; the
 * mode of memory-space-opt is part of the pass's id. */
const documented = `
enable-nvvm-peephole nvptx-enable-machine-sink enable-mlicm enable-mcse nv-disable-mem2reg nv-disable-remat enable-new-nvvm-remat usedessa
cssa-coalesce cssa-verbosity dump-before-cssa do-cssa CSSACoalescing AdvancedRemat DisablePredication DisableXBlockSched ReorderCSE join-splitedges
join-globalcopies disable-machine-dce disable-machine-licm disable-postra-machine-licm disable-machine-cse disable-machine-sink
disable-postra-machine-sink disable-branch-fold disable-tail-duplicate disable-early-taildup disable-block-placement disable-copyprop disable-ssc
disable-post-ra disable-early-ifcvt disable-peephole misched-postra optimize-regalloc verify-machineinstrs enable-machine-outliner rp-aware-mcse
pred-aware-mcse copy-prop-mcse incremental-update-mcse verify-update-mcse print-verify cta-reconfig-aware-mrpa cta-reconfig-aware-rpa nv-remat-block
nv-remat-max-times nv-remat-block-single-cost nv-remat-block-map-size-limit nv-remat-block-max-cost nv-remat-block-liveout-min-percentage
nv-remat-block-loop-cost-factor nv-remat-default-max-reg nv-remat-block-load-cost nv-remat-threshold-for-spec-reg nv-dump-remat-block
nv-remat-check-internal-live max-reg-kind no-mi-remat load-remat vasp-fix1 enable-pipeliner pipeliner-max-mii pipeliner-max-stages
pipeliner-ii-search-range pipeliner-register-pressure pipeliner-register-pressure-margin pipeliner-ignore-recmii pipeliner-annotate-for-testing
pipeliner-experimental-cg pipeliner-mve-cg outliner-benefit-threshold machine-combiner-inc-threshold sink-insts-to-avoid-spills nvptx-sched4reg
reg-target-adjust pred-target-adjust fca-size remat-load-param maxreg TargetOpt.HasLDG byte_4FD1980 byte_4FD18A0 byte_4FD1A60 byte_4FD25C0
byte_4FD2160 dword_4FD26A0 do-ip-msp dump-ip-msp do-clone-for-ip-msp disable-MemorySpaceOptPass emit-optix-ir param-always-point-to-global
strong-global-assumptions process-alloca-always wmma-memory-space-opt track-indir-load track-int2ptr process-builtin-assume mem-space-alg
ias-param-always-point-to-global ias-strong-global-assumptions ias-wmma-memory-space-opt ias-track-indir-load ias-track-int2ptr dword_4FBD1E0
dword_4FBD2C0 dword_4FBCD80 dword_4FBC300 dword_4FBCAE0 byte_4FBC840 dword_4FBD020 wmma_mode dump-ir-before-memory-space-opt
dump-ir-after-memory-space-opt dump-process-builtin-assume msp-for-wmma print-basr MAX_INVARIANT_DEPTH forceEmit MinRCSize`.trim().split(/\s+/).concat('ipmsp-depth-limit', 'nvptx-fold-copy-chains');

const folder = temporaryFolder(), floats = join(folder, 'floats.ll');
writeFileSync(floats, `
define ptx_kernel void @k(ptr addrspace(1) %p, float %a, float %b) #0 {
  %m = fmul float %a, %b
  %s = fadd float %m, %a
  %d = fdiv float %s, %b
  %q = call float @llvm.sqrt.f32(float %d)
  store float %q, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @exact(ptr addrspace(1) %p, float %a, float %b) {
  %m = fmul float %a, %b
  %s = fadd float %m, %a
  %d = fdiv float %s, %b
  %q = call float @llvm.sqrt.f32(float %d)
  store float %q, ptr addrspace(1) %p
  ret void
}
declare float @llvm.sqrt.f32(float)
attributes #0 = { "unsafe-fp-math"="true" }
`);

describe('documented knobs', { skip }, () => {
	test('each is listed with type, default and summary', () => {
		assert.equal(documented.length, 124);
		for (const name of documented) {
			const knob = byName(name);
			assert.ok(knob, name);
			assert.ok(knob.type && knob.default !== undefined && knob.summary, name);
		}
	});

	test('KNOB-01: every documented knob is taken, listed with its default, and reads what it prints', () => {
		for (const name of documented) {
			const { status, stderr } = compile(saxpy, `-${name}=${defaultAs(name)}`);
			assert.equal(status, 0, `${name}: ${stderr}`);
		}
	});

	test('PIPE-27: a knob that is set to its default changes nothing', () => {
		for (const input of [saxpy, floats, 'examples/reduce_shared.ll'])
			for (const level of ['-O0', '-O3']) {
				const plain = compile(input, level);
				for (const { name, aliases, inverse } of knobs)
					for (const spelling of [name, ...aliases, ...inverse]) {
						const { status, stdout, stderr } = compile(input, level, `-${spelling}=${defaultAs(spelling)}`);
						assert.equal(status, 0, stderr);
						assert.equal(stdout, plain.stdout, `${input} ${level} -${spelling}`);
					}
			}
	});

	test('an alias sets the knob that it names', () => {
		const ids = (...args) => [...compile(saxpy, '-print-after-all', ...args).stderr.matchAll(/\((\S+)\) \*\*\*:$/gm)].map(([, id]) => id);
		assert.ok(ids().includes('machine-cse') && !ids('-byte_4FD18A0=0').includes('machine-cse'));
		assert.ok(!ids().includes('early-machinelicm') && ids('-byte_4FD1980').includes('early-machinelicm'));
		assert.ok(ids().includes('nvptx-mem2reg') && !ids('-byte_4FD25C0=0').includes('nvptx-mem2reg') && !ids('-no-byte_4FD25C0').includes('nvptx-mem2reg'));
		assert.ok(ids('-TargetOpt.HasLDG=1').includes('ldgxform') && !ids('-TargetOpt.HasLDG=0').includes('ldgxform'));
		assert.ok(ids().includes('register-coalescer') && !ids('-dword_4FD26A0=1').includes('register-coalescer'));
	});
});

describe('spelling', { skip }, () => {
	const has = (id, ...args) => compile(saxpy, '-print-after-all', ...args).stderr.includes(`(${id}) ***`);

	test('KNOB-03: -opt "-do-cssa=0", -do-ip-msp=0 and -print-basr set their knobs, and so do -no-NAME and -opt "-no-do-cssa"', () => {
		assert.ok(has('cssa') && has('ipmsp'));
		for (const args of [['-opt', '-do-cssa=0'], ['-opt=-do-cssa=0'], ['-opt', '-no-do-cssa'], ['-no-do-cssa'], ['--no-do-cssa'], ['-opt', '-print-basr -no-do-cssa']])
			assert.ok(!has('cssa', ...args), args.join(' '));
		assert.ok(has('cssa', '-no-do-cssa=0') && has('cssa', '-no-do-cssa', '-do-cssa'));
		assert.ok(!has('ipmsp', '-do-ip-msp=0') && !has('ipmsp', '-no-do-ip-msp'));
		assert.match(compile('examples/reduce_shared.ll', '-print-basr', '-enable-basr').stderr, /^phi maxLoopInd = \d+$/m);
	});

	test('KNOB-02: an unknown knob and a bad value are errors with the name', () => {
		for (const [arg, text] of [['-do-csa', /unknown option '-do-csa'; did you mean '-do-cssa'\?/], ['-no-do-csa', /unknown option '-no-do-csa'/],
			['-no-usedessa', /unknown option '-no-usedessa'/], ['-do-cssa=maybe', /-do-cssa wants true or false, not 'maybe'/],
			['-usedessa=x', /-usedessa wants a number, not 'x'/], ['-nvvm-reflect-add=A=1,FOO=x', /-nvvm-reflect-add wants NAME=NUMBER, not 'A=1,FOO=x'/], ['-cssa-coalesce=9', /-cssa-coalesce wants a number from 0 to 3, not 9/],
			['-structurizecfg-mode=some', /-structurizecfg-mode wants one of reducible\|strict\|off, not 'some'/]]) {
			const { status, stderr } = compile(saxpy, arg);
			assert.equal(status, 2, arg);
			assert.match(stderr, text);
		}
	});

	test('a bool whose default is neither true nor false takes the word for it', () => {
		assert.equal(compile(floats, '-nvptx-prec-sqrtf32=0', '-nvptx-prec-sqrtf32=auto').stdout, compile(floats).stdout);
		assert.notEqual(compile(floats, '-nvptx-prec-sqrtf32').stdout, compile(floats).stdout);
		assert.match(compile(saxpy, '-do-cssa=opt').stderr, /wants true or false/);
	});
});

describe('what the list says', { skip }, () => {
	test('KNOB-05: a knob whose documented default varies says so beside the value that is chosen', () => {
		for (const name of ['rp-aware-mcse', 'pred-aware-mcse', 'copy-prop-mcse', 'cta-reconfig-aware-mrpa', 'cta-reconfig-aware-rpa', 'remat-load-param', 'enable-machine-outliner', 'enable-new-nvvm-remat']) {
			assert.match(byName(name).summary, /\bvaries\b/, name);
			assert.ok(byName(name).default !== null, name);
		}
	});

	test('KNOB-07: a knob without a described effect says so, and changes nothing', () => {
		const without = ['AdvancedRemat', 'DisablePredication', 'DisableXBlockSched', 'ReorderCSE', 'fca-size', 'cta-reconfig-aware-rpa', 'cta-reconfig-aware-mrpa', 'byte_4FD2160', 'wmma_mode', 'forceEmit', 'MinRCSize'];
		const plain = compile(saxpy).stdout;
		for (const name of without) {
			const { summary, type, default: value } = byName(name);
			assert.match(summary, /^No effect here: \w/, name);
			assert.equal(compile(saxpy, `-${name}=${type === 'bool' ? 1 - value : name === 'wmma_mode' ? 0 : 7}`).stdout, plain, name);
		}
	});
});
