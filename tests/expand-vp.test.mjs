// expand-vp: every vector predication intrinsic under all masks and lengths of four lanes, against what it does to each
// lane, written down here a second time. Executed at -O0 and -O3.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const skip = existsSync(native) ? false : 'no native build';
const lanes = [0, 1, 2, 3], off = -77;
const threads = 16 * 5; // mask: its low four bits; length: the rest
const i32 = (x) => Number(BigInt.asIntN(32, BigInt(x)));
const u32 = (x) => Number(BigInt.asUintN(32, BigInt(x)));
const bits = (x) => new Int32Array(new Float32Array([x]).buffer)[0];
const f = Math.fround;
const big = (a, b, op) => i32(op(BigInt(a), BigInt(b)));

let seed = 7n;
function random() {
	seed = BigInt.asUintN(64, seed * 6364136223846793005n + 1442695040888963407n);
	return i32(seed >> 33n);
}
const input = Array.from({ length: threads * 8 }, (_, i) => (i % 5 ? random() : random() % 100) || 1);

const VI = '<4 x i32>', VF = '<4 x float>', VB = '<4 x i1>';
const tail = `${VB} %mask, i32 %n`;

/** An operation: the intrinsic with its arguments, and what it makes of the lanes. `lane`: of each active lane. */
const operations = [];
function lanewise(name, type, args, lane, result = type) {
	operations.push({ name, type: result, ir: `call ${result} @llvm.${name}(${args}, ${tail})`, ref: (x) => lanes.map((i) => x.on[i] ? lane(x, i) : off), guarded: true });
}
const ints = `${VI} %a, ${VI} %b`, floats = `${VF} %fa, ${VF} %fb`;
for (const [name, op] of Object.entries({
	add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b,
	sdiv: (a, b) => a / b, srem: (a, b) => a % b, smax: (a, b) => a > b ? a : b, smin: (a, b) => a < b ? a : b,
}))
	lanewise(`vp.${name}.v4i32`, VI, ints, (x, i) => big(x.a[i], x.b[i], op));
for (const [name, op] of Object.entries({ udiv: (a, b) => a / b, urem: (a, b) => a % b, umax: (a, b) => a > b ? a : b, umin: (a, b) => a < b ? a : b }))
	lanewise(`vp.${name}.v4i32`, VI, ints, (x, i) => big(u32(x.a[i]), u32(x.b[i]), op));
for (const [name, op] of Object.entries({ shl: (a, s) => a << s, lshr: (a, s) => a >>> s, ashr: (a, s) => a >> s }))
	lanewise(`vp.${name}.v4i32`, VI, `${VI} %a, ${VI} %s`, (x, i) => i32(op(x.a[i], x.b[i] & 31)));
for (const [name, op] of Object.entries({ fadd: (a, b) => a + b, fsub: (a, b) => a - b, fmul: (a, b) => a * b, fdiv: (a, b) => a / b, maxnum: Math.max, minnum: Math.min, copysign: (a) => a }))
	lanewise(`vp.${name}.v4f32`, VF, floats, (x, i) => bits(f(op(x.fa[i], x.fb[i]))));
lanewise('vp.fneg.v4f32', VF, `${VF} %fa`, (x, i) => bits(-x.fa[i]));
lanewise('vp.fabs.v4f32', VF, `${VF} %fa`, (x, i) => bits(Math.abs(x.fa[i])));
lanewise('vp.sqrt.v4f32', VF, `${VF} %fa`, (x, i) => bits(f(Math.sqrt(x.fa[i]))));
lanewise('vp.roundtozero.v4f32', VF, `${VF} %fq`, (x, i) => bits(Math.trunc(f(x.fa[i] / 4))));
lanewise('vp.floor.v4f32', VF, `${VF} %fq`, (x, i) => bits(Math.floor(f(x.fa[i] / 4))));
lanewise('vp.fma.v4f32', VF, `${floats}, ${VF} %fa`, (x, i) => bits(f(x.fa[i] * x.fb[i] + x.fa[i])));
lanewise('vp.fshl.v4i32', VI, `${ints}, ${VI} %s`, (x, i) => { const s = x.b[i] & 31; return s ? x.a[i] << s | x.b[i] >>> 32 - s : x.a[i]; });
lanewise('vp.abs.v4i32', VI, `${VI} %a, i1 false`, (x, i) => i32(Math.abs(x.a[i])));
lanewise('vp.ctlz.v4i32', VI, `${VI} %a, i1 false`, (x, i) => Math.clz32(x.a[i]));
lanewise('vp.ctpop.v4i32', VI, `${VI} %a`, (x, i) => u32(x.a[i]).toString(2).replaceAll('0', '').length);
lanewise('vp.sadd.sat.v4i32', VI, ints, (x, i) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, x.a[i] + x.b[i])));
lanewise('vp.trunc.v4i8.v4i32', VI, `${VI} %a`, (x, i) => (x.a[i] & 255) << 24 >> 24, '<4 x i8>');
lanewise('vp.sext.v4i64.v4i32', VI, `${VI} %a`, (x, i) => x.a[i], '<4 x i64>');
lanewise('vp.sitofp.v4f32.v4i32', VI, `${VI} %a`, (x, i) => bits(f(x.a[i])), VF);
lanewise('vp.fptosi.v4i32.v4f32', VF, `${VF} %fq`, (x, i) => Math.trunc(f(x.fa[i] / 4)), VI);
lanewise('vp.icmp.v4i32', VB, `${ints}, metadata !"ult"`, (x, i) => -(u32(x.a[i]) < u32(x.b[i])));
lanewise('vp.fcmp.v4f32', VB, `${floats}, metadata !"oge"`, (x, i) => -(x.fa[i] >= x.fb[i]));
lanewise('vp.is.fpclass.v4f32', VB, `${VF} %fa, i32 96`, (x, i) => -Object.is(x.fa[i], 0));
lanewise('experimental.vp.splat.v4i32', VI, 'i32 %n', (x) => x.n);

const whole = (name, type, ir, ref) => operations.push({ name, type, ir, ref });
whole('vp.merge.v4i32', VI, `call ${VI} @llvm.vp.merge.v4i32(${VB} %mask, ${ints}, i32 %n)`, (x) => lanes.map((i) => x.on[i] ? x.a[i] : x.b[i]));
operations.push({
	name: 'vp.select.v4i32', type: VI, ir: `call ${VI} @llvm.vp.select.v4i32(${VB} %mask, ${ints}, i32 %n)`, guarded: true,
	ref: (x) => lanes.map((i) => x.on[i] ? x.a[i] : off),
});
const reduction = (name, type, args, ref) => whole(name, type, `call ${type} @llvm.${name}(${args}, ${tail})`, (x) => [ref(x, lanes.filter((i) => x.on[i]))]);
for (const [name, op] of Object.entries({
	add: (a, b) => a + b, mul: (a, b) => a * b, and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b, smax: (a, b) => a > b ? a : b, smin: (a, b) => a < b ? a : b,
}))
	reduction(`vp.reduce.${name}.v4i32`, 'i32', `i32 %start, ${VI} %a`, (x, on) => on.reduce((r, i) => big(r, x.a[i], op), x.b[0]));
for (const [name, op] of Object.entries({ umax: (a, b) => a > b ? a : b, umin: (a, b) => a < b ? a : b }))
	reduction(`vp.reduce.${name}.v4i32`, 'i32', `i32 %start, ${VI} %a`, (x, on) => on.reduce((r, i) => big(u32(r), u32(x.a[i]), op), x.b[0]));
for (const [name, op] of Object.entries({ fadd: (a, b) => a + b, fmul: (a, b) => a * b, fmax: Math.max, fmin: Math.min, fmaximum: Math.max, fminimum: Math.min }))
	reduction(`vp.reduce.${name}.v4f32`, 'float', `float %fstart, ${VF} %fa`, (x, on) => bits(on.reduce((r, i) => f(op(r, x.fa[i])), x.fb[0])));
reduction('vp.cttz.elts.i32.v4i1', 'i32', `${VB} %odd, i1 false`, (x, on) => on.find((i) => x.a[i] & 1) ?? x.n);
operations.push({
	name: 'experimental.vp.reverse.v4i32', type: VI, ir: `call ${VI} @llvm.experimental.vp.reverse.v4i32(${VI} %a, ${tail})`, guarded: true,
	ref: (x) => lanes.map((i) => x.on[i] ? x.a[x.n - 1 - i] : off),
});
for (const from of [1, -1])
	operations.push({
		name: 'experimental.vp.splice.v4i32', type: VI, ir: `call ${VI} @llvm.experimental.vp.splice.v4i32(${ints}, i32 ${from}, ${VB} %mask, i32 %n, i32 4)`,
		guarded: true, only: (x) => x.n > 0, /* a place in the first vector */
		ref: (x) => { const all = [...x.a.slice(0, x.n), ...x.b], at = from < 0 ? x.n + from : from; return lanes.map((i) => x.on[i] ? all[at + i] : off); },
	});

/* Memory: four words each, -1 where nothing was. */
const load = (name, ir) => operations.push({ name, type: VI, ir, guarded: true, ref: (x) => lanes.map((i) => x.on[i] ? x.a[i] : off) });
load('vp.load.v4i32.p0', `call ${VI} @llvm.vp.load.v4i32.p0(ptr align 4 %pa, ${tail})`);
load('vp.gather.v4i32.v4p0', `call ${VI} @llvm.vp.gather.v4i32.v4p0(<4 x ptr> %each, ${tail})`);
load('experimental.vp.strided.load.v4i32.p0.i64', `call ${VI} @llvm.experimental.vp.strided.load.v4i32.p0.i64(ptr align 4 %pa, i64 4, ${tail})`);
load('vp.load.v4i32.p0', `call ${VI} @llvm.vp.load.v4i32.p0(ptr %pa, ${VB} splat (i1 true), i32 4)`);
const store = (name, args, ref) => operations.push({ name, stores: true, ir: (to) => `call void @llvm.${name}(${VI} %a, ${args(to)}, ${tail})`, ref });
store('vp.store.v4i32.p0', (to) => `ptr align 4 ${to}`, (x) => lanes.map((i) => x.on[i] ? x.a[i] : -1));
store('vp.scatter.v4i32.v4p0', (to) => `<4 x ptr> ${to}s`, (x) => lanes.map((i) => x.on[i] ? x.a[i] : -1));
store('experimental.vp.strided.store.v4i32.p0.i32', (to) => `ptr align 4 ${to}b, i32 -4`, (x) => lanes.map((i) => x.on[3 - i] ? x.a[3 - i] : -1));

const toInts = { [VI]: '', [VF]: 'bitcast', '<4 x i8>': 'sext', '<4 x i64>': 'trunc', [VB]: 'sext' };
function body({ ir, type, guarded, stores }, k) {
	const to = `%to${k}`, lines = [`  ${to} = getelementptr i8, ptr %mine, i32 ${16 * k}`];
	if (stores)
		return [...lines, `  ${to}b = getelementptr i8, ptr ${to}, i32 12`, `  ${to}s = getelementptr i32, ptr ${to}, <4 x i32> <i32 0, i32 1, i32 2, i32 3>`, `  ${ir(to)}`].join('\n');
	lines.push(`  %r${k} = ${ir}`);
	if (!type.startsWith('<'))
		return [...lines, `  store ${type} %r${k}, ptr ${to}`].join('\n');
	let value = `%r${k}`;
	if (toInts[type]) {
		lines.push(`  %i${k} = ${toInts[type]} ${type} ${value} to ${VI}`);
		value = `%i${k}`;
	}
	if (guarded) {
		lines.push(`  %g${k} = select ${VB} %on, ${VI} ${value}, ${VI} splat (i32 ${off})`);
		value = `%g${k}`;
	}
	return [...lines, `  store ${VI} ${value}, ptr ${to}, align 4`].join('\n');
}

/** A declaration for each name, by the types of a call. */
function declarations(text) {
	const seen = new Map();
	for (const [, result, name, args] of text.matchAll(/call (<[^>]*>|\S+) (@llvm\.[\w.]+)\((.*)\)$/gm)) {
		const types = [...args.matchAll(/(<\d+ x \w+>|\w+)(?: align \d+)? (?:%\w+|!"\w+"|-?\d+|false|true|splat \(i1 true\))(?:, |$)/g)].map((m) => m[1]);
		seen.set(name, `declare ${result} ${name}(${types.join(', ')})`);
	}
	return [...seen.values()].join('\n');
}

const code = `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m4 = trunc i32 %t to i4
  %mask = bitcast i4 %m4 to ${VB}
  %n = lshr i32 %t, 4
  %n1 = insertelement ${VI} poison, i32 %n, i32 0
  %ns = shufflevector ${VI} %n1, ${VI} poison, ${VI} zeroinitializer
  %below = icmp ult ${VI} <i32 0, i32 1, i32 2, i32 3>, %ns
  %on = and ${VB} %mask, %below
  %at = mul i32 %t, 32
  %pa = getelementptr i8, ptr %in, i32 %at
  %pb = getelementptr i8, ptr %pa, i32 16
  %each = getelementptr i32, ptr %pa, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %a = load ${VI}, ptr %pa
  %b = load ${VI}, ptr %pb
  %s = and ${VI} %b, splat (i32 31)
  %odd = trunc ${VI} %a to ${VB}
  %la = and ${VI} %a, splat (i32 255)
  %lb = or ${VI} %s, splat (i32 1)
  %fa = uitofp ${VI} %la to ${VF}
  %fb = uitofp ${VI} %lb to ${VF}
  %fq = fmul ${VF} %fa, splat (float 0.25)
  %start = extractelement ${VI} %b, i32 0
  %fstart = extractelement ${VF} %fb, i32 0
  %size = mul i32 %t, ${16 * operations.length}
  %mine = getelementptr i8, ptr %out, i32 %size
${operations.map(body).join('\n')}
  ret void
}
`;
const program = `${code}${declarations(code)}\n`;

const words = 4 * operations.length;
const launch = {
	kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args: [{ buffer: 'in' }, { buffer: 'out' }],
	buffers: { in: { type: 'i32', count: input.length, init: { kind: 'values', values: input } }, out: { type: 'i32', count: threads * words, init: { kind: 'constant', value: -1 } } },
};

function threadInput(t) {
	const a = input.slice(8 * t, 8 * t + 4), b = input.slice(8 * t + 4, 8 * t + 8), n = t >> 4;
	return { a, b, n, on: lanes.map((i) => i < n && (t >> i & 1) === 1), fa: a.map((v) => v & 255), fb: b.map((v) => v & 31 | 1) };
}

for (const level of ['-O0', '-O3'])
	test(`vector predication, ${operations.length} intrinsics, ${level}`, { skip }, () => {
		const folder = temporaryFolder(), ll = join(folder, 'vp.ll'), json = join(folder, 'vp.json');
		writeFileSync(ll, program);
		writeFileSync(json, JSON.stringify(launch));
		const r = ptxscope(['run', ll, `--launch=${json}`, '--json', level]);
		assert.equal(r.status, 0, r.stderr);
		const out = JSON.parse(r.stdout).buffers.out.values.map(Number);
		operations.forEach((op, k) => {
			for (let t = 0; t < threads; t++) {
				const x = threadInput(t), want = op.ref(x).map((v) => v | 0);
				if (op.only && !op.only(x))
					continue;
				assert.deepEqual(out.slice(t * words + 4 * k, t * words + 4 * k + want.length), want, `${op.name}, thread ${t}: ${JSON.stringify(x)}`);
			}
		});
	});

test('vector predication is taken by ptxas', { skip: skip || (ptxas ? false : 'ptxas is not installed') }, () => {
	const folder = temporaryFolder(), ll = join(folder, 'vp.ll');
	writeFileSync(ll, program);
	for (const cpu of ['sm_75', 'sm_90', 'sm_120']) {
		const ptx = join(folder, `${cpu}.ptx`), r = ptxscope(['compile', ll, `-mcpu=${cpu}`, '-o', ptx]);
		assert.equal(r.status, 0, r.stderr);
		assert.equal(spawnSync(ptxas, [`-arch=${cpu}`, ptx, '-o', join(folder, 'out.cubin')]).status, 0, cpu);
	}
});
