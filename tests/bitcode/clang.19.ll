source_filename = "/tmp/s.cl"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64"

%struct.S = type { i32, [2 x float] }

@k.tile = internal unnamed_addr addrspace(3) global [64 x float] undef, align 4, !dbg !0

; Function Attrs: convergent noinline norecurse nounwind
define dso_local spir_kernel void @k(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) nocapture noundef align 4 %1, i32 noundef %2) local_unnamed_addr #0 !dbg !2 !kernel_arg_addr_space !44 !kernel_arg_access_qual !45 !kernel_arg_type !46 !kernel_arg_base_type !46 !kernel_arg_type_qual !47 {
    #dbg_value(ptr addrspace(1) %0, !25, !DIExpression(), !48)
    #dbg_value(ptr addrspace(1) %1, !26, !DIExpression(), !48)
    #dbg_value(i32 %2, !27, !DIExpression(), !48)
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #3, !dbg !49
  %5 = trunc i64 %4 to i32, !dbg !49
    #dbg_value(i32 %5, !28, !DIExpression(), !48)
    #dbg_value(ptr addrspace(1) %0, !50, !DIExpression(), !57)
    #dbg_value(i32 %5, !55, !DIExpression(), !57)
  %6 = shl i64 %4, 32, !dbg !59
  %7 = ashr exact i64 %6, 32, !dbg !59
  %8 = and i64 %4, 1, !dbg !60
  %9 = getelementptr inbounds %struct.S, ptr addrspace(1) %0, i64 %7, i32 1, i64 %8, !dbg !59
  %10 = load float, ptr addrspace(1) %9, align 4, !dbg !59, !tbaa !61
    #dbg_value(float %10, !56, !DIExpression(), !57)
  %11 = fmul float %10, 2.000000e+00, !dbg !65
  %12 = and i64 %4, 63, !dbg !66
  %13 = getelementptr inbounds [64 x float], ptr addrspace(3) @k.tile, i64 0, i64 %12, !dbg !67
  store float %11, ptr addrspace(3) %13, align 4, !dbg !68, !tbaa !61
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !69
    #dbg_value(i32 0, !29, !DIExpression(), !70)
  %14 = icmp sgt i32 %2, 0, !dbg !71
  br i1 %14, label %15, label %21, !dbg !73

15:                                               ; preds = %3
  %16 = shl i64 %4, 32
  %17 = ashr exact i64 %16, 30
  %18 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %17
  %19 = load float, ptr addrspace(1) %18, align 4, !tbaa !61
  br label %26, !dbg !73

20:                                               ; preds = %26
  store float %34, ptr addrspace(1) %18, align 4, !dbg !74, !tbaa !61
  br label %21, !dbg !73

21:                                               ; preds = %20, %3
  %22 = shl i64 %4, 32, !dbg !75
  %23 = ashr exact i64 %22, 32, !dbg !75
  %24 = getelementptr inbounds %struct.S, ptr addrspace(1) %0, i64 %23, !dbg !75
    #dbg_value(ptr addrspace(1) %24, !31, !DIExpression(), !48)
  %25 = tail call i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef %24, i32 noundef 1) #4, !dbg !76
  ret void, !dbg !77

26:                                               ; preds = %15, %26
  %27 = phi float [ %19, %15 ], [ %34, %26 ], !dbg !78
  %28 = phi i32 [ 0, %15 ], [ %35, %26 ]
    #dbg_value(i32 %28, !29, !DIExpression(), !70)
  %29 = add nsw i32 %28, %5, !dbg !78
  %30 = and i32 %29, 63, !dbg !79
  %31 = zext nneg i32 %30 to i64, !dbg !80
  %32 = getelementptr inbounds [64 x float], ptr addrspace(3) @k.tile, i64 0, i64 %31, !dbg !80
  %33 = load float, ptr addrspace(3) %32, align 4, !dbg !80, !tbaa !61
  %34 = fadd float %33, %27, !dbg !74
  %35 = add nuw nsw i32 %28, 1, !dbg !81
    #dbg_value(i32 %35, !29, !DIExpression(), !70)
  %36 = icmp eq i32 %35, %2, !dbg !71
  br i1 %36, label %20, label %26, !dbg !73, !llvm.loop !82
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !85 dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent nounwind
declare !dbg !90 dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare !dbg !96 dso_local i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef, i32 noundef) local_unnamed_addr #2

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" "uniform-work-group-size"="false" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx85" }
attributes #3 = { convergent nounwind willreturn memory(none) }
attributes #4 = { convergent nounwind }

!llvm.dbg.cu = !{!18}
!nvvm.annotations = !{!36}
!llvm.module.flags = !{!37, !38, !39, !40, !41}
!opencl.ocl.version = !{!42}
!llvm.ident = !{!43}

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
!18 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !19, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !20, globals: !23, splitDebugInlining: false, nameTableKind: None)
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
!36 = !{ptr @k, !"kernel", i32 1}
!37 = !{i32 7, !"Dwarf Version", i32 5}
!38 = !{i32 2, !"Debug Info Version", i32 3}
!39 = !{i32 1, !"wchar_size", i32 4}
!40 = !{i32 7, !"frame-pointer", i32 2}
!41 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!42 = !{i32 2, i32 0}
!43 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!44 = !{i32 1, i32 1, i32 0}
!45 = !{!"none", !"none", !"none"}
!46 = !{!"S*", !"float*", !"int"}
!47 = !{!"", !"", !""}
!48 = !DILocation(line: 0, scope: !2)
!49 = !DILocation(line: 4, column: 11, scope: !2)
!50 = !DILocalVariable(name: "s", arg: 1, scope: !51, file: !3, line: 2, type: !6)
!51 = distinct !DISubprogram(name: "part", scope: !3, file: !3, line: 2, type: !52, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !18, retainedNodes: !54)
!52 = !DISubroutineType(types: !53)
!53 = !{!14, !6, !11}
!54 = !{!50, !55, !56}
!55 = !DILocalVariable(name: "i", arg: 2, scope: !51, file: !3, line: 2, type: !11)
!56 = !DILocalVariable(name: "t", scope: !51, file: !3, line: 2, type: !14)
!57 = !DILocation(line: 0, scope: !51, inlinedAt: !58)
!58 = distinct !DILocation(line: 6, column: 18, scope: !2)
!59 = !DILocation(line: 2, column: 53, scope: !51, inlinedAt: !58)
!60 = !DILocation(line: 2, column: 62, scope: !51, inlinedAt: !58)
!61 = !{!62, !62, i64 0}
!62 = !{!"float", !63, i64 0}
!63 = !{!"omnipotent char", !64, i64 0}
!64 = !{!"Simple C/C++ TBAA"}
!65 = !DILocation(line: 2, column: 77, scope: !51, inlinedAt: !58)
!66 = !DILocation(line: 6, column: 10, scope: !2)
!67 = !DILocation(line: 6, column: 3, scope: !2)
!68 = !DILocation(line: 6, column: 16, scope: !2)
!69 = !DILocation(line: 7, column: 3, scope: !2)
!70 = !DILocation(line: 0, scope: !30)
!71 = !DILocation(line: 8, column: 21, scope: !72)
!72 = distinct !DILexicalBlock(scope: !30, file: !3, line: 8, column: 3)
!73 = !DILocation(line: 8, column: 3, scope: !30)
!74 = !DILocation(line: 8, column: 38, scope: !72)
!75 = !DILocation(line: 9, column: 22, scope: !2)
!76 = !DILocation(line: 10, column: 3, scope: !2)
!77 = !DILocation(line: 11, column: 1, scope: !2)
!78 = !DILocation(line: 8, column: 49, scope: !72)
!79 = !DILocation(line: 8, column: 54, scope: !72)
!80 = !DILocation(line: 8, column: 41, scope: !72)
!81 = !DILocation(line: 8, column: 27, scope: !72)
!82 = distinct !{!82, !73, !83, !84}
!83 = !DILocation(line: 8, column: 58, scope: !30)
!84 = !{!"llvm.loop.unroll.disable"}
!85 = !DISubprogram(name: "get_global_id", linkageName: "_Z13get_global_idj", scope: !3, file: !3, line: 4, type: !86, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!86 = !DISubroutineType(types: !87)
!87 = !{!88, !89}
!88 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!89 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!90 = !DISubprogram(name: "barrier", linkageName: "_Z7barrierj", scope: !3, file: !3, line: 7, type: !91, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!91 = !DISubroutineType(types: !92)
!92 = !{null, !93}
!93 = !DIDerivedType(tag: DW_TAG_typedef, name: "cl_mem_fence_flags", file: !94, line: 372, baseType: !95)
!94 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/opencl-c-base.h", directory: "", checksumkind: CSK_MD5, checksum: "e6ba2e9ca1eaf45c753d86ea430e898c")
!95 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !94, line: 129, baseType: !89)
!96 = !DISubprogram(name: "atomic_add", linkageName: "_Z10atomic_addPU3AS1Vii", scope: !3, file: !3, line: 10, type: !97, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!97 = !DISubroutineType(types: !98)
!98 = !{!11, !21, !11}
