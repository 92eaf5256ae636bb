; Functions that are worth it are copied to their calls: knobs, remarks, debug locations, attributes.
; RUN: ptxscope compile %s -passes=inliner -inliner=all -o - | filecheck %s
; RUN: ptxscope compile %s -passes=inliner -o - | filecheck %s --check-prefix=LINKED
; RUN: ptxscope compile %s -passes=inliner -inliner=all -inline-threshold=1 -inlinehint-threshold=225 -o - | filecheck %s --check-prefix=HINT
; RUN: ptxscope compile %s -passes=inliner -inliner=all -inline-threshold=5 -inline-budget=0 -o - | filecheck %s --check-prefix=BUDGET
; RUN: ptxscope compile %s -inliner=all -inline-threshold=1 -pass-remarks=inliner -mcpu=sm_90 -o - 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -inliner=all -mcpu=sm_90 -verify-each -check-claims -o %t

; REMARK-DAG: remark: 'small' inlined into 'caller' with (cost=-{{[0-9]+}}, threshold=11)
; REMARK-DAG: missed: 'large' not inlined into 'caller' because too costly to inline (cost={{[0-9]+}}, threshold=11)
; REMARK-DAG: missed: 'never' not inlined into 'caller': it is noinline
; REMARK-DAG: missed: 'odd' not inlined into 'even': it is recursive

target triple = "nvptx64-nvidia-cuda"

define i32 @small(i32 %x) !dbg !5 {
  %y = add i32 %x, 1, !dbg !8
  ret i32 %y, !dbg !8
}

define i32 @middle(i32 %x) !dbg !11 {
  %y = call i32 @small(i32 %x), !dbg !12
  ret i32 %y, !dbg !12
}

define i32 @large(i32 %x) {
  %a = call i32 @ext(i32 %x)
  %b = call i32 @ext(i32 %a)
  %c = call i32 @ext(i32 %b)
  ret i32 %c
}
declare i32 @ext(i32)

define i32 @hinted(i32 %x) inlinehint {
  %a = call i32 @ext(i32 %x)
  %b = call i32 @ext(i32 %a)
  %c = call i32 @ext(i32 %b)
  ret i32 %c
}

define internal i32 @once(i32 %x) {
  %a = call i32 @ext(i32 %x)
  %b = call i32 @ext(i32 %a)
  %c = call i32 @ext(i32 %b)
  ret i32 %c
}

define i32 @never(i32 %x) noinline {
  ret i32 %x
}

; CHECK-LABEL: define i32 @caller(
; CHECK:         add i32 %x, 1, !dbg [[INNER:![0-9]+]]
; CHECK:         call i32 @ext(
; CHECK:         call i32 @never(
; CHECK-NOT:     @once(
; CHECK:         ret
; LINKED-LABEL: define i32 @caller(
; LINKED:         call i32 @middle
; LINKED:         call i32 @large
; HINT-LABEL: define i32 @caller(
; HINT:         call i32 @large(
; HINT-NOT:     @hinted(
; HINT:         ret
; BUDGET-LABEL: define i32 @caller(
; BUDGET-NOT:     call i32 @middle
; BUDGET:         call i32 @small
; BUDGET:         ret
define i32 @caller(i32 %x) "unsafe-fp-math"="true" !dbg !9 {
  %a = call i32 @middle(i32 %x), !dbg !10
  %d = call i32 @small(i32 %a), !dbg !10
  %b = call i32 @large(i32 %d), !dbg !10
  %c = call i32 @never(i32 %b), !dbg !10
  %h = call i32 @hinted(i32 %c), !dbg !10
  %o = call i32 @once(i32 %h), !dbg !10
  ret i32 %o, !dbg !10
}

; Without a location of the call those of the callee go.
; CHECK-LABEL: define i32 @no_location(
; CHECK:         add i32 %x, 1{{$}}
define i32 @no_location(i32 %x) {
  %a = call i32 @small(i32 %x)
  ret i32 %a
}

; CHECK-LABEL: define i32 @even(
; CHECK:         call i32 @odd(
define i32 @even(i32 %x) {
  %a = call i32 @odd(i32 %x)
  ret i32 %a
}
define i32 @odd(i32 %x) {
  %a = call i32 @even(i32 %x)
  ret i32 %a
}

; CHECK-NOT: "unsafe-fp-math"
; CHECK: [[INNER]] = !DILocation(line: 3, column: 7, scope: [[SMALL:![0-9]+]], inlinedAt: [[M:![0-9]+]])
; CHECK: [[M]] = distinct !DILocation(line: 23, scope: {{![0-9]+}}, inlinedAt: [[C:![0-9]+]])
; CHECK: [[C]] = distinct !DILocation(line: 33, scope: {{![0-9]+}})
; CHECK-NOT: "unsafe-fp-math"

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "small", scope: !1, file: !1, line: 2, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 3, column: 7, scope: !5)
!9 = distinct !DISubprogram(name: "caller", scope: !1, file: !1, line: 32, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 33, scope: !9)
!11 = distinct !DISubprogram(name: "middle", scope: !1, file: !1, line: 22, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 23, scope: !11)
