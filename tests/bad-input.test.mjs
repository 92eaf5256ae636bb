// Inputs that are wrong: each gets diagnostics with a place, none a crash, and no output file is left behind. Natively, under
// AddressSanitizer, and in WebAssembly, whose stack is small.

import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { load } from '../wasm/index.js';
import { examples, native, ptxscope, sanitized, temporaryFolder, wasm, wasmInProcess } from './tools/ptxscope.mjs';

const folder = temporaryFolder();
const deep = 10000;
const kernel = examples.find(({ name }) => name === 'saxpy').text;
const nest = (open, inner, close) => open.repeat(deep) + inner + close.repeat(deep);
const body = (line) => `define void @f(i32 %a, i64 %b, ptr %p) {\n  ${line}\n  ret void\n}\n`;

/** Functions that selection refuses; the 25th has a line more. */
const many = (line) => Array.from({ length: 30 }, (_, i) => `define void @f${i}() {\n  %r = call i32 asm sideeffect "", "=v"()\n${i === 24 ? line : ''}  ret void\n}\n`).join('');

/** [name, input, what standard error must say]; BAD.ll stands for the file. */
const cases = [
	['empty', '', /BAD\.ll:1:1: error: there is no LLVM IR in this text/],
	['only blanks', '\n \n\t\n', /BAD\.ll:1:1: error: there is no LLVM IR in this text/],
	['zero bytes', Buffer.alloc(100), /BAD\.ll:1:1: error: /],
	['binary', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 2654435761 >>> 13) & 255)), /BAD\.ll:1:\d+: error: /],
	['an ELF file', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(200)]), /BAD\.ll:1:1: error: /],
	['bitcode', Buffer.concat([Buffer.from('BC\xc0\xde', 'latin1'), Buffer.alloc(64, 0x35)]), /error: invalid bitcode: .*\(byte \d+, bit \d/],
	['wrapped bitcode', Buffer.concat([Buffer.from('\xde\xc0\x17\x0b', 'latin1'), Buffer.alloc(64)]), /error: invalid bitcode: its wrapper header/],
	['PTX', '//\n.version 7.0\n.target sm_70\n.address_size 64\n', /error: this is PTX/],
	['truncated in a function', 'define void @f() {\n  ret void\n', /BAD\.ll:\d+:\d+: error: .*end of (file|input)/],
	['truncated in a string', '@s = constant [3 x i8] c"ab', /BAD\.ll:1:\d+: error: /],
	['a string that is not closed, in a function', 'define void @f(i1 %c) {\n  br i1 %c, label %x, label "\n!1 = !{!"x"}\n', /BAD\.ll:2:\d+: error: /],
	['an error at a comma', body('%c = insertvalue { i32 } %x, i32 1, ,'), /BAD\.ll:2:\d+: error: /],
	['undefined value', body('%c = add i32 %a, %nosuch'), /BAD\.ll:2:20: error: .*%nosuch/],
	['undefined function', body('call void @nosuch()'), /BAD\.ll:2:13: error: .*@nosuch/],
	['undefined label', body('br label %nosuch'), /BAD\.ll:2:12: error: .*%nosuch/],
	['undefined type', body('%c = load %T, ptr %p'), /BAD\.ll:2:\d+: error: .*%T/],
	['undefined metadata', body('%c = load i32, ptr %p, !range !7'), /BAD\.ll:2:\d+: error: .*!7/],
	['type mismatch', body('%c = add i32 %a, %b'), /BAD\.ll:2:20: error: .*i64.*i32|BAD\.ll:2:20: error: .*i32.*i64/],
	['wrong return type', 'define i32 @f(i64 %a) {\n  ret i64 %a\n}\n', /BAD\.ll:2:\d+: error: .*i32/],
	['a constant of another type', body('%c = fadd float 1, 2.0'), /BAD\.ll:2:\d+: error: /],
	['unknown instruction', body('%c = frobnicate i32 %a'), /BAD\.ll:2:8: error: .*frobnicate/],
	['unknown type', body('%c = add i33x %a, 1'), /BAD\.ll:2:\d+: error: /],
	['defined twice', body('%c = add i32 %a, 1\n  %c = add i32 %a, 2'), /BAD\.ll:3:\d+: error: .*%c/],
	['used before its definition', body('%c = add i32 %d, 1\n  %d = add i32 %a, 1'), /BAD\.ll:2:\d+: error: .*%d/],
	['no terminator', 'define void @f() {\n  %c = add i32 1, 2\n}\n', /BAD\.ll:\d+:\d+: error: .*terminator/],
	['not supported, and named', 'define double @f(i256 %x) {\n  %c = call double @llvm.experimental.constrained.sitofp.f64.i256(i256 %x, metadata !"round.tonearest", metadata !"fpexcept.ignore")\n  ret double %c\n}\ndeclare double @llvm.experimental.constrained.sitofp.f64.i256(i256, metadata, metadata)\n', /BAD\.ll:2:\d+: error: .*sint_to_fp/],
	['two errors, both told', body('%c = add i32 %a, %x\n  %d = add i32 %a, %y'), /BAD\.ll:2:20: error: [\s\S]*BAD\.ll:3:20: error: /],
	['nested struct types', `%T = type ${nest('{', 'i32', '}')}\n`, /BAD\.ll:1:\d+: error: .*(deep|nest)/],
	['nested array types', `@x = external global ${nest('[2 x ', 'i32', ']')}\n`, /BAD\.ll:1:\d+: error: .*(deep|nest)/],
	['nested function types', `declare void @f(${nest('void (', '', ')')})\n`, /BAD\.ll:1:\d+: error: /],
	['nested constants', `@x = global i64 ${nest('add (i64 1, i64 ', '1', ')')}\n`, /BAD\.ll:1:\d+: error: /],
	['nested metadata', `!0 = ${nest('!{', '', '}')}\n`, /BAD\.ll:1:\d+: error: .*(deep|nest)/],
	['open parentheses', '('.repeat(deep), /BAD\.ll:1:1: error: /],
	['open braces', `@x = global ${'{'.repeat(deep)}`, /BAD\.ll:1:\d+: error: /],
	['more functions are refused than errors are kept', many(''), /^(BAD\.ll:\d+:3: error: in 'f\d+': this constraint .*\n.*\n.*\n(hint.*\n)?){20}10 more errors not shown\n$/],
	['... and one behind them cannot be read', many('  %s = add i32 %r, %t\n'), /^BAD\.ll:99:20: error: .*%t.*\n.*\n.*\n$/],
	['another machine', 'target triple = "x86_64-pc-linux-gnu"\ndefine void @f() {\n  ret void\n}\n', /error: the module is for 'x86_64-pc-linux-gnu'/],
];

/** A wrong input's outcome is the same on every host. */
function judge({ status, signal, stdout, stderr }, expected) {
	assert.equal(signal ?? null, null, stderr.slice(-3000));
	assert.equal(stdout, '');
	if (expected)
		assert.match(stderr.slice(0, 20000), expected);
	assert.equal(status, 1, `status ${status}: ${stderr.slice(0, 2000)}`);
	assert.ok(stderr.length < 20000, 'a diagnostic is no flood');
}

const runners = [['native', native, ptxscope], ['asan', sanitized, (args, options) => ptxscope(args, { ...options, program: sanitized })],
	['wasm', wasm, wasmInProcess()]];

for (const [host, file, run] of runners)
	describe(`bad input (${host})`, { skip: existsSync(file) ? false : `no ${host} build` }, () => {
		for (const [name, input, expected] of cases)
			test(name, async () => {
				writeFileSync(join(folder, 'BAD.ll'), input);
				rmSync(join(folder, 'OUT.ptx'), { force: true });
				judge(await run(['compile', 'BAD.ll', '-o', 'OUT.ptx'], { cwd: folder, timeout: 20000 }), expected);
				assert.ok(!existsSync(join(folder, 'OUT.ptx')), 'no output file is left behind');
			});
	});

test('bad input leaves a WebAssembly instance as good as new', { skip: existsSync(wasm) ? false : 'no WebAssembly build' }, async () => {
	const compiler = await load();
	for (const [, input] of cases) {
		const result = compiler.run(['compile', 'BAD.ll', '-o', 'OUT.ptx'], { 'BAD.ll': input });
		assert.equal(result.status, 1);
		assert.ok(!('OUT.ptx' in result.files));
	}
	assert.equal(compiler.run(['compile', 'k.ll', '-o', '-'], { 'k.ll': kernel }).status, 0);
});

describe('a diagnostic shows its line and a caret', { skip: existsSync(native) ? false : 'no native build' }, () => {
	test('caret under the word', () => {
		const { stderr } = ptxscope(['compile', '-', '-o', '-'], { input: body('%c = frobnicate i32 %a') });
		const lines = stderr.split('\n');
		assert.match(lines[0], /^<stdin>:2:8: error: /);
		assert.equal(lines[1], '  %c = frobnicate i32 %a');
		assert.match(lines[2], /^ {7}\^~*$/);
	});
});

describe('truncated anywhere', { skip: existsSync(sanitized) ? false : 'no asan build' }, () => {
	for (const { name, text } of examples.slice(0, 3))
		test(name, () => {
			for (let cut = 1; cut < text.length; cut += 211) {
				const { status, signal, stderr } = ptxscope(['compile', '-', '-o', '-'], { input: text.slice(0, cut), program: sanitized });
				assert.equal(signal, null, `cut at ${cut}: ${stderr}`);
				assert.ok(status === 0 || status === 1, `cut at ${cut}: status ${status}\n${stderr}`);
				assert.ok(status === 0 || /^<stdin>:\d+:\d+: error: /m.test(stderr), `cut at ${cut}: ${stderr}`);
			}
		});
});
