source_filename = "/tmp/s.cl"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64"

%struct.S = type { i32, [2 x float] }

@k.tile = internal unnamed_addr addrspace(3) global [64 x float] undef, align 4, !dbg !0

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @k(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #0 !dbg !47 !kernel_arg_addr_space !52 !kernel_arg_access_qual !53 !kernel_arg_type !54 !kernel_arg_base_type !54 !kernel_arg_type_qual !55 {
    #dbg_value(ptr addrspace(1) %0, !49, !DIExpression(), !56)
    #dbg_value(ptr addrspace(1) %1, !50, !DIExpression(), !56)
    #dbg_value(i32 %2, !51, !DIExpression(), !56)
  tail call void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, i32 noundef %2) #4, !dbg !57
  ret void, !dbg !58
}

; Function Attrs: convergent noinline norecurse nounwind
define dso_local void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 captures(none) %1, i32 noundef %2) local_unnamed_addr #1 !dbg !2 !kernel_arg_addr_space !52 !kernel_arg_access_qual !53 !kernel_arg_type !54 !kernel_arg_base_type !54 !kernel_arg_type_qual !55 {
    #dbg_value(ptr addrspace(1) %0, !25, !DIExpression(), !59)
    #dbg_value(ptr addrspace(1) %1, !26, !DIExpression(), !59)
    #dbg_value(i32 %2, !27, !DIExpression(), !59)
  %4 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !60
  %5 = trunc i64 %4 to i32, !dbg !60
    #dbg_value(i32 %5, !28, !DIExpression(), !59)
    #dbg_value(ptr addrspace(1) %0, !61, !DIExpression(), !68)
    #dbg_value(i32 %5, !66, !DIExpression(), !68)
  %6 = shl i64 %4, 32, !dbg !70
  %7 = ashr exact i64 %6, 32, !dbg !70
  %8 = getelementptr inbounds %struct.S, ptr addrspace(1) %0, i64 %7, !dbg !70
  %9 = getelementptr inbounds nuw i8, ptr addrspace(1) %8, i64 4, !dbg !71
  %10 = and i64 %4, 1, !dbg !72
  %11 = getelementptr inbounds nuw float, ptr addrspace(1) %9, i64 %10, !dbg !70
  %12 = load float, ptr addrspace(1) %11, align 4, !dbg !70, !tbaa !73
    #dbg_value(float %12, !67, !DIExpression(), !68)
  %13 = fmul float %12, 2.000000e+00, !dbg !75
  %14 = and i64 %4, 63, !dbg !76
  %15 = getelementptr inbounds nuw float, ptr addrspace(3) @k.tile, i64 %14, !dbg !77
  store float %13, ptr addrspace(3) %15, align 4, !dbg !78, !tbaa !73
  tail call void @_Z7barrierj(i32 noundef 1) #4, !dbg !79
    #dbg_value(i32 0, !29, !DIExpression(), !80)
  %16 = icmp sgt i32 %2, 0, !dbg !81
  br i1 %16, label %17, label %23, !dbg !83

17:                                               ; preds = %3
  %18 = shl i64 %4, 32
  %19 = ashr exact i64 %18, 30
  %20 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %19
  %21 = load float, ptr addrspace(1) %20, align 4, !tbaa !73
  br label %28, !dbg !83

22:                                               ; preds = %28
  store float %36, ptr addrspace(1) %20, align 4, !dbg !84, !tbaa !73
  br label %23, !dbg !83

23:                                               ; preds = %22, %3
  %24 = shl i64 %4, 32, !dbg !85
  %25 = ashr exact i64 %24, 32, !dbg !85
  %26 = getelementptr inbounds %struct.S, ptr addrspace(1) %0, i64 %25, !dbg !85
    #dbg_value(ptr addrspace(1) %26, !31, !DIExpression(), !59)
  %27 = tail call i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef %26, i32 noundef 1) #4, !dbg !86
  ret void, !dbg !87

28:                                               ; preds = %17, %28
  %29 = phi float [ %21, %17 ], [ %36, %28 ], !dbg !88
  %30 = phi i32 [ 0, %17 ], [ %37, %28 ]
    #dbg_value(i32 %30, !29, !DIExpression(), !80)
  %31 = add nsw i32 %30, %5, !dbg !88
  %32 = and i32 %31, 63, !dbg !89
  %33 = zext nneg i32 %32 to i64, !dbg !90
  %34 = getelementptr inbounds nuw float, ptr addrspace(3) @k.tile, i64 %33, !dbg !90
  %35 = load float, ptr addrspace(3) %34, align 4, !dbg !90, !tbaa !73
  %36 = fadd float %35, %29, !dbg !84
  %37 = add nuw nsw i32 %30, 1, !dbg !91
    #dbg_value(i32 %37, !29, !DIExpression(), !80)
  %38 = icmp eq i32 %37, %2, !dbg !81
  br i1 %38, label %22, label %28, !dbg !83, !llvm.loop !92
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn memory(none)
declare !dbg !95 dso_local i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare !dbg !100 dso_local void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: convergent nounwind
declare !dbg !106 dso_local i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) noundef, i32 noundef) local_unnamed_addr #3

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx88" "uniform-work-group-size"="false" }
attributes #1 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx88" }
attributes #2 = { convergent mustprogress nofree nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx88" }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-features"="+ptx88" }
attributes #4 = { convergent nounwind }
attributes #5 = { convergent nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!18}
!llvm.module.flags = !{!36, !37, !38, !39, !40}
!opencl.ocl.version = !{!41}
!llvm.ident = !{!42}
!llvm.errno.tbaa = !{!43}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "tile", scope: !2, file: !3, line: 5, type: !33, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "k", linkageName: "__clang_ocl_kern_imp_k", scope: !3, file: !3, line: 3, type: !4, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !18, retainedNodes: !24)
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
!18 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !19, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !20, globals: !23, splitDebugInlining: false, nameTableKind: None)
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
!36 = !{i32 7, !"Dwarf Version", i32 5}
!37 = !{i32 2, !"Debug Info Version", i32 3}
!38 = !{i32 1, !"wchar_size", i32 4}
!39 = !{i32 7, !"frame-pointer", i32 2}
!40 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!41 = !{i32 2, i32 0}
!42 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!43 = !{!44, !44, i64 0}
!44 = !{!"int", !45, i64 0}
!45 = !{!"omnipotent char", !46, i64 0}
!46 = !{!"Simple C/C++ TBAA"}
!47 = distinct !DISubprogram(name: "k", scope: !3, file: !3, line: 3, type: !4, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !18, retainedNodes: !48)
!48 = !{!49, !50, !51}
!49 = !DILocalVariable(name: "s", arg: 1, scope: !47, file: !3, line: 3, type: !6)
!50 = !DILocalVariable(name: "out", arg: 2, scope: !47, file: !3, line: 3, type: !17)
!51 = !DILocalVariable(name: "n", arg: 3, scope: !47, file: !3, line: 3, type: !11)
!52 = !{i32 1, i32 1, i32 0}
!53 = !{!"none", !"none", !"none"}
!54 = !{!"S*", !"float*", !"int"}
!55 = !{!"", !"", !""}
!56 = !DILocation(line: 0, scope: !47)
!57 = !DILocation(line: 3, column: 60, scope: !47)
!58 = !DILocation(line: 11, column: 1, scope: !47)
!59 = !DILocation(line: 0, scope: !2)
!60 = !DILocation(line: 4, column: 11, scope: !2)
!61 = !DILocalVariable(name: "s", arg: 1, scope: !62, file: !3, line: 2, type: !6)
!62 = distinct !DISubprogram(name: "part", scope: !3, file: !3, line: 2, type: !63, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !18, retainedNodes: !65)
!63 = !DISubroutineType(types: !64)
!64 = !{!14, !6, !11}
!65 = !{!61, !66, !67}
!66 = !DILocalVariable(name: "i", arg: 2, scope: !62, file: !3, line: 2, type: !11)
!67 = !DILocalVariable(name: "t", scope: !62, file: !3, line: 2, type: !14)
!68 = !DILocation(line: 0, scope: !62, inlinedAt: !69)
!69 = distinct !DILocation(line: 6, column: 18, scope: !2)
!70 = !DILocation(line: 2, column: 53, scope: !62, inlinedAt: !69)
!71 = !DILocation(line: 2, column: 58, scope: !62, inlinedAt: !69)
!72 = !DILocation(line: 2, column: 62, scope: !62, inlinedAt: !69)
!73 = !{!74, !74, i64 0}
!74 = !{!"float", !45, i64 0}
!75 = !DILocation(line: 2, column: 77, scope: !62, inlinedAt: !69)
!76 = !DILocation(line: 6, column: 10, scope: !2)
!77 = !DILocation(line: 6, column: 3, scope: !2)
!78 = !DILocation(line: 6, column: 16, scope: !2)
!79 = !DILocation(line: 7, column: 3, scope: !2)
!80 = !DILocation(line: 0, scope: !30)
!81 = !DILocation(line: 8, column: 21, scope: !82)
!82 = distinct !DILexicalBlock(scope: !30, file: !3, line: 8, column: 3)
!83 = !DILocation(line: 8, column: 3, scope: !30)
!84 = !DILocation(line: 8, column: 38, scope: !82)
!85 = !DILocation(line: 9, column: 22, scope: !2)
!86 = !DILocation(line: 10, column: 3, scope: !2)
!87 = !DILocation(line: 11, column: 1, scope: !2)
!88 = !DILocation(line: 8, column: 49, scope: !82)
!89 = !DILocation(line: 8, column: 54, scope: !82)
!90 = !DILocation(line: 8, column: 41, scope: !82)
!91 = !DILocation(line: 8, column: 27, scope: !82)
!92 = distinct !{!92, !83, !93, !94}
!93 = !DILocation(line: 8, column: 58, scope: !30)
!94 = !{!"llvm.loop.unroll.disable"}
!95 = !DISubprogram(name: "get_global_id", linkageName: "_Z13get_global_idj", scope: !3, file: !3, line: 4, type: !96, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!96 = !DISubroutineType(types: !97)
!97 = !{!98, !99}
!98 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!99 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!100 = !DISubprogram(name: "barrier", linkageName: "_Z7barrierj", scope: !3, file: !3, line: 7, type: !101, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!101 = !DISubroutineType(types: !102)
!102 = !{null, !103}
!103 = !DIDerivedType(tag: DW_TAG_typedef, name: "cl_mem_fence_flags", file: !104, line: 281, baseType: !105)
!104 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/opencl-c-base.h", directory: "", checksumkind: CSK_MD5, checksum: "be11a690c37450a0034f006875ffc62b")
!105 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !104, line: 38, baseType: !99)
!106 = !DISubprogram(name: "atomic_add", linkageName: "_Z10atomic_addPU3AS1Vii", scope: !3, file: !3, line: 10, type: !107, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!107 = !DISubroutineType(types: !108)
!108 = !{!11, !21, !11}
