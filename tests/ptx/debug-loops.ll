; A clang -O1 -g program: loops, blocks, inlined functions, a struct in registers. Same at every level of optimisation.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; CHECK:     .visible .entry k(
; CHECK:     //DEBUG_VALUE: k:a <- [[A:%rd[0-9]+]]
; The second pointer is loaded only by the threads that read it.
; CHECK:     cvta.to.global.u64 {{%rd[0-9]+}}, [[B:%rd[0-9]+]];
; CHECK:     =>This Inner Loop Header
; CHECK:     //DEBUG_VALUE: k:b <- [[B]]
; CHECK:     //DEBUG_VALUE: j <- [[J:%r[0-9]+]]
; CHECK:     //DEBUG_VALUE: sq:v <-
; CHECK:     add.s32 [[J]], [[J]], 1;
; CHECK:     .section .debug_info
; CHECK:     // DW_AT_inline
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none)
define dso_local i32 @g(i32 noundef %0) local_unnamed_addr #0 !dbg !14 {
    #dbg_value(i32 %0, !18, !DIExpression(), !19)
  %2 = mul nsw i32 %0, 7, !dbg !20
  ret i32 %2, !dbg !21
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local i32 @both(i32 noundef %0) local_unnamed_addr #1 !dbg !22 {
    #dbg_value(i32 %0, !24, !DIExpression(), !28)
  %2 = icmp sgt i32 %0, 3, !dbg !29
  br i1 %2, label %3, label %9, !dbg !30

3:                                                ; preds = %1
  %4 = mul nuw nsw i32 %0, 3, !dbg !31
    #dbg_value(i32 %4, !25, !DIExpression(), !32)
    #dbg_value(i32 %4, !33, !DIExpression(), !37)
  %5 = mul nuw nsw i32 %4, %4, !dbg !39
    #dbg_value(i32 %5, !36, !DIExpression(), !37)
  %6 = add nuw nsw i32 %5, 1, !dbg !40
  %7 = tail call i32 @g(i32 noundef %4), !dbg !41
  %8 = add nsw i32 %6, %7, !dbg !42
  br label %9

9:                                                ; preds = %1, %3
  %10 = phi i32 [ %8, %3 ], [ %0, %1 ], !dbg !43
  ret i32 %10, !dbg !44
}

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @k(ptr noundef captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2) local_unnamed_addr #2 !dbg !45 {
    #dbg_value(ptr poison, !70, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !81)
    #dbg_value(ptr poison, !70, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !81)
    #dbg_value(ptr %0, !52, !DIExpression(), !83)
    #dbg_value(ptr %1, !53, !DIExpression(), !83)
    #dbg_value(i32 %2, !54, !DIExpression(), !83)
    #dbg_value(i32 poison, !55, !DIExpression(), !83)
    #dbg_value(i32 0, !56, !DIExpression(), !83)
    #dbg_value(i32 42, !57, !DIExpression(), !83)
    #dbg_value(i32 0, !58, !DIExpression(), !84)
  %4 = icmp sgt i32 %2, 0, !dbg !85
  br i1 %4, label %21, label %5, !dbg !86

5:                                                ; preds = %43, %3
  %6 = phi i32 [ 0, %3 ], [ %30, %43 ], !dbg !83
    #dbg_value(i32 %6, !24, !DIExpression(), !87)
  %7 = icmp samesign ugt i32 %6, 3, !dbg !89
  br i1 %7, label %8, label %14, !dbg !90

8:                                                ; preds = %5
  %9 = mul nuw nsw i32 %6, 3, !dbg !91
    #dbg_value(i32 %9, !25, !DIExpression(), !92)
    #dbg_value(i32 %9, !33, !DIExpression(), !93)
  %10 = mul nuw nsw i32 %9, %9, !dbg !95
    #dbg_value(i32 %10, !36, !DIExpression(), !93)
  %11 = add nuw nsw i32 %10, 1, !dbg !96
  %12 = tail call i32 @g(i32 noundef %9), !dbg !97
  %13 = add nsw i32 %11, %12, !dbg !98
  br label %14

14:                                               ; preds = %5, %8
  %15 = phi i32 [ %13, %8 ], [ %6, %5 ], !dbg !99
  %16 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !100
    #dbg_value(i32 %16, !55, !DIExpression(), !83)
  %17 = add i32 %6, 42, !dbg !101
  %18 = add i32 %17, %15, !dbg !102
  %19 = zext nneg i32 %16 to i64, !dbg !103
  %20 = getelementptr inbounds nuw i32, ptr %0, i64 %19, !dbg !103
  store i32 %18, ptr %20, align 4, !dbg !104, !tbaa !10
  ret void, !dbg !105

21:                                               ; preds = %3, %43
  %22 = phi i32 [ %30, %43 ], [ 0, %3 ]
  %23 = phi i32 [ %45, %43 ], [ 0, %3 ]
    #dbg_value(i32 %22, !56, !DIExpression(), !83)
    #dbg_value(i32 %23, !58, !DIExpression(), !84)
  %24 = zext nneg i32 %23 to i64, !dbg !106
  %25 = getelementptr inbounds nuw i32, ptr %0, i64 %24, !dbg !106
  %26 = load i32, ptr %25, align 4, !dbg !106, !tbaa !10
  %27 = mul nsw i32 %26, 3, !dbg !107
    #dbg_value(i32 %27, !60, !DIExpression(), !108)
    #dbg_value(i32 %27, !33, !DIExpression(), !109)
  %28 = mul nsw i32 %27, %27, !dbg !111
    #dbg_value(i32 %28, !36, !DIExpression(), !109)
  %29 = add nuw nsw i32 %22, 1, !dbg !112
  %30 = add nuw nsw i32 %29, %28, !dbg !113
    #dbg_value(i32 %30, !56, !DIExpression(), !83)
  %31 = getelementptr inbounds nuw float, ptr %1, i64 %24, !dbg !114
  %32 = load float, ptr %31, align 4, !dbg !115, !tbaa !116
    #dbg_value(float %32, !63, !DIExpression(), !118)
    #dbg_value(i32 %27, !65, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !118)
    #dbg_value(float %32, !65, !DIExpression(DW_OP_LLVM_fragment, 32, 32), !118)
    #dbg_value(ptr undef, !70, !DIExpression(), !81)
    #dbg_value(float %32, !76, !DIExpression(), !81)
  %33 = sitofp i32 %27 to float, !dbg !119
  %34 = tail call float @llvm.fmuladd.f32(float %32, float %32, float %33), !dbg !120
    #dbg_value(float %34, !77, !DIExpression(), !81)
  %35 = fcmp ogt float %34, 3.000000e+00, !dbg !121
  br i1 %35, label %36, label %43, !dbg !122

36:                                               ; preds = %21
  %37 = fmul float %34, 2.000000e+00, !dbg !123
    #dbg_value(float %37, !78, !DIExpression(), !124)
  %38 = fptosi float %37 to i32, !dbg !125
    #dbg_value(i32 %38, !33, !DIExpression(), !126)
  %39 = mul nsw i32 %38, %38, !dbg !128
    #dbg_value(i32 %39, !36, !DIExpression(), !126)
  %40 = add nuw nsw i32 %39, 1, !dbg !129
  %41 = uitofp nneg i32 %40 to float, !dbg !130
  %42 = fadd float %37, %41, !dbg !131
  br label %43

43:                                               ; preds = %21, %36
  %44 = phi float [ %42, %36 ], [ %34, %21 ], !dbg !132
  store float %44, ptr %31, align 4, !dbg !133, !tbaa !116
  %45 = add nuw nsw i32 %23, 1, !dbg !134
    #dbg_value(i32 %30, !56, !DIExpression(), !83)
    #dbg_value(i32 %45, !58, !DIExpression(), !84)
  %46 = icmp eq i32 %45, %2, !dbg !135
  br i1 %46, label %5, label %21, !dbg !136, !llvm.loop !137
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #4

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #2 = { nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4, !5, !6, !7, !8}
!llvm.ident = !{!9}
!llvm.errno.tbaa = !{!10}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "t2.c", directory: "/src", checksumkind: CSK_MD5, checksum: "c12df7feb42064ac99b78705af7031c1")
!2 = !{!3}
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = !{i32 7, !"Dwarf Version", i32 5}
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !{i32 1, !"wchar_size", i32 4}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!9 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!10 = !{!11, !11, i64 0}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C/C++ TBAA"}
!14 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !17, keyInstructions: true)
!15 = !DISubroutineType(types: !16)
!16 = !{!3, !3}
!17 = !{!18}
!18 = !DILocalVariable(name: "a", arg: 1, scope: !14, file: !1, line: 2, type: !3)
!19 = !DILocation(line: 0, scope: !14)
!20 = !DILocation(line: 2, column: 51, scope: !14, atomGroup: 1, atomRank: 2)
!21 = !DILocation(line: 2, column: 42, scope: !14, atomGroup: 1, atomRank: 1)
!22 = distinct !DISubprogram(name: "both", scope: !1, file: !1, line: 6, type: !15, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !23, keyInstructions: true)
!23 = !{!24, !25}
!24 = !DILocalVariable(name: "m", arg: 1, scope: !22, file: !1, line: 6, type: !3)
!25 = !DILocalVariable(name: "mm", scope: !26, file: !1, line: 6, type: !3)
!26 = distinct !DILexicalBlock(scope: !27, file: !1, line: 6, column: 30)
!27 = distinct !DILexicalBlock(scope: !22, file: !1, line: 6, column: 23)
!28 = !DILocation(line: 0, scope: !22)
!29 = !DILocation(line: 6, column: 25, scope: !27, atomGroup: 1, atomRank: 2)
!30 = !DILocation(line: 6, column: 25, scope: !27, atomGroup: 1, atomRank: 1)
!31 = !DILocation(line: 6, column: 43, scope: !26, atomGroup: 2, atomRank: 2)
!32 = !DILocation(line: 0, scope: !26)
!33 = !DILocalVariable(name: "v", arg: 1, scope: !34, file: !1, line: 3, type: !3)
!34 = distinct !DISubprogram(name: "sq", scope: !1, file: !1, line: 3, type: !15, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !35, keyInstructions: true)
!35 = !{!33, !36}
!36 = !DILocalVariable(name: "w", scope: !34, file: !1, line: 3, type: !3)
!37 = !DILocation(line: 0, scope: !34, inlinedAt: !38)
!38 = distinct !DILocation(line: 6, column: 55, scope: !26)
!39 = !DILocation(line: 3, column: 41, scope: !34, inlinedAt: !38, atomGroup: 1, atomRank: 2)
!40 = !DILocation(line: 3, column: 55, scope: !34, inlinedAt: !38, atomGroup: 3, atomRank: 2)
!41 = !DILocation(line: 6, column: 64, scope: !26)
!42 = !DILocation(line: 6, column: 62, scope: !26, atomGroup: 3, atomRank: 2)
!43 = !DILocation(line: 6, scope: !22, atomGroup: 3, atomRank: 1)
!44 = !DILocation(line: 6, column: 83, scope: !22, atomGroup: 5, atomRank: 1)
!45 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 7, type: !46, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !51, keyInstructions: true)
!46 = !DISubroutineType(cc: DW_CC_LLVM_DeviceKernel, types: !47)
!47 = !{null, !48, !49, !3}
!48 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !3, size: 64)
!49 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !50, size: 64)
!50 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!51 = !{!52, !53, !54, !55, !56, !57, !58, !60, !63, !65}
!52 = !DILocalVariable(name: "a", arg: 1, scope: !45, file: !1, line: 7, type: !48)
!53 = !DILocalVariable(name: "b", arg: 2, scope: !45, file: !1, line: 7, type: !49)
!54 = !DILocalVariable(name: "n", arg: 3, scope: !45, file: !1, line: 7, type: !3)
!55 = !DILocalVariable(name: "i", scope: !45, file: !1, line: 8, type: !3)
!56 = !DILocalVariable(name: "s", scope: !45, file: !1, line: 9, type: !3)
!57 = !DILocalVariable(name: "c", scope: !45, file: !1, line: 9, type: !3)
!58 = !DILocalVariable(name: "j", scope: !59, file: !1, line: 11, type: !3)
!59 = distinct !DILexicalBlock(scope: !45, file: !1, line: 11, column: 3)
!60 = !DILocalVariable(name: "t", scope: !61, file: !1, line: 12, type: !3)
!61 = distinct !DILexicalBlock(scope: !62, file: !1, line: 11, column: 31)
!62 = distinct !DILexicalBlock(scope: !59, file: !1, line: 11, column: 3)
!63 = !DILocalVariable(name: "u", scope: !64, file: !1, line: 14, type: !50)
!64 = distinct !DILexicalBlock(scope: !61, file: !1, line: 14, column: 5)
!65 = !DILocalVariable(name: "p", scope: !64, file: !1, line: 14, type: !66)
!66 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", file: !1, line: 1, size: 64, elements: !67)
!67 = !{!68, !69}
!68 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !66, file: !1, line: 1, baseType: !3, size: 32)
!69 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !66, file: !1, line: 1, baseType: !50, size: 32, offset: 32)
!70 = !DILocalVariable(name: "p", arg: 1, scope: !71, file: !1, line: 4, type: !74)
!71 = distinct !DISubprogram(name: "mix", scope: !1, file: !1, line: 4, type: !72, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !75, keyInstructions: true)
!72 = !DISubroutineType(types: !73)
!73 = !{!50, !74, !50}
!74 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !66, size: 64)
!75 = !{!70, !76, !77, !78}
!76 = !DILocalVariable(name: "t", arg: 2, scope: !71, file: !1, line: 4, type: !50)
!77 = !DILocalVariable(name: "r", scope: !71, file: !1, line: 4, type: !50)
!78 = !DILocalVariable(name: "q", scope: !79, file: !1, line: 4, type: !50)
!79 = distinct !DILexicalBlock(scope: !80, file: !1, line: 4, column: 87)
!80 = distinct !DILexicalBlock(scope: !71, file: !1, line: 4, column: 80)
!81 = !DILocation(line: 0, scope: !71, inlinedAt: !82)
!82 = distinct !DILocation(line: 14, column: 53, scope: !64)
!83 = !DILocation(line: 0, scope: !45)
!84 = !DILocation(line: 0, scope: !59)
!85 = !DILocation(line: 11, column: 21, scope: !62, atomGroup: 16, atomRank: 1)
!86 = !DILocation(line: 11, column: 3, scope: !59, atomGroup: 17, atomRank: 1)
!87 = !DILocation(line: 0, scope: !22, inlinedAt: !88)
!88 = distinct !DILocation(line: 16, column: 14, scope: !45)
!89 = !DILocation(line: 6, column: 25, scope: !27, inlinedAt: !88, atomGroup: 1, atomRank: 2)
!90 = !DILocation(line: 6, column: 25, scope: !27, inlinedAt: !88, atomGroup: 1, atomRank: 1)
!91 = !DILocation(line: 6, column: 43, scope: !26, inlinedAt: !88, atomGroup: 2, atomRank: 2)
!92 = !DILocation(line: 0, scope: !26, inlinedAt: !88)
!93 = !DILocation(line: 0, scope: !34, inlinedAt: !94)
!94 = distinct !DILocation(line: 6, column: 55, scope: !26, inlinedAt: !88)
!95 = !DILocation(line: 3, column: 41, scope: !34, inlinedAt: !94, atomGroup: 1, atomRank: 2)
!96 = !DILocation(line: 3, column: 55, scope: !34, inlinedAt: !94, atomGroup: 3, atomRank: 2)
!97 = !DILocation(line: 6, column: 64, scope: !26, inlinedAt: !88)
!98 = !DILocation(line: 6, column: 62, scope: !26, inlinedAt: !88, atomGroup: 3, atomRank: 2)
!99 = !DILocation(line: 6, scope: !22, inlinedAt: !88, atomGroup: 3, atomRank: 1)
!100 = !DILocation(line: 8, column: 11, scope: !45, atomGroup: 1, atomRank: 2)
!101 = !DILocation(line: 16, column: 12, scope: !45)
!102 = !DILocation(line: 16, column: 22, scope: !45, atomGroup: 14, atomRank: 2)
!103 = !DILocation(line: 16, column: 3, scope: !45)
!104 = !DILocation(line: 16, column: 8, scope: !45, atomGroup: 14, atomRank: 1)
!105 = !DILocation(line: 17, column: 1, scope: !45, atomGroup: 15, atomRank: 1)
!106 = !DILocation(line: 12, column: 13, scope: !61)
!107 = !DILocation(line: 12, column: 18, scope: !61, atomGroup: 7, atomRank: 2)
!108 = !DILocation(line: 0, scope: !61)
!109 = !DILocation(line: 0, scope: !34, inlinedAt: !110)
!110 = distinct !DILocation(line: 13, column: 10, scope: !61)
!111 = !DILocation(line: 3, column: 41, scope: !34, inlinedAt: !110, atomGroup: 1, atomRank: 2)
!112 = !DILocation(line: 3, column: 55, scope: !34, inlinedAt: !110, atomGroup: 3, atomRank: 2)
!113 = !DILocation(line: 13, column: 7, scope: !61, atomGroup: 8, atomRank: 2)
!114 = !DILocation(line: 14, column: 17, scope: !64)
!115 = !DILocation(line: 14, column: 17, scope: !64, atomGroup: 9, atomRank: 2)
!116 = !{!117, !117, i64 0}
!117 = !{!"float", !12, i64 0}
!118 = !DILocation(line: 0, scope: !64)
!119 = !DILocation(line: 4, column: 59, scope: !71, inlinedAt: !82)
!120 = !DILocation(line: 4, column: 64, scope: !71, inlinedAt: !82, atomGroup: 1, atomRank: 2)
!121 = !DILocation(line: 4, column: 82, scope: !80, inlinedAt: !82, atomGroup: 2, atomRank: 2)
!122 = !DILocation(line: 4, column: 82, scope: !80, inlinedAt: !82, atomGroup: 2, atomRank: 1)
!123 = !DILocation(line: 4, column: 101, scope: !79, inlinedAt: !82, atomGroup: 3, atomRank: 2)
!124 = !DILocation(line: 0, scope: !79, inlinedAt: !82)
!125 = !DILocation(line: 4, column: 120, scope: !79, inlinedAt: !82)
!126 = !DILocation(line: 0, scope: !34, inlinedAt: !127)
!127 = distinct !DILocation(line: 4, column: 117, scope: !79, inlinedAt: !82)
!128 = !DILocation(line: 3, column: 41, scope: !34, inlinedAt: !127, atomGroup: 1, atomRank: 2)
!129 = !DILocation(line: 3, column: 55, scope: !34, inlinedAt: !127, atomGroup: 3, atomRank: 2)
!130 = !DILocation(line: 4, column: 117, scope: !79, inlinedAt: !82)
!131 = !DILocation(line: 4, column: 115, scope: !79, inlinedAt: !82, atomGroup: 4, atomRank: 2)
!132 = !DILocation(line: 4, scope: !71, inlinedAt: !82, atomGroup: 4, atomRank: 1)
!133 = !DILocation(line: 14, column: 51, scope: !64, atomGroup: 11, atomRank: 1)
!134 = !DILocation(line: 11, column: 27, scope: !62, atomGroup: 12, atomRank: 2)
!135 = !DILocation(line: 11, column: 21, scope: !62, atomGroup: 5, atomRank: 1)
!136 = !DILocation(line: 11, column: 3, scope: !59, atomGroup: 6, atomRank: 1)
!137 = distinct !{!137, !138, !139, !140, !141}
!138 = !DILocation(line: 11, column: 3, scope: !59)
!139 = !DILocation(line: 15, column: 3, scope: !59)
!140 = !{!"llvm.loop.mustprogress"}
!141 = !{!"llvm.loop.unroll.disable"}
