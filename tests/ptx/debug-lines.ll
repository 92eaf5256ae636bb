; Lines without the rest: for tools (DebugDirectivesOnly), or for the debugger (LineTablesOnly).
; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s
; RUN: sed s/DebugDirectivesOnly/LineTablesOnly/ %s > %t.ll && ptxscope compile %t.ll -mcpu=sm_75 -o - | filecheck %s --check-prefix=TABLES
; RUN: sed s/DebugDirectivesOnly/NoDebug/ %s > %t.ll && ptxscope compile %t.ll -mcpu=sm_75 -o - | filecheck %s --check-prefix=NONE

; CHECK:      .target sm_75{{$}}
; CHECK:      $L__func_begin0:
; CHECK-NEXT:   .loc 1 2 0 // a.cu:2:0
; CHECK:        .loc 1 5 9 // a.cu:5:9
; CHECK-NOT:    .loc 1 5
; CHECK:        ret;
; CHECK-NEXT: $L__tmp1:
; CHECK-NEXT: $L__func_end0:
; CHECK:      .section .debug_macinfo { }
; CHECK-NEXT: .file 1 "/d/a.cu"
; CHECK-NOT:  .debug_info

; TABLES:     .target sm_75, debug
; TABLES:     DW_TAG_compile_unit
; TABLES-NOT: {{DW_AT_low_pc|DW_TAG_subprogram}}
; TABLES:     .section .debug_macinfo { }

; NONE-NOT: {{\.loc|\.file|\.section|debug|func_begin}}

define i32 @f(i32 %a, i32 %b) !dbg !3 {
  %r = add i32 %a, %b, !dbg !6
  ret i32 %r, !dbg !6
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "", emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/d/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, scopeLine: 2, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = !DILocation(line: 5, column: 9, scope: !3)
