; Labels of the source, and variables in memory that an expression describes; as LLVM 22 has them.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s

; The depot's address has the function's line.
; A comparison has its own line, and the branch, which it is inverted for, another.
; CHECK-LABEL: .visible .entry k(
; CHECK:       .loc 1 6 0 // test.cu:6:0
; CHECK-NEXT:  $L__func_begin0:
; CHECK-NEXT:  .loc 1 6 0 // test.cu:6:0
; CHECK:       mov.b64 %SPL
; CHECK:       .loc 1 6 41 // test.cu:6:41
; CHECK:       .loc 1 6 9 // test.cu:6:9
; CHECK-NEXT:  setp.eq.s32
; CHECK-NEXT:  .loc 1 6 2 // test.cu:6:2
; CHECK-NEXT:  bra
; CHECK:       //DEBUG_LABEL: k:again
; CHECK:       .loc 1 7 0 // test.cu:7{{$}}
; CHECK:       ret;
; CHECK-NEXT:  $L__tmp
; CHECK-NEXT:  $L__func_end0:

; The address of a symbol has the line of who takes it, also where a block begins; an argument that is an address holds the variable.
; CHECK-LABEL: .visible .func symbol(
; CHECK:       mov.b64 [[P:%rd[0-9]+]], symbol_param_0;
; CHECK-NEXT:  cvta.local.u64 [[S:%rd[0-9]+]], [[P]];
; CHECK:       //DEBUG_VALUE: symbol:s <- {{\[}}[[S]]+0]
; CHECK-NOT:   .loc 1 0
; CHECK:       .loc 1 10 1
; CHECK-NEXT:  mov.b64 {{%rd[0-9]+}}, g1;
; CHECK-NOT:   .loc 1 0

; CHECK:       .section .debug_info
; Space, then offset and operations; a generic one; constants, which need none.
; CHECK:       .b8 5 // DW_AT_address_class
; CHECK-NEXT:  .b8 11 // DW_AT_location
; CHECK-NEXT:  .b8 3
; CHECK-NEXT:  .b64 g1
; CHECK-NEXT:  .b8 35
; CHECK-NEXT:  .b8 4
; CHECK:       .b8 12 // DW_AT_address_class
; CHECK-NEXT:  .b8 9 // DW_AT_location
; CHECK-NEXT:  .b8 3
; CHECK-NEXT:  .b64 g0
; CHECK:       .b8 77 // DW_AT_const_value
; CHECK-NEXT:  .b8 5 // DW_AT_address_class
; One that is gone.
; CHECK:       .b8 4 // DW_AT_decl_line
; CHECK-NEXT:  .b8 5 // DW_AT_address_class
; CHECK-NEXT:  .b8 {{[0-9]+}} // Abbrev
; The second of two variables in one place.
; CHECK:       .b8 9 // DW_AT_location
; CHECK-NEXT:  .b8 3
; CHECK-NEXT:  .b64 g1
; A slot: behind its offset the bits that are there.
; CHECK:       .b8 6 // DW_AT_address_class
; CHECK-NEXT:  .b8 12 // DW_AT_location
; CHECK-NEXT:  .b8 3
; CHECK-NEXT:  .b64 __local_depot0
; CHECK-NEXT:  .b8 6
; CHECK-NEXT:  .b8 147
; CHECK-NEXT:  .b8 2
; CHECK-NEXT:  .b8 99 // DW_AT_name
; CHECK:       Abbrev {{.*}} DW_TAG_variable
; A float is the number of its bits.
; CHECK-NEXT:  .b8 2 // DW_AT_address_class
; CHECK-NEXT:  .b8 128 // DW_AT_const_value
; CHECK-NEXT:  .b8 128
; CHECK-NEXT:  .b8 128
; CHECK-NEXT:  .b8 255
; CHECK-NEXT:  .b8 3
; CHECK:       Abbrev {{.*}} DW_TAG_label
; CHECK-NEXT:  .b8 97 // DW_AT_name
; CHECK:       .b8 7 // DW_AT_decl_line
; CHECK-NEXT:  .b8 3 // DW_AT_decl_column
; CHECK-NEXT:  .b64 $L__tmp{{[0-9]+}} // DW_AT_low_pc
; The record of this one is gone.
; CHECK:       Abbrev {{.*}} DW_TAG_label
; CHECK:       .b8 8 // DW_AT_decl_line
; CHECK-NOT:   DW_AT_low_pc
; CHECK:       Abbrev {{.*}} DW_TAG_subprogram
; CHECK:       Abbrev {{.*}} DW_TAG_formal_parameter
; CHECK-NEXT:  .b8 2 // DW_AT_address_class
; CHECK-NEXT:  .b8 7 // DW_AT_location
; CHECK-NEXT:  .b8 146
; CHECK:       .section .debug_macinfo { }

target triple = "nvptx64-nvidia-cuda"
@g1 = addrspace(1) global [4 x i32] zeroinitializer, !dbg !0, !dbg !50
@g0 = global i32 0, !dbg !42
define ptx_kernel void @k(i32 %x) !dbg !17 {
  %a = alloca i32
  #dbg_declare(ptr %a, !25, !DIExpression(DW_OP_deref, DW_OP_LLVM_fragment, 0, 16), !23)
  #dbg_value(float 1.750000e+00, !26, !DIExpression(), !23)
  store volatile i32 1, ptr %a, !dbg !23
  %c = icmp ne i32 %x, 3, !dbg !33
  br i1 %c, label %again, label %out, !dbg !34
again:
  #dbg_label(!30, !31)
  store volatile i32 1, ptr %a, !dbg !35
  br label %out, !dbg !35
out:
  ret void, !dbg !35
}
declare void @use(ptr, ptr)
define void @symbol(ptr byval(i64) %s, i1 %c) !dbg !36 {
  #dbg_declare(ptr %s, !37, !DIExpression(), !38)
  store volatile ptr %s, ptr null, !dbg !38
  br i1 %c, label %a, label %b, !dbg !38
a:
  call void @use(ptr addrspacecast (ptr addrspace(1) @g1 to ptr), ptr null), !dbg !39
  br label %b, !dbg !39
b:
  ret void, !dbg !38
}
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!11}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_plus_uconst, 4))
!1 = distinct !DIGlobalVariable(name: "g1", scope: !2, file: !8, line: 3, type: !9, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !8, producer: "c", emissionKind: FullDebug, globals: !5, nameTableKind: None)
!5 = !{!0, !42, !40, !44, !50}
!40 = !DIGlobalVariableExpression(var: !41, expr: !DIExpression(DW_OP_constu, 77, DW_OP_stack_value))
!41 = distinct !DIGlobalVariable(name: "c", scope: !2, file: !8, line: 4, type: !9, isLocal: true, isDefinition: true)
!42 = !DIGlobalVariableExpression(var: !43, expr: !DIExpression())
!43 = distinct !DIGlobalVariable(name: "g0", scope: !2, file: !8, line: 4, type: !9, isLocal: false, isDefinition: true)
!44 = !DIGlobalVariableExpression(var: !45, expr: !DIExpression())
!45 = distinct !DIGlobalVariable(name: "gone", scope: !2, file: !8, line: 4, type: !9, isLocal: false, isDefinition: true)
!50 = !DIGlobalVariableExpression(var: !51, expr: !DIExpression())
!51 = distinct !DIGlobalVariable(name: "too", scope: !2, file: !8, line: 4, type: !9, isLocal: false, isDefinition: true)
!8 = !DIFile(filename: "test.cu", directory: "/tmp")
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!11 = !{i32 2, !"Debug Info Version", i32 3}
!17 = distinct !DISubprogram(name: "k", scope: !8, file: !8, line: 6, type: !18, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !{!30, !32})
!18 = !DISubroutineType(types: !{null})
!25 = !DILocalVariable(name: "c", scope: !17, file: !8, line: 6, type: !9)
!26 = !DILocalVariable(name: "d", scope: !17, file: !8, line: 6, type: !10)
!30 = !DILabel(scope: !17, name: "again", file: !8, line: 7, column: 3)
!31 = !DILocation(line: 7, column: 3, scope: !17)
!32 = !DILabel(scope: !17, name: "lost", file: !8, line: 8, column: 3)
!36 = distinct !DISubprogram(name: "symbol", scope: !8, file: !8, line: 9, type: !18, scopeLine: 9, spFlags: DISPFlagDefinition, unit: !2)
!37 = !DILocalVariable(name: "s", arg: 1, scope: !36, file: !8, line: 9, type: !9)
!38 = !DILocation(line: 9, column: 1, scope: !36)
!39 = !DILocation(line: 10, column: 1, scope: !36)
!23 = !DILocation(line: 6, column: 41, scope: !17)
!33 = !DILocation(line: 6, column: 9, scope: !17)
!34 = !DILocation(line: 6, column: 2, scope: !17)
!35 = !DILocation(line: 7, scope: !17)
