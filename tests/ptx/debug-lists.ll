; Lists of arguments, constants of 128 bits.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s

; Constants of a list become operations on its first value: with it a constant, or an address.
; CHECK-DAG: //DEBUG_VALUE: k:v22 <- [DW_OP_LLVM_arg 0, DW_OP_constu 4, DW_OP_plus, DW_OP_stack_value] 3
; CHECK-DAG: //DEBUG_VALUE: k:v28 <- [DW_OP_LLVM_arg 0, DW_OP_constu 8, DW_OP_plus, DW_OP_deref] %rd1
; CHECK-DAG: //DEBUG_VALUE: k:v29 <- undef
; CHECK-DAG: //DEBUG_VALUE: k:v33 <- [DW_OP_LLVM_arg 0, DW_OP_consts 18446744073709551612, DW_OP_plus, DW_OP_stack_value] 3
; CHECK:     .section .debug_info
; CHECK:     .b8 3 // DW_AT_location
; CHECK-NEXT: .b8 51
; CHECK-NEXT: .b8 52
; CHECK-NEXT: .b8 34
; CHECK:     .b8 16 // DW_AT_const_value
; CHECK-NEXT: .b8 210
; CHECK-NEXT: .b8 10
; CHECK-NEXT: .b8 63
; CHECK:     .b8 16 // DW_AT_const_value
; CHECK-NEXT: .b8 5
; CHECK-NEXT: .b8 0
; CHECK:     .b8 7 // DW_AT_location
; CHECK-NEXT: .b8 146
; CHECK-NEXT: .b8 177
; CHECK-NEXT: .b8 200
; CHECK-NEXT: .b8 201
; CHECK-NEXT: .b8 171
; CHECK-NEXT: .b8 2
; CHECK-NEXT: .b8 8

target triple = "nvptx64-nvidia-cuda"
define void @k(i32 %a, i32 %b, ptr %p, i64 %i, i128 %w) !dbg !10 {
  %s = load volatile i32, ptr %p, !dbg !12
    #dbg_value(!DIArgList(i32 %a, i32 %b), !20, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !12)
    #dbg_value(!DIArgList(ptr %p, i64 %i), !21, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !12)
    #dbg_value(!DIArgList(i32 3, i32 4), !22, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !12)
    #dbg_value(!DIArgList(i32 %a, i32 4), !23, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !12)
    #dbg_value(i128 123456789012345678901234567890, !24, !DIExpression(), !12)
    #dbg_value(i128 5, !25, !DIExpression(), !12)
    #dbg_value(!DIArgList(i32 %a), !26, !DIExpression(DW_OP_LLVM_arg, 0), !12)
    #dbg_value(!DIArgList(i32 7), !27, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_stack_value), !12)
    #dbg_value(!DIArgList(ptr %p, i64 8), !28, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_deref), !12)
    #dbg_value(!DIArgList(ptr %p, i64 %i), !29, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_deref), !12)
    #dbg_value(double 2.5, !30, !DIExpression(), !12)
    #dbg_value(float 2.5, !30, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !12)
    #dbg_value(i32 %a, !31, !DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value), !12)
    #dbg_value(i128 %w, !32, !DIExpression(), !12)
    #dbg_value(!DIArgList(i32 3, i32 -4), !33, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !12)
  store volatile i32 %a, ptr %p, !dbg !12
  store volatile i32 %b, ptr %p, !dbg !12
  store volatile i64 %i, ptr %p, !dbg !12
  store volatile i128 %w, ptr %p, !dbg !12
  ret void, !dbg !12
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, nameTableKind: None)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !DIBasicType(name: "i128", size: 128, encoding: DW_ATE_signed)
!6 = !DIBasicType(name: "u128", size: 128, encoding: DW_ATE_unsigned)
!7 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!10 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!12 = !DILocation(line: 1, column: 2, scope: !10)
!20 = !DILocalVariable(name: "v20", scope: !10, file: !1, line: 1, type: !4)
!21 = !DILocalVariable(name: "v21", scope: !10, file: !1, line: 1, type: !4)
!22 = !DILocalVariable(name: "v22", scope: !10, file: !1, line: 1, type: !4)
!23 = !DILocalVariable(name: "v23", scope: !10, file: !1, line: 1, type: !4)
!24 = !DILocalVariable(name: "v24", scope: !10, file: !1, line: 1, type: !5)
!25 = !DILocalVariable(name: "v25", scope: !10, file: !1, line: 1, type: !6)
!26 = !DILocalVariable(name: "v26", scope: !10, file: !1, line: 1, type: !4)
!27 = !DILocalVariable(name: "v27", scope: !10, file: !1, line: 1, type: !4)
!28 = !DILocalVariable(name: "v28", scope: !10, file: !1, line: 1, type: !4)
!29 = !DILocalVariable(name: "v29", scope: !10, file: !1, line: 1, type: !4)
!30 = !DILocalVariable(name: "v30", scope: !10, file: !1, line: 1, type: !7)
!31 = !DILocalVariable(name: "v31", scope: !10, file: !1, line: 1, type: !4)
!32 = !DILocalVariable(name: "v32", scope: !10, file: !1, line: 1, type: !5)
!33 = !DILocalVariable(name: "v33", scope: !10, file: !1, line: 1, type: !4)
