// What the emulator compiles to WebAssembly (core/simt/lane_code.c) gives what it gives without: bits, counts, steps.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { load } from '../wasm/index.js';
import { root } from './tools/setup.mjs';

const skip = existsSync(join(root, 'build/wasm/ptxscope.wasm')) ? false : 'build/wasm missing';
const text = (file) => readFileSync(join(root, file), 'utf8');

/** By row of lane_code.def: PTX on %r1 to %r3, %rd1 to %rd3, %p1, that sets %r4, %rd4 or %p4. */
const instructions = {
	mov32: 'mov.b32 %r4, %r1;', mov64: 'mov.b64 %rd4, %rd1;',
	trunc32: 'cvt.u32.u16 %r4, %s1;', sext32: 'cvt.s32.s16 %r4, %s1;', trunc64_32: 'cvt.u32.u64 %r4, %rd1;',
	zext64: 'cvt.u64.u32 %rd4, %r1;', sext64: 'cvt.s64.s32 %rd4, %r1;',
	hi64_32: 'mov.b64 {%r5, %r4}, %rd1;', pack64: 'mov.b64 %rd4, {%r1, %r2};',
	byte_field: 'mov.b32 {%s2, %s3}, %r1; cvt.u32.u16 %r4, %s3;', put_field: 'mov.b32 %r4, {%s1, %s1};',
	shr_const: 'setp.lt.f16x2 %p5|%p4, %r1, %r2;', pack32: 'set.lt.f16x2.f16x2 %r4, %r1, %r2;',
	sel32: 'selp.b32 %r4, %r1, %r2, %p1;', sel64: 'selp.b64 %rd4, %rd1, %rd2, %p1;', slct_s32: 'slct.b32.s32 %r4, %r1, %r2, %r3;',
	add32: 'add.s32 %r4, %r1, %r2;', sub32: 'sub.s32 %r4, %r1, %r2;', mul32: 'mul.lo.s32 %r4, %r1, %r2;', mad32: 'mad.lo.s32 %r4, %r1, %r2, %r3;',
	and32: 'and.b32 %r4, %r1, %r2;', or32: 'or.b32 %r4, %r1, %r2;', xor32: 'xor.b32 %r4, %r1, %r2;', not32: 'not.b32 %r4, %r1;',
	lognot: 'not.pred %p4, %p1;', neg32: 'neg.s32 %r4, %r1;', abs32: 'abs.s32 %r4, %r1;',
	smin32: 'min.s32 %r4, %r1, %r2;', smax32: 'max.s32 %r4, %r1, %r2;', umin32: 'min.u32 %r4, %r1, %r2;', umax32: 'max.u32 %r4, %r1, %r2;',
	mulhi_u: 'mul.hi.u32 %r4, %r1, %r2;', mulhi_s: 'mul.hi.s32 %r4, %r1, %r2;',
	mulwide_u32: 'mul.wide.u32 %rd4, %r1, %r2;', mulwide_s32: 'mul.wide.s32 %rd4, %r1, %r2;',
	madwide_u32: 'mad.wide.u32 %rd4, %r1, %r2, %rd3;', madwide_s32: 'mad.wide.s32 %rd4, %r1, %r2, %rd3;',
	shl32: 'shl.b32 %r4, %r1, 5;', lshr32: 'shr.u32 %r4, %r1, 31;', ashr32: 'shr.s32 %r4, %r1, 3;',
	add3_32: 'add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, %r1, %r3;', sub3_32: 'sub.cc.u32 %r5, %r1, %r2; subc.u32 %r4, %r1, %r3;',
	popc: 'popc.b32 %r4, %r1;', lop3: 'lop3.b32 %r4, %r1, %r2, %r3, 0xca;', prmt: 'prmt.b32 %r4, %r1, %r2, 0x2571;',
	shf_l: 'shf.l.wrap.b32 %r4, %r1, %r2, 7;', shf_r: 'shf.r.clamp.b32 %r4, %r1, %r2, 30;',
	add64: 'add.s64 %rd4, %rd1, %rd2;', sub64: 'sub.s64 %rd4, %rd1, %rd2;', mul64: 'mul.lo.s64 %rd4, %rd1, %rd2;', mad64: 'mad.lo.s64 %rd4, %rd1, %rd2, %rd3;',
	and64: 'and.b64 %rd4, %rd1, %rd2;', or64: 'or.b64 %rd4, %rd1, %rd2;', xor64: 'xor.b64 %rd4, %rd1, %rd2;', not64: 'not.b64 %rd4, %rd1;',
	neg64: 'neg.s64 %rd4, %rd1;', abs64: 'abs.s64 %rd4, %rd1;',
	smin64: 'min.s64 %rd4, %rd1, %rd2;', smax64: 'max.s64 %rd4, %rd1, %rd2;', umin64: 'min.u64 %rd4, %rd1, %rd2;', umax64: 'max.u64 %rd4, %rd1, %rd2;',
	shl64: 'shl.b64 %rd4, %rd1, 33;', lshr64: 'shr.u64 %rd4, %rd1, 63;', ashr64: 'shr.s64 %rd4, %rd1, 7;',
	eq32: 'setp.eq.s32 %p4, %r1, %r2;', ne32: 'setp.ne.s32 %p4, %r1, %r2;', slt32: 'setp.lt.s32 %p4, %r1, %r2;', sle32: 'setp.le.s32 %p4, %r1, %r2;',
	ult32: 'setp.lt.u32 %p4, %r1, %r2;', ule32: 'setp.le.u32 %p4, %r1, %r2;',
	eq64: 'setp.eq.s64 %p4, %rd1, %rd2;', ne64: 'setp.ne.s64 %p4, %rd1, %rd2;', slt64: 'setp.lt.s64 %p4, %rd1, %rd2;', sle64: 'setp.le.s64 %p4, %rd1, %rd2;',
	ult64: 'setp.lt.u64 %p4, %rd1, %rd2;', ule64: 'setp.le.u64 %p4, %rd1, %rd2;',
	feq32: 'setp.eq.f32 %p4, %r1, %r2;', fneu32: 'setp.neu.f32 %p4, %r1, %r2;', flt32: 'setp.lt.f32 %p4, %r1, %r2;', fle32: 'setp.le.f32 %p4, %r1, %r2;',
	fnlt32: 'setp.geu.f32 %p4, %r1, %r2;', fnle32: 'setp.gtu.f32 %p4, %r1, %r2;', fone32: 'setp.ne.f32 %p4, %r1, %r2;', fequ32: 'setp.equ.f32 %p4, %r1, %r2;',
	fnum32: 'setp.num.f32 %p4, %r1, %r2;', fnan32: 'setp.nan.f32 %p4, %r1, %r2;',
	feq64: 'setp.eq.f64 %p4, %rd1, %rd2;', fneu64: 'setp.neu.f64 %p4, %rd1, %rd2;', flt64: 'setp.lt.f64 %p4, %rd1, %rd2;', fle64: 'setp.le.f64 %p4, %rd1, %rd2;',
	fnlt64: 'setp.geu.f64 %p4, %rd1, %rd2;', fnle64: 'setp.gtu.f64 %p4, %rd1, %rd2;', fone64: 'setp.ne.f64 %p4, %rd1, %rd2;', fequ64: 'setp.equ.f64 %p4, %rd1, %rd2;',
	fnum64: 'setp.num.f64 %p4, %rd1, %rd2;', fnan64: 'setp.nan.f64 %p4, %rd1, %rd2;',
	bool_and: 'and.pred %p4, %p1, %p2;', bool_or: 'or.pred %p4, %p1, %p2;', bool_xor: 'xor.pred %p4, %p1, %p2;', mask32: 'set.lt.u32.s32 %r4, %r1, %r2;',
	fadd32: 'add.rn.f32 %r4, %r1, %r2;', fsub32: 'sub.rn.f32 %r4, %r1, %r2;', fmul32: 'mul.rn.f32 %r4, %r1, %r2;', ffma32: 'fma.rn.f32 %r4, %r1, %r2, %r3;',
	fdiv32: 'div.rn.f32 %r4, %r1, %r2;', fsqrt32: 'sqrt.rn.f32 %r4, %r1;', fmin32: 'min.f32 %r4, %r1, %r2;', fmax32: 'max.f32 %r4, %r1, %r2;',
	fneg32: 'neg.f32 %r4, %r1;', fabs32: 'abs.f32 %r4, %r1;',
	fadd64: 'add.rn.f64 %rd4, %rd1, %rd2;', fsub64: 'sub.rn.f64 %rd4, %rd1, %rd2;', fmul64: 'mul.rn.f64 %rd4, %rd1, %rd2;',
	fdiv64: 'div.rn.f64 %rd4, %rd1, %rd2;', fsqrt64: 'sqrt.rn.f64 %rd4, %rd1;',
	s32_f32: 'cvt.rn.f32.s32 %r4, %r1;', u32_f32: 'cvt.rn.f32.u32 %r4, %r1;', f32_f64: 'cvt.f64.f32 %rd4, %r1;', f64_f32: 'cvt.rn.f32.f64 %r4, %rd1;',
	f32_s32: 'cvt.rzi.s32.f32 %r4, %r1;',
};

/** Rows that no PTX instruction reaches: IR, of one operand. */
const ofIr = {
	trunc64: ['i48', 'zext i48 %v to i64'], sext64_64: ['i48', 'sext i48 %v to i64'],
};

const rows = text('core/simt/lane_code.def').match(/^W\(.*\)$/gm).map((line) => line.slice(2, -1).split(/,\s*/));
const opcodes = Object.fromEntries([...text('core/simt/wasm_simd.h').matchAll(/^\t(\w+) = (0x[0-9a-f]+),/gm)].map((m) => [m[1], Number(m[2])]));

let seed = 12345;
const random = () => (seed = Math.imul(seed, 1664525) + 1013904223 >>> 0) >>> 8;
const pick = (list) => list[random() % list.length];
const words = [
	0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0xffc12345, 0x7f800001, 1, 0x80000001, 0x00800000, 0x807fffff, 0x7f7fffff,
	0x40490fdb, 0x34000000, 0xb3800001, 0x3f800001, 0xffffffff, 0x7fffffff, 31, 32, 0x4b800001, 0xcf000000, 0x4f000000, 0x00400000, 0x0d000000, 0x32800000,
	0x7ff00000, 0xfff80000, 0x3ff00000, 0x38100000, 0x36a00000, 0x47efffff, 0x00100000,
];
const word = () => pick([() => pick(words), () => pick(words), () => random() << 8 ^ random(), () => 0x3f000000 + (random() << 1 & 0x1ffffff)])() >>> 0;

/** A kernel: each thread loads its operands, executes the body, stores %r4, %rd4 and %p4. */
const kernel = (body) => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 d, .param .u32 n)
{
	.reg .pred %p<9>; .reg .b16 %s<4>; .reg .b32 %r<20>; .reg .b64 %rd<12>;
	mov.u32 %r10, %tid.x; mov.u32 %r11, %ctaid.x; mov.u32 %r12, %ntid.x; mad.lo.s32 %r10, %r11, %r12, %r10;
	ld.param.u64 %rd10, [a]; ld.param.u64 %rd11, [d]; ld.param.u32 %r13, [n];
	mul.wide.u32 %rd9, %r10, 48; add.s64 %rd10, %rd10, %rd9;
	mul.wide.u32 %rd9, %r10, 16; add.s64 %rd11, %rd11, %rd9;
	ld.global.u32 %r1, [%rd10]; ld.global.u32 %r2, [%rd10 + 4]; ld.global.u32 %r3, [%rd10 + 8];
	ld.global.u64 %rd1, [%rd10 + 16]; ld.global.u64 %rd2, [%rd10 + 24]; ld.global.u64 %rd3, [%rd10 + 32];
	cvt.u16.u32 %s1, %r1; setp.lt.s32 %p1, %r3, 0; setp.lt.u32 %p2, %r2, 0x3f800001;
	mov.b32 %r4, 7; mov.b64 %rd4, 9; setp.eq.u32 %p4, %r10, 0;
${body}
	selp.b32 %r5, 11, 12, %p4;
	st.global.u32 [%rd11], %r4; st.global.u32 [%rd11 + 4], %r5; st.global.u64 [%rd11 + 8], %rd4;
	ret;
}
`;
/** Twelve words: %r1 to %r3 and one more, %rd1 to %rd3; often two are equal. */
function operands(_, thread) {
	const list = Array.from({ length: 12 }, word);
	if (thread % 4 === 0)
		list[1] = list[0];
	if (thread % 4 === 1)
		list.copyWithin(6, 4, 6);
	if (thread % 8 === 2)
		list.splice(4, 4, 0, 0, 0, 0x80000000);
	return list;
}
const ofThread = (block, grid) => ({
	kernel: 'k', grid: [grid, 1, 1], block: [block, 1, 1], args: [{ buffer: 'a' }, { buffer: 'd' }, { u32: block * grid }],
	buffers: {
		a: { type: 'u32', count: block * grid * 12, init: { kind: 'values', values: Array.from({ length: block * grid }, operands).flat() } },
		d: { type: 'u32', count: block * grid * 4 },
	},
});

/** Runs it by the emulator's own functions and by compiled ones; what they gave. */
function bothWays(compiler, program, launch, options = {}) {
	return ['never', 'always'].map((compiled) => {
		const { stderr, diagnostics, result } = compiler.execute({ target: 'sm_80', ...program, launch, options: { ...options, compiled } });
		assert.ok(result, `${stderr}${JSON.stringify(diagnostics)}`);
		return result;
	});
}
function agree(compiler, program, launch, options) {
	const [own, compiled] = bothWays(compiler, program, launch, options);
	assert.deepEqual(compiled, own, program.source);
	return own;
}

/** Does what the body does with modules that are made meanwhile: `change` sees their bytes, and may change them. */
function withModules(change, body) {
	const { Module } = WebAssembly;
	WebAssembly.Module = function (bytes) { return new Module(change(bytes) ?? bytes); };
	try {
		return body();
	} finally {
		WebAssembly.Module = Module;
	}
}
const vector = (op) => op < 128 ? [0xfd, op] : [0xfd, op & 127 | 128, op >> 7];
const contains = (bytes, op) => Buffer.from(bytes).includes(Buffer.from(vector(op)));

describe('lanes compiled to WebAssembly', { skip }, async () => {
	const compiler = skip ? null : await load();

	test('every row of lane_code.def has an instruction here', () => {
		assert.deepEqual(rows.map(([id]) => id).sort(), [...Object.keys(instructions), ...Object.keys(ofIr)].sort());
	});

	for (const [id, , ...program] of rows)
		test(`${id}: the same bits`, () => {
			const module = [];
			const source = ofIr[id]
				? { at: 'ir', name: 'k.ll', source: `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %d, i32 %n) {
	%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
	%p = getelementptr [6 x i64], ptr addrspace(1) %a, i32 %t
	%w = load i64, ptr addrspace(1) %p, align 8
	%v = trunc i64 %w to ${ofIr[id][0]}
	%r = ${ofIr[id][1]}
	%q = getelementptr [2 x i64], ptr addrspace(1) %d, i32 %t
	store i64 %r, ptr addrspace(1) %q, align 8
	ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
` }
				: { name: 'k.ptx', source: kernel(instructions[id]) };
			for (const [block, grid] of ofIr[id] ? [[128, 1]] : [[64, 8], [40, 6]])
				withModules((bytes) => void module.push(bytes), () => agree(compiler, source, ofThread(block, grid)));
			for (const name of program.filter((w) => opcodes[w.replace(/^HALF\((.*)\)$/, '$1')] !== undefined))
				assert.ok(module.some((bytes) => contains(bytes, opcodes[name.replace(/^HALF\((.*)\)$/, '$1')] + Number(name.startsWith('HALF')))), name);
		});

	test('a wrong instruction is noticed', () => {
		const launch = ofThread(64, 1), program = { name: 'k.ptx', source: kernel(instructions.fmin32) };
		const wrong = (bytes) => {
			const changed = Buffer.from(bytes);
			for (let at = -1; (at = changed.indexOf(Buffer.from(vector(opcodes.F32X4_MIN)), at + 1)) >= 0;)
				changed[at + 1] = opcodes.F32X4_MAX & 127 | 128;
			return changed;
		};
		const [own, compiled] = withModules(wrong, () => bothWays(compiler, program, launch));
		assert.notDeepEqual(compiled.buffers, own.buffers);
	});

	/** Instructions, branches that part lanes, loops of different lengths, guards, calls of the emulator. */
	function randomBody(depth, next) {
		const lines = [];
		for (let i = 0; i < 1 + random() % 7; i++) {
			const label = next.label++, kind = random() % (depth ? 10 : 7);
			const op = pick(Object.values(instructions)).replace('%r1', pick(['%r1', '%r2', '%r4', '%r6'])).replace('%rd1', pick(['%rd1', '%rd4']));
			if (kind < 5)
				lines.push(op);
			else if (kind === 5)
				lines.push(`@${pick(['', '!'])}%p${pick([1, 2, 4])} ${op.slice(op.lastIndexOf(';', op.length - 2) + 1)}`);
			else if (kind === 6)
				lines.push(pick(['shl.b32 %r4, %r1, %r2;', 'add.rz.f32 %r4, %r1, %r4;', 'sin.approx.f32 %r4, %r1;', 'shfl.sync.idx.b32 %r6, %r4, 3, 31, -1;', 'ld.global.u32 %r6, [%rd10 + 12];', 'div.s32 %r4, %r1, %r3;']).replace(/^shfl.*/, depth < 3 ? 'mov.u32 %r6, %laneid;' : '$&'));
			else if (kind < 9)
				lines.push(`@%p${pick([1, 2, 4])} bra L${label};`, randomBody(depth - 1, next), `L${label}:`);
			else {
				const count = `%r${16 + depth}`;
				lines.push(`and.b32 ${count}, ${pick(['%r1', '%r4', '%r2', '%r13'])}, ${pick([3, 7])};`, `L${label}:`, randomBody(depth - 1, next),
					`sub.u32 ${count}, ${count}, 1;`, `setp.gt.s32 %p7, ${count}, 0;`, `@%p7 bra L${label};`);
			}
		}
		return lines.join('\n');
	}

	test('random programs: the same bits and counts, however short the turns', () => {
		for (let i = 0; i < 60; i++) {
			const source = kernel(`mov.b32 %r6, 5; mov.b32 %r5, 3;\n${randomBody(3, { label: 0 })}`);
			const launch = ofThread(pick([64, 40, 33]), 2);
			agree(compiler, { name: 'k.ptx', source }, launch, { quantum: pick([1, 2, 7, 50, 2048]), registers: pick(['thread', 'thread', 'warp']), independent: random() % 5 === 0 });
		}
	});

	/** Registers with addresses: a space's array, and how far each thread's place is from its start, in accesses. */
	const arrays = { global: 'mov.u64 @, m;', shared: 'mov.u64 @, s;', local: 'mov.u64 @, l;', const: 'mov.u64 @, c;' };
	const placements = [
		'mov.u32 %r5, 0;', 'mov.u32 %r5, %laneid;', 'mov.u32 %r5, %laneid;', 'mov.u32 %r5, %laneid; and.b32 %r5, %r5, 7;', 'mov.u32 %r5, %laneid; shr.u32 %r5, %r5, 2;',
		'mov.u32 %r5, %laneid; xor.b32 %r5, %r5, 1;', 'mov.u32 %r5, %laneid; xor.b32 %r5, %r5, 4;', 'mul.lo.u32 %r5, %r10, 7; and.b32 %r5, %r5, 31;', 'and.b32 %r5, %r1, 31;',
		'mov.u32 %r5, 9; @%p1 mov.u32 %r5, 4;',
	];
	/** Types, with their bytes and registers. */
	const types = [
		['u8', 1, ['%r4']], ['s8', 1, ['%r6']], ['s8', 1, ['%s2']], ['u16', 2, ['%r4']], ['s16', 2, ['%r6']], ['u32', 4, ['%r4']], ['f32', 4, ['%r4']], ['b32', 4, ['%r6']],
		['s32', 4, ['%rd4']], ['u8', 1, ['%rd4']], ['b64', 8, ['%rd4']], ['f64', 8, ['%rd5']], ['v2.u32', 8, ['%r4', '%r6']], ['v4.b32', 16, ['%r4', '%r6', '%r7', '%r8']],
		['v2.b64', 16, ['%rd4', '%rd5']], ['v4.u8', 4, ['%s1', '%s2', '%s3', '%s1']], ['v2.u16', 4, ['%r6', '%r7']],
	];
	/** One access through %rd20 to %rd23, whose address has the type's alignment, unless it is to fault. */
	function access(at, wrong) {
		const { space, generic, size, n } = at, [type, bytes, regs] = pick(types.filter(([, b]) => b <= size));
		const offset = wrong ? pick([-size * 40, 3, 4096, -4]) : bytes * (random() % 5), stores = space !== 'const' && random() % 3 === 0;
		const list = regs.length > 1 ? `{${regs.join(', ')}}` : regs[0], place = `[%rd${20 + n} + ${offset}]`, where = generic ? '' : `.${space}`;
		return stores ? `st${where}.${type.replace('s', 'u')} ${place}, ${list};` : `ld${where}.${type} ${list}, ${place};`;
	}
	function accessProgram(wrong) {
		const places = Array.from({ length: 4 }, (_, n) => ({ n, space: pick(['global', 'global', 'shared', 'shared', 'local', 'const']), generic: random() % 3 === 0, size: pick([1, 4, 4, 8, 16]) }));
		const address = ({ n, space, generic, size }) => [arrays[space].replace('@', `%rd${20 + n}`), generic ? `cvta.${space}.u64 %rd${20 + n}, %rd${20 + n};` : '',
			pick(placements), `mad.wide.u32 %rd${20 + n}, %r5, ${pick([size, size, size, 16])}, %rd${20 + n};`].join(' ');
		const body = (depth, next) => Array.from({ length: 3 + random() % 9 }, () => {
			const label = next.label++, kind = random() % 12;
			if (kind < 7)
				return access(pick(places), wrong && random() % 12 === 0);
			if (kind === 7)
				return address(pick(places));
			if (kind === 8)
				return pick(['ld.param.u32 %r6, [n];', 'bar.warp.sync -1;', 'add.s64 %rd20, %rd20, 0;', 'ld.global.u64 %rd5, [m + 8];', 'st.shared.u32 [s + 64], %r4;']);
			if (kind === 9 && depth)
				return `@%p${pick([1, 2, 4])} bra A${label};\n${body(depth - 1, next).replaceAll('bar.warp.sync -1;', '')}\nA${label}:`;
			if (kind === 10 && depth)
				return `mov.u32 %r${16 + depth}, ${pick([2, 3, '%r14'])};\nA${label}:\n${body(depth - 1, next).replaceAll('bar.warp.sync -1;', '')}
	sub.u32 %r${16 + depth}, %r${16 + depth}, 1; setp.gt.s32 %p7, %r${16 + depth}, 0; @%p7 bra A${label};`;
			return pick(Object.values(instructions));
		}).join('\n');
		const variables = `.global .align 16 .b8 m[1024] = {${Array.from({ length: 1024 }, () => random() & 255)}};\n.const .align 16 .b8 c[1024] = {${Array.from({ length: 1024 }, () => random() & 255)}};\n`;
		const start = ['.shared .align 16 .b8 s[1024]; .local .align 16 .b8 l[1024];', 'and.b32 %r14, %r10, 3; mov.b32 %r6, 5; mov.b32 %r7, 6; mov.b32 %r8, 7; mov.b64 %rd5, 8; mov.b16 %s2, 1; mov.b16 %s3, 2;', ...places.map(address)];
		return kernel(`${start.join('\n')}\n${body(2, { label: 0 })}\nxor.b32 %r4, %r4, %r6; xor.b64 %rd4, %rd4, %rd5;`)
			.replace('.visible', `${variables}.visible`).replace('%rd<12>', '%rd<24>');
	}

	test('random loads and stores: the same bits, faults and counts', () => {
		let faults = 0;
		for (let i = 0; i < 80; i++) {
			const source = accessProgram(i % 4 === 3), launch = ofThread(pick([64, 40, 33]), 2);
			const options = { quantum: pick([3, 50, 2048]), registers: pick(['thread', 'thread', 'warp']), independent: random() % 5 === 0 };
			faults += agree(compiler, { name: 'k.ptx', source }, launch, options).faults.length;
		}
		assert.ok(faults > 3, `${faults} faults`);
	});

	test('corpus: the same results and counts', () => {
		for (const file of readdirSync(join(root, 'tests/kernels')).filter((name) => name.endsWith('.ll'))) {
			const name = file.replace(/(\.O0)?\.ll$/, '');
			const launch = JSON.parse(text(`tests/kernels/${name}.launch.json`));
			for (const at of ['ir', undefined])
				agree(compiler, { name: file, source: text(`tests/kernels/${file}`), at }, launch);
		}
	});

	test('a debugger sees the same steps', () => {
		const source = kernel(`${instructions.add32}\n@%p1 bra L;\n${instructions.fadd32}\n${instructions.mul64}\nL:\n${instructions.xor32}`), launch = ofThread(64, 1);
		const [own, compiled] = ['never', 'always'].map((when) => {
			const emulator = compiler.emulator(), seen = [];
			assert.equal(emulator.load({ name: 'k.ptx', source, target: 'sm_80' }).status, 0);
			assert.equal(emulator.launch(launch, { compiled: when }).status, 0);
			for (let i = 0; i < 400; i++) {
				const { state, at, steps } = i % 3 ? emulator.step({ count: 1 + i % 5 }) : emulator.resume(i % 7);
				seen.push([state, at, steps, at && i % 11 === 0 ? emulator.registers(at.block, at.warp).map((r) => [r.name, r.raw]) : null]);
			}
			emulator.free();
			return seen;
		});
		assert.deepEqual(compiled, own);
	});

	test('a fault inside compiled code is the one without it', () => {
		const source = kernel(`${instructions.add32}\nld.global.u32 %r4, [%rd1];\n${instructions.mul32}`);
		const [own, compiled] = bothWays(compiler, { name: 'k.ptx', source }, ofThread(64, 1));
		assert.equal(own.faults.length, 1);
		assert.deepEqual(compiled, own);
	});

	test('an engine that refuses to compile changes nothing', () => {
		const launch = ofThread(64, 1), program = { name: 'k.ptx', source: kernel(instructions.add32) };
		let asked = 0;
		withModules(() => { asked++; throw new WebAssembly.CompileError('refused by policy'); }, () => agree(compiler, program, launch));
		assert.equal(asked, 1);
	});

	test('places in the table are used again', () => {
		const launch = ofThread(64, 1), { grow } = WebAssembly.Table.prototype;
		let grown = 0;
		WebAssembly.Table.prototype.grow = function (...args) { grown++; return grow.apply(this, args); };
		try {
			for (let i = 0; i < 20; i++)
				agree(compiler, { name: 'k.ptx', source: kernel(instructions.add32) }, launch);
		} finally {
			WebAssembly.Table.prototype.grow = grow;
		}
		assert.ok(grown <= 1, `the table has grown ${grown} times`);
	});
});
