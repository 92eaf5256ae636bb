// The reader and printer of LLVM IR: printing is a fixed point, LLVM reads what we print, and it says the
// same as the input.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { llvm, withoutLlvm } from './tools/llvm.mjs';
import { ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { withoutNotes } from './tools/ir-notes.mjs';
import { root, which } from './tools/setup.mjs';

const listed = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.ll')).map((name) => join(root, folder, name));
const inputs = [...listed('examples'), ...listed('tests/ir')];
const libdevice = ['/usr/local/cuda/nvvm/libdevice/libdevice.10.bc', '/usr/lib/cuda/nvvm/libdevice/libdevice.10.bc'].find(existsSync);
const folder = temporaryFolder();
const has = (tool) => Boolean(which(tool));

function fmt(path, version = 22) {
	const { status, stdout, stderr } = ptxscope(['fmt', path, `--ir-version=${version}`, '-o', '-'], { bytes: true });
	assert.equal(status, 0, stderr);
	return stdout;
}

function run(tool, args, input) {
	const { status, stdout, stderr } = spawnSync(tool, args, { input, maxBuffer: 1 << 29 });
	assert.equal(status, 0, `${tool}: ${stderr}`);
	return stdout.toString('utf8');
}

/** Text of a module without what may differ: its name, and the order of predecessors in comments. */
const meaning = (text) => text.split('\n').filter((line) => !/^(; ModuleID|source_filename)/.test(line)).map((line) => line.replace(/; preds = .*/, '').trimEnd()).join('\n');

/** What we print for that version of LLVM is what we print of the print. */
function fixedPoint(path, version) {
	const first = fmt(path, version);
	writeFileSync(join(folder, 'first.ll'), first);
	assert.ok(fmt(join(folder, 'first.ll'), version).equals(first), `${path}: the print prints differently`);
	return first;
}

test('what is printed is also found good by checking alone, which prints nothing', () => {
	for (const path of inputs) {
		const { status, stdout, stderr } = ptxscope(['fmt', '-disable-output', path]);
		assert.deepEqual([status, stdout, stderr], [0, '', ''], path);
	}
});

test('the name of a module may be of any bytes', () => {
	const path = join(folder, 'name.ll'), name = "; ModuleID = '\0\0 \x01.cu'\n";
	writeFileSync(path, `${name}@g = global i32 0\n`);
	assert.ok(fixedPoint(path).toString('latin1').startsWith(name));
});

test('declarations under each other\'s names get their own, in whatever order they stand', () => {
	const path = join(folder, 'names.ll'), types = { bf16: 'half', f16: 'double', f64: 'float' };
	writeFileSync(path, Object.entries(types).map(([name, type]) => `declare ${type} @llvm.fma.${name}(${type}, ${type}, ${type})
define ${type} @of_${type}(${type} %x) {
  %r = call ${type} @llvm.fma.${name}(${type} %x, ${type} %x, ${type} %x)
  ret ${type} %r
}
`).join(''));
	assert.deepEqual(fixedPoint(path).toString().match(/declare \w+ @[\w.]+/g), ['declare half @llvm.fma.f16', 'declare double @llvm.fma.f64', 'declare float @llvm.fma.f32']);
});

test('a name that belongs to a declaration of another type is no reason to look for one again and again', () => {
	const path = join(folder, 'taken.ll'), v = '<4 x i32>';
	writeFileSync(path, `declare ${v} @llvm.masked.load.v2i32.p0(ptr, i32, <4 x i1>, ${v})\ndeclare ${v} @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <2 x i32>)\n`);
	assert.match(fixedPoint(path).toString(), /@llvm\.masked\.load\.v2i32/);
});

test('sets that differ only in attributes newer than LLVM 19 are printed as one group', () => {
	const path = join(folder, 'newer.ll');
	writeFileSync(path, `declare void @f() nounwind coro_elide_safe
define void @g() nounwind {
  call void @f() coro_elide_safe
  call void @f() nounwind
  ret void
}
`);
	const text = fixedPoint(path, 19).toString();
	assert.deepEqual(text.match(/ #\d/g), [' #0', ' #0', ' #0', ' #0']);
	assert.match(text, /call void @f\(\)\n/);
});

test('versions without a space for the shared memory of a cluster get pointers to that of a block', () => {
	const path = join(folder, 'cluster.ll');
	writeFileSync(path, `target triple = "nvptx64-nvidia-cuda"
@n = addrspace(3) global i32 0
@c = global ptr addrspace(7) addrspacecast (ptr addrspace(3) @n to ptr addrspace(7))
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
define i64 @f(ptr addrspace(3) %s, ptr addrspace(7) %c, ptr %p) {
  %a = addrspacecast ptr addrspace(3) %s to ptr addrspace(7)
  %g = addrspacecast ptr addrspace(7) %c to ptr
  %m = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %s, i32 1)
  call void @llvm.memcpy.p7.p0.i64(ptr addrspace(7) %m, ptr %g, i64 8, i1 false)
  %i = ptrtoaddr ptr addrspace(7) %a to i64
  ret i64 %i
}
`);
	assert.match(fmt(path).toString(), /addrspacecast ptr addrspace\(3\) %s to ptr addrspace\(7\)[^]*ptrtoaddr ptr addrspace\(7\)/);
	for (const version of [19, 20, 21])
		assert.doesNotMatch(fmt(path, version).toString(), /addrspace\(7\)|ptrtoaddr/);
	assert.match(fmt(path, 19).toString(), /bitcast ptr addrspace\(3\) %s to ptr addrspace\(3\)/);
	if (has('opt-19'))
		assert.match(run('opt-19', ['-S', '-passes=verify', '-'], fmt(path, 19)), /memcpy\.p3\.p0/);
});

test(`print → parse → print is a fixed point (${inputs.length} modules)`, () => inputs.forEach((path) => fixedPoint(path)));

// mapa and TMA have pointers to the shared memory of a cluster in LLVM 22, an address space that LLVM 19 does not have.
const newerTypes = { 19: /older-renamed/ };

/** `meaning` without declarations and attribute groups: LLVM gives intrinsics the attributes that it knows, and drops those of calls that it upgrades. */
const code = (text) => meaning(text).split('\n').filter((line) => !/^(;|declare|attributes|$)/.test(line))
	.map((line) => line.replace(/ #\d+/g, '').replace(/(@llvm\.lifetime.*?ptr) nonnull /, '$1 ').replace(/(\[0 x .*\]) undef$/, '$1 poison')).join('\n');

/** Calls that LLVM 22 writes in other ways, which it has no older form of. */
const upgraded = /@llvm\.nvvm\.(?:barrier0|bar\.sync|ldg\.|ptr\.|rotate\.|swap\.|bitcast\.|atomic\.load\.)/;

// What LLVM itself does not upgrade becomes others here: intrinsics of libNVVM and of old LLVMs. Of newer is more than LLVM 19 reads.
const others = { 19: /(newer|older)/, 22: /(newer-nvvm|older-numba|upgrade-older)\.ll$/ };

for (const version of [19, 22])
	test(`LLVM ${version} sees the same module in the input and in what we print for it`, { skip: withoutLlvm(version) }, () => {
		// Constant expressions went from one version to the next: not every version takes every module.
		const texts = inputs.filter((path) => !newerTypes[version]?.test(path)).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
		const theirs = llvm(version, 'strip', texts.map(({ text }) => text));
		const taken = texts.map((input, i) => ({ ...input, ...theirs[i] })).filter(({ status }) => status === 0);
		const seen = (text) => (version < 21 ? withoutNotes(code(text)) : code(text));
		assert.ok(taken.length > 10, `${taken.length} modules`);
		llvm(version, 'strip', taken.map(({ path }) => fmt(path, version))).forEach(({ status, answer: print }, i) => {
			const { path, text, answer } = taken[i];
			assert.equal(status, 0, `${path}: ${print}`);
			if (!others[version].test(path) && !(version < 22 && upgraded.test(text)))
				assert.equal(seen(print), seen(answer), path);
		});
	});

test('calls of older intrinsics are printed as opt-22 prints them', { skip: has('opt-22') ? false : 'no opt-22' }, () => {
	const plain = (text) => code(text).replace(/^target datalayout.*\n/m, '').replace(/, align \d+$/gm, '');
	for (const path of ['renamed', 'bfloats'].map((name) => join(root, `tests/ir/older-${name}.ll`)))
		assert.equal(plain(fmt(path).toString()), plain(run('opt-22', ['-S', path])));
});

test('libdevice is read, verified and printed', { skip: !libdevice ? 'no CUDA toolkit' : has('llvm-dis-22') && has('opt-22') ? false : 'no llvm-dis-22' }, () => {
	const path = join(folder, 'libdevice.ll');
	run('llvm-dis-22', [libdevice, '-o', path]);
	const seen = (text) => code(run('opt-22', ['-S', '-passes=verify', '-'], text));
	assert.equal(seen(fixedPoint(path)), seen(readFileSync(path)));
});
