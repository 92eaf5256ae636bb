; RUN: ptxscope fmt %s | filecheck %s
; A value where llvm.dbg.value and its kin name a variable or an expression: LLVM drops the debug information of such a module with a
; warning; the record goes, as it could not be written.
; CHECK-NOT: #dbg_value
; CHECK-NOT: #dbg_label
; CHECK: ret void
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)
define void @f(ptr %p) !dbg !3 {
  call void @llvm.dbg.value(metadata ptr %p, metadata i32 5, metadata !DIExpression()), !dbg !4
  call void @llvm.dbg.value(metadata ptr %p, metadata !6, metadata i32 5), !dbg !4
  call void @llvm.dbg.label(metadata i32 5), !dbg !4
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "f", file: !1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 1, scope: !3)
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 1)
