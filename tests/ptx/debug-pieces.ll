; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; Variables in several pieces, places in memory behind a register, and values that are computed. The bytes are those of llc 22.
target triple = "nvptx64-nvidia-cuda"
declare void @use(i32)

; A piece that is lost leaves a gap; one that is told of anew goes on; what overlaps is no more.
; CHECK-LABEL: $L__debug_loc0:
; CHECK-NEXT:  .b64 $L__tmp[[#A:]]
; CHECK-NEXT:  .b64 $L__tmp[[#B:]]
; CHECK-NEXT:  .b8 22 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 144 // DW_OP_regx
; CHECK:       .b8 147 // DW_OP_piece
; CHECK-NEXT:  .b8 4 // 4
; CHECK-NEXT:  .b8 144 // DW_OP_regx
; CHECK:       .b8 147 // DW_OP_piece
; CHECK-NEXT:  .b8 4 // 4
; CHECK-NEXT:  .b8 144 // DW_OP_regx
; CHECK:       .b8 147 // DW_OP_piece
; CHECK-NEXT:  .b8 8 // 8
; CHECK-NEXT:  .b64 $L__tmp[[#B]]
; CHECK-NEXT:  .b64 $L__tmp[[#C:]]
; CHECK-NEXT:  .b8 17 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 147 // DW_OP_piece
; CHECK-NEXT:  .b8 4 // 4
; CHECK-NEXT:  .b8 144 // DW_OP_regx
; CHECK:       .b8 147 // DW_OP_piece
; CHECK-NEXT:  .b8 4 // 4
; CHECK-NEXT:  .b8 144 // DW_OP_regx
; CHECK:       .b8 147 // DW_OP_piece
; CHECK-NEXT:  .b8 8 // 8
; CHECK-NEXT:  .b64 $L__tmp[[#C]]
; CHECK-NEXT:  .b64 $L__func_end0
; CHECK-NEXT:  .b8 12 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 55 // DW_OP_lit7
; CHECK-NEXT:  .b8 147 // DW_OP_piece
; CHECK-NEXT:  .b8 8 // 8
; CHECK-NEXT:  .b8 144 // DW_OP_regx
; CHECK:       .b8 157 // DW_OP_bit_piece
; CHECK-NEXT:  .b8 12 // 12
; CHECK-NEXT:  .b8 0 // 0
; CHECK-NEXT:  .b64 0
define void @pieces(ptr %p) !dbg !5 {
  %a = load volatile i32, ptr %p
  %b = load volatile float, ptr %p
  %c = load volatile i64, ptr %p
  call void @use(i32 1), !dbg !20
    #dbg_value(i64 %c, !10, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !20)
    #dbg_value(i32 %a, !10, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !20)
    #dbg_value(float %b, !10, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !20)
  call void @use(i32 2), !dbg !20
    #dbg_value(i32 poison, !10, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !20)
    #dbg_value(float %b, !10, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !20)
  call void @use(i32 3), !dbg !20
    #dbg_value(i64 7, !10, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !20)
    #dbg_value(i64 %c, !10, !DIExpression(DW_OP_LLVM_fragment, 64, 12), !20)
  store volatile i32 %a, ptr %p, !dbg !20
  store volatile float %b, ptr %p, !dbg !20
  store volatile i64 %c, ptr %p, !dbg !20
  call void @use(i32 4), !dbg !20
  ret void, !dbg !20
}

; Memory at a distance from a register; what is computed from a register has no place in DWARF 2, what is computed from a constant has.
; CHECK-LABEL: $L__debug_loc1:
; CHECK-NEXT:  .b64 $L__tmp{{[0-9]+}}
; CHECK-NEXT:  .b64 $L__tmp[[#D:]]
; CHECK-NEXT:  .b8 7 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 146 // DW_OP_bregx
; CHECK-NOT:   DW_OP
; CHECK:       .b8 8 // 8
; CHECK-NEXT:  .b64 $L__tmp[[#D]]
; CHECK-NEXT:  .b64 $L__tmp[[#E:]]
; CHECK-NEXT:  .b8 10 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 146 // DW_OP_bregx
; CHECK:       .b8 120 // -8
; CHECK-NEXT:  .b8 6 // DW_OP_deref
; CHECK-NEXT:  .b8 35 // DW_OP_plus_uconst
; CHECK-NEXT:  .b8 4 // 4
; CHECK-NEXT:  .b64 $L__tmp[[#F:]]
; CHECK-NEXT:  .b64 $L__func_end1
; CHECK-NEXT:  .b8 4 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 17 // DW_OP_consts
; CHECK-NEXT:  .b8 5 // 5
; CHECK-NEXT:  .b8 35 // DW_OP_plus_uconst
; CHECK-NEXT:  .b8 3 // 3
; CHECK-NEXT:  .b64 0
; A constant of a type that is not basic is unsigned; one that holds everywhere and is computed is a block.
; CHECK:       $L__debug_loc2:
; CHECK:       .b8 48 // DW_OP_lit0
; CHECK-NEXT:  .b8 32 // DW_OP_not
; CHECK-NOT:   $L__debug_loc3:
; CHECK:       .section .debug_info
; CHECK:       .b8 3 // DW_AT_location
; CHECK-NEXT:  .b8 53
; CHECK-NEXT:  .b8 35
; CHECK-NEXT:  .b8 3
; CHECK-NEXT:  .b8 119 // DW_AT_name
define void @places(ptr %p) !dbg !30 {
  %a = load volatile i32, ptr %p
    #dbg_value(i32 5, !34, !DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value), !33)
  call void @use(i32 1), !dbg !33
    #dbg_value(ptr %p, !32, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref), !33)
  call void @use(i32 2), !dbg !33
    #dbg_value(ptr %p, !32, !DIExpression(DW_OP_constu, 8, DW_OP_minus, DW_OP_deref, DW_OP_plus_uconst, 4), !33)
  call void @use(i32 3), !dbg !33
    #dbg_value(i32 %a, !32, !DIExpression(DW_OP_plus_uconst, 5, DW_OP_stack_value), !33)
  call void @use(i32 4), !dbg !33
    #dbg_value(i32 5, !32, !DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value), !33)
    #dbg_value(i32 -1, !35, !DIExpression(), !33)
  store volatile i32 %a, ptr %p, !dbg !33
  call void @use(i32 5), !dbg !33
  ret void, !dbg !33
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, nameTableKind: None)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "pieces", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !8)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !{!10}
!10 = !DILocalVariable(name: "s", scope: !5, file: !1, line: 3, type: !12)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !1, line: 1, size: 128, elements: !13)
!13 = !{!14, !15, !16}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "i", scope: !12, file: !1, line: 1, baseType: !11, size: 32)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !12, file: !1, line: 1, baseType: !17, size: 32, offset: 32)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "l", scope: !12, file: !1, line: 1, baseType: !18, size: 64, offset: 64)
!17 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!18 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!20 = !DILocation(line: 5, scope: !5)
!30 = distinct !DISubprogram(name: "places", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !31)
!31 = !{!34, !32, !35}
!32 = !DILocalVariable(name: "x", scope: !30, file: !1, line: 2, type: !11)
!33 = !DILocation(line: 5, scope: !30)
!34 = !DILocalVariable(name: "w", scope: !30, file: !1, line: 2, type: !11)
!35 = !DILocalVariable(name: "t", scope: !30, file: !1, line: 2, type: !36)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "T", file: !1, baseType: !11)
