// The checker itself: each case says whether it matches, and LLVM's FileCheck is asked too where it is installed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { filecheck, readArguments } from './tools/filecheck.mjs';
import { which } from './tools/setup.mjs';

const cases = [
	['plain text', 'CHECK: add.s32', 'add.s32 %r1, %r2, %r3;', true],
	['text is no regex', 'CHECK: a.c', 'abc', false],
	['moves forward only', 'CHECK: b\nCHECK: a', 'a\nb', false],
	['the same line twice', 'CHECK: a\nCHECK: b', 'a b', true],
	['no overlap', 'CHECK: aa\nCHECK: aa', 'aaa', false],
	['blanks are squeezed', 'CHECK: add.s32 %r1, %r2', '\tadd.s32 \t%r1,   %r2', true],
	['a line break is no blank', 'CHECK: a b', 'a\nb', false],
	['NEXT', 'CHECK: a\nCHECK-NEXT: b', 'a\nb', true],
	['NEXT skips no line', 'CHECK: a\nCHECK-NEXT: b', 'a\n\nb', false],
	['NEXT is not the same line', 'CHECK: a\nCHECK-NEXT: b', 'a b', false],
	['NEXT takes the first match', 'CHECK: a\nCHECK-NEXT: b', 'a b\nb', false],
	['SAME', 'CHECK: a\nCHECK-SAME: b', 'a x b', true],
	['SAME on the next line', 'CHECK: a\nCHECK-SAME: b', 'a\nb', false],
	['EMPTY', 'CHECK: a\nCHECK-EMPTY:\nCHECK-NEXT: b', 'a\n\nb', true],
	['EMPTY on text', 'CHECK: a\nCHECK-EMPTY:', 'a\nb\n\n', false],
	['NOT before', 'CHECK-NOT: x\nCHECK: a', 'x\na', false],
	['NOT between', 'CHECK: a\nCHECK-NOT: x\nCHECK: b', 'a\nx\nb', false],
	['NOT ends at the next match', 'CHECK: a\nCHECK-NOT: x\nCHECK: b', 'a\nb\nx', true],
	['NOT at the end', 'CHECK: a\nCHECK-NOT: x', 'a\nb\nx', false],
	['DAG in any order', 'CHECK-DAG: b\nCHECK-DAG: a\nCHECK: c', 'a\nb\nc', true],
	['DAG does not overlap', 'CHECK-DAG: ab\nCHECK-DAG: ab', 'ab', false],
	['DAG twice', 'CHECK-DAG: ab\nCHECK-DAG: ab', 'ab\nab', true],
	['after DAG', 'CHECK-DAG: b\nCHECK-DAG: a\nCHECK: a', 'a\nb', false],
	['NOT after DAG', 'CHECK-DAG: a\nCHECK-NOT: x\nCHECK: b', 'a\nx\nb', false],
	['LABEL cuts', 'CHECK-LABEL: f:\nCHECK: add\nCHECK-LABEL: g:\nCHECK: mul', 'f:\nadd\ng:\nmul', true],
	['LABEL keeps checks in', 'CHECK-LABEL: f:\nCHECK: mul\nCHECK-LABEL: g:', 'f:\nadd\ng:\nmul', false],
	['NOT stops at the LABEL', 'CHECK-LABEL: f:\nCHECK-NOT: mul\nCHECK-LABEL: g:', 'f:\nadd\ng:\nmul', true],
	['LABEL missing', 'CHECK-LABEL: h:', 'f:', false],
	['COUNT', 'CHECK-COUNT-3: a\nCHECK-NOT: a', 'a\na\na\n', true],
	['COUNT too few', 'CHECK-COUNT-3: a', 'a\na\n', false],
	['regex', 'CHECK: add.{{[su]}}32 %r{{[0-9]+}},', 'add.u32 %r17, x', true],
	['regex stays on its line', 'CHECK: a{{.*}}b', 'a\nb', false],
	['negated class stays on its line', 'CHECK: a{{[^x]*}}b', 'a\nb', false],
	['class by name', 'CHECK: {{^[[:alpha:]_]+$}}', '12\nab_c', true],
	['alternatives', 'CHECK: {{foo|bar}} baz', 'bar baz', true],
	['braces', 'CHECK: {{(a{2})}}b', 'aab', true],
	['anchors', 'CHECK: {{^}}b{{$}}', 'ab\nb', true],
	['variable', 'CHECK: mov [[R:%r[0-9]+]], 1\nCHECK: add %r9, [[R]], 2', 'mov %r3, 1\nadd %r9, %r3, 2', true],
	['variable differs', 'CHECK: mov [[R:%r[0-9]+]], 1\nCHECK: add %r9, [[R]], 2', 'mov %r3, 1\nadd %r9, %r4, 2', false],
	['variable in its own line', 'CHECK: [[R:[a-z]+]] = [[R]]{{$}}', 'a = b\nc = c', true],
	['variable is text', 'CHECK: [[R:.+]];\nCHECK: [[R]]!', 'a.c;\nabc!', false],
	['set again', 'CHECK: [[R:[a-z]]]1\nCHECK: [[R:[a-z]]]2\nCHECK: [[R]]3', 'a1\nb2\nb3', true],
	['numbers', 'CHECK: r[[#N:]]\nCHECK: r[[#N+1]]', 'r7\nr8', true],
	['numbers differ', 'CHECK: r[[#N:]]\nCHECK: r[[#N+1]];', 'r7\nr9;', false],
	['the line of the check', 'CHECK: x\nCHECK: f:[[@LINE-1]]:', 'x\nf:1:', true],
	['the line, as a number', 'CHECK: f:[[#@LINE+1]]:', 'f:2:', true],
	['brackets that are text', 'CHECK: ld [%rd1+4]', 'ld [%rd1+4]', true],
	['dollar is text', 'CHECK: $L__BB0_1:', '$L__BB0_1:', true],
	['other prefixes', 'A: x\nB: y', 'x', true, ['--check-prefix=A']],
	['two prefixes', 'A: x\nB: y', 'x\n', false, ['--check-prefixes=A,B']],
	['prefix inside a word', 'XCHECK: a\nCHECK: b', 'b', true],
	['comments do not check', 'COM: CHECK: a\nCHECK: b', 'b', true],
	['no directive', 'NOTHING', 'x', false],
	['empty input', 'CHECK-NOT: x', '', false],
	['empty input allowed', 'CHECK-NOT: x', '', true, ['--allow-empty']],
	['implicit NOT', 'CHECK: a\nCHECK: b', 'a\nx\nb', false, ['--implicit-check-not=x']],
	['full lines', 'CHECK: a', 'ab', false, ['--match-full-lines']],
	['full lines, blanks around', 'CHECK: a b', '  a  b ', true, ['--match-full-lines']],
	['case', 'CHECK: A', 'a', true, ['--ignore-case']],
	['defined outside', 'CHECK: [[X]]', 'hello', true, ['-DX=hello']],
	['undefined variable', 'CHECK: [[X]]', 'hello', false],
];

describe('our checker', () => {
	for (const [name, checks, input, matches, words = []] of cases)
		test(name, () => {
			const { options } = readArguments(words);
			const problem = filecheck(checks, input, options);
			assert.equal(problem === null, matches, problem ?? 'matched');
		});
});

describe('LLVM FileCheck agrees', { skip: which('FileCheck-19') ? false : 'FileCheck-19 missing' }, () => {
	const folder = mkdtempSync(join(tmpdir(), 'filecheck-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	cases.forEach(([name, checks, input, matches, words = []], i) => {
		test(name, () => {
			const file = join(folder, `${i}.txt`);
			writeFileSync(file, checks);
			const { status, stderr } = spawnSync('FileCheck-19', [file, ...words], { input, encoding: 'utf8' });
			assert.equal(status === 0, matches, stderr);
		});
	});
});

test('a failure names the check, its line and the input', () => {
	const problem = filecheck('one\nCHECK: add\n', 'x\nmul\n', {}, 'a.ll');
	assert.match(problem, /^a\.ll:2: CHECK: not found\n {2}CHECK: add\ninput, from line 1:\n/);
});
