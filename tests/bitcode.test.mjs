// Bitcode: read as the text is that LLVM prints of it. tests/bitcode/NAME.VERSION.bc was written by that LLVM; NAME.VERSION.ll is the text.
// Behind them the same over every module of examples/ and tests/ that llvm-as takes, wrappers, archives, and bitcode that is broken.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, ptxscopeWasm, sanitized, temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { llvm, withoutLlvm } from './tools/llvm.mjs';
import { find, readBitstream, writeBitstream } from './tools/bitstream.mjs';
import { root } from './tools/setup.mjs';

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
	for (const name of names.filter((name) => /^(clang|expressions)/.test(name)))
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

describe('what older LLVMs wrote', { skip: skip || withoutLlvm(22) }, () => {
	const print = (bytes) => {
		const path = join(folder, 'older.bc');
		writeFileSync(path, bytes);
		const { status, stdout, stderr } = ptxscope(['fmt', path, '-o', '-']);
		assert.equal(status, 0, stderr);
		return stdout;
	};
	const written = (text) => Buffer.from(llvm(22, 'write', [text])[0].answer);
	test('constructors without data', () => {
		const bytes = written('@llvm.global_xtors = appending global [1 x { i32, ptr }] [{ i32, ptr } { i32 7, ptr @f }]\ndeclare void @f()\n');
		bytes.write('llvm.global_ctors', bytes.indexOf('llvm.global_xtors'));
		assert.match(print(bytes), /@llvm\.global_ctors = appending global \[1 x \{ i32, ptr, ptr \}\] \[\{ i32, ptr, ptr \} \{ i32 7, ptr @f, ptr null \}\]/);
	});
	test('imports of functions in their unit', () => {
		const bitcode = written(`!llvm.dbg.cu = !{!0, !12}
!llvm.module.flags = !{!20}
define void @f() !dbg !3 {
  ret void
}
define void @g() !dbg !13 {
  ret void
}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug, imports: !2)
!1 = !DIFile(filename: "a.cpp", directory: "/")
!2 = !{!5, !6, !15, !7, !8}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !9, unit: !0, retainedNodes: !10, targetFuncName: "f")
!4 = distinct !DILexicalBlock(scope: !3, file: !1, line: 2)
!5 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !3, entity: !14, file: !1, line: 1)
!6 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !1, entity: !14, file: !1, line: 2)
!7 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !16, entity: !14, file: !1, line: 3)
!8 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !0, entity: !14, file: !1, line: 4)
!9 = !DISubroutineType(types: !{null})
!10 = !{!11}
!11 = !DILocalVariable(name: "x", scope: !3)
!12 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug, imports: !{!5})
!13 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 1, type: !9, unit: !0, targetFuncName: "g")
!14 = !DINamespace(name: "n", scope: null)
!15 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !13, entity: !14, file: !1, line: 1)
!16 = !DILexicalBlockFile(scope: !4, file: !1, discriminator: 1)
!20 = !{i32 2, !"Debug Info Version", i32 3}
`);
		const module = (text) => text.slice(text.indexOf('define'));
		const [theirs, ours] = llvm(22, 'print', [bitcode, print(bitcode)]).map(({ answer }) => module(answer));
		assert.match(theirs, /name: "g".*retainedNodes: /);
		assert.equal(ours, theirs);
	});
	test('functions that elementtype names, metadata in bundles, alignment of 4 GiB', () => {
		const text = `@g = global i8 0, align 4294967296
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @f, i32 0, i32 0, i32 0, i32 0)
  call void @f() [ "a"(i32 42, metadata !"abc"), "b"(metadata !0, metadata !"de") ]
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
!named = !{!0}
!0 = !{!"n"}
`;
		const [bitcode] = llvm(22, 'write', [text]).map(({ answer }) => answer);
		const [theirs, ours] = llvm(22, 'print', [bitcode, print(bitcode)]).map(({ answer }) => answer.slice(answer.indexOf('@g')));
		assert.match(theirs, /"a"\(i32 42, metadata !"abc"\)/);
		assert.equal(ours, theirs);
	});
	test('labels with and without a place of suspension', () => {
		const labels = ['', ', isArtificial: true, coroSuspendIdx: 0', ', column: 3, coroSuspendIdx: 7'].map((more, i) => `!${i + 2} = !DILabel(scope: !1, name: "l", file: !0, line: ${i}${more})`);
		const text = `!named = !{!2, !3, !4}\n!0 = !DIFile(filename: "a", directory: "")\n!1 = distinct !DISubprogram(scope: !0, spFlags: 0)\n${labels.join('\n')}\n`;
		assert.deepEqual([...print(written(text)).matchAll(/line: \d.*/g)].map(([rest]) => rest), labels.map((label) => label.replace(/.*line/, 'line')));
	});
	test('data layouts of other targets, as LLVM 22 reads them', () => {
		const layouts = [['x86_64-unknown-linux-gnu', 'e-m:e-i64:64-f80:128-n8:16:32:64-S128'], ['x86_64-unknown-linux-gnu', 'e'], ['x86_64-unknown-linux-gnu', 'E-m:e-i64:64'],
			['x86_64-unknown-linux-gnux32', 'e-m:e-p:32:32-i64:64-f80:128'], ['i686-pc-windows-msvc', 'e-m:x-p:32:32-i64:64-f80:32-n8:16:32-a:0:32-S32'], ['i386-unknown-linux-gnu', 'e-m:e-p:32:32-f64:32:64-f80:32-n8:16:32-S128'],
			['arm64-apple-ios', 'e-m:o-i64:64-i128:128-n32:64-S128'], ['aarch64-linux-gnu', 'E-m:e-i8:8:32'], ['riscv64-linux-gnu', 'e-m:e-p:64:64-i64:64-i128:128-n64-S128'], ['riscv64-linux-gnu', 'e-m:e-p:64:64-i64:64-i128:128-n32:64-S128'],
			['loongarch64-linux-gnu', 'e-m:e-p:64:64-i64:64-i128:128-n64-S128'], ['sparc-linux-gnu', 'E-m:e-p:32:32-i64:64-f128:64-n32-S64'], ['mips64-linux-gnu', 'E-m:m-p:32:32-i64:64-n32:64-S128'], ['mips64-linux-gnu', 'E-m:e-i64:64-n32:64-S128'],
			['powerpc64le-linux-gnu', 'e-m:e-Fn32-i64:64-n32:64'], ['powerpc-linux-gnu', 'E-m:e-p:32:32-i64:64-n32'], ['wasm32-unknown-unknown', 'e-m:e-p:32:32-i64:64-n32:64-S128-ni:1:10:20'], ['spirv64-unknown-unknown', 'e-i64:64-v16:16'],
			['spirv64-unknown-unknown', 'e-i64:64-G1'], ...['e', 'E-p:64:64', 'e-G1', 'e-G1-ni:7', 'e-G1-ni:7:8', 'e-ni:7-G1', 'e-p7:160:256:256:32-p8:128:128-G1-ni:7:8:9', 'e-p8:128:128:128:48-G1-ni:7:8:9',
				'm:e-e-p:64:64', 'e-m:e-p9:192:256:256:32'].map((layout) => ['amdgcn-amd-amdhsa', layout]), ['r600', 'e-p:32:32'], ...['spir', 'spir64-unknown-unknown', 'amdgcn-amd-amdhsa', 'r600--', 'x86_64-unknown-linux-gnu', 'nvptx64-nvidia-cuda'].map((triple) => [triple, '']),
				...['E-m:a-i64:64-n32', 'E', 'E-m:a-n32-f64:32:64', 'E-m:a-i64:64-S128-v256:256:256'].flatMap((layout) => ['powerpc-ibm-aix7', 'powerpc64-ibm-aix', 'powerpc-linux-gnu'].map((triple) => [triple, layout])),
				...['i686-pc-win32', 'i686-pc-windows', 'i686-pc-windows-gnu'].map((triple) => [triple, 'e-m:x-f80:32-n8']), ['x86_64-linux-gnu', 'e-m:e-S128-i1:8'], ['x86_64-linux-gnu', 'e-n8-ni:1-p2:32:8'],
				['spir', 'e-p:32:32'], ['i786-pc-linux-gnu', 'e'], ['amd64-pc-linux-gnu', 'e'], ['mipsisa64r6-linux-gnu', 'E-i64:64-n32:64'], ['ppc64-linux-gnu', 'E-m:e-i64:64-n32:64'], ['r600', 'e-G1'], ['spirv-unknown-vulkan', 'e-i64:64'], ['nvptx64-nvidia-cuda', 'e-i64:64-i128:128-v16:16-v32:32-n16:32:64'], ['armv7-linux-gnu', 'e-m:e-p:32:32-Fi8-i64:64']];
		const bitcode = layouts.map(([triple, layout]) => written(`${layout && `target datalayout = "${layout}"\n`}target triple = "${triple}"\n@x = global i8 0\n`));
		const layout = (text) => /^target datalayout.*/m.exec(text)?.[0];
		llvm(22, 'print', bitcode).forEach(({ answer }, i) => assert.equal(layout(print(bitcode[i])), layout(answer), layouts[i].join(' ')));
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
	describe('two values of one name', () => {
		/** The names of a body in the sample, each of one character: records of 24 bits from here on, the last of which has 28 bits behind it. */
		const FIRST = 21280, BITS = 24, LAST = FIRST + 3 * BITS, END = LAST + BITS + 28;
		const edited = (edit) => {
			const bytes = readFileSync(join(samples, 'debug.22.bc'));
			let bits = 0n;
			for (let at = 0; at < END - FIRST; at++)
				bits |= BigInt(bytes[FIRST + at >> 3] >> (FIRST + at & 7) & 1) << BigInt(at);
			bits = edit(bits);
			for (let at = 0; at < END - FIRST; at++)
				bytes[FIRST + at >> 3] = bytes[FIRST + at >> 3] & ~(1 << (FIRST + at & 7)) | Number(bits >> BigInt(at) & 1n) << (FIRST + at & 7);
			const path = join(folder, 'names.bc');
			writeFileSync(path, bytes);
			return ptxscope(['fmt', path, '-disable-output'], { program });
		};
		const X = 23n, CHARACTER = 18;
		test('none', () => assert.equal(edited((bits) => bits).status, 0));
		test('in characters of six bits', () =>
			assert.match(edited((bits) => bits & ~(63n << BigInt(BITS + CHARACTER)) | X << BigInt(BITS + CHARACTER)).stderr, /two values of a function are called 'x' \(byte \d+/));
		test('in one of six bits and one of seven', () => {
			const at = BigInt(3 * BITS), seven = (char) => 5n | 15n << 4n | 1n << 12n | BigInt(char.charCodeAt()) << 18n;
			const { status, stderr } = edited((bits) => bits & (1n << at) - 1n | seven('A') << at);
			assert.equal(status, 0, stderr);
			assert.match(edited((bits) => bits & (1n << at) - 1n | seven('x') << at).stderr, /two values of a function are called 'x' \(byte \d+/);
		});
	});
	test('a body that is shorter by its header: a message with the place', () => {
		const bytes = readFileSync(join(samples, 'calls.22.bc')), path = join(folder, 'shorter.bc'), SIZE = 2916;
		for (let words = bytes[SIZE] - 1; words >= 0; words--) {
			bytes[SIZE] = words;
			writeFileSync(path, bytes);
			for (const command of [['fmt', path, '-disable-output'], ['fmt', path, '-o', '-']])
				assert.match(ptxscope(command, { program }).stderr, /shorter\.bc: error: invalid bitcode: .* \(byte \d+, bit \d.* block/, `${words} words`);
		}
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

const IDENTIFICATION = 13, MODULE = 8, ATTRIBUTES = 9, GROUPS = 10, CONSTANTS = 11, BODY = 12, SYMBOLS = 14, METADATA = 15, ATTACHMENTS = 16, TYPES = 17, ORDERS = 18, TAGS = 21, KINDS = 22, SCOPES = 26;

/** Is it the second call of @a in the sample of calls? It begins with the same bits as the first. */
const again = ({ ops }) => ops[2] === 2n && ops[3] === 55n && ops.length === 6;

/** Puts a named list of metadata in front of the first record of a kind, and metadata of a number into the list. */
function toFront({ list, at, item }, code, number) {
	item.ops = [number];
	const named = list.splice(at - 1, 2);
	list.splice(list.findIndex((item) => item.code === code), 0, ...named);
}

/** Each row: a sample, what of it is found (a block by its number, or a record by block, code and more), what is done to it, the message;
 * and whether LLVM reads it nevertheless, as it does what it refuses in a text. */
const edits = {
	'a second table of types': ['instructions', TYPES, ({ list, at, item }) => list.splice(at, 0, item), /two blocks of a kind of which it has one/],
	'a second block of attributes': ['attributes', ATTRIBUTES, ({ list, at, item }) => list.splice(at, 0, item), /two blocks of a kind of which it has one/],
	'a second identification': ['instructions', IDENTIFICATION, ({ list, at, item }) => list.splice(at, 0, item), /an identification is not that of a module/],
	'an identification of something new': ['instructions', [IDENTIFICATION, 1], ({ item }) => item.code = 3, /no identification record with the number 3/],
	'no scopes': ['instructions', SCOPES, ({ item }) => item.items = [], /a block of synchronisation scopes is empty/],
	'a tag of a bundle with another code': ['instructions', [TAGS, 1], ({ item }) => item.code = 2, /a name has another code than 1/],
	'more types than said': ['instructions', [TYPES, 1], ({ item }) => item.ops[0]--, /more or fewer types than their block says/],
	'a pointer of two operands': ['instructions', [TYPES, 25], ({ item }) => item.ops.push(0n), /more or fewer operands/],
	'attributes of a parameter that is not there': ['attributes', [GROUPS, 3, ({ ops }) => ops[1] === 1n], ({ item }) => item.ops[1] = 9n, /attributes are for a parameter that a function does not have/],
	'a group of no attributes': ['attributes', [GROUPS, 3], ({ item }) => item.ops.length = 2, /a record is too short/],
	'a calling convention': ['instructions', [MODULE, 8], ({ item }) => item.ops[3] = 1024n, /a calling convention is unknown/],
	'two kinds of one number': ['instructions', [KINDS, 6], ({ item }) => item.ops[0]++, /two kinds of metadata have one number/],
	'a type of constants that is not given': ['instructions', [CONSTANTS, 1], ({ item }) => item.ops = [], /a record is too short/],
	'a name with a zero': ['debug', [SYMBOLS, 1], ({ item }) => item.ops.push(0n), /a name has a zero in it/],
	'a name of no list': ['debug', [METADATA, 10], ({ list, at }) => list.splice(at, 1), /a name of metadata is that of no list/],
	'a string in a list': ['debug', [METADATA, 10], ({ item }) => item.ops[0] = 0n, /what has to be a node of metadata is none/],
	'a string in a list that stands before it': ['debug', [METADATA, 10], (found) => toFront(found, 35, 0n), /what has to be a node of metadata is none/],
	'a value in a list that stands before it': ['debug', [METADATA, 10], (found) => toFront(found, 2, 41n), /what has to be a node of metadata is none/],
	'metadata of three operands that wraps a value': ['debug', [METADATA, 2], ({ item }) => item.ops.push(0n), /more or fewer operands/],
	'a DIFile of four operands': ['debug', [METADATA, 16], ({ item }) => item.ops.length = 4, /more or fewer operands/],
	'a DILocation of seven operands': ['debug', [METADATA, 7], ({ item }) => item.ops.length = 7, /more or fewer operands/],
	'a DISubprogram of LLVM 3.8': ['debug', [METADATA, 21], ({ item }) => item.ops[0] &= 1n, /invalid bitcode: debug information of LLVM before 4 is not read/],
	'a scope that is a string': ['debug', [METADATA, 21], ({ item }) => item.ops[1] = 1n, /invalid bitcode: debug information of LLVM before 4 is not read/],
	'a DISubprogram of five operands': ['debug', [METADATA, 21], ({ item }) => item.ops.length = 5, /more or fewer operands/],
	'a location within a string': ['debug', [BODY, 35], ({ item }) => item.ops[2] = 1n, /what has to be a node of metadata is none/],
	'a debug record at a value': ['debug', [BODY, 64], ({ item }) => item.ops[0] = 41n, /what has to be a node of metadata is none/],
	'a debug record at a list of arguments': ['debug', [BODY, 61], ({ item }) => item.ops[0] = item.ops[3], /what has to be a node of metadata is none/],
	'an attachment of nothing': ['clang', [ATTACHMENTS, 11], ({ item }) => item.ops = [], /a record is too short/],
	'an order of two uses': ['clang', [ORDERS, 1], ({ item }) => item.ops.length = 2, /a record is too short/],
	'ret of two values': ['instructions', [BODY, 10], ({ item }) => item.ops.push(1n, 0n), /more or fewer operands/],
	'br of two operands': ['instructions', [BODY, 11, ({ ops }) => ops.length === 3], ({ item }) => item.ops.length = 2, /more or fewer operands/],
	'switch with half a case': ['instructions', [BODY, 12], ({ item }) => item.ops.pop(), /a case of a switch has no block/],
	'alloca of six operands': ['instructions', [BODY, 19], ({ item }) => item.ops.push(0n, 0n), /more or fewer operands/],
	'load of five operands': ['instructions', [BODY, 20], ({ item }) => item.ops.push(0n), /more or fewer operands/],
	'a comparison of six operands': ['instructions', [BODY, 28], ({ item }) => item.ops.push(0n, 0n, 0n), /more or fewer operands/],
	'fence of three operands': ['instructions', [BODY, 36], ({ item }) => item.ops.push(0n), /more or fewer operands/],
	'store of five operands': ['instructions', [BODY, 44], ({ item }) => item.ops.push(0n), /more or fewer operands/],
	'cmpxchg of ten operands': ['instructions', [BODY, 46], ({ item }) => item.ops.push(0n), /more or fewer operands/],
	'a call like the one before it, of a number': ['calls', [BODY, 34, again], ({ item }) => item.ops[3] = 42n, /what is called is no function/],
	'… with an argument of another type': ['calls', [BODY, 34, again], ({ item }) => item.ops[5] = 55n, /value \d+ has another type than it is used with/],
	'… with an argument that there is not': ['calls', [BODY, 34, again], ({ item }) => item.ops[5] = 99999n, /there is no value \d+/],
	'… with one argument more': ['calls', [BODY, 34, again], ({ item }) => item.ops.push(1n), /a call has more arguments than its function takes/],
	'an empty range': ['instructions', [CONSTANTS, 31], ({ item }) => [item.ops[3], item.ops[4]] = [item.ops[4], item.ops[3]], /the range of a getelementptr expression is empty/, true],
	'atomicrmw of eight operands': ['instructions', [BODY, 59], ({ item }) => item.ops.push(0n), /more or fewer operands/],
};

/** What a row of edits means: { item, at, list }, as `find` gives it. */
function found(blocks, what) {
	if (typeof what === 'number')
		return find(blocks, ({ items, id }) => items && id === what);
	const [block, code, more = () => true] = what;
	const within = (items) => items.flatMap((item) => !item.items ? [] : [...item.id === block ? [item] : [], ...within(item.items)]);
	return within(blocks).map(({ items: list }) => ({ list, at: list.findIndex((item) => !item.items && item.code === code && more(item)) }))
		.filter(({ at }) => at >= 0).map(({ list, at }) => ({ item: list[at], at, list }))[0];
}

/** The sample of a row of edits, with the change or written again as it was. */
function rewritten([sample, what, edit], changed = true) {
	const blocks = readBitstream(readFileSync(join(samples, `${sample}.22.bc`)));
	if (changed)
		edit(found(blocks, what));
	return writeBitstream(blocks);
}

describe('records that LLVM refuses', { skip }, () => {
	const read = (bytes) => {
		const path = join(folder, 'edited.bc');
		writeFileSync(path, bytes);
		return ptxscope(['fmt', path, '-disable-output']);
	};
	for (const sample of new Set(Object.values(edits).map(([sample]) => sample)))
		test(`${sample}, written again as it was`, () => assert.equal(read(rewritten([sample], false)).status, 0));
	for (const [name, row] of Object.entries(edits))
		test(name, () => {
			const { status, stderr } = read(rewritten(row));
			assert.match(stderr, row[3]);
			assert.equal(status, 1);
		});
	test('LLVM refuses them, too', { skip: withoutLlvm(22) }, () => {
		const theirs = llvm(22, 'verify', Object.values(edits).map((row) => rewritten(row)));
		Object.entries(edits).forEach(([name, [, , , , llvmReads = false]], i) => assert.equal(theirs[i].status === 0, llvmReads, name));
	});
});

/* Beside LLVM 22's, what is special about LLVM 19's bitcode is in the language, which tests/ir has all of. LLVM 14 takes few of the modules. */
const folders = (version) => ['examples', 'tests/ir', ...version === 19 && !withoutLlvm(22) ? [] : ['tests/kernels', 'tests/opt']];
const layout = 'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"\n';

for (const version of [22, 19, 14])
	test(`what LLVM ${version} writes of every module compiles to the PTX of the text`, { skip: skip || withoutLlvm(version) }, () => {
		const modules = folders(version).flatMap((at) => readdirSync(join(root, at)).filter((name) => name.endsWith('.ll')).map((name) => {
			const text = readFileSync(join(root, at, name), 'utf8');
			return { name: `${at}/${name}`, text: /^target datalayout/m.test(text) ? text : layout + text };
		}));
		llvm(version, 'write', modules.map(({ text }) => text)).forEach(({ status, answer }, i) => { modules[i].bitcode = status ? null : answer; });
		/* llvm-as writes the order of uses, too. */
		for (const module of modules.filter(({ name, bitcode }) => bitcode && version === 22 && name.startsWith('tests/ir/')))
			module.bitcode = spawnSync('llvm-as-22', ['-', '-o', '-'], { input: module.text, maxBuffer: 1 << 28 }).stdout;
		const known = modules.filter(({ bitcode }) => bitcode); /* an LLVM may not know all of a module */
		const path = join(folder, `assembled-${version}.bc`), options = ['-mcpu=sm_90', '-o', '-'];
		let compared = 0;
		llvm(version, 'print', known.map(({ bitcode }) => bitcode)).forEach(({ status, answer }, i) => {
			if (status)
				return; /* nor what it wrote itself */
			writeFileSync(path, known[i].bitcode);
			const ours = ptxscope(['compile', path, ...options]), theirs = ptxscope(['compile', '-', ...options], { input: answer });
			assert.equal(ours.status, theirs.status, `${known[i].name}: ${ours.stderr}`);
			assert.equal(ours.stdout, theirs.stdout, known[i].name);
			if (version === 22 && known[i].name.startsWith('tests/ir/') && existsSync(sanitized))
				assert.equal(ptxscope(['fmt', path, '-disable-output'], { program: sanitized }).stderr, '', known[i].name);
			compared++;
		});
		assert.ok(compared > 5, `${compared} modules`);
	});
