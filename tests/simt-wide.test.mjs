// Integers of IR wider than 64 bits: every operation executed as IR, against BigInt; and what selection makes of them, as PTX, against
// the same. Values come from a seed; edges are among them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder(), pairs = 8;

function random(seed) {
	let state = BigInt(seed);
	const next = () => { state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n); return state >> 33n; };
	return { below: (n) => Number(next() % BigInt(n)), bits: (w) => { let v = 0n; for (let i = 0; i < w; i += 31) v = v << 31n | next(); return BigInt.asUintN(w, v); } };
}

function operand(r, w) {
	const one = 1n << BigInt(r.below(w));
	return BigInt.asUintN(w, [0n, 1n, -1n, one, one - 1n, -one, 1n << BigInt(w - 1), (1n << BigInt(w - 1)) - 1n, BigInt(r.below(1000)), r.bits(w), r.bits(w), r.bits(w), r.bits(Math.ceil(w / 2)), r.bits(w)][r.below(14)]);
}

const digits = (v, w, base, each) => [...Array(Math.ceil(w / each)).keys()].map((i) => Number(v >> BigInt(i * each) & ((1n << BigInt(each)) - 1n)).toString(base));
const count = (v, w) => v.toString(2).replaceAll('0', '').length;
const reverse = (v, w, unit) => { let r = 0n; for (let i = 0; i < w; i += unit) r = r << BigInt(unit) | (v >> BigInt(i) & ((1n << BigInt(unit)) - 1n)); return r; };
const clamp = (v, low, high) => (v < low ? low : v > high ? high : v);

/** f64 of an integer, to nearest: what BigInt's own conversion does. */
const f64 = (v) => { const b = new DataView(new ArrayBuffer(8)); b.setFloat64(0, Number(v)); return b.getBigUint64(0); };

/** [name, the instruction of %a and %b, its value; null: undefined]. u: as unsigned numbers, s: as signed ones, n: a shift. */
const operations = (w) => {
	const W = BigInt(w), smin = -(1n << (W - 1n)), smax = -smin - 1n, umax = (1n << W) - 1n, out = (v) => (v < smin || v > smax ? 1n : 0n);
	const call = (name, more = '') => `call i${w} @llvm.${name}.i${w}(i${w} %a${more})`, two = (name) => call(name, `, i${w} %b`);
	const flag = (name) => `extractvalue { i${w}, i1 } %${name}, 1`;
	const bit = (text) => [`%bit = ${text}`, `zext i1 %bit to i${w}`];
	const binary = (name, value) => [name, `${name} i${w} %a, %b`, value];
	return [
		binary('add', ({ u, v }) => u + v), binary('sub', ({ u, v }) => u - v), binary('mul', ({ u, v }) => u * v),
		binary('udiv', ({ u, v }) => (v ? u / v : null)), binary('urem', ({ u, v }) => (v ? u % v : null)),
		binary('sdiv', ({ s, t }) => (t && !(s === smin && t === -1n) ? s / t : null)), binary('srem', ({ s, t }) => (t && !(s === smin && t === -1n) ? s % t : null)),
		binary('and', ({ u, v }) => u & v), binary('or', ({ u, v }) => u | v), binary('xor', ({ u, v }) => u ^ v),
		['shl', `shl i${w} %a, %n`, ({ u, n }) => u << n], ['lshr', `lshr i${w} %a, %n`, ({ u, n }) => u >> n], ['ashr', `ashr i${w} %a, %n`, ({ s, n }) => s >> n],
		...[['eq', ({ u, v }) => u === v], ['ne', ({ u, v }) => u !== v], ['ult', ({ u, v }) => u < v], ['ule', ({ u, v }) => u <= v], ['ugt', ({ u, v }) => u > v], ['uge', ({ u, v }) => u >= v],
			['slt', ({ s, t }) => s < t], ['sle', ({ s, t }) => s <= t], ['sgt', ({ s, t }) => s > t], ['sge', ({ s, t }) => s >= t]]
			.map(([name, value]) => [`icmp ${name}`, bit(`icmp ${name} i${w} %a, %b`), (x) => (value(x) ? 1n : 0n)]),
		['select', [`%bit = icmp slt i${w} %a, 0`, `select i1 %bit, i${w} %b, i${w} %n`], ({ s, v, n }) => (s < 0n ? v : n)],
		['trunc, sext', [`%t = trunc i${w} %a to i65`, `sext i65 %t to i${w}`], ({ u }) => BigInt.asIntN(65, u)],
		['trunc, zext', [`%t = trunc i${w} %a to i33`, `zext i33 %t to i${w}`], ({ u }) => BigInt.asUintN(33, u)],
		['sext, trunc', [`%t = sext i${w} %a to i${w + 77}`, `%x = lshr i${w + 77} %t, 77`, `trunc i${w + 77} %x to i${w}`], ({ s }) => s >> 77n],
		['zext, mul', [`%t = zext i${w} %a to i${2 * w}`, `%x = zext i${w} %b to i${2 * w}`, `%y = mul i${2 * w} %t, %x`, `%z = lshr i${2 * w} %y, ${w}`, `trunc i${2 * w} %z to i${w}`], ({ u, v }) => u * v >> W],
		['uitofp', [`%f = uitofp i${w} %a to double`, '%t = bitcast double %f to i64', `zext i64 %t to i${w}`], ({ u }) => f64(u)],
		['sitofp', [`%f = sitofp i${w} %a to double`, '%t = bitcast double %f to i64', `zext i64 %t to i${w}`], ({ s }) => f64(s)],
		['fptoui', [`%t = lshr i${w} %a, 1`, `%f = uitofp i${w} %t to double`, `fptoui double %f to i${w}`], ({ u }) => (w > 1000 ? null : BigInt(Number(u >> 1n)))],
		['fptosi', [`%t = ashr i${w} %a, 1`, `%f = sitofp i${w} %t to double`, `fptosi double %f to i${w}`], ({ s }) => (w > 1000 || Number(s >> 1n) >= Number(smax) ? null : BigInt(Number(s >> 1n)))],
		['ctpop', call('ctpop'), ({ u }) => BigInt(count(u, w))], ['ctlz', call('ctlz', ', i1 false'), ({ u }) => W - BigInt(u ? u.toString(2).length : 0)],
		['cttz', call('cttz', ', i1 false'), ({ u }) => (u ? BigInt(u.toString(2).length - 1 - u.toString(2).lastIndexOf('1')) : W)],
		['bitreverse', call('bitreverse'), ({ u }) => reverse(u, w, 1)], ...(w % 16 ? [] : [['bswap', call('bswap'), ({ u }) => reverse(u, w, 8)]]),
		['fshl', call('fshl', `, i${w} %b, i${w} %n`), ({ u, v, n }) => (u << W | v) << n >> W], ['fshr', call('fshr', `, i${w} %b, i${w} %n`), ({ u, v, n }) => (u << W | v) >> n],
		['smin', two('smin'), ({ s, t }) => (s < t ? s : t)], ['smax', two('smax'), ({ s, t }) => (s > t ? s : t)], ['umin', two('umin'), ({ u, v }) => (u < v ? u : v)], ['umax', two('umax'), ({ u, v }) => (u > v ? u : v)],
		['abs', call('abs', ', i1 false'), ({ s }) => (s < 0n ? -s : s)],
		['uadd.sat', two('uadd.sat'), ({ u, v }) => clamp(u + v, 0n, umax)], ['usub.sat', two('usub.sat'), ({ u, v }) => clamp(u - v, 0n, umax)],
		['sadd.sat', two('sadd.sat'), ({ s, t }) => clamp(s + t, smin, smax)], ['ssub.sat', two('ssub.sat'), ({ s, t }) => clamp(s - t, smin, smax)],
		['ushl.sat', call('ushl.sat', `, i${w} %n`), ({ u, n }) => clamp(u << n, 0n, umax)], ['sshl.sat', call('sshl.sat', `, i${w} %n`), ({ s, n }) => clamp(s << n, smin, smax)],
		...[['uadd', ({ u, v }) => (u + v > umax ? 1n : 0n)], ['usub', ({ u, v }) => (u < v ? 1n : 0n)], ['umul', ({ u, v }) => (u * v > umax ? 1n : 0n)],
			['sadd', ({ s, t }) => out(s + t)], ['ssub', ({ s, t }) => out(s - t)], ['smul', ({ s, t }) => out(s * t)]]
			.map(([name, value]) => [`${name}.with.overflow`, [`%o = call { i${w}, i1 } @llvm.${name}.with.overflow.i${w}(i${w} %a, i${w} %b)`, ...bit(flag('o'))], value]),
		['a call', `call i${w} @f(i${w} %a, i1 true, i${w} %b)`, ({ u, v }) => u - v],
		['a switch', [`switch i${w} %a, label %other [ i${w} 0, label %zero i${w} -1, label %ones ]`, 'zero:', 'br label %done', 'ones:', 'br label %done', 'other:', 'br label %done', 'done:',
			`phi i${w} [ 17, %zero ], [ -18, %ones ], [ %b, %other ]`], ({ s, v }) => (s === 0n ? 17n : s === -1n ? -18n : v)],
		['a vector', [`%x = insertelement <2 x i${w}> zeroinitializer, i${w} %a, i32 1`, `%y = insertelement <2 x i${w}> %x, i${w} %b, i32 %k`, `extractelement <2 x i${w}> %y, i32 %k`], ({ v }) => v],
		['a reduction', [`%x = insertelement <2 x i${w}> poison, i${w} %a, i32 0`, `%y = insertelement <2 x i${w}> %x, i${w} %b, i32 1`, `call i${w} @llvm.vector.reduce.smax.v2i${w}(<2 x i${w}> %y)`], ({ s, t }) => (s > t ? s : t)],
		['memory', [`%m = alloca { i8, i${w} }`, `%q = getelementptr { i8, i${w} }, ptr %m, i32 0, i32 1`, `store i${w} %a, ptr %q`, `%x = load i${w}, ptr %q`, `xor i${w} %x, -1`], ({ u }) => ~u],
		['a variable', [`%x = load i${w}, ptr @g`, `add i${w} %x, %a`], ({ u }) => u + (1n << (W - 3n)) + 5n],
	];
};

/** One function for each operation, and a kernel that calls them all, a thread for each pair. */
function program(w, list) {
	const bytes = bytesOf(w), type = `i${w}`;
	const functions = list.map(([, text], i) => {
		const lines = [text].flat(), last = lines.length - 1;
		return `define ${type} @op${i}(${type} %a, ${type} %b, ${type} %n, i32 %k) noinline {\n${lines.map((l, k) => `  ${k === last ? '%r = ' : ''}${l}`).join('\n')}\n  ret ${type} %r\n}\n`;
	});
	const calls = list.map((_, i) => `  %r${i} = call ${type} @op${i}(${type} %a, ${type} %b, ${type} %n, i32 %k)
  %q${i} = getelementptr i8, ptr %q, i64 ${i * pairs * bytes}
  store ${type} %r${i}, ptr %q${i}`);
	return `target triple = "nvptx64-nvidia-cuda"
@g = global ${type} ${(1n << BigInt(w - 3)) + 5n}
define ${type} @f(${type} %a, i1 %x, ${type} %b) noinline {\n  %r = sub ${type} %a, %b\n  ret ${type} %r\n}
${functions.join('')}define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = mul i32 %t, ${bytes * 3}
  %p = getelementptr i8, ptr %in, i32 %at
  %pb = getelementptr i8, ptr %p, i64 ${bytes}
  %pn = getelementptr i8, ptr %p, i64 ${2 * bytes}
  %a = load ${type}, ptr %p
  %b = load ${type}, ptr %pb
  %n = load ${type}, ptr %pn
  %k = and i32 %t, 1
  %to = mul i32 %t, ${bytes}
  %q = getelementptr i8, ptr %out, i32 %to
${calls.join('\n')}
  ret void\n}\n`;
}

const cases = (w) => {
	const r = random(w);
	return [...Array(pairs).keys()].map((i) => {
		const u = operand(r, w), v = i === 3 ? BigInt.asUintN(w, u) : operand(r, w), n = BigInt(i === 0 ? 0 : i === 1 ? w - 1 : r.below(w));
		return { u, v, n, s: BigInt.asIntN(w, u), t: BigInt.asIntN(w, v) };
	});
};

const bytesOf = (w) => Math.ceil(w / 128) * 16, words = (v, w) => digits(v, bytesOf(w) * 8, 10, 32);

function check(run, w, level) {
	const list = operations(w), inputs = cases(w), size = bytesOf(w) / 4, file = join(work, `w${w}.ll`), launch = join(work, `w${w}.json`);
	writeFileSync(file, program(w, list));
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [pairs, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }],
		buffers: {
			in: { type: 'u32', count: pairs * 3 * size, init: { kind: 'values', values: inputs.flatMap(({ u, v, n }) => [...words(u, w), ...words(v, w), ...words(n, w)]) } },
			out: { type: 'u32', count: list.length * pairs * size },
		},
	}));
	const r = run(['run', file, `--launch=${launch}`, `--level=${level}`, '--json', '-mcpu=sm_90', '-O1']);
	assert.equal(r.status, 0, r.stderr.slice(0, 1500));
	const got = JSON.parse(r.stdout).buffers.out.values;
	list.forEach(([name, , value], i) => inputs.forEach((x, k) => {
		const want = value(x), at = (i * pairs + k) * size;
		if (want === null)
			return;
		const have = got.slice(at, at + size).reduceRight((sum, d) => sum << 32n | BigInt(d), 0n);
		assert.equal(BigInt.asUintN(w, have).toString(16), BigInt.asUintN(w, want).toString(16), `i${w} ${name} of 0x${x.u.toString(16)}, 0x${x.v.toString(16)}, ${x.n} as ${level}`);
	}));
}

for (const { host, run, skip } of hosts)
	describe(`integers of IR wider than 64 bits (${host})`, { skip }, () => {
		for (const w of host === 'native' ? [80, 128, 129, 192, 200, 256, 333, 1024] : [129, 256])
			test(`i${w} as IR`, () => check(run, w, 'ir'));
		for (const w of host === 'native' ? [129, 192, 256] : [192])
			test(`i${w} as PTX`, () => check(run, w, 'ptx'));

		test('4096 bits are the most', () => {
			const of = (w) => {
				writeFileSync(join(work, 'most.ll'), `target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k(ptr %p) {\n  %a = load i${w}, ptr %p\n  %b = mul i${w} %a, %a\n  store i${w} %b, ptr %p\n  ret void\n}\n`);
				writeFileSync(join(work, 'most.json'), JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'p' }], buffers: { p: { type: 'u32', count: 512, init: { kind: 'values', values: [4294967295, 1] } } } }));
				return run(['run', join(work, 'most.ll'), `--launch=${join(work, 'most.json')}`, '--level=ir', '--json']);
			};
			const square = of(4096);
			assert.equal(square.status, 0, square.stderr);
			assert.deepEqual(JSON.parse(square.stdout).buffers.p.values.slice(0, 5), [1, 4294967292, 3, 0, 0].slice(0));
			assert.match(of(8192).stderr, /unsupported .*the emulator does not execute '%a = load i8192/);
		});
	});
