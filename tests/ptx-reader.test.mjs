// The PTX reader and printer: every form that llc-19 and nvcc were seen to print is read, printed, and read again; errors
// have a place and a hint; nothing crashes. Where ptxas is installed, it must judge what we print as it judges what we read.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newerForms, rowsOf, statement } from './tools/ptx-forms.mjs';
import { examples, native, ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { which } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';

const folder = temporaryFolder();

/** fmt of a file called x.ptx: { status, stdout, stderr, signal }. */
function fmt(text) {
	const file = join(folder, 'x.ptx');
	writeFileSync(file, text, typeof text === 'string' ? 'latin1' : undefined);
	return ptxscope(['fmt', file]);
}

const head = `.version 8.5
.target sm_90a
.address_size 64
.extern .global .align 16 .b8 g[64];
.extern .global .texref T;
.extern .global .surfref S;
.extern .func callee;
.visible .func (.param .align 16 .b8 ret[64]) k(.param .align 16 .b8 k_param[64])
{
	.reg .pred %p<20>; .reg .b16 %rs<20>; .reg .b32 %r<100>; .reg .b64 %rd<20>; .reg .b128 %rq<20>;
	.reg .f32 %f<100>; .reg .f64 %fd<20>; .reg .b16 %h<20>;
`;
const wrap = (statements) => `${head}${statements.map((s) => `\t${s}\n`).join('')}$L: bra $L;\n}\n`;

/** What fmt makes of each statement, in order. */
function printed(statements) {
	const { status, stdout, stderr } = fmt(wrap(statements));
	assert.equal(status, 0, stderr.slice(0, 2000));
	const body = stdout.slice(stdout.indexOf('{\n'), stdout.lastIndexOf('$L:'));
	const out = body.replace(/,\s*\n\s*/g, ', ').replace(/\n\t\t/g, ' ').replace(/\(\s*\n\s*/g, '(').replace(/\s*\n\s*\)/g, ')').split('\n')
		.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line && !line.startsWith('.reg') && line !== '{');
	assert.equal(out.length, statements.length);
	return out;
}

const flat = (s) => s.replace(/\s+/g, ' ').replace(/ ?, ?/g, ', ').replace(/\( ?/g, '(').replace(/ ?\)/g, ')').replace(/uni \(\)/, 'uni').trim();

/* ---- forms */

describe('PTX forms', { skip }, () => {
	const forms = rowsOf('isa-forms.csv');
	/** Modifiers that inline assembly wrote in an order of its own. */
	const reordered = new Set(['atom.add.acquire.cta.s32', 'atom.cas.acq_rel.gpu.b32', 'atom.or.acq_rel.cluster.b64', 'atom.or.acq_rel.gpu.b64']);

	test('every opcode of the list is one', () => {
		assert.ok(forms.length > 2200);
	});

	test('every form with every operand shape is read and printed as it was', () => {
		const statements = [], seen = new Set();
		for (const [opcode, shapes] of forms)
			for (const shape of shapes ? shapes.split(' | ') : ['']) {
				const s = reordered.has(opcode) ? null : statement(opcode, shape.trim());
				if (s && !s.startsWith('call')) {
					statements.push(s);
					seen.add(opcode);
				}
			}
		const got = printed(statements);
		const different = statements.flatMap((s, i) => flat(s) === flat(got[i]) ? [] : [`${s}   →   ${got[i]}`]);
		assert.deepEqual(different, []);
		assert.ok(seen.size > 2150, `only ${seen.size} opcodes were tried`);
	});

	test('every texture and surface form that ptxas takes is read and printed as it was', () => {
		const statements = rowsOf('image-forms.csv').flatMap(([ptx]) => [
			ptx.replace(/@TQ|@T/g, 'T').replace(/@SQ|@S/g, 'S'), ptx.replace(/@TQ|@SQ|@T|@S/g, '%rd7')]);
		assert.ok(statements.length > 1500);
		const got = printed(statements);
		assert.deepEqual(statements.flatMap((s, i) => flat(s) === flat(got[i]) ? [] : [`${s}   →   ${got[i]}`]), []);
	});

	const newer = newerForms();

	test('instructions of newer targets, and rare ones', () => {
		assert.ok(newer.length > 330);
		const got = printed(newer.map(({ text }) => text));
		assert.deepEqual(newer.flatMap(({ out }, i) => flat(out) === flat(got[i]) ? [] : [`${out}   →   ${got[i]}`]), []);
	});

	test('ptxas takes each of them as we print it', { skip: ptxas ? false : 'no ptxas' }, () => {
		for (const target of new Set(newer.map((row) => row.target))) {
			const text = wrap(newer.filter((row) => row.target === target).map(({ out }) => out)).replace('8.5', '9.0').replace('sm_90a', target);
			const file = join(folder, 'newer.ptx');
			writeFileSync(file, text.replace(/.*(tex|surf)ref [TS];\n/g, ''));
			const { status, stderr } = spawnSync(ptxas, [`-arch=${target}`, '-c', file, '-o', '/dev/null'], { encoding: 'utf8' });
			assert.equal(status, 0, stderr.slice(0, 2000));
		}
	});

	test('modifiers in another order are put in theirs', () => {
		assert.deepEqual(printed(['atom.add.acquire.cta.s32 %r1, [%rd1], %r2;']), ['atom.acquire.cta.add.s32 %r1, [%rd1], %r2;']);
	});
});

/* ---- whole modules */

function fixedPoint(text, what) {
	const once = fmt(text);
	assert.equal(once.status, 0, `${what}: ${once.stderr.slice(0, 1000)}`);
	const twice = fmt(once.stdout);
	assert.equal(twice.status, 0, `${what}, printed: ${twice.stderr.slice(0, 1000)}`);
	assert.equal(twice.stdout, once.stdout, what);
	return once.stdout;
}

/** Text without comments and layout. */
const squeeze = (s) => s.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ').replace(/ ?([{}();,]) ?/g, '$1').trim();

describe('PTX modules', { skip }, () => {
	test('what llc-19 prints for the examples comes back word for word', { skip: which('llc-19') ? false : 'no llc-19' }, () => {
		for (const { name, file } of examples)
			for (const level of ['-O0', '-O3']) {
				const { status, stdout } = spawnSync('llc-19', [level, '-mcpu=sm_90', file, '-o', '-'], { encoding: 'utf8' });
				if (status === 0)
					assert.equal(squeeze(fixedPoint(stdout, name)), squeeze(stdout), name);
			}
	});

	test('ptxas judges the printed text as it judges the text', { skip: ptxas ? false : 'no ptxas' }, () => {
		const verdict = (name, text) => {
			writeFileSync(join(folder, name), text);
			const { status, stderr } = spawnSync(ptxas, ['-arch=sm_90a', '-c', join(folder, name), '-o', '/dev/null'], { encoding: 'utf8' });
			return { status, errors: stderr.split('\n').filter((l) => /error/.test(l)).length };
		};
		const groups = {};
		for (const row of rowsOf('isa-forms.csv'))
			(groups[row[0].split('.')[0]] ??= []).push(row);
		for (const [word, rows] of Object.entries(groups)) {
			if (/^(tex|tld4|suld|sust|txq|suq|call|alloca|bra|ret|exit|trap|wmma|mma)$/.test(word))
				continue;
			const text = wrap(rows.slice(0, 40).flatMap(([opcode, shapes]) => statement(opcode, shapes.split(' | ')[0].trim()) ?? []));
			assert.deepEqual(verdict('a.ptx', fmt(text).stdout), verdict('b.ptx', text), word);
		}
	});
});

/* ---- errors */

const errors = [
	['empty', '', /:1:1: error: there is nothing in this PTX file/],
	['bitcode', 'BC\xC0\xDE\x35\x14', /this is not PTX text[\s\S]*llvm-dis/],
	['unknown instruction', wrap(['frob.u32 %r1, %r2;']), /:\d+:2: error: unknown instruction 'frob'/],
	['unknown modifier', wrap(['add.q32 %r1, %r2, %r3;']), /:6: error: '\.q32' cannot stand here: no such form of 'add'/],
	['missing type', wrap(['add %r1, %r2, %r3;']), /a modifier is missing behind 'add'/],
	['too few operands', wrap(['add.s32 %r1, %r2;']), /these are not the operands of 'add\.s32'\n[\s\S]*hint: it takes:/],
	['undeclared register', wrap(['add.s32 %r1, %r2, %x3;']), /register '%x3' is not declared/],
	['register out of its range', wrap(['add.s32 %r1, %r2, %r100;']), /register '%r100' is not declared/],
	['undeclared symbol', wrap(['mov.u64 %rd1, nosuch;']), /'nosuch' is not declared/],
	['undefined label', wrap(['bra $nowhere;']), /label '\$nowhere' is not defined/],
	['label of another scope', wrap(['{ L1: bra L1; } bra L1;']), /label 'L1' is not defined in this scope/],
	['wrong width', wrap(['add.s32 %r1, %r2, %rd3;']), /another width than 'add\.s32'/],
	['a load into a register that is too narrow', wrap(['ld.b64 %r1, [%rd2];']), /another width than 'ld\.b64'/],
	['a vector load into registers that are too narrow', wrap(['ld.v2.b64 {%rd1, %r1}, [%rd2];']), /another width than 'ld\.v2\.b64'/],
	['a store from a register that is too narrow', wrap(['st.u32 [%rd2], %rs1;']), /another width than 'st\.u32'/],
	['a float as an integer', wrap(['add.s32 %r1, %r2, %f1;']), /another kind of type than 'add\.s32'/],
	['an integer as a float', '.version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.reg .u32 %u<3>;\n.reg .f32 %g<3>;\nadd.f32 %g1, %g2, %u1;\nret;\n}\n', /another kind of type than 'add\.f32'/],
	['a move between kinds', '.version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.reg .u32 %u<3>;\n.reg .f32 %g<3>;\nmov.f32 %g1, %u1;\nret;\n}\n', /another kind of type than 'mov\.f32'/],
	['a predicate as a number', wrap(['add.s32 %r1, %r2, %p3;']), /another width/],
	['guard that is none', wrap(['@%r1 bra $L;']), /the guard '%r1' is no predicate/],
	['result that is a constant', wrap(['add.s32 5, %r2, %r3;']), /cannot take this operand/],
	['an element left out of 128 bits', wrap(['st.global.v4.b32 [%rd1], {%r1, _, %r2, %r3};']), /'st\.global\.v4\.b32' cannot take this operand/],
	['missing semicolon', wrap(['add.s32 %r1, %r2, %r3', 'ret;']), /expected ';'/],
	['declared twice', wrap(['.reg .b32 %zz; .reg .b32 %zz;']), /'%zz' is declared twice/],
	['bad number', wrap(['mov.f32 %f1, 0f3F80;']), /'0f3F80' is no number/],
	['unclosed body', '.version 8.0\n.target sm_80\n.func f()\n{\n ret;\n', /the body of 'f' is not closed/],
	['expression too deep', wrap([`mov.u32 %r1, ${'('.repeat(1000)}1${')'.repeat(1000)};`]), /too deeply nested expression/],
	['scopes too deep', wrap(['{ '.repeat(10000)]), /too deeply nested scopes/],
	['too many registers', wrap(['.reg .b32 %q<4000000000>;']), /too many registers/],
	['alignment', '.version 8.0\n.target sm_80\n.global .align 3 .b8 x[4];\n', /alignment 3 is no power of two/],
];

describe('PTX errors', { skip }, () => {
	for (const [name, text, message] of errors)
		test(name, () => {
			const { status, stdout, stderr } = fmt(text);
			assert.equal(status, 1, stderr);
			assert.equal(stdout, '');
			assert.match(stderr, message);
		});

	test('all errors of a file are told, each once', () => {
		const { stderr } = fmt(wrap(['frob.u32 %r1;', 'add.s32 %r1, %r2, %r3;', 'add.s32 %x, %r2, %r3;', 'ret;', 'mov.q %r1, %r2;']));
		assert.equal(stderr.match(/error:/g).length, 3, stderr);
	});

	test('cut off anywhere, a module is an error or complete, never a crash', () => {
		const text = wrap(['@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];', 'call (ret), callee, (%r1, 5);', '{ .reg .b32 t; mov.b32 {%rs1, %rs2}, t; }']);
		for (let n = 0; n <= text.length; n += 7) {
			const { status, signal } = fmt(text.slice(0, n));
			assert.equal(signal, null);
			assert.ok(status === 0 || status === 1, `cut at ${n}: status ${status}`);
		}
	});
});
