; Where variables are: in registers, constants and stack slots, in blocks and in functions that were inlined.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s --check-prefix=OLD
; RUN: ptxscope compile %s -mcpu=sm_80 -O0 -o - | filecheck %s --check-prefix=O0

; CHECK-LABEL: .visible .entry k(
; CHECK:       ld.param.b32 [[N:%r[0-9]+]], [k_param_1];
; CHECK:       //DEBUG_VALUE: k:n <- [[N]]
; CHECK-NEXT:  //DEBUG_VALUE: k:c <- 42
; CHECK-NEXT:  //DEBUG_VALUE: k:lost <- undef
; CHECK:       mul.lo.s32 [[T:%r[0-9]+]], [[N]], 3;
; CHECK:       $L__tmp[[#IN:]]:
; CHECK:       //DEBUG_VALUE: t <- [[T]]
; CHECK-NEXT:  //DEBUG_VALUE: sq:v <- [[T]]
; CHECK-NEXT:  .loc 1 3 5 // k.c:3:5 @[ k.c:9:7 ]
; CHECK:       mul.lo.s32
; CHECK:       //DEBUG_VALUE: k:c <- 7
; A promoted slot: nothing before the first store, then what was stored, then the phi's value.
; CHECK-LABEL: .visible .func (.param .b32 func_retval0) slots(
; CHECK:       //DEBUG_VALUE: slots:s <- undef
; CHECK-NEXT:  //DEBUG_VALUE: slots:s <- 1
; CHECK:       //DEBUG_VALUE: slots:s <- [[S:%r[0-9]+]]
; CHECK:       st.param.b32 [func_retval0], [[S]];

; The next iteration's value has taken the register of the old one.
; CHECK-LABEL: .visible .func gone(
; CHECK:       add.s32 [[I:%r[0-9]+]], [[I]], 1;
; CHECK-NEXT:  st.volatile.b32
; CHECK-NOT:   DEBUG_VALUE: gone:old <- %
; CHECK:       //DEBUG_VALUE: gone:old <- undef
; CHECK-NOT:   DEBUG_VALUE: gone:old <- %

; CHECK:       .section .debug_loc
; CHECK-NEXT:  {
; CHECK-NEXT:  $L__debug_loc0:
; CHECK-NEXT:  .b64 $L__tmp0
; CHECK-NEXT:  .b64 $L__tmp[[#C:]]
; CHECK-NEXT:  .b8 2 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 17 // DW_OP_consts
; CHECK-NEXT:  .b8 42 // 42
; CHECK-NEXT:  .b64 $L__tmp[[#C]]
; CHECK-NEXT:  .b64 $L__func_end0
; CHECK-NEXT:  .b8 2 // Loc expr size
; CHECK-NEXT:  .b8 0
; CHECK-NEXT:  .b8 17 // DW_OP_consts
; CHECK-NEXT:  .b8 7 // 7
; CHECK-NEXT:  .b64 0
; CHECK-NEXT:  .b64 0
; CHECK:       .section .debug_info
; CHECK:       DW_TAG_compile_unit
; CHECK-NOT:   DW_AT_low_pc
; CHECK:       .b8 1 // DW_AT_inline
; CHECK:       Abbrev {{.*}} DW_TAG_subprogram
; CHECK-NEXT:  .b64 $L__func_begin0 // DW_AT_low_pc
; A register is its name in PTX: %r1 is 0x257231.
; CHECK:       Abbrev {{.*}} DW_TAG_formal_parameter
; CHECK-NEXT:  .b8 2 // DW_AT_address_class
; CHECK-NEXT:  .b8 5 // DW_AT_location
; CHECK-NEXT:  .b8 144
; CHECK-NEXT:  .b8 177
; CHECK-NEXT:  .b8 228
; CHECK-NEXT:  .b8 149
; CHECK-NEXT:  .b8 1
; CHECK-NEXT:  .b8 110 // DW_AT_name
; CHECK:       Abbrev {{.*}} DW_TAG_variable
; CHECK-NEXT:  .b32 $L__debug_loc0 // DW_AT_location
; CHECK-NEXT:  .b8 99 // DW_AT_name
; CHECK:       Abbrev {{.*}} DW_TAG_variable
; CHECK-NEXT:  .b8 108 // DW_AT_name
; CHECK:       Abbrev {{.*}} DW_TAG_lexical_block
; CHECK-NEXT:  .b64 $L__tmp{{[0-9]+}} // DW_AT_low_pc
; CHECK-NEXT:  .b64 $L__tmp{{[0-9]+}} // DW_AT_high_pc
; CHECK:       .b8 116 // DW_AT_name
; CHECK:       Abbrev {{.*}} DW_TAG_inlined_subroutine
; CHECK-NEXT:  .b32 {{[0-9]+}} // DW_AT_abstract_origin
; CHECK-NEXT:  .b64 $L__tmp[[#IN]] // DW_AT_low_pc
; CHECK-NEXT:  .b64 $L__tmp{{[0-9]+}} // DW_AT_high_pc
; CHECK-NEXT:  .b8 1 // DW_AT_call_file
; CHECK-NEXT:  .b8 9 // DW_AT_call_line
; CHECK-NEXT:  .b8 7 // DW_AT_call_column
; CHECK:       Abbrev {{.*}} DW_TAG_formal_parameter
; CHECK:       .b32 {{[0-9]+}} // DW_AT_abstract_origin

; Without labels in sections there are no lists; the rest is the same.
; OLD:      //DEBUG_VALUE: k:c <- 42
; OLD-NOT:  debug_loc
; OLD:      Abbrev {{.*}} DW_TAG_compile_unit
; OLD-NOT:  DW_AT_low_pc
; OLD:      Abbrev {{.*}} DW_TAG_subprogram
; OLD:      Abbrev {{.*}} DW_TAG_subprogram
; OLD:      Abbrev {{.*}} DW_TAG_formal_parameter
; OLD-NEXT: .b8 2 // DW_AT_address_class
; OLD-NEXT: .b8 5 // DW_AT_location
; OLD-NOT:  debug_loc
; OLD:      .section .debug_macinfo { }

; O0:      .visible .func (.param .b32 func_retval0) slots(
; O0:      Abbrev {{.*}} DW_TAG_variable
; O0:      .b8 6 // DW_AT_address_class
; O0-NEXT: .b8 9 // DW_AT_location
; O0-NEXT: .b8 3
; O0-NEXT: .b64 __local_depot1

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %n) !dbg !5 {
    #dbg_value(i32 %n, !10, !DIExpression(), !9)
    #dbg_value(i32 42, !11, !DIExpression(), !9)
    #dbg_value(i32 poison, !12, !DIExpression(), !9)
  %t = mul i32 %n, 3, !dbg !15
    #dbg_value(i32 %t, !14, !DIExpression(), !15)
    #dbg_value(i32 %t, !18, !DIExpression(), !19)
  %w = mul i32 %t, %t, !dbg !19
  store volatile i32 %w, ptr %p, !dbg !15
    #dbg_value(i32 7, !11, !DIExpression(), !9)
  store volatile i32 %t, ptr %p, !dbg !9
  ret void, !dbg !9
}

define i32 @slots(i32 %a) !dbg !20 {
entry:
  %s = alloca i32
    #dbg_declare(ptr %s, !21, !DIExpression(), !22)
  store i32 1, ptr %s, !dbg !22
  br label %loop, !dbg !22
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %old = load i32, ptr %s, !dbg !22
  %new = mul i32 %old, %a, !dbg !22
  store i32 %new, ptr %s, !dbg !22
  %j = add i32 %i, 1, !dbg !22
  %go = icmp slt i32 %j, %a, !dbg !22
  br i1 %go, label %loop, label %done, !dbg !22
done:
  %r = load i32, ptr %s, !dbg !22
  ret i32 %r, !dbg !22
}

define void @gone(ptr %p, i32 %n) !dbg !24 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  store volatile i32 %next, ptr %p
    #dbg_value(i32 %i, !25, !DIExpression(), !26)
  store volatile i32 7, ptr %p
  %go = icmp slt i32 %next, %n
  br i1 %go, label %loop, label %done
done:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, producer: "p", isOptimized: true, emissionKind: FullDebug, file: !3, nameTableKind: None)
!1 = !{i32 2, !"Dwarf Version", i32 2}
!2 = !{i32 1, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "k.c", directory: "/src")
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = distinct !DISubprogram(name: "k", scope: !3, file: !3, line: 7, type: !6, scopeLine: 7, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !7)
!6 = !DISubroutineType(types: !8)
!7 = !{!10, !11, !12, !14}
!8 = !{null}
!9 = !DILocation(line: 8, column: 3, scope: !5)
!10 = !DILocalVariable(name: "n", arg: 2, scope: !5, file: !3, line: 7, type: !4)
!11 = !DILocalVariable(name: "c", scope: !5, file: !3, line: 8, type: !4)
!12 = !DILocalVariable(name: "lost", scope: !5, file: !3, line: 8, type: !4)
!13 = distinct !DILexicalBlock(scope: !5, file: !3, line: 9, column: 3)
!14 = !DILocalVariable(name: "t", scope: !13, file: !3, line: 9, type: !4)
!15 = !DILocation(line: 9, column: 7, scope: !13)
!16 = distinct !DISubprogram(name: "sq", scope: !3, file: !3, line: 2, type: !6, scopeLine: 2, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0, retainedNodes: !17)
!17 = !{!18}
!18 = !DILocalVariable(name: "v", arg: 1, scope: !16, file: !3, line: 2, type: !4)
!19 = !DILocation(line: 3, column: 5, scope: !16, inlinedAt: !23)
!20 = distinct !DISubprogram(name: "slots", scope: !3, file: !3, line: 12, type: !6, scopeLine: 12, spFlags: DISPFlagDefinition, unit: !0)
!21 = !DILocalVariable(name: "s", scope: !20, file: !3, line: 13, type: !4)
!22 = !DILocation(line: 14, column: 3, scope: !20)
!23 = distinct !DILocation(line: 9, column: 7, scope: !13)
!24 = distinct !DISubprogram(name: "gone", scope: !3, file: !3, line: 20, type: !6, scopeLine: 20, spFlags: DISPFlagDefinition, unit: !0)
!25 = !DILocalVariable(name: "old", scope: !24, file: !3, line: 21, type: !4)
!26 = !DILocation(line: 22, column: 3, scope: !24)
