// Every IR instruction on every type: it compiles at every level, ptxas takes the result, and on the types that PTX has itself the
// instruction is the one that it should be.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const folder = temporaryFolder();
const skip = existsSync(native) ? false : 'no native build';

const integers = ['i1', 'i8', 'i16', 'i32', 'i64', 'i128'], oddIntegers = ['i3', 'i17', 'i48'];
const integerVectors = ['<2 x i8>', '<4 x i8>', '<2 x i16>', '<4 x i16>', '<2 x i32>', '<4 x i32>', '<2 x i64>', '<3 x i32>', '<8 x i16>'];
const floats = ['half', 'bfloat', 'float', 'double'], floatVectors = ['<2 x half>', '<2 x bfloat>', '<2 x float>', '<4 x float>', '<2 x double>', '<8 x half>'];
const pointers = ['ptr', 'ptr addrspace(1)', 'ptr addrspace(3)'];

const isVector = (type) => type.startsWith('<');
const element = (type) => isVector(type) ? type.slice(1, -1).split(' x ')[1] : type;
const withElement = (type, other) => isVector(type) ? `<${type.slice(1, -1).split(' x ')[0]} x ${other}>` : other;
const width = (type) => ({ half: 16, bfloat: 16, float: 32, double: 64 })[type] ?? Number(type.slice(1));
const one = (type) => isVector(type) ? `splat (${element(type)} ${floats.includes(element(type)) ? '1.0' : element(type) === 'i1' ? 'true' : '1'})`
	: floats.includes(type) ? '1.0' : type === 'i1' ? 'true' : '1';

/** A function that computes `body` (ending in %r) from %a, %b, %c of `type`. */
const fn = (type, body, result = type, more = '') => `(${type} %a, ${type} %b, ${type} %c${more}) #0 {\n  ${body.join('\n  ')}\n  ret ${result} %r\n}`;
const head = (result) => `define ${result} @NAME`;
const simple = (type, line, result = type) => head(result) + fn(type, [line], result);

/** opcode(type): what PTX of a scalar type must hold, or null. */
const suffix = { i16: '16', i32: '32', i64: '64', float: 'f32', double: 'f64', half: 'f16', bfloat: 'bf16' };
const bySign = (name, sign) => (type) => suffix[type] && width(type) > 8 && /^i/.test(type) ? `${name}.${sign}${suffix[type]}` : null;
const byFloat = (name) => (type) => ['float', 'double'].includes(type) ? `${name}.${suffix[type]}` : null;

const groups = {
	'integer arithmetic': Object.entries({
		add: bySign('add', 's'), sub: bySign('sub', 's'), mul: bySign('mul.lo', 's'), sdiv: bySign('div', 's'), udiv: bySign('div', 'u'),
		srem: bySign('rem', 's'), urem: bySign('rem', 'u'), shl: bySign('shl', 'b'), lshr: bySign('shr', 'u'), ashr: bySign('shr', 's'),
		and: bySign('and', 'b'), or: bySign('or', 'b'), xor: bySign('xor', 'b'),
	}).map(([op, opcode]) => ({ op, opcode, types: [...integers, ...oddIntegers, ...integerVectors], make: (type) => simple(type, `%r = ${op} ${type} %a, %b`) })),

	'integer arithmetic with a constant': ['add', 'sub', 'mul', 'sdiv', 'udiv', 'srem', 'urem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor'].map((op) => ({
		op: `${op} 1`, types: [...integers, ...oddIntegers, ...integerVectors],
		make: (type) => simple(type, op === 'shl' || op.endsWith('shr') ? `%r = ${op} ${type} %a, ${isVector(type) || type !== 'i1' ? one(type) : 'false'}` : `%r = ${op} ${type} %a, ${one(type)}`),
	})),

	'floating-point arithmetic': Object.entries({ fadd: byFloat('add.rn'), fsub: byFloat('sub.rn'), fmul: byFloat('mul.rn'), fdiv: byFloat('div.rn'), frem: () => null })
		.map(([op, opcode]) => ({ op, opcode, types: [...floats, ...floatVectors], make: (type) => simple(type, `%r = ${op} ${type} %a, %b`) })),

	'floating-point sign': [{ op: 'fneg', opcode: byFloat('neg'), types: [...floats, ...floatVectors], make: (type) => simple(type, `%r = fneg ${type} %a`) }],

	'integer comparison': ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'].map((cond) => ({
		op: `icmp ${cond}`, types: [...integers, ...oddIntegers, ...integerVectors, ...pointers],
		opcode: (type) => ['i16', 'i32', 'i64'].includes(type) && cond.length === 3 ? `setp.${cond.slice(1)}.${cond[0]}${suffix[type]}` : null,
		make: (type) => simple(type, `%r = icmp ${cond} ${type} %a, %b`, withElement(type, 'i1')),
	})),

	'floating-point comparison': ['false', 'oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord', 'ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'uno', 'true'].map((cond) => ({
		op: `fcmp ${cond}`, types: [...floats, ...floatVectors], make: (type) => simple(type, `%r = fcmp ${cond} ${type} %a, %b`, withElement(type, 'i1')),
	})),

	'integer conversion': ['zext', 'sext', 'trunc'].flatMap((op) => [...integers, 'i17', 'i48'].map((from) => ({
		op: `${op} ${from}`, types: [...integers, 'i17', 'i48'].filter((to) => op === 'trunc' ? width(to) < width(from) : width(to) > width(from)),
		make: (to) => head(to) + fn(from, [`%r = ${op} ${from} %a to ${to}`], to),
	}))),

	'conversion between integer and floating point': ['sitofp', 'uitofp', 'fptosi', 'fptoui'].flatMap((op) => floats.map((float) => ({
		op: `${op} ${float}`, types: integers.filter((type) => type !== 'i128'),
		make: (int) => op.endsWith('fp') ? head(float) + fn(int, [`%r = ${op} ${int} %a to ${float}`], float)
			: head(int) + fn(float, [`%r = ${op} ${float} %a to ${int}`], int),
	}))),

	'floating-point conversion': floats.map((from) => ({
		op: `from ${from}`, types: floats.filter((to) => width(to) !== width(from)),
		make: (to) => head(to) + fn(from, [`%r = ${width(to) > width(from) ? 'fpext' : 'fptrunc'} ${from} %a to ${to}`], to),
	})),

	bitcast: [['i32', 'float'], ['i64', 'double'], ['i16', 'half'], ['i16', 'bfloat'], ['<2 x i16>', 'i32'], ['<4 x i8>', 'i32'], ['<2 x float>', 'i64'],
		['<2 x i32>', 'double'], ['<2 x i64>', 'i128'], ['<2 x half>', '<2 x i16>']].flatMap(([a, b]) => [[a, b], [b, a]]).map(([from, to]) => ({
		op: `bitcast ${from}`, types: [to], make: () => head(to) + fn(from, [`%r = bitcast ${from} %a to ${to}`], to),
	})),

	select: [{ op: 'select', types: [...integers, ...oddIntegers, ...integerVectors, ...floats, ...floatVectors, ...pointers],
		make: (type) => head(type) + fn(type, [`%r = select i1 %p, ${type} %a, ${type} %b`], type, ', i1 %p') },
	{ op: 'select by lanes', types: [...integerVectors, ...floatVectors],
		make: (type) => head(type) + fn(type, [`%r = select ${withElement(type, 'i1')} %p, ${type} %a, ${type} %b`], type, `, ${withElement(type, 'i1')} %p`) }],

	freeze: [{ op: 'freeze', types: [...integers, ...integerVectors, ...floats, ...floatVectors, ...pointers], make: (type) => simple(type, `%r = freeze ${type} %a`) }],

	phi: [{ op: 'phi', types: [...integers, ...oddIntegers, ...integerVectors, ...floats, ...floatVectors, ...pointers],
		make: (type) => head(type) + fn(type, ['br i1 %p, label %then, label %end', '\nthen:', 'br label %end', '\nend:',
			`%r = phi ${type} [ %a, %0 ], [ %b, %then ]`], type, ', i1 %p') }],

	memory: ['', ' addrspace(1)', ' addrspace(3)', ' addrspace(5)'].flatMap((space) => [
		{ op: `load${space}`, types: [...integers, ...oddIntegers, ...integerVectors, ...floats, ...floatVectors, ...pointers],
			make: (type) => `define ${type} @NAME(ptr${space} %p) #0 {\n  %r = load ${type}, ptr${space} %p\n  ret ${type} %r\n}` },
		{ op: `store${space}`, types: [...integers, ...oddIntegers, ...integerVectors, ...floats, ...floatVectors, ...pointers],
			make: (type) => `define void @NAME(ptr${space} %p, ${type} %v) #0 {\n  store ${type} %v, ptr${space} %p\n  ret void\n}` },
		{ op: `load, byte by byte,${space}`, types: ['i32', 'i64', 'float', '<4 x i32>', '<2 x i16>'],
			make: (type) => `define ${type} @NAME(ptr${space} %p) #0 {\n  %r = load ${type}, ptr${space} %p, align 1\n  ret ${type} %r\n}` },
		{ op: `volatile${space}`, types: ['i8', 'i32', 'double', '<4 x float>'],
			make: (type) => `define ${type} @NAME(ptr${space} %p) #0 {\n  %r = load volatile ${type}, ptr${space} %p\n  ret ${type} %r\n}` }]),

	vectors: [...integerVectors, ...floatVectors].flatMap((type) => [
		{ op: `extractelement ${type}`, types: [type], make: () => head(element(type)) + fn(type, [`%r = extractelement ${type} %a, i32 1`], element(type)) },
		{ op: `extractelement ${type}, where it runs`, types: [type], make: () => head(element(type)) + fn(type, [`%r = extractelement ${type} %a, i32 %i`], element(type), ', i32 %i') },
		{ op: `insertelement ${type}`, types: [type], make: () => head(type) + fn(type, [`%r = insertelement ${type} %a, ${element(type)} %e, i32 0`], type, `, ${element(type)} %e`) },
		{ op: `insertelement ${type}, where it runs`, types: [type], make: () => head(type) + fn(type, [`%r = insertelement ${type} %a, ${element(type)} %e, i32 %i`], type, `, ${element(type)} %e, i32 %i`) },
		{ op: `shufflevector ${type}`, types: [type], make: () => head(type) + fn(type, [`%r = shufflevector ${type} %a, ${type} %b, ${withElement(type, 'i32')} <${
			Array.from({ length: Number(type.slice(1).split(' ')[0]) }, (_, i) => `i32 ${(i * 3 + 1) % (2 * Number(type.slice(1).split(' ')[0]))}`).join(', ')}>`]) }]),

	aggregates: [['{ i32, float, [2 x i16] }', 'i16', '2, 1'], ['[4 x i32]', 'i32', '3'], ['{ i8, { i64, ptr } }', 'ptr', '1, 1'], ['{ i1, i128 }', 'i128', '1']].flatMap(([type, part, index]) => [
		{ op: `extractvalue ${type}`, types: [type], make: () => head(part) + fn(type, [`%r = extractvalue ${type} %a, ${index}`], part) },
		{ op: `insertvalue ${type}`, types: [type], make: () => head(type) + fn(type, [`%r = insertvalue ${type} %a, ${part} %e, ${index}`], type, `, ${part} %e`) }]),

	calls: [{ op: 'call', types: [...integers, ...oddIntegers, ...integerVectors, ...floats, ...floatVectors, ...pointers, '{ i32, float, [2 x i16] }', '[4 x i32]', '{ i8, i64 }'],
		make: (type) => `declare ${type} @NAME_callee(${type}, ${type})\n${head(type)}${fn(type, [`%r = call ${type} @NAME_callee(${type} %a, ${type} %b)`])}` }],
};

/** The module of `cases`, functions named f0, f1, … */
const moduleOf = (cases) => ['target triple = "nvptx64-nvidia-cuda"', ...cases.map(({ text }, i) => text.replaceAll('@NAME', `@f${i}`)),
	'attributes #0 = { nounwind }', ''].join('\n\n');

const compile = (text, level) => ptxscope(['compile', '-', '-o', '-', '-mcpu=sm_90', level, '-verify-machineinstrs'], { input: text });

for (const [group, rows] of Object.entries(groups))
	describe(group, { skip }, () => {
		for (const { op, types, make, opcode } of rows)
			test(op, () => {
				const cases = types.map((type) => ({ type, text: make(type) }));
				for (const level of ['-O3', '-O0']) {
					const { status, stdout } = compile(moduleOf(cases), level);
					if (status !== 0) {
						const wrong = cases.map(({ type, text }) => ({ type, ...compile(moduleOf([{ text }]), level) })).filter((one) => one.status !== 0);
						assert.fail(wrong.map(({ type, stderr, signal }) => `${type} ${level}: ${signal ?? ''}${stderr.split('\n')[0]}`).join('\n') || 'only together');
					}
					if (level === '-O0' || !opcode)
						continue;
					const bodies = stdout.split(/\/\/ -- End function/);
					cases.forEach(({ type }, i) => {
						const want = opcode(type);
						if (want)
							assert.ok(bodies[i].includes(`\t${want} `), `${type}: no ${want} in\n${bodies[i]}`);
					});
				}
			});

		test('ptxas takes all of it', { skip: ptxas ? false : 'ptxas missing' }, () => {
			const cases = rows.flatMap(({ op, types, make }) => types.map((type) => ({ text: make(type), name: `${op} ${type}` })));
			const good = cases.filter(({ text }) => compile(moduleOf([{ text }]), '-O3').status === 0);
			const { stdout } = compile(moduleOf(good), '-O3');
			const file = join(folder, `${group.replaceAll(' ', '-')}.ptx`);
			writeFileSync(file, stdout);
			const result = spawnSync(ptxas, ['-arch=sm_90', '-c', file, '-o', '/dev/null'], { encoding: 'utf8', maxBuffer: 1 << 28 });
			assert.equal(result.status, 0, (result.stdout + result.stderr).slice(0, 3000));
		});
	});
