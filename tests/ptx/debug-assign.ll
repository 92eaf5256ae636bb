; Variables of clang -O2 that are in memory and in registers by turns (#dbg_assign): tests/debug/c-assignments.c.
; RUN: ptxscope compile %s -mcpu=sm_80 -O3 -o - | filecheck %s

; A variable whose address is passed is in memory, whatever was stored last; bytes whose store is gone are in a register until the
; next store to them.
; CHECK:     //DEBUG_VALUE: f:a <- [$vrdepot+0]
; CHECK:     //DEBUG_VALUE: f:v <- [$vrdepot+0]
; CHECK:     //DEBUG_VALUE: f:s <- [$vrdepot+0]
; CHECK:     call.uni use,
; CHECK-NOT: DEBUG_VALUE: f:v
; CHECK:     //DEBUG_VALUE: f:a <- [DW_OP_LLVM_fragment 0 32] %r
; CHECK:     st.local.b32 [%SPL],
; CHECK:     //DEBUG_VALUE: f:a <- [DW_OP_LLVM_fragment 0 32] [$vrdepot+0]
; CHECK:     st.local.b32 [%SPL+4],
; CHECK:     //DEBUG_VALUE: f:a <- [DW_OP_LLVM_fragment 32 32] [$vrdepot+4]
; CHECK-NOT: DEBUG_VALUE: f:s
; CHECK:     //DEBUG_VALUE: f:w <- 5
; CHECK:     bra
; CHECK:     //DEBUG_VALUE: f:w <- [$vrdepot+0]
; CHECK:     call.uni use,
; CHECK:     .section .debug_info
; CHECK:     .b8 6 // DW_AT_address_class
; CHECK:     .b64 __local_depot0
; CHECK-NEXT: .b8 35
; CHECK-NEXT: .b8 16
; CHECK-NEXT: .b8 118 // DW_AT_name
; CHECK:     .b64 __local_depot0
; CHECK-NEXT: .b8 35
; CHECK-NEXT: .b8 24
; CHECK-NEXT: .b8 115 // DW_AT_name


target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.anon = type { i32, i32 }

; Function Attrs: convergent nounwind
define dso_local i32 @f(i32 noundef %0, ptr noundef readonly captures(none) %1) local_unnamed_addr #0 !dbg !12 {
  %3 = alloca [4 x i32], align 4, !DIAssignID !35
    #dbg_assign(i1 poison, !20, !DIExpression(), !35, ptr %3, !DIExpression(), !36)
  %4 = alloca i32, align 4, !DIAssignID !37
    #dbg_assign(i1 poison, !24, !DIExpression(), !37, ptr %4, !DIExpression(), !36)
  %5 = alloca %struct.anon, align 4, !DIAssignID !38
    #dbg_assign(i1 poison, !27, !DIExpression(), !38, ptr %5, !DIExpression(), !36)
  %6 = alloca i32, align 4, !DIAssignID !39
    #dbg_assign(i1 poison, !32, !DIExpression(), !39, ptr %6, !DIExpression(), !36)
  %7 = alloca i32, align 4, !DIAssignID !40
    #dbg_assign(i1 poison, !33, !DIExpression(), !40, ptr %7, !DIExpression(), !36)
    #dbg_value(i32 %0, !18, !DIExpression(), !36)
    #dbg_value(ptr %1, !19, !DIExpression(), !36)
  store i32 %0, ptr %4, align 4, !dbg !43, !DIAssignID !44
    #dbg_assign(i32 %0, !24, !DIExpression(), !44, ptr %4, !DIExpression(), !36)
  call void @use(ptr noundef nonnull %4) #4, !dbg !45
    #dbg_assign(i32 %0, !20, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !46, ptr %3, !DIExpression(), !36)
  %8 = load i32, ptr %4, align 4, !dbg !47
  %9 = getelementptr inbounds nuw i8, ptr %3, i64 4, !dbg !48
    #dbg_assign(i32 %8, !20, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !49, ptr %9, !DIExpression(), !36)
  %10 = add nsw i32 %8, 1, !dbg !50
  store i32 %10, ptr %4, align 4, !dbg !51, !DIAssignID !52
    #dbg_assign(i32 %10, !24, !DIExpression(), !52, ptr %4, !DIExpression(), !36)
    #dbg_value(i32 0, !25, !DIExpression(), !53)
  %11 = load i32, ptr %1, align 4, !dbg !54
  %12 = add nsw i32 %0, %11, !dbg !56
  store i32 %12, ptr %3, align 4, !dbg !57
    #dbg_value(i32 1, !25, !DIExpression(), !53)
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 4, !dbg !54
  %14 = load i32, ptr %13, align 4, !dbg !54
  %15 = add nsw i32 %8, %14, !dbg !58
  store i32 %15, ptr %9, align 4, !dbg !59
    #dbg_value(i32 4, !25, !DIExpression(), !53)
  %16 = sext i32 %0 to i64, !dbg !61
  %17 = getelementptr inbounds i32, ptr %3, i64 %16, !dbg !61
  %18 = load i32, ptr %17, align 4, !dbg !62
  store i32 %18, ptr %5, align 4, !dbg !63, !DIAssignID !66
    #dbg_assign(i32 %18, !27, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !66, ptr %5, !DIExpression(), !36)
  %19 = getelementptr inbounds nuw i8, ptr %5, i64 4, !dbg !67
  store i32 %10, ptr %19, align 4, !dbg !68, !DIAssignID !70
    #dbg_assign(i32 %10, !27, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !70, ptr %19, !DIExpression(), !36)
  call void @use(ptr noundef nonnull %5) #4, !dbg !71
    #dbg_assign(i32 5, !32, !DIExpression(), !73, ptr %6, !DIExpression(), !36)
  %20 = icmp eq i32 %0, 0, !dbg !74
  br i1 %20, label %23, label %21, !dbg !76

21:                                               ; preds = %2
  store i32 %18, ptr %6, align 4, !dbg !77, !DIAssignID !79
    #dbg_assign(i32 %18, !32, !DIExpression(), !79, ptr %6, !DIExpression(), !36)
  call void @use(ptr noundef nonnull %6) #4, !dbg !80
  %22 = load i32, ptr %6, align 4, !dbg !81
  br label %23, !dbg !82

23:                                               ; preds = %21, %2
  %24 = phi i32 [ %22, %21 ], [ 5, %2 ], !dbg !81
  store volatile i32 3, ptr %7, align 4, !dbg !84, !DIAssignID !85
    #dbg_assign(i32 3, !33, !DIExpression(), !85, ptr %7, !DIExpression(), !36)
  store volatile i32 %24, ptr %7, align 4, !dbg !86, !DIAssignID !87
    #dbg_assign(i32 %24, !33, !DIExpression(), !87, ptr %7, !DIExpression(), !36)
  %25 = load i32, ptr %19, align 4, !dbg !88
  %26 = add nsw i32 %25, %24, !dbg !89
  %27 = load volatile i32, ptr %7, align 4, !dbg !90
  %28 = add nsw i32 %26, %27, !dbg !91
  ret i32 %28, !dbg !93
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

; Function Attrs: convergent
declare dso_local void @use(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

attributes #0 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { nounwind }
attributes #4 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "as.c", directory: "/tmp/dw")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 2, type: !13, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !17, keyInstructions: true)
!13 = !DISubroutineType(types: !14)
!14 = !{!15, !15, !16}
!15 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)
!17 = !{!18, !19, !20, !24, !25, !27, !32, !33}
!18 = !DILocalVariable(name: "n", arg: 1, scope: !12, file: !1, line: 2, type: !15)
!19 = !DILocalVariable(name: "p", arg: 2, scope: !12, file: !1, line: 2, type: !16)
!20 = !DILocalVariable(name: "a", scope: !12, file: !1, line: 3, type: !21)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !15, size: 128, elements: !22)
!22 = !{!23}
!23 = !DISubrange(count: 4)
!24 = !DILocalVariable(name: "v", scope: !12, file: !1, line: 4, type: !15)
!25 = !DILocalVariable(name: "i", scope: !26, file: !1, line: 8, type: !15)
!26 = distinct !DILexicalBlock(scope: !12, file: !1, line: 8, column: 3)
!27 = !DILocalVariable(name: "s", scope: !12, file: !1, line: 9, type: !28)
!28 = distinct !DICompositeType(tag: DW_TAG_structure_type, scope: !12, file: !1, line: 9, size: 64, elements: !29)
!29 = !{!30, !31}
!30 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !28, file: !1, line: 9, baseType: !15, size: 32)
!31 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !28, file: !1, line: 9, baseType: !15, size: 32, offset: 32)
!32 = !DILocalVariable(name: "w", scope: !12, file: !1, line: 11, type: !15)
!33 = !DILocalVariable(name: "q", scope: !12, file: !1, line: 12, type: !34)
!34 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !15)
!35 = distinct !DIAssignID()
!36 = !DILocation(line: 0, scope: !12)
!37 = distinct !DIAssignID()
!38 = distinct !DIAssignID()
!39 = distinct !DIAssignID()
!40 = distinct !DIAssignID()
!41 = !DILocation(line: 3, column: 3, scope: !12)
!42 = !DILocation(line: 4, column: 3, scope: !12)
!43 = !DILocation(line: 4, column: 7, scope: !12, atomGroup: 1, atomRank: 1)
!44 = distinct !DIAssignID()
!45 = !DILocation(line: 5, column: 3, scope: !12)
!46 = distinct !DIAssignID()
!47 = !DILocation(line: 6, column: 20, scope: !12, atomGroup: 3, atomRank: 2)
!48 = !DILocation(line: 6, column: 13, scope: !12)
!49 = distinct !DIAssignID()
!50 = !DILocation(line: 7, column: 9, scope: !12, atomGroup: 4, atomRank: 2)
!51 = !DILocation(line: 7, column: 5, scope: !12, atomGroup: 4, atomRank: 1)
!52 = distinct !DIAssignID()
!53 = !DILocation(line: 0, scope: !26)
!54 = !DILocation(line: 8, column: 39, scope: !55)
!55 = distinct !DILexicalBlock(scope: !26, file: !1, line: 8, column: 3)
!56 = !DILocation(line: 8, column: 36, scope: !55, atomGroup: 8, atomRank: 2)
!57 = !DILocation(line: 8, column: 36, scope: !55, atomGroup: 8, atomRank: 1)
!58 = !DILocation(line: 8, column: 36, scope: !55, atomGroup: 22, atomRank: 2)
!59 = !DILocation(line: 8, column: 36, scope: !55, atomGroup: 22, atomRank: 1)
!60 = !DILocation(line: 9, column: 3, scope: !12)
!61 = !DILocation(line: 9, column: 33, scope: !12)
!62 = !DILocation(line: 9, column: 33, scope: !12, atomGroup: 11, atomRank: 2)
!63 = !DILocation(line: 9, column: 31, scope: !12, atomGroup: 11, atomRank: 1)
!64 = !{!65, !9, i64 0}
!65 = !{!"", !9, i64 0, !9, i64 4}
!66 = distinct !DIAssignID()
!67 = !DILocation(line: 9, column: 41, scope: !12)
!68 = !DILocation(line: 9, column: 43, scope: !12, atomGroup: 12, atomRank: 1)
!69 = !{!65, !9, i64 4}
!70 = distinct !DIAssignID()
!71 = !DILocation(line: 10, column: 3, scope: !12)
!72 = !DILocation(line: 11, column: 3, scope: !12)
!73 = distinct !DIAssignID()
!74 = !DILocation(line: 11, column: 18, scope: !75, atomGroup: 14, atomRank: 2)
!75 = distinct !DILexicalBlock(scope: !12, file: !1, line: 11, column: 18)
!76 = !DILocation(line: 11, column: 18, scope: !75, atomGroup: 14, atomRank: 1)
!77 = !DILocation(line: 11, column: 25, scope: !78, atomGroup: 15, atomRank: 1)
!78 = distinct !DILexicalBlock(scope: !75, file: !1, line: 11, column: 21)
!79 = distinct !DIAssignID()
!80 = !DILocation(line: 11, column: 33, scope: !78)
!81 = !DILocation(line: 12, column: 27, scope: !12, atomGroup: 17, atomRank: 2)
!82 = !DILocation(line: 11, column: 42, scope: !78)
!83 = !DILocation(line: 12, column: 3, scope: !12)
!84 = !DILocation(line: 12, column: 16, scope: !12, atomGroup: 16, atomRank: 1)
!85 = distinct !DIAssignID()
!86 = !DILocation(line: 12, column: 25, scope: !12, atomGroup: 17, atomRank: 1)
!87 = distinct !DIAssignID()
!88 = !DILocation(line: 13, column: 12, scope: !12)
!89 = !DILocation(line: 13, column: 14, scope: !12)
!90 = !DILocation(line: 13, column: 20, scope: !12)
!91 = !DILocation(line: 13, column: 18, scope: !12, atomGroup: 19, atomRank: 2)
!92 = !DILocation(line: 14, column: 1, scope: !12)
!93 = !DILocation(line: 13, column: 3, scope: !12, atomGroup: 19, atomRank: 1)
