// The public header: a program that knows nothing else compiles, links and does what it says.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, temporaryFolder } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const cc = which('cc') && existsSync(native) ? {} : { skip: 'no C compiler, or no native build' };
const run = (program, args) => spawnSync(program, args, { cwd: root, encoding: 'utf8' });

// Compiles tests/embed/NAME.c against the library and runs it; its standard output.
function embedded(name) {
	const make = run('make', ['build/native/libptxscope.a']);
	assert.equal(make.status, 0, make.stderr);
	const program = join(temporaryFolder(), name);
	const compiled = run('cc', ['-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Werror', '-pedantic', '-I', 'core/api', `tests/embed/${name}.c`,
		'build/native/libptxscope.a', '-lm', '-o', program]);
	assert.equal(compiled.status, 0, compiled.stderr);
	const { status, stdout, stderr } = run(program, []);
	assert.equal(status, 0, stderr);
	return stdout;
}

test('a program of its own runs a kernel through ptxscope.h', cc, () => {
	assert.equal(embedded('saxpy'), 'block 0, warp 0, line 23, lanes ffffffff\n%f2 in lane 0: 1\n%f2 in lane 1: 3.5\n%f2 in lane 2: 6\n' +
		'%f2 in lane 3: 8.5\n100 results are right, 72 warp instructions\n');
});

test('a program of its own compiles through ptxscope.h: PTX, stages and diagnostics as records', cc, () => {
	assert.equal(embedded('compile'), `input of '', IR, changed
input of 'twice', IR, changed
error ir-undefined-local at 2:16 to 2:23: use of undefined value '%nobody'
bad.ll:2:16: error: use of undefined value '%nobody'
  %x = add i32 %nobody, 1
               ^~~~~~~
ptxscope: unknown knob 'o'; 'ptxscope knobs' lists them
out of memory: the limit is reached
`);
});

test('the header is C++ too, and stands alone', which('c++') ? cc : { skip: 'no C++ compiler' }, () => {
	const source = join(temporaryFolder(), 'header.cpp');
	writeFileSync(source, '#include "ptxscope.h"\nint main() { return ps_value(nullptr, 0).size == 0 ? 0 : 1; }\n');
	const compiled = run('c++', ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-pedantic', '-I', 'core/api', '-fsyntax-only', source]);
	assert.equal(compiled.status, 0, compiled.stderr);
});
