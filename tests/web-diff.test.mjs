// How the page compares texts: one name per value, words marked in lines that are alike, noise folded, words found. No browser needed.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { native, ptxscope } from './tools/ptxscope.mjs';
import { needsBundler, webModule } from './tools/web-module.mjs';

describe('texts of the page', needsBundler, () => {
	let web;
	before(async () => { web = await webModule('compiler/diff.ts', 'compiler/names.ts', 'compiler/wordMarks.ts', 'noise.ts', 'searching.ts'); });
	const side = (text, lines) => web.comparable(text, lines);
	/** A diff as text: a sign and a line each. */
	const diff = (code, was, is, linesWas, linesIs, options) => {
		const a = side(was, linesWas), { edits, after } = web.compare(code, a, side(is, linesIs), options);
		const rows = [];
		let i = 0, j = 0;
		for (let k = 0; k < edits.length; k += 2)
			for (let n = edits[k + 1]; n > 0; n--)
				rows.push(edits[k] === web.Edit.Removed ? `- ${a.text[i++].trim()}` : edits[k] === web.Edit.Added ? `+ ${after.text[j++].trim()}` : (i++, `  ${after.text[j++].trim()}`));
		return rows;
	};

	test('renumbering is no change, and a new value takes a number of its own', () => {
		const was = 'define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = mul i32 %2, %2\n  br label %4\n\n4:                  ; preds = %1\n  ret i32 %3\n}';
		const is = 'define i32 @f(i32 %0) {\n  %2 = freeze i32 %0\n  %3 = add i32 %0, 1\n  %4 = mul i32 %3, %3\n  br label %5\n\n5:                  ; preds = %1\n  ret i32 %4\n}';
		const rows = diff('llvm', was, is, [1, 2, 3, 4, 0, 6, 7, 8], [1, 0, 2, 3, 4, 0, 6, 7, 8]);
		assert.deepEqual(rows.filter((r) => !r.startsWith('  ')), ['+ %5 = freeze i32 %0']);
		assert.ok(rows.includes('  %3 = mul i32 %2, %2') && rows.some((r) => r.startsWith('  4:')));
	});

	test('an operand that changes is a change, though the shape of the line is the same', () => {
		const was = 'define i32 @f(i32 %0, i32 %1) {\n  %3 = add i32 %0, %1\n  %4 = add i32 %0, %1\n  %5 = mul i32 %3, %4\n  ret i32 %5\n}';
		const is = 'define i32 @f(i32 %0, i32 %1) {\n  %3 = add i32 %0, %1\n  %4 = mul i32 %3, %3\n  ret i32 %4\n}';
		assert.deepEqual(diff('llvm', was, is, [1, 2, 3, 4, 5, 6], [1, 2, 4, 5, 6]).filter((r) => !r.startsWith('  ')),
			['- %4 = add i32 %0, %1', '- %5 = mul i32 %3, %4', '+ %5 = mul i32 %3, %3']);
	});

	test('an instruction that is changed in place keeps its name', () => {
		const was = 'define void @f(ptr %0) {\n  %2 = load i32, ptr %0\n  %3 = add i32 %2, 1\n  ret void\n}';
		const is = 'define void @f(ptr %0) {\n  %2 = addrspacecast ptr %0 to ptr addrspace(1)\n  %3 = load i32, ptr addrspace(1) %2\n  %4 = add i32 %3, 1\n  ret void\n}';
		assert.deepEqual(diff('llvm', was, is, [1, 2, 3, 4, 5], [1, 0, 2, 3, 4, 5]).filter((r) => !r.startsWith('  ')),
			['- %2 = load i32, ptr %0', '+ %4 = addrspacecast ptr %0 to ptr addrspace(1)', '+ %2 = load i32, ptr addrspace(1) %4']);
	});

	test('registers of PTX that only have other numbers are the same; strings keep what looks like a name', () => {
		assert.ok(diff('ptx', '\tld.param.u32 %r1, [a];\n\tadd.s32 %r2, %r1, 1;\n$L__BB0_2:\n\tret;', '\tld.param.u32 %r7, [a];\n\tadd.s32 %r3, %r7, 1;\n$L__BB0_4:\n\tret;', [], []).every((r) => r.startsWith('  ')));
		assert.equal(web.rename('llvm', '  call void asm "mov %4", "=r,r"(i32 %4) ; %4', { '%4': '%9' }), '  call void asm "mov %4", "=r,r"(i32 %9) ; %9');
		assert.equal(web.rename('llvm', '12:', { '%12': '%3' }), '3:');
	});

	test('the label of a block is the same though its first instruction, of which it has its origin, is another', () => {
		const was = '  bb.0:\n    %1:int32regs = COPY %0\n    %2:int32regs = ADDs32ri %1, 1\n  bb.1:\n    %3:int32regs = COPY %2\n    Return', is = '  bb.0:\n    %2:int32regs = ADDs32ri %0, 1\n  bb.1:\n    Return';
		const rows = diff('mir', was, is, [1, 1, 2, 3, 3, 4], [2, 2, 4, 4], { renames: false });
		assert.deepEqual(rows.filter((r) => r.includes('bb.')), ['  bb.0:', '  bb.1:']);
	});

	test('texts of two sources are compared though their lines differ', () => {
		const rows = diff('ptx', '\tadd.s32 %r2, %r1, 1;\n\tret;', '\tadd.s32 %r5, %r4, 1;\n\tmul.lo.s32 %r6, %r5, 3;\n\tret;', [4, 5], [14, 15, 16], { origins: false });
		assert.deepEqual(rows, ['  add.s32 %r2, %r1, 1;', '+ mul.lo.s32 %r3, %r2, 3;', '  ret;']);
	});

	test('of two compilations, a value has one name in all stages', () => {
		const head = 'define float @f(float %0) {\n', tail = '  ret float %R\n}';
		// B computes the same under other numbers, and has one value more, which A's numbers must leave alone in both stages.
		const a = [`${head}  %2 = fmul float %0, %0\n  %3 = fadd float %2, %0\n${tail.replace('R', '3')}`, `${head}  %2 = fmul float %0, %0\n  %4 = fneg float %2\n  %3 = fadd float %4, %0\n${tail.replace('R', '3')}`];
		const b = [`${head}  %2 = freeze float %0\n  %3 = fmul float %0, %0\n  %4 = fadd float %3, %0\n${tail.replace('R', '4')}`, `${head}  %3 = fmul float %0, %0\n  %2 = freeze float %0\n  %9 = fneg float %3\n  %4 = fadd float %9, %0\n${tail.replace('R', '4')}`];
		const lines = [[[1, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5]], [[1, 0, 2, 3, 4, 5], [1, 2, 0, 0, 3, 4, 5]]];
		const stages = a.map((text, i) => ({ code: 'llvm', a: side(text, lines[0][i]), b: side(b[i], lines[1][i]) }));
		const names = web.namesAcross(stages, true).get('llvm');
		const extra = stages.map(({ a, b }) => diff('llvm', a.text.join('\n'), b.text.join('\n'), a.lines, b.lines, { known: names }).filter((r) => !r.startsWith('  ')));
		// Each alone would call the value %4 in the one and %5 in the other.
		assert.deepEqual(extra, [['+ %5 = freeze float %0'], ['+ %5 = freeze float %0']]);
	});

	test('of two sources, an instruction that another stands in for keeps its name', () => {
		const of = (op) => `define float @f(float %0) {\n  %2 = ${op} float %0, %0\n  %3 = fadd float %2, %0\n  ret float %3\n}`;
		assert.deepEqual(diff('llvm', of('fmul'), of('fsub'), [], [], { origins: false }).filter((r) => !r.startsWith('  ')), ['- %2 = fmul float %0, %0', '+ %2 = fsub float %0, %0']);
	});

	test('words are marked only in lines that are alike', () => {
		const [left, right] = web.wordMarks('  %5 = load float, ptr %2, align 4', '  %5 = load float, ptr addrspace(1) %2, align 4');
		assert.ok(left.length + right.length > 0);
		assert.deepEqual(web.wordMarks('  %5 = load float, ptr %2, align 4', '  call void @llvm.nvvm.barrier0()'), [[], []]);
	});

	test('noise is named and counted; what is no noise is not folded', () => {
		const noise = (language, text) => {
			const lines = text.split('\n'), all = [];
			for (let i = 0; i < lines.length; i++) {
				const n = web.noiseAt(language, lines, i);
				if (n) {
					all.push([i, n.lines, n.what]);
					i += n.lines - 1;
				}
			}
			return all;
		};
		assert.deepEqual(noise('llvm', '; Function Attrs: nounwind\ndefine void @f() {\n  ret void\n}\n\ndeclare void @g() #1\n\nattributes #1 = { }\n\n!0 = !{}\n@x = global i32 0'),
			[[0, 1, 'attributes'], [5, 5, 'declarations, attributes, metadata']]);
		assert.deepEqual(noise('ptx', '//\n// Generated\n\n.version 7.8\n.target sm_90\n\n.visible .entry k(\n)\n{\n\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<2>;\n\n// %bb.0:\n\tret;\n}'),
			[[0, 6, 'head'], [9, 2, 'registers']]);
		const declared = '//\n.version 7.8\n.extern .func  (.param .b32 func_retval0) g\n(\n\t.param .b64 g_param_0\n)\n;\n.func h\n(\n)\n;\n.visible .func f()\n{\n\tret;\n}';
		assert.deepEqual(noise('ptx', declared), [[0, 2, 'head'], [2, 9, 'declarations']]);
		assert.deepEqual(noise('ptx', '//\n.version 7.8\n.extern .func g()\n;\n.global .u32 x;'), [[0, 2, 'head'], [2, 2, 'declaration']]);
		assert.deepEqual(noise('mir', '---\nname: f\nbody: |\n  bb.0:\n    Return\n...'), [[0, 3, 'name, properties, registers']]);
		assert.equal('11:      ; preds = %4'.slice(0, web.trailingNoise('llvm', '11:      ; preds = %4')), '11:');
		const tbaa = '  %1 = load i32, ptr %0, !tbaa !5 ; a comment';
		assert.equal(web.trailingNoise('llvm', tbaa), tbaa.length);
	});

	test('a whole word finds opcodes and values in all three languages', () => {
		const has = (query, text) => web.timesIn(text, web.wholeWord(query));
		assert.equal(has('add', 'add.s64 %rd1; ADDs64rr %2; addrspacecast; %add; ADDRESS; fadd'), 2);
		assert.equal(has('%9', '%9, %90, %19 = add %9'), 2);
		assert.equal(has('ld.global', 'ld.global.f32; LD_global_f32'), 1);
		assert.equal(web.timesIn('xaddx', web.patternIn('add', ['xaddx'])), 1);
	});

	test('a pipeline under one name per value: what is not changed reads the same after every pass', { skip: existsSync(native) ? false : 'no native build' }, () => {
		for (const name of ['saxpy', 'bitonic_sort', 'matmul_tiled']) {
			const trace = JSON.parse(ptxscope(['compile', `examples/${name}.ll`, '-mcpu=sm_90', '--trace=-', '-o', '/dev/null']).stdout);
			const levels = new Map(JSON.parse(ptxscope(['passes', '--json']).stdout).map((p) => [p.id, p.level]));
			const changes = web.changesOf(trace, (id) => levels.get(id));
			/** Definitions by name, in the order of the passes: a name that stays is the same input line's value. */
			const origins = new Map();
			let checked = 0;
			trace.passes.forEach((run, i) => {
				const level = run.level ?? levels.get(run.id);
				if (run.text === null || level !== 'ir' || !run.function || (run.id !== 'input' && !changes[i]))
					return;
				trace.texts[run.text].split('\n').forEach((line, k) => {
					const shown = web.rename('llvm', line, changes[i]?.names ?? {}), defined = /^\s+(%\d+) = /.exec(shown)?.[1], origin = run.lines[k];
					if (!defined || !origin)
						return;
					const key = `${run.function} ${defined}`;
					assert.equal(origins.get(key) ?? origin, origin, `${name}: ${defined} after ${run.id}`);
					origins.set(key, origin);
					checked++;
				});
			});
			assert.ok(checked > 20, name);
		}
	});
});
