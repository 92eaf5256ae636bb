source_filename = "debug.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%s = type { i32, [2 x float], ptr addrspace(3) }
$c = comdat any
@v = internal addrspace(1) global %s { i32 1, [2 x float] [float 0x3FF3333340000000, float -0.0], ptr addrspace(3) null }, comdat($c), align 8, !dbg !9
@llvm.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @v to ptr)], section "llvm.metadata"
define linkonce_odr float @f(float noundef %x, ptr nonnull align 4 dereferenceable(16) %p) local_unnamed_addr #0 comdat($c) !dbg !5 {
    #dbg_value(float %x, !8, !DIExpression(DW_OP_plus_uconst, 8), !7)
  %c = fcmp nnan ult float %x, 0x7FF0000000000000, !dbg !7
  %n = fneg fast float %x
  %s = select nsz i1 %c, float %n, float %x, !prof !10
  call void @llvm.assume(i1 %c) [ "align"(ptr %p, i64 16) ]
  %l = load volatile <2 x i16>, ptr %p, align 4, !range !11
  %e = extractelement <2 x i16> %l, i32 1
  %i = getelementptr inbounds nuw %s, ptr %p, i64 0, i32 1, i64 1
  store atomic i16 %e, ptr %i syncscope("device") release, align 2
  ret float %s, !dbg !7
}
declare void @llvm.assume(i1 noundef) #1
attributes #0 = { mustprogress nofree "frame-pointer"="all" memory(argmem: readwrite) }
attributes #1 = { nocallback nounwind willreturn memory(inaccessiblemem: readwrite) }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "debug.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!7 = !DILocation(line: 2, column: 3, scope: !5)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !1, line: 1, type: !6)
!9 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!10 = !{!"branch_weights", i32 1, i32 2000}
!11 = !{i16 0, i16 10}
!12 = distinct !DIGlobalVariable(name: "v", scope: !0, file: !1, line: 3, type: !6, isLocal: true, isDefinition: true)
