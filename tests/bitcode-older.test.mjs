// Bitcode of LLVM 4 to 11: what LLVM 22 writes of a module, with single records in their older forms. LLVM 22 sees the same module in
// these bytes and in what we print of them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBitstream, writeBitstream } from './tools/bitstream.mjs';
import { llvm, withoutLlvm } from './tools/llvm.mjs';
import { ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const FUNCTION = 12, METADATA = 15;
const folder = temporaryFolder();

const source = `@g = global i32 0, align 8, !dbg !6
define void @f(ptr %p, float %x) !dbg !9 {
  %v = alloca i64
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  %b = atomicrmw volatile xchg ptr %p, i32 %a syncscope("block") monotonic
  %c = atomicrmw fadd ptr %p, float %x acquire
    #dbg_value(i32 %a, !14, !DIExpression(DW_OP_plus_uconst, 3, DW_OP_constu, 4, DW_OP_minus, DW_OP_LLVM_fragment, 0, 8), !17)
    #dbg_declare(ptr %v, !15, !DIExpression(), !17)
  ret void, !dbg !17
}
declare !dbg !18 void @h()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!20}
!named = !{!18, !21, !22, !23, !26}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "p", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !2)
!1 = !DIFile(filename: "a.cpp", directory: "/")
!2 = !{!6}
!3 = !DISubrange(count: 7, lowerBound: -2)
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !{!4, !4}
!6 = !DIGlobalVariableExpression(var: !7, expr: !DIExpression())
!7 = distinct !DIGlobalVariable(name: "g", linkageName: "_g", scope: !0, file: !1, line: 9, type: !4, isLocal: false, isDefinition: true, declaration: !8, align: 64)
!8 = !DIDerivedType(tag: DW_TAG_member, name: "g", scope: !24, file: !1, line: 8, baseType: !4, flags: DIFlagStaticMember)
!9 = distinct !DISubprogram(name: "f", linkageName: "_f", scope: !24, file: !1, line: 1, type: !10, scopeLine: 2, containingType: !24, virtualIndex: 5, thisAdjustment: 8, flags: DIFlagPrototyped, spFlags: DISPFlagPureVirtual | DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, templateParams: !11, declaration: !18, retainedNodes: !13, thrownTypes: !5)
!10 = !DISubroutineType(types: !5)
!11 = !{!12}
!12 = !DITemplateTypeParameter(name: "T", type: !4)
!13 = !{!14, !15}
!14 = !DILocalVariable(name: "a", arg: 1, scope: !9, file: !1, line: 3, type: !4, flags: DIFlagArtificial)
!15 = !DILocalVariable(name: "v", scope: !9, file: !1, line: 4, type: !4)
!17 = !DILocation(line: 5, column: 6, scope: !9)
!18 = !DISubprogram(name: "f", linkageName: "_f", scope: !24, file: !1, line: 1, type: !10, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!20 = !{i32 2, !"Debug Info Version", i32 3}
!21 = !DIModule(scope: !0, name: "m", configMacros: "-D", includePath: "/i", apinotes: "n")
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 224, elements: !{!3})
!23 = !DIImportedEntity(tag: DW_TAG_imported_declaration, scope: !0, entity: !9, file: !1, line: 4)
!24 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !1, line: 1, size: 64)
!26 = !DISubrange(count: 8)
`;

/** Every record of a block of that kind with that code. */
function each(blocks, id, code, edit) {
	for (const { id: block, items } of blocks)
		if (items) {
			each(items, id, code, edit);
			if (block === id)
				items.filter((item) => !item.items && item.code === code).forEach(edit);
		}
}

const bit = (v, n) => v >> n & 1n;
const older = {
	'functions before LLVM 8': [METADATA, 21, (record) => {
		const o = record.ops, flags = o[9];
		record.ops = [o[0] & 1n | 2n, ...o.slice(1, 7), bit(flags, 2n), bit(flags, 3n), o[7], o[8], flags & 3n, o[10], o[11], bit(flags, 4n), ...o.slice(12, 18)];
	}],
	'functions before LLVM 8, without the last two fields': [METADATA, 21, (record) => {
		const o = record.ops, flags = o[9];
		record.ops = [o[0] & 1n | 2n, ...o.slice(1, 7), bit(flags, 2n), bit(flags, 3n), o[7], o[8], flags & 3n, o[10], o[11], bit(flags, 4n), ...o.slice(12, 16)];
	}],
	'a main function before LLVM 8': [METADATA, 21, (record) => {
		const o = record.ops, flags = o[9];
		record.ops = [o[0] & 1n | 2n, ...o.slice(1, 7), bit(flags, 2n), bit(flags, 3n), o[7], o[8], flags & 3n, o[10], o[11] | 1n << 21n, bit(flags, 4n), ...o.slice(12, 18)];
	}],
	'variables before LLVM 8': [METADATA, 27, (record) => {
		record.ops[0] = 1n << 1n | record.ops[0] & 1n;
		[record.ops[9], record.ops[10]] = [0n, record.ops[9]];
		record.ops.length = 12;
	}],
	'local variables before LLVM 4': [METADATA, 28, (record) => {
		record.ops[0] &= 1n;
		record.ops.splice(1, 0, 0x101n);
		record.ops.length = 9;
	}],
	'modules before LLVM 11': [METADATA, 32, (record) => {
		record.ops.splice(1, 1);
		record.ops.length = 6;
	}],
	'subranges before LLVM 7': [METADATA, 13, (record, i) => record.ops = [record.ops[0] & 1n, [7n, 8n][i], [5n, 0n][i]]],
	'subranges before LLVM 11': [METADATA, 13, (record, i) => record.ops = [record.ops[0] & 1n | 2n, record.ops[1], [3n, 0n][i]]],
	'expressions before LLVM 6': [METADATA, 29, (record) => {
		const [head, ...words] = record.ops, op = [2n << 1n | head & 1n];
		for (let i = 0; i < words.length; i++)
			if (words[i] === 0x23n)
				op.push(0x22n, words[++i]);
			else if (words[i] === 0x10n && words[i + 2] === 0x1cn)
				op.push(0x1cn, words[i + 1]), i += 2;
			else
				op.push(words[i]);
		record.ops = op;
	}],
	'atomic operations before LLVM 12': [FUNCTION, 59, (record) => {
		record.code = 38;
		record.ops.length = 6;
	}],
};

const module = (text) => text.slice(text.indexOf('@g'));

for (const [name, [block, code, edit]] of Object.entries(older))
	test(name, { skip: withoutLlvm(22) }, () => {
		const blocks = readBitstream(llvm(22, 'write', [source])[0].answer);
		let edited = 0;
		each(blocks, block, code, (record) => edit(record, edited++));
		const bytes = writeBitstream(blocks), path = join(folder, 'older.bc');
		assert.ok(edited);
		writeFileSync(path, bytes);
		const { status, stdout, stderr } = ptxscope(['fmt', path, '-o', '-']);
		assert.deepEqual([status, stderr], [0, '']);
		const [theirs, ours] = llvm(22, 'print', [bytes, stdout]);
		assert.equal(theirs.status, 0, theirs.answer);
		assert.equal(module(ours.answer), module(theirs.answer));
	});
