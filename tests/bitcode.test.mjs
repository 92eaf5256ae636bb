// Bitcode: read as the text is that LLVM prints of it. tests/bitcode/NAME.VERSION.bc was written by that LLVM; NAME.VERSION.ll is the text.
// Behind them the same over every module of examples/ and tests/ that llvm-as takes, wrappers, archives, and bitcode that is broken.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, ptxscopeWasm, sanitized, temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const samples = join(root, 'tests/bitcode');
const names = readdirSync(samples).filter((name) => name.endsWith('.bc')).map((name) => name.slice(0, -3));
const folder = temporaryFolder();
const skip = existsSync(native) ? false : 'no native build';

/** The order of types and comdats is the file's: bitcode has another one than text. */
const lines = (text) => text.split('\n').filter((line) => line && !/^(; ModuleID|source_filename|%.* = type |\$.* = comdat )/.test(line));
const sorted = (text) => text.split('\n').filter((line) => /^(%.* = type |\$.* = comdat )/.test(line)).sort();

describe('samples', { skip }, () => {
	for (const name of names)
		test(name, () => {
			const bitcode = ptxscope(['fmt', join(samples, `${name}.bc`), '-o', '-']), text = ptxscope(['fmt', join(samples, `${name}.ll`), '-o', '-']);
			assert.equal(bitcode.status, 0, bitcode.stderr);
			assert.deepEqual(lines(bitcode.stdout), lines(text.stdout));
			assert.deepEqual(sorted(bitcode.stdout), sorted(text.stdout));
			const again = ptxscope(['fmt', '-', '-o', '-'], { input: readFileSync(join(samples, `${name}.bc`)) });
			assert.equal(again.stdout, bitcode.stdout, 'from standard input');
		});
});

// Observed stages need the whole module; else bodies are read one by one.
describe('bodies one by one', { skip }, () => {
	for (const name of names.filter((name) => name.startsWith('clang')))
		test(name, () => {
			const compiled = (...options) => ptxscope(['compile', join(samples, `${name}.bc`), '-mcpu=sm_70', ...options, '-o', '-']);
			assert.equal(compiled().stdout, compiled('-print-changed', '-filter-print-funcs=none').stdout);
		});
});

describe('over WebAssembly', { skip: existsSync(wasm) ? false : 'no WebAssembly build' }, () => {
	for (const name of names.filter((name) => name.startsWith('clang')))
		test(name, () => {
			const args = ['compile', join(samples, `${name}.bc`), '-mcpu=sm_70', '-o', '-'];
			assert.deepEqual(ptxscopeWasm(args), ptxscope(args));
		});
});

const sample = readFileSync(join(samples, 'clang.22.bc'));
const expected = skip ? '' : ptxscope(['compile', join(samples, 'clang.22.bc'), '-mcpu=sm_70', '-o', '-']).stdout;
const compile = (bytes, options = {}) => {
	const path = join(folder, 'sample.bc');
	writeFileSync(path, bytes);
	return ptxscope(['compile', path, '-mcpu=sm_70', '-o', '-'], options);
};

const word = (n) => Buffer.from(Uint32Array.of(n).buffer);
const wrapped = (bytes, offset = 20, size = bytes.length) => Buffer.concat([word(0x0B17C0DE), word(0), word(offset), word(size), word(7), bytes, Buffer.alloc(12)]);
const member = (name, bytes, size = bytes.length) =>
	Buffer.concat([Buffer.from(`${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'644'.padEnd(8)}${String(size).padEnd(10)}\`\n`), bytes, Buffer.alloc(bytes.length & 1, 10)]);
const archive = (...members) => Buffer.concat([Buffer.from('!<arch>\n'), ...members]);

describe('what is around it', { skip }, () => {
	test('a wrapper', () => assert.equal(compile(wrapped(sample)).stdout, expected));
	test('a wrapper of bytes that are not there', () => {
		for (const bad of [wrapped(sample, 20, 1 << 30), wrapped(sample, 0xFFFFFFF0), wrapped(sample, 24), wrapped(sample).subarray(0, 12)])
			assert.match(compile(bad).stderr, /error: invalid bitcode: its wrapper header names bytes/);
	});
	test('the one module of an archive', () => {
		const table = member('/', Buffer.alloc(6)), text = member('readme/', Buffer.from('x'));
		assert.equal(compile(archive(table, text, member('k.bc/', sample))).stdout, expected);
		assert.equal(compile(archive(member('//', Buffer.from('a_long_name_of_a_member.bc/\n')), member('/0', sample))).stdout, expected);
		assert.equal(compile(archive(member('#1/8', Buffer.concat([Buffer.from('kernel\0\0'), sample])))).stdout, expected);
	});
	test('archives that have none, or two, or are cut off', () => {
		assert.match(compile(archive(member('a/', Buffer.from('x')))).stderr, /error: this archive has 0 members that are bitcode/);
		assert.match(compile(archive(member('a/', sample), member('b/', sample))).stderr, /error: this archive has 2 members that are bitcode[\s\S]*llvm-ar x/);
		assert.match(compile(archive(member('a/', sample, 1 << 24))).stderr, /error: malformed archive/);
	});
});

/** A generator of numbers below n that is the same everywhere. */
function random(seed) {
	let x = seed;
	return (n) => (x = (Math.imul(x, 1664525) + 1013904223) >>> 0, Math.floor(x / 2 ** 32 * n));
}

function judge({ status, signal, stderr }, what) {
	assert.equal(signal ?? null, null, `${what}: ${stderr.slice(-2000)}`);
	assert.ok(status === 0 || status === 1, `${what}: status ${status}: ${stderr.slice(-2000)}`);
	if (status)
		assert.match(stderr, /(error|warning): /, what);
}

describe('broken bitcode', { skip }, () => {
	test('cut off anywhere: a message with the place', () => {
		for (let n = 4; n < sample.length; n += 1 + n % 37) {
			const { status, stderr } = compile(sample.subarray(0, n));
			if (n < sample.length - 64) /* the end is the string table, then padding */
				assert.equal(status, 1, `${n} bytes`);
			if (status)
				assert.match(stderr, /sample\.bc: error: invalid bitcode: .* \(byte \d+, bit \d/, `${n} bytes`);
		}
	});
	const program = existsSync(sanitized) ? sanitized : native;
	test('an abbreviation of no operands', () => {
		const { stderr } = compile(Buffer.concat([Buffer.from([0x42, 0x43, 0xC0, 0xDE]), word(2)]), { program });
		assert.match(stderr, /sample\.bc: error: invalid bitcode: the operands of an abbreviation .* \(byte 4, bit 7\)\n.*\n$/);
	});
	test('an attribute with a number that is a flag', () => {
		const bytes = readFileSync(join(samples, 'attributes.22.bc'));
		bytes[300] ^= 5; // makes a number of a flag's record
		const { status, stderr } = compile(bytes, { program });
		assert.equal(status, 1);
		assert.match(stderr, /invalid bitcode: an attribute has a value of a kind that is not its own \(byte \d+/);
	});
	test('the scopes of one thread and of all have fixed numbers', () => {
		const print = (input) => ptxscope(['fmt', '-', '-o', '-'], { input }).stdout;
		const bytes = readFileSync(join(samples, 'instructions.22.bc')), right = print(bytes);
		bytes[2067] = 0x73; // in the name of the first
		assert.match(right, /syncscope\("singlethread"\)/);
		assert.equal(print(bytes), right);
	});
	test('a constant attached where a node of metadata stands', () => {
		const bytes = readFileSync(join(samples, 'clang.22.bc'));
		bytes[3989] = 0x83; // in the number of a !dbg
		assert.match(compile(bytes, { program }).stderr, /error: '@_Z7barrierj': what is attached as !dbg is no node of metadata/);
	});
	test('an alias in another address space than what it stands for', () => {
		const bytes = readFileSync(join(samples, 'instructions.22.bc'));
		bytes[616] = 4; // in the record of @al
		assert.match(compile(bytes, { program }).stderr, /error: '@al': an alias has the address space of what it stands for/);
	});
	test('bits changed: a message, no crash', () => {
		const next = random(1);
		for (let i = 0; i < 150; i++) {
			const bytes = Buffer.from(readFileSync(join(samples, `${names[next(names.length)]}.bc`)));
			for (let k = 1 + next(4); k; k--)
				bytes[8 + next(bytes.length - 8)] ^= 1 << next(8);
			judge(compile(bytes, { program }), `mutant ${i}`);
		}
	});
	test('a newer LLVM, with an epoch that LLVM 22 does not have', () => {
		/* The producer's name is in characters of 6 bits; 33 bits behind it, which define an abbreviation and name it, stands the epoch. */
		const bytes = Buffer.from(sample), chars = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._';
		const bit = (at) => bytes[at >> 3] >> (at & 7) & 1, set = (at, v) => { bytes[at >> 3] = bytes[at >> 3] & ~(1 << (at & 7)) | v << (at & 7); };
		const char = (at) => chars[[0, 1, 2, 3, 4, 5].reduce((v, k) => v | bit(at + k) << k, 0)];
		const read = (at, n) => Array.from({ length: n }, (_, k) => char(at + 6 * k)).join('');
		let at = 0;
		while (read(at, 4) !== 'LLVM')
			at++;
		const producer = /^LLVM[\d.]+/.exec(read(at, 12))[0];
		for (let k = 0; k < 6; k++)
			set(at + 24 + k, chars.indexOf('9') >> k & 1);
		set(at + 6 * producer.length + 33, 1);
		assert.match(compile(bytes).stderr, /error: this bitcode was written by LLVM92\.\S+, which is newer than LLVM 22: there is no epoch of bitcode with the number 1 \(byte \d+, bit \d, record 2 of the IDENTIFICATION block\)[\s\S]*-emit-llvm/);
	});
});

const assemblers = ['llvm-as-22', 'llvm-as-19', 'llvm-as-14'].filter((tool) => which(tool));
const folders = ['examples', 'tests/kernels', 'tests/ir', 'tests/opt'];
const layout = '--data-layout=e-i64:64-i128:128-v16:16-v32:32-n16:32:64';

for (const tool of assemblers)
	test(`what ${tool} writes of every module compiles to the PTX of the text`, { skip }, () => {
		let compared = 0;
		const path = join(folder, 'assembled.bc');
		for (const at of folders)
			for (const name of readdirSync(join(root, at)).filter((name) => name.endsWith('.ll'))) {
				const file = join(root, at, name), text = readFileSync(file, 'utf8');
				const { status } = spawnSync(tool, [...(/^target datalayout/m.test(text) ? [] : [layout]), file, '-o', path]);
				if (status)
					continue; /* an LLVM that does not know all of it */
				const dis = spawnSync(tool.replace('as', 'dis'), [path, '-o', '-'], { maxBuffer: 1 << 28 });
				if (dis.status)
					continue; /* nor what it wrote itself */
				const options = ['-mcpu=sm_90', '-o', '-'];
				const ours = ptxscope(['compile', path, ...options]), theirs = ptxscope(['compile', '-', ...options], { input: dis.stdout });
				assert.equal(ours.status, theirs.status, `${name}: ${ours.stderr}`);
				assert.equal(ours.stdout, theirs.stdout, name);
				compared++;
			}
		assert.ok(compared > 5, `${compared} modules`);
	});
