// Every llvm.nvvm intrinsic, with pointers to each space, for several targets: either it is refused at its line with what would
// have it, or ptxas takes its PTX. (What PTX its name means is checked by execution elsewhere.)

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = !existsSync(native) ? 'no native build' : !ptxas ? 'ptxas missing' : false;
const folder = temporaryFolder();

const letters = {
	v: 'void', b: 'i1', c: 'i8', s: 'i16', i: 'i32', l: 'i64', q: 'i128', h: 'half', y: 'bfloat', f: 'float', d: 'double',
	H: '<2 x half>', Y: '<2 x bfloat>', S: '<2 x i16>', p: 'ptr',
};
const pointers = ['ptr', ...[1, 3, 4, 5, 101].map((space) => `ptr addrspace(${space})`)];
const overloads = { I: ['i32'], F: ['float'], A: ['i32', 'i64', 'float', 'double', 'half'], N: ['i32'], G: ['float', 'double'], P: pointers, Q: pointers };
const mangled = (type) => type.startsWith('ptr') ? `p${/\d+/.exec(type)?.[0] ?? 0}` : { half: 'f16', float: 'f32', double: 'f64' }[type] ?? type;

/** {a,b}c is ac and bc. */
function spelled(names) {
	const braces = /\{([^}]*)\}/.exec(names);
	return !braces ? [names] : braces[1].split(',').flatMap((word) => spelled(names.replace(braces[0], () => word)));
}

/** The types of a row, once for each choice of its overloaded ones. */
function signatures({ signature }) {
	const text = signature.split('|')[0];
	const choices = [...text].filter((letter) => overloads[letter])
		.reduce((all, letter) => all.flatMap((choice) => overloads[letter].map((type) => [...choice, type])), [[]]);
	return choices.map((choice) => {
		let next = 0;
		const list = (part) => [...part.matchAll(/=(\d)|p(\d+)|([a-zA-Z])/g)].map(([, same, space, letter]) =>
			letter ? (overloads[letter] ? choice[next++] : letters[letter]) : same ? choice[same] : space === '0' ? 'ptr' : `ptr addrspace(${space})`);
		const [, count, struct, one, params] = /^(?:(\d+)(?=\w)|\{(.*?)\})?(.*?)\((.*)\)$/.exec(text);
		const fields = list(struct ?? one);
		const ret = struct !== undefined ? `{ ${fields.join(', ')} }` : count ? `{ ${Array(Number(count)).fill(fields[0]).join(', ')} }` : fields[0];
		return { ret, params: list(params), suffix: choice.map((type) => `.${mangled(type)}`).join('') };
	});
}

// Not among them: what the linker and earlier passes answer, cached loads (loads, not instructions of their own), and fetches with
// samplers, which need another texture mode than CUDA's. The constants of LLVM 20 to 22's intrinsics and their targets are in
// isel-minimums.test.mjs.
const elsewhere = /\.nvvm\.(reflect|compiler|texsurf|ld[gu]\.global|(tex|tld4)\.(?!unified)|tcgen05|tensormap|fence\.proxy\.tensormap|mma\.(sp|block)|mma.*kind|cp\.async\.bulk\.(tensor|global|prefetch|shared)|discard|applypriority|st\.bulk|clusterlaunch|internal|wgmma|.*(e\dm\d|ue8m0)|ff2.*\.rs|redux\.sync\.f|prefetch|fabs|ex2\.approx|(ld|st)matrix.*(m16n|m8n16))/;

const calls = skip ? [] : JSON.parse(ptxscope(['intrinsics', '--json']).stdout)
	.filter(({ names }) => names.startsWith('llvm.nvvm.') && !elsewhere.test(names))
	.flatMap((row) => signatures(row).flatMap(({ ret, params, suffix }) => spelled(row.names).map((names) => ({
		name: names.replace(/\*$/, suffix), ret, params, immediates: row.immediates,
	}))));

function functionOf({ name, ret, params, immediates }, k) {
	const fixed = (i) => immediates.includes(i);
	const value = name.includes('setmaxnreg') ? 24 : 1;
	const args = params.map((type, i) => `${type} ${fixed(i) ? value : `%a${i}`}`);
	return `define ${ret} @f${k}(${args.filter((_, i) => !fixed(i)).join(', ')}) {
  ${ret === 'void' ? '' : '%r = '}call ${ret} @${name}(${args.join(', ')})
  ret ${ret}${ret === 'void' ? '' : ' %r'}
}
`;
}

const reasons = [/^llvm\.[\w.]+ needs sm_\d+a? and PTX \d+\.\d$/, /^PTX has no instruction for llvm\.[\w.]+$/, /^this type or address space of an atomic intrinsic is not supported/];

/** Compiles all that is not refused: { ptx, refused: names }. */
function compiled(options) {
	const file = join(folder, 'calls.ll'), out = join(folder, 'calls.ptx');
	const left = new Map(calls.map((call, k) => [k, call])), refused = [];
	for (;;) {
		const declarations = new Set([...left.values()].map(({ name, ret, params }) => `declare ${ret} @${name}(${params.join(', ')})\n`));
		writeFileSync(file, ['target triple = "nvptx64-nvidia-cuda"\n', ...[...left].map(([k, call]) => functionOf(call, k)), ...declarations].join(''));
		const { status, stderr } = ptxscope(['compile', file, ...options, '--error-limit=100000', '-o', out]);
		if (status === 0)
			return { ptx: out, refused };
		const errors = [...stderr.matchAll(/error: in 'f(\d+)': (.*)/g)];
		assert.ok(errors.length, stderr);
		for (const [, k, text] of errors) {
			assert.ok(reasons.some((reason) => reason.test(text)), text);
			refused.push(left.get(Number(k)).name);
			left.delete(Number(k));
		}
	}
}

// What no target has: LLVM 19 has no instruction for it either, or one that ptxas refuses.
const nowhere = new RegExp(`^llvm\\.nvvm\\.(${[
	'bf2h\\.rn.*', '(ex2|lg2)\\.approx\\.d', 'fma\\.rn\\.(ftz.*|sat)\\.bf16(x2)?', 'f(max|min)\\.ftz.*\\.bf16(x2)?', '(ld|st)matrix.*\\.p(?!0$|3$)\\d+', 'f2tf32\\.r[nz].*satfinite',
	'mma\\.m16n8k16\\.row\\.col\\.(f16\\.f32|f32\\.f16)', 'wmma\\..*\\.f(16|32)\\.satfinite', 'wmma.*\\.p(?!0$|1$|3$)\\d+', 'atomic.*\\.p(4|5|101)',
].join('|')})$`);

const twoPointers = /^llvm\.nvvm\.(move\.)?ptr.*\.p\d+\.p\d+$/; // which may differ in width

const targets = [['sm_75'], ['sm_80'], ['sm_90a', '-mattr=+ptx88'], ['sm_120'], ['sm_90a', '-mattr=+ptx88', '--nvptx-short-ptr']];
for (const [cpu, ...more] of targets)
	test(`intrinsics for ${[cpu, ...more].join(' ')}: refused with a reason, or taken by ptxas`, { skip }, () => {
		const { ptx, refused } = compiled([`-mcpu=${cpu}`, ...more]);
		const said = spawnSync(ptxas, ['-c', `-arch=${cpu}`, '-O0', ptx, '-o', join(folder, 'calls.cubin')], { encoding: 'utf8', maxBuffer: 1 << 28 });
		const lines = readFileSync(ptx, 'utf8').split('\n');
		const wrong = [...said.stderr.matchAll(/line (\d+); error *: (.*)/g)].map(([, line, text]) => `${lines[line - 1].trim()}: ${text}`)
			.filter((text) => !text.startsWith('cvta.param')); /* warned about */
		assert.deepEqual(wrong, []);
		if (cpu === 'sm_90a')
			assert.deepEqual(refused.filter((name) => !nowhere.test(name) && !(more.includes('--nvptx-short-ptr') && twoPointers.test(name))), []);
	});
