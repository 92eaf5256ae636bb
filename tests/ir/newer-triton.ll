; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @softmax_kernel(ptr addrspace(1) %0, ptr addrspace(1) readonly captures(none) %1, i32 range(i32 0, 1024) %2, i32 inreg %3, ptr addrspace(1) readnone captures(none) %4) local_unnamed_addr #0 !dbg !5 {
  %6 = tail call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !8
  %7 = mul i32 %6, %2, !dbg !9
  %8 = sext i32 %7 to i64, !dbg !10
  %9 = getelementptr float, ptr addrspace(1) %1, i64 %8, !dbg !10
  %10 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !11
  %11 = and i32 %10, 127, !dbg !11
  %12 = or disjoint i32 %11, 128, !dbg !11
  %13 = icmp slt i32 %11, %3, !dbg !12
  %14 = icmp samesign ult i32 %12, %3
  %15 = zext nneg i32 %11 to i64, !dbg !13
  %16 = getelementptr inbounds nuw float, ptr addrspace(1) %9, i64 %15, !dbg !13
  %17 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];\0A\09@!$4 mov.u32 $0, $3;", "=r,l,b,r,b"(ptr addrspace(1) %16, i1 %13, i32 -8388608, i1 %13) #5, !dbg !14
  %18 = bitcast i32 %17 to float, !dbg !14
  %19 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.u32 $0, 0x0;\0A\09mov.u32 $1, 0x0;\0A\09mov.u32 $2, 0x0;\0A\09mov.u32 $3, 0x0;\0A\09@$5 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $4 + 0 ];", "=r,=r,=r,=r,l,b"(ptr addrspace(1) %9, i1 %14) #5
  %20 = extractvalue { i32, i32, i32, i32 } %19, 0
  %21 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %20, i32 16, i32 31), !dbg !15
  %22 = bitcast i32 %21 to float
  %23 = tail call float @llvm.maxnum.f32(float %18, float %22)
  %24 = fsub float %18, %23
  %25 = fmul float %24, 0x3FF7154760000000
  %26 = tail call float @llvm.nvvm.ex2.approx.f(float %25)
  %27 = getelementptr float, ptr addrspace(3) @global_smem, i32 %11
  %28 = bitcast float %26 to <1 x i32>
  tail call void asm sideeffect "@$2 st.shared.b32 [ $0 + 0 ], $1;", "r,r,b"(ptr addrspace(3) %27, <1 x i32> %28, i1 true) #5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !15
  %29 = load float, ptr addrspace(3) %27, align 4
  %30 = load <4 x i32>, ptr addrspace(3) @global_smem, align 16
  %31 = tail call float @llvm.nvvm.div.full(float %26, float %29)
  %32 = tail call i32 @llvm.nvvm.redux.sync.umax(i32 %17, i32 -1)
  %33 = extractelement <4 x i32> %30, i64 0
  %34 = add i32 %33, %32
  %35 = bitcast float %31 to i32
  %36 = add i32 %34, %35
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %36, ptr addrspace(1) %0, i1 %13) #5, !dbg !15
  ret void, !dbg !16
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #2
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3
declare float @llvm.maxnum.f32(float, float) #4
declare float @llvm.nvvm.ex2.approx.f(float) #4
declare float @llvm.nvvm.div.full(float, float) #4
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32) #2

attributes #0 = { nounwind "nvvm.reqntid"="128" "nvvm.minctasm"="2" "nvvm.cluster_dim"="1,1,1" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4}
!llvm.ident = !{!17}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "triton", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "softmax.py", directory: "/tmp")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!4 = !{i32 2, !"Dwarf Version", i32 4}
!5 = distinct !DISubprogram(name: "softmax_kernel", linkageName: "softmax_kernel", scope: !1, file: !1, line: 12, type: !6, scopeLine: 12, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, keyInstructions: true)
!6 = !DISubroutineType(cc: DW_CC_normal, types: !7)
!7 = !{}
!8 = !DILocation(line: 16, column: 28, scope: !5, atomGroup: 1, atomRank: 1)
!9 = !DILocation(line: 19, column: 45, scope: !5, atomGroup: 2, atomRank: 2)
!10 = !DILocation(line: 19, column: 35, scope: !5)
!11 = !DILocation(line: 22, column: 31, scope: !5)
!12 = !DILocation(line: 26, column: 54, scope: !5)
!13 = !DILocation(line: 23, column: 31, scope: !5)
!14 = !DILocation(line: 26, column: 18, scope: !5)
!15 = !DILocation(line: 191, column: 40, scope: !5, inlinedAt: !14)
!16 = !DILocation(line: 30, column: 4, scope: !5)
!17 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
