// Integers of more than 64 bits: every operation, on random numbers and on those at the edges, against BigInt.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const threads = 32, slot = 64; // bytes of a value in memory, at most 512 bits

const low = (x, bits) => BigInt.asUintN(bits, x);
const signed = (x, bits) => BigInt.asIntN(bits, x);

let seed = 7n;
function random(bits) {
	let x = 0n;
	for (let i = 0; i < bits; i += 64) {
		seed = low(seed * 6364136223846793005n + 1442695040888963407n, 64);
		x = x << 64n | low(seed >> 21n | seed << 43n, 64);
	}
	return low(x, bits);
}

/** Some of everything: small, large, sparse, with words of ones. */
function numbers(bits) {
	const list = [0n, 1n, low(-1n, bits), 1n << BigInt(bits - 1), (1n << BigInt(bits - 1)) - 1n, (1n << 64n) - 1n, 1n << 64n, (1n << 128n) - 1n].map((x) => low(x, bits));
	while (list.length < threads)
		list.push(low(random(bits) >> BigInt((list.length * 37) % bits) & (list.length % 3 ? -1n : low(-1n, 64) << 64n), bits));
	return list;
}

const bool = (x) => (x ? 1n : 0n);
const clamp = (x, least, most) => (x < least ? least : x > most ? most : x);

/** name → [IR of %c from %a, %b of type T, its value]. Amounts are %n = %b modulo the width. */
function operations(w) {
	const T = `i${w}`, most = low(-1n, w), smax = (1n << BigInt(w - 1)) - 1n, smin = -smax - 1n;
	const constant = low((1n << BigInt(w - 3)) + 12345678901234567890123n, w);
	const n = (b) => b % BigInt(w), s = (x) => signed(x, w);
	const call = (name, args = `${T} %a, ${T} %b`) => `%c = call ${T} @llvm.${name}.${T}(${args})`;
	const overflow = (name) => `%p = call { ${T}, i1 } @llvm.${name}.with.overflow.${T}(${T} %a, ${T} %b)
  %v = extractvalue { ${T}, i1 } %p, 0
  %o = extractvalue { ${T}, i1 } %p, 1
  %x = xor ${T} %v, -1
  %c = select i1 %o, ${T} %x, ${T} %v`;
	const checked = (x, ok) => (ok ? low(x, w) : low(~x, w));
	const fits = (x) => x >= smin && x <= smax, ufits = (x) => x >= 0n && x <= most;
	const ops = {
		add: [`%c = add ${T} %a, %b`, (a, b) => a + b], sub: [`%c = sub ${T} %a, %b`, (a, b) => a - b], mul: [`%c = mul ${T} %a, %b`, (a, b) => a * b],
		and: [`%c = and ${T} %a, %b`, (a, b) => a & b], or: [`%c = or ${T} %a, %b`, (a, b) => a | b], xor: [`%c = xor ${T} %a, %b`, (a, b) => a ^ b],
		not: [`%c = xor ${T} %a, -1`, (a) => ~a],
		addk: [`%c = add ${T} %a, ${constant}`, (a) => a + constant], mulk: [`%c = mul ${T} %a, ${constant}`, (a) => a * constant],
		subk: [`%c = sub ${T} ${constant}, %a`, (a) => constant - a], andk: [`%c = and ${T} %a, ${constant}`, (a) => a & constant],
		shl: [`%c = shl ${T} %a, %n`, (a, b) => a << n(b)], lshr: [`%c = lshr ${T} %a, %n`, (a, b) => a >> n(b)],
		ashr: [`%c = ashr ${T} %a, %n`, (a, b) => s(a) >> n(b)],
		fshl: [call('fshl', `${T} %a, ${T} %b, ${T} %n`), (a, b) => (a << BigInt(w) | b) << n(b) >> BigInt(w)],
		fshr: [call('fshr', `${T} %a, ${T} %b, ${T} %n`), (a, b) => (a << BigInt(w) | b) >> n(b)],
		smin: [call('smin'), (a, b) => (s(a) < s(b) ? a : b)], umax: [call('umax'), (a, b) => (a > b ? a : b)],
		abs: [call('abs', `${T} %a, i1 false`), (a) => (s(a) < 0n ? -s(a) : a)],
		ctpop: [call('ctpop', `${T} %a`), (a) => BigInt(a.toString(2).replaceAll('0', '').length)],
		ctlz: [call('ctlz', `${T} %a, i1 false`), (a) => BigInt(w - (a ? a.toString(2).length : 0))],
		cttz: [call('cttz', `${T} %a, i1 false`), (a) => (a ? BigInt(a.toString(2).length - 1 - a.toString(2).lastIndexOf('1')) : BigInt(w))],
		bitreverse: [call('bitreverse', `${T} %a`), (a) => BigInt(`0b${[...a.toString(2).padStart(w, '0')].reverse().join('')}`)],
		uaddsat: [call('uadd.sat'), (a, b) => clamp(a + b, 0n, most)], usubsat: [call('usub.sat'), (a, b) => clamp(a - b, 0n, most)],
		saddsat: [call('sadd.sat'), (a, b) => clamp(s(a) + s(b), smin, smax)], ssubsat: [call('ssub.sat'), (a, b) => clamp(s(a) - s(b), smin, smax)],
		uaddo: [overflow('uadd'), (a, b) => checked(a + b, ufits(a + b))], usubo: [overflow('usub'), (a, b) => checked(a - b, ufits(a - b))],
		saddo: [overflow('sadd'), (a, b) => checked(s(a) + s(b), fits(s(a) + s(b)))], ssubo: [overflow('ssub'), (a, b) => checked(s(a) - s(b), fits(s(a) - s(b)))],
		umulo: [overflow('umul'), (a, b) => checked(a * b, ufits(a * b))], smulo: [overflow('smul'), (a, b) => checked(s(a) * s(b), fits(s(a) * s(b)))],
		narrow: [`%h = trunc ${T} %a to i${w - 30}\n  %c = sext i${w - 30} %h to ${T}`, (a) => signed(low(a, w - 30), w - 30)],
		word: [`%h = trunc ${T} %a to i64\n  %c = zext i64 %h to ${T}`, (a) => low(a, 64)],
		call: [`%c = call ${T} @callee(${T} %b, i8 5, ${T} %a)`, (a, b) => b - a + 5n],
		vector: [`%v0 = insertelement <2 x ${T}> poison, ${T} %a, i32 0\n  %v1 = insertelement <2 x ${T}> %v0, ${T} %b, i32 1\n  %v2 = add <2 x ${T}> %v1, %v1\n  %c = extractelement <2 x ${T}> %v2, i32 1`, (a, b) => b + b],
		loop: [`br label %l\nl:\n  %i = phi i32 [ 0, %entry ], [ %j, %l ]\n  %t = phi ${T} [ %a, %entry ], [ %u, %l ]\n  %u = add ${T} %t, %b\n  %j = add i32 %i, 1\n  %d = icmp eq i32 %j, 3\n  br i1 %d, label %e, label %l\ne:\n  %c = add ${T} %u, 0`, (a, b) => a + 3n * b],
		udiv: [`%q = or ${T} %b, 1\n  %c = udiv ${T} %a, %q`, (a, b) => a / (b | 1n)], urem: [`%q = or ${T} %b, 1\n  %c = urem ${T} %a, %q`, (a, b) => a % (b | 1n)],
		sdiv: [`%q = or ${T} %b, 1\n  %c = sdiv ${T} %a, %q`, (a, b) => s(a) / s(b | 1n)], srem: [`%q = or ${T} %b, 1\n  %c = srem ${T} %a, %q`, (a, b) => s(a) % s(b | 1n)],
		udiv10: [`%c = udiv ${T} %a, 10`, (a) => a / 10n], urem16: [`%c = urem ${T} %a, 16`, (a) => a % 16n],
		udiv16: [`%c = udiv ${T} %a, 16`, (a) => a / 16n], sdiv16: [`%c = sdiv ${T} %a, 16`, (a) => s(a) / 16n], srem16: [`%c = srem ${T} %a, -16`, (a) => s(a) % 16n],
		sdivneg: [`%c = sdiv ${T} %a, -7777`, (a) => s(a) / -7777n], sremneg: [`%c = srem ${T} %a, -3`, (a) => s(a) % 3n], udivbig: [`%c = udiv ${T} %a, 123456789012345678`, (a) => a / 123456789012345678n],
		sdivsmin: [`%c = sdiv ${T} %a, ${smin}`, (a) => s(a) / smin],
	};
	for (const k of [1, 63, 64, 65, w - 1])
		Object.assign(ops, {
			[`shl${k}`]: [`%c = shl ${T} %a, ${k}`, (a) => a << BigInt(k)], [`lshr${k}`]: [`%c = lshr ${T} %a, ${k}`, (a) => a >> BigInt(k)],
			[`ashr${k}`]: [`%c = ashr ${T} %a, ${k}`, (a) => s(a) >> BigInt(k)],
		});
	for (const [name, holds] of Object.entries({
		eq: (a, b) => a === b, ult: (a, b) => a < b, uge: (a, b) => a >= b, slt: (a, b) => s(a) < s(b), sle: (a, b) => s(a) <= s(b), sgt: (a, b) => s(a) > s(b),
	}))
		ops[name] = [`%k = icmp ${name} ${T} %a, %b\n  %c = zext i1 %k to ${T}`, (a, b) => bool(holds(a, b))];
	if (w % 16 === 0)
		ops.bswap = [call('bswap', `${T} %a`), (a) => BigInt(`0x${a.toString(16).padStart(w / 4, '0').match(/../g).reverse().join('')}`)];
	return ops;
}

function program(w, ops) {
	const T = `i${w}`, names = Object.keys(ops), declared = new Map();
	for (const [text] of Object.values(ops))
		for (const [, result, name, args] of text.matchAll(/call (.*?) (@llvm\.[\w.]+)\((.*)\)/g))
			declared.set(name, `declare ${result} ${name}(${args.replaceAll(/ (%\w+|false)/g, '')})`);
	const functions = names.map((name) => `define internal void @${name}(ptr %pa, ptr %pb, ptr %pc) noinline {
entry:
  %a = load ${T}, ptr %pa
  %b = load ${T}, ptr %pb
${ops[name][0].includes('%n') ? `  %pn = getelementptr i8, ptr %pb, i64 ${slot * threads}\n  %n = load ${T}, ptr %pn\n` : ''}  ${ops[name][0]}
  store ${T} %c, ptr %pc
  ret void
}`);
	const calls = names.map((name, i) => `  %p${i} = getelementptr i8, ptr %out, i64 ${i * slot * threads}
  %q${i} = getelementptr i8, ptr %p${i}, i64 %at
  call void @${name}(ptr %pa, ptr %pb, ptr %q${i})`);
	return `target triple = "nvptx64-nvidia-cuda"
${functions.join('\n')}
define internal ${T} @callee(${T} %a, i8 %k, ${T} %b) noinline {
  %x = sub ${T} %a, %b
  %y = zext i8 %k to ${T}
  %z = add ${T} %x, %y
  ret ${T} %z
}
define void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %at = mul i64 %i, ${slot}
  %pa = getelementptr i8, ptr %in, i64 %at
  %pb = getelementptr i8, ptr %pa, i64 ${slot * threads}
${calls.join('\n')}
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${[...declared.values()].join('\n')}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
`;
}

const words = (x) => Array.from({ length: slot / 8 }, (_, i) => low(x >> BigInt(64 * i), 64));

for (const w of [65, 100, 128, 129, 136, 192, 255, 256, 320, 512])
	for (const level of ['-O0', '-O3'])
		test(`i${w} at ${level}`, { skip }, () => {
			const folder = temporaryFolder(), ops = operations(w), names = Object.keys(ops);
			const as = numbers(w), bs = numbers(w).reverse().map((x, i) => (i % 4 ? x : as[i])), amounts = bs.map((b) => b % BigInt(w));
			const buffers = {
				in: { type: 'u64', count: 3 * threads * slot / 8, init: { kind: 'values', values: [...as, ...bs, ...amounts].flatMap(words).map(String) } },
				out: { type: 'u64', count: names.length * threads * slot / 8 },
			};
			writeFileSync(join(folder, 'k.ll'), program(w, ops));
			writeFileSync(join(folder, 'k.json'), JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }], buffers }));
			const run = ptxscope(['run', join(folder, 'k.ll'), '--launch', join(folder, 'k.json'), '--level=ptx', level, '--json']);
			assert.equal(run.status, 0, run.stderr);
			const out = JSON.parse(run.stdout).buffers.out.values.map(BigInt), bytes = BigInt(8 * Math.ceil(w / 8));
			names.forEach((name, o) => as.forEach((a, i) => {
				const at = (o * threads + i) * slot / 8, got = words(0n).reduce((sum, _, k) => sum | out[at + k] << BigInt(64 * k), 0n);
				assert.equal(low(got, Number(bytes)), low(ops[name][1](a, bs[i]), w), `${name} of ${a} and ${bs[i]}`);
			}));
			if (ptxas) {
				ptxscope(['compile', join(folder, 'k.ll'), level, '-o', join(folder, 'k.ptx')]);
				const taken = spawnSync(ptxas, ['-O0', '-arch=sm_75', '-o', join(folder, 'k.cubin'), join(folder, 'k.ptx')]);
				assert.equal(taken.status, 0, taken.stderr?.toString());
			}
		});
