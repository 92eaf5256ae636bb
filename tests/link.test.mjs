// Linking: libraries that do not fit, and libdevice. What fits is in link/*.ll.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { native, ptxscope, temporaryFolder, wasm } from './tools/ptxscope.mjs';
import { load } from '../wasm/index.js';

const skip = existsSync(native) ? false : 'no native build';
const folder = temporaryFolder();

function write(name, text) {
	const path = join(folder, name);
	writeFileSync(path, text);
	return path;
}

const main = (declaration, body, rest = '') => write('main.ll', `
target triple = "nvptx64-nvidia-cuda"
${declaration}
define ptx_kernel void @k(ptr %p) {
  ${body}
  ret void
}
${rest}`);

const calls = main('declare void @f(ptr)', 'call void @f(ptr %p)');

/** Links libraries into a module; what comes out. */
const link = (input, ...libraries) =>
	ptxscope(['compile', input, ...libraries.map((l, i) => `--link=${write(`lib${i}.ll`, l)}`), '-mcpu=sm_90', '-o', '-']);

function refused(result, ...words) {
	assert.equal(result.status, 1, result.stderr);
	for (const word of words)
		assert.match(result.stderr, word);
}

describe('linking', { skip }, () => {
	const f = 'define void @f(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n';

	test('two libraries that define one function are named both', () => {
		refused(link(calls, f, f.replace('i32 1', 'i32 2')), /'f' is defined in .*lib0\.ll and in .*lib1\.ll/);
	});

	test('a weak definition gives way, whichever library comes first', () => {
		const weak = f.replace('define', 'define weak').replace('i32 1', 'i32 2');
		for (const order of [[f, weak], [weak, f]]) {
			const { status, stdout, stderr } = link(calls, ...order);
			assert.equal(status, 0, stderr);
			assert.match(stdout, /st\.\w*\.?[ub]32\s+\[%rd\d+\], 1;|mov\.[ub]32 \s*%r\d+, 1;/);
		}
	});

	test('what both the module and a library define is named with both', () => {
		const input = main('declare void @f(ptr)', 'call void @f(ptr %p)', 'define void @g(ptr %p) {\n  ret void\n}');
		refused(link(input, 'define void @f(ptr %p) {\n  call void @g(ptr %p)\n  ret void\n}\ndefine void @g(ptr %p) {\n  ret void\n}\n'),
			/'g' is defined in .*main\.ll and in .*lib0\.ll/);
	});

	test('another type is an error that shows both', () => {
		refused(link(calls, 'define i32 @f(ptr %p) {\n  ret i32 0\n}\n'), /'f' is void \(ptr\) in .*main\.ll, and i32 \(ptr\) in .*lib0\.ll/);
		const variable = main('@v = external addrspace(1) global i32', 'store i32 1, ptr addrspace(1) @v');
		refused(link(variable, '@v = addrspace(3) global i32 undef\n'), /'v'.*main\.ll.*lib0\.ll/);
	});

	test('module flags that exclude each other', () => {
		const flag = (v) => `!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"wchar_size", i32 ${v}}\n`;
		refused(link(main('declare void @f(ptr)', 'call void @f(ptr %p)', flag(4)), f + flag(2)), /'wchar_size' is 4 in .*main\.ll, and 2 in .*lib0\.ll/);
	});

	test('mutual needs of libraries are met', () => {
		const a = 'declare void @g(ptr)\ndefine void @f(ptr %p) {\n  call void @g(ptr %p)\n  ret void\n}\ndefine void @h(ptr %p) {\n  store i32 3, ptr %p\n  ret void\n}\n';
		const b = 'declare void @h(ptr)\ndefine void @g(ptr %p) {\n  call void @h(ptr %p)\n  ret void\n}\n';
		for (const order of [[a, b], [b, a]])
			assert.equal(link(calls, ...order).status, 0);
	});

	test('aliases that stand for each other are named both', () => {
		refused(link(calls, '@a = alias void (ptr), ptr @b\n@b = alias void (ptr), ptr @a\ndefine void @f(ptr %p) {\n  call void @a(ptr %p)\n  ret void\n}\n'), /a.*b|b.*a/s);
	});

	test('another triple or layout is a warning', () => {
		const { status, stderr } = link(calls, `target triple = "x86_64-unknown-linux"\n${f}`);
		assert.equal(status, 0, stderr);
		assert.match(stderr, /warning: .*lib0\.ll is for 'x86_64-unknown-linux', and .*main\.ll for 'nvptx64-nvidia-cuda'/);
	});

	test('errors of a library have its name and lines', () => {
		refused(link(calls, `${f}@v = global i32 "no"\n`), /lib0\.ll:5:.*error/, /error: .*lib0\.ll cannot be linked/);
		refused(link(calls, f.replace('ptr %p\n', 'ptr %q\n')), /lib0\.ll:2:.*%q/);
	});

	test('a body that nobody needs is not read, whatever else is in the library', () => {
		const { status, stdout, stderr } = link(calls, `
@stored = internal global ptr null
define internal { i32, i32 } @pair(i32 %a) {
  %r = insertvalue { i32, i32 } zeroinitializer, i32 %a, 0
  ret { i32, i32 } %r
}
define void @f(ptr %p) {
  %r = call { i32, i32 } @pair(i32 1)
  %x = extractvalue { i32, i32 } %r, 0
  store i32 %x, ptr %p
  ret void
}
define void @unused() {
  call void @nothing(i32 %missing)
  ret void
}`);
		assert.equal(status, 0, stderr);
		assert.match(stdout, /st\.\w*\.?b?u?32/);
	});
	test('a file that is not there', () => {
		const { status, stderr } = ptxscope(['compile', calls, '--link=/no/such/file', '-o', '-']);
		assert.notEqual(status, 0);
		assert.match(stderr, /\/no\/such\/file: No such file/);
	});

	test('the same file twice is one library', () => {
		const path = write('lib.ll', f);
		assert.equal(ptxscope(['compile', calls, `--link=${path}`, `--link=${path}`, '-o', '-']).status, 0);
	});

	test('run and check link, too', () => {
		const launch = write('launch.json', JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'p' }], buffers: { p: { type: 'i32', count: 1 } } }));
		const path = write('lib.ll', f);
		for (const level of ['ir', 'mir', 'ptx']) {
			const { status, stdout, stderr } = ptxscope(['run', calls, `--link=${path}`, '--launch', launch, '--json', `--level=${level}`]);
			assert.equal(status, 0, stderr);
			assert.match(stdout, /\[1\]/);
		}
		const { status, stderr } = ptxscope(['check', calls, `--link=${path}`, '--launch', launch]);
		assert.equal(status, 0, stderr);
	});
});

describe('--libdevice', { skip }, () => {
	test('lists where it looked', { skip: existsSync(wasm) ? false : 'no WebAssembly build' }, async () => {
		const compiler = await load(); /* where there are no files but these */
		const { status, stderr } = compiler.run(['compile', 'k.ll', '--libdevice', '-o', '-'], { 'k.ll': readFileSync(calls) });
		assert.notEqual(status, 0);
		for (const place of [/\$CUDA_HOME is not set/, /\$CUDA_PATH is not set/, /\/usr\/local\/cuda\/nvvm\/libdevice\/libdevice\.10\.bc/, /--libdevice=FILE/])
			assert.match(stderr, place);
	});

	test('looks in CUDA_HOME first', () => {
		const root = join(folder, 'cuda');
		mkdirSync(join(root, 'nvvm/libdevice'), { recursive: true });
		writeFileSync(join(root, 'nvvm/libdevice/libdevice.10.bc'), 'define void @f(ptr %p) {\n  store i32 77, ptr %p\n  ret void\n}\n');
		const { status, stdout, stderr } = ptxscope(['compile', calls, '--libdevice', '-o', '-'], { env: { CUDA_HOME: root } });
		assert.equal(status, 0, stderr);
		assert.match(stdout, /\b77;/);
	});
});
