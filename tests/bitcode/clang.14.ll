source_filename = "/tmp/s.cl"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64"

%struct.S = type { i32, [2 x float] }

@k.tile = internal unnamed_addr addrspace(3) global [64 x float] undef, align 4, !dbg !0

; Function Attrs: convergent noinline norecurse nounwind
define dso_local spir_kernel void @k(%struct.S addrspace(1)* noundef %0, float addrspace(1)* nocapture noundef %1, i32 noundef %2) local_unnamed_addr #0 !dbg !2 !kernel_arg_addr_space !43 !kernel_arg_access_qual !44 !kernel_arg_type !45 !kernel_arg_base_type !45 !kernel_arg_type_qual !46 {
  call void @llvm.dbg.value(metadata %struct.S addrspace(1)* %0, metadata !25, metadata !DIExpression()), !dbg !47
  call void @llvm.dbg.value(metadata float addrspace(1)* %1, metadata !26, metadata !DIExpression()), !dbg !47
  call void @llvm.dbg.value(metadata i32 %2, metadata !27, metadata !DIExpression()), !dbg !47
  %4 = call i64 @_Z13get_global_idj(i32 noundef 0) #4, !dbg !48
  %5 = trunc i64 %4 to i32, !dbg !48
  call void @llvm.dbg.value(metadata i32 %5, metadata !28, metadata !DIExpression()), !dbg !47
  call void @llvm.dbg.value(metadata %struct.S addrspace(1)* %0, metadata !49, metadata !DIExpression()), !dbg !56
  call void @llvm.dbg.value(metadata i32 %5, metadata !54, metadata !DIExpression()), !dbg !56
  %6 = shl i64 %4, 32, !dbg !58
  %7 = ashr exact i64 %6, 32, !dbg !58
  %8 = and i64 %4, 1, !dbg !59
  %9 = getelementptr inbounds %struct.S, %struct.S addrspace(1)* %0, i64 %7, i32 1, i64 %8, !dbg !58
  %10 = load float, float addrspace(1)* %9, align 4, !dbg !58, !tbaa !60
  call void @llvm.dbg.value(metadata float %10, metadata !55, metadata !DIExpression()), !dbg !56
  %11 = fmul float %10, 2.000000e+00, !dbg !64
  %12 = and i64 %4, 63, !dbg !65
  %13 = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @k.tile, i64 0, i64 %12, !dbg !66
  store float %11, float addrspace(3)* %13, align 4, !dbg !67, !tbaa !60
  call void @_Z7barrierj(i32 noundef 1) #5, !dbg !68
  call void @llvm.dbg.value(metadata i32 0, metadata !29, metadata !DIExpression()), !dbg !69
  %14 = icmp sgt i32 %2, 0, !dbg !70
  br i1 %14, label %15, label %21, !dbg !72

15:                                               ; preds = %3
  %16 = shl i64 %4, 32
  %17 = ashr exact i64 %16, 32
  %18 = getelementptr inbounds float, float addrspace(1)* %1, i64 %17
  %19 = load float, float addrspace(1)* %18, align 4, !tbaa !60
  br label %26, !dbg !72

20:                                               ; preds = %26
  store float %34, float addrspace(1)* %18, align 4, !dbg !73, !tbaa !60
  br label %21, !dbg !72

21:                                               ; preds = %20, %3
  %22 = shl i64 %4, 32, !dbg !74
  %23 = ashr exact i64 %22, 32, !dbg !74
  %24 = getelementptr inbounds %struct.S, %struct.S addrspace(1)* %0, i64 %23, i32 0, !dbg !75
  call void @llvm.dbg.value(metadata i32 addrspace(1)* %24, metadata !31, metadata !DIExpression()), !dbg !47
  %25 = call i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)* noundef %24, i32 noundef 1) #5, !dbg !76
  ret void, !dbg !77

26:                                               ; preds = %15, %26
  %27 = phi float [ %19, %15 ], [ %34, %26 ], !dbg !69
  %28 = phi i32 [ 0, %15 ], [ %35, %26 ]
  call void @llvm.dbg.value(metadata i32 %28, metadata !29, metadata !DIExpression()), !dbg !69
  %29 = add nsw i32 %28, %5, !dbg !78
  %30 = and i32 %29, 63, !dbg !79
  %31 = zext i32 %30 to i64
  %32 = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @k.tile, i64 0, i64 %31, !dbg !80
  %33 = load float, float addrspace(3)* %32, align 4, !dbg !80, !tbaa !60
  %34 = fadd float %33, %27, !dbg !73
  %35 = add nuw nsw i32 %28, 1, !dbg !81
  call void @llvm.dbg.value(metadata i32 %35, metadata !29, metadata !DIExpression()), !dbg !69
  %36 = icmp eq i32 %35, %2, !dbg !70
  br i1 %36, label %20, label %26, !dbg !72, !llvm.loop !82
}

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !85 dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent
declare !dbg !91 dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent
declare !dbg !97 dso_local i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)* noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #3

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx32,+sm_20" "uniform-work-group-size"="false" }
attributes #1 = { convergent mustprogress nofree nounwind readnone willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx32,+sm_20" }
attributes #2 = { convergent "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx32,+sm_20" }
attributes #3 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #4 = { convergent nounwind readnone willreturn }
attributes #5 = { convergent nounwind }

!llvm.dbg.cu = !{!18}
!nvvm.annotations = !{!36}
!llvm.module.flags = !{!37, !38, !39, !40}
!opencl.ocl.version = !{!41}
!llvm.ident = !{!42}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "tile", scope: !2, file: !3, line: 5, type: !33, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "k", scope: !3, file: !3, line: 3, type: !4, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !18, retainedNodes: !24)
!3 = !DIFile(filename: "/tmp/s.cl", directory: "", checksumkind: CSK_MD5, checksum: "cad241f01a04f1e7ba7ffc0b56f7a65b")
!4 = !DISubroutineType(cc: DW_CC_LLVM_DeviceKernel, types: !5)
!5 = !{null, !6, !17, !11}
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64, dwarfAddressSpace: 5)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "S", file: !3, line: 1, baseType: !8)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !3, line: 1, size: 96, elements: !9)
!9 = !{!10, !12}
!10 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !8, file: !3, line: 1, baseType: !11, size: 32)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !8, file: !3, line: 1, baseType: !13, size: 64, offset: 32)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 64, elements: !15)
!14 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!15 = !{!16}
!16 = !DISubrange(count: 2)
!17 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !14, size: 64, dwarfAddressSpace: 5)
!18 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !19, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !20, globals: !23, splitDebugInlining: false, nameTableKind: None)
!19 = !DIFile(filename: "/tmp/s.cl", directory: ".", checksumkind: CSK_MD5, checksum: "cad241f01a04f1e7ba7ffc0b56f7a65b")
!20 = !{!21}
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !22, size: 64, dwarfAddressSpace: 5)
!22 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !11)
!23 = !{!0}
!24 = !{!25, !26, !27, !28, !29, !31}
!25 = !DILocalVariable(name: "s", arg: 1, scope: !2, file: !3, line: 3, type: !6)
!26 = !DILocalVariable(name: "out", arg: 2, scope: !2, file: !3, line: 3, type: !17)
!27 = !DILocalVariable(name: "n", arg: 3, scope: !2, file: !3, line: 3, type: !11)
!28 = !DILocalVariable(name: "i", scope: !2, file: !3, line: 4, type: !11)
!29 = !DILocalVariable(name: "j", scope: !30, file: !3, line: 8, type: !11)
!30 = distinct !DILexicalBlock(scope: !2, file: !3, line: 8, column: 3)
!31 = !DILocalVariable(name: "c", scope: !2, file: !3, line: 9, type: !32)
!32 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64, dwarfAddressSpace: 5)
!33 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 2048, elements: !34)
!34 = !{!35}
!35 = !DISubrange(count: 64)
!36 = !{void (%struct.S addrspace(1)*, float addrspace(1)*, i32)* @k, !"kernel", i32 1}
!37 = !{i32 7, !"Dwarf Version", i32 5}
!38 = !{i32 2, !"Debug Info Version", i32 3}
!39 = !{i32 1, !"wchar_size", i32 4}
!40 = !{i32 7, !"frame-pointer", i32 2}
!41 = !{i32 2, i32 0}
!42 = !{!"Debian clang version 14.0.6"}
!43 = !{i32 1, i32 1, i32 0}
!44 = !{!"none", !"none", !"none"}
!45 = !{!"S*", !"float*", !"int"}
!46 = !{!"", !"", !""}
!47 = !DILocation(line: 0, scope: !2)
!48 = !DILocation(line: 4, column: 11, scope: !2)
!49 = !DILocalVariable(name: "s", arg: 1, scope: !50, file: !3, line: 2, type: !6)
!50 = distinct !DISubprogram(name: "part", scope: !3, file: !3, line: 2, type: !51, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !18, retainedNodes: !53)
!51 = !DISubroutineType(types: !52)
!52 = !{!14, !6, !11}
!53 = !{!49, !54, !55}
!54 = !DILocalVariable(name: "i", arg: 2, scope: !50, file: !3, line: 2, type: !11)
!55 = !DILocalVariable(name: "t", scope: !50, file: !3, line: 2, type: !14)
!56 = !DILocation(line: 0, scope: !50, inlinedAt: !57)
!57 = distinct !DILocation(line: 6, column: 18, scope: !2)
!58 = !DILocation(line: 2, column: 53, scope: !50, inlinedAt: !57)
!59 = !DILocation(line: 2, column: 62, scope: !50, inlinedAt: !57)
!60 = !{!61, !61, i64 0}
!61 = !{!"float", !62, i64 0}
!62 = !{!"omnipotent char", !63, i64 0}
!63 = !{!"Simple C/C++ TBAA"}
!64 = !DILocation(line: 2, column: 77, scope: !50, inlinedAt: !57)
!65 = !DILocation(line: 6, column: 10, scope: !2)
!66 = !DILocation(line: 6, column: 3, scope: !2)
!67 = !DILocation(line: 6, column: 16, scope: !2)
!68 = !DILocation(line: 7, column: 3, scope: !2)
!69 = !DILocation(line: 0, scope: !30)
!70 = !DILocation(line: 8, column: 21, scope: !71)
!71 = distinct !DILexicalBlock(scope: !30, file: !3, line: 8, column: 3)
!72 = !DILocation(line: 8, column: 3, scope: !30)
!73 = !DILocation(line: 8, column: 38, scope: !71)
!74 = !DILocation(line: 9, column: 22, scope: !2)
!75 = !DILocation(line: 9, column: 27, scope: !2)
!76 = !DILocation(line: 10, column: 3, scope: !2)
!77 = !DILocation(line: 11, column: 1, scope: !2)
!78 = !DILocation(line: 8, column: 49, scope: !71)
!79 = !DILocation(line: 8, column: 54, scope: !71)
!80 = !DILocation(line: 8, column: 41, scope: !71)
!81 = !DILocation(line: 8, column: 27, scope: !71)
!82 = distinct !{!82, !72, !83, !84}
!83 = !DILocation(line: 8, column: 58, scope: !30)
!84 = !{!"llvm.loop.unroll.disable"}
!85 = !DISubprogram(name: "get_global_id", linkageName: "_Z13get_global_idj", scope: !3, file: !3, line: 4, type: !86, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !90)
!86 = !DISubroutineType(types: !87)
!87 = !{!88, !89}
!88 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!89 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!90 = !{}
!91 = !DISubprogram(name: "barrier", linkageName: "_Z7barrierj", scope: !3, file: !3, line: 7, type: !92, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !90)
!92 = !DISubroutineType(types: !93)
!93 = !{null, !94}
!94 = !DIDerivedType(tag: DW_TAG_typedef, name: "cl_mem_fence_flags", file: !95, line: 338, baseType: !96)
!95 = !DIFile(filename: "/usr/lib/llvm-14/lib/clang/14.0.6/include/opencl-c-base.h", directory: "", checksumkind: CSK_MD5, checksum: "fa1685a960bf69b8d0f8ccc506cbc0c7")
!96 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !95, line: 98, baseType: !89)
!97 = !DISubprogram(name: "atomic_add", linkageName: "_Z10atomic_addPU3AS1Vii", scope: !3, file: !3, line: 10, type: !98, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !90)
!98 = !DISubroutineType(types: !99)
!99 = !{!11, !21, !11}
