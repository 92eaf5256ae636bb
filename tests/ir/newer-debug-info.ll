; Debug information as LLVM 20 to 22 write it.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(i32 %n, ptr %p) !dbg !10 {
    #dbg_declare_value(i32 %n, !12, !DIExpression(), !14)
  store i32 %n, ptr %p, align 4, !dbg !15
  ret void, !dbg !15
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!named = !{!16, !17, !18, !19, !20, !21, !22}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(sourceLanguageName: DW_LNAME_Ada, sourceLanguageVersion: 2022, file: !2, producer: "c", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.adb", directory: "/")
!3 = !DIBasicType(name: "int", size: 32, dataSize: 31, encoding: DW_ATE_signed, file: !2, line: 3, scope: !1)
!4 = !DIExpression(DW_OP_constu, 32)
!5 = distinct !DIGlobalVariable(name: "size", scope: !1, file: !2, line: 1, type: !3, isLocal: true, isDefinition: true)
!10 = distinct !DISubprogram(name: "kernel", scope: !2, file: !2, line: 1, type: !11, unit: !1, spFlags: DISPFlagDefinition, keyInstructions: true)
!11 = !DISubroutineType(types: !{null, !3})
!12 = !DILocalVariable(name: "n", arg: 1, scope: !10, file: !2, line: 1, type: !16)
!14 = !DILocation(line: 1, column: 2, scope: !10)
!15 = !DILocation(line: 2, column: 3, scope: !10, atomGroup: 1, atomRank: 2)
!16 = !DISubrangeType(name: "small", file: !2, line: 4, scope: !1, size: 32, align: 32, baseType: !3, lowerBound: i64 1, upperBound: !5, stride: i64 1, bias: i64 0)
!17 = !DISubrangeType(name: "bare", lowerBound: !4)
!18 = !DIFixedPointType(name: "binary", size: 32, encoding: DW_ATE_signed_fixed, kind: Binary, factor: -4)
!19 = !DIFixedPointType(name: "rational", size: 32, kind: Rational, numerator: 1, denominator: 340282366920938463463374607431768211455)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "m", baseType: !3, size: !4, offset: !5)
!21 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", size: 32, enumKind: DW_APPLE_ENUM_KIND_Open, num_extra_inhabitants: 5, specification: !3, bitStride: !4)
!22 = !DILabel(scope: !10, name: "l", file: !2, line: 2, column: 3, isArtificial: true, coroSuspendIdx: 5)
