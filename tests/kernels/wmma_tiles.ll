; ModuleID = 'wmma_tiles.cu'
source_filename = "wmma_tiles.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.__half = type { i16 }

@_ZZ10wmma_tilesE1s = internal addrspace(3) global [256 x %struct.__half] undef, align 32

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @wmma_tiles(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef writeonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, ptr nocapture noundef writeonly %5) local_unnamed_addr #0 {
  %7 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = icmp ult i32 %7, 256
  br i1 %8, label %69, label %9

9:                                                ; preds = %69, %6
  tail call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %10 = tail call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr addrspacecast (ptr addrspace(3) @_ZZ10wmma_tilesE1s to ptr), i32 16)
  %11 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 0
  %12 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 1
  %13 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 2
  %14 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 3
  %15 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 4
  %16 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 5
  %17 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 6
  %18 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %10, 7
  %19 = tail call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p0(ptr readonly %1, i32 16)
  %20 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 0
  %21 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 1
  %22 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 2
  %23 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 3
  %24 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 4
  %25 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 5
  %26 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 6
  %27 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %19, 7
  %28 = tail call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32(<2 x half> %11, <2 x half> %12, <2 x half> %13, <2 x half> %14, <2 x half> %15, <2 x half> %16, <2 x half> %17, <2 x half> %18, <2 x half> %20, <2 x half> %21, <2 x half> %22, <2 x half> %23, <2 x half> %24, <2 x half> %25, <2 x half> %26, <2 x half> %27, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00)
  %29 = extractvalue { float, float, float, float, float, float, float, float } %28, 0
  %30 = extractvalue { float, float, float, float, float, float, float, float } %28, 1
  %31 = extractvalue { float, float, float, float, float, float, float, float } %28, 2
  %32 = extractvalue { float, float, float, float, float, float, float, float } %28, 3
  %33 = extractvalue { float, float, float, float, float, float, float, float } %28, 4
  %34 = extractvalue { float, float, float, float, float, float, float, float } %28, 5
  %35 = extractvalue { float, float, float, float, float, float, float, float } %28, 6
  %36 = extractvalue { float, float, float, float, float, float, float, float } %28, 7
  %37 = fmul float %29, 2.000000e+00
  %38 = fmul float %30, 2.000000e+00
  %39 = fmul float %31, 2.000000e+00
  %40 = fmul float %32, 2.000000e+00
  %41 = fmul float %33, 2.000000e+00
  %42 = fmul float %34, 2.000000e+00
  %43 = fmul float %35, 2.000000e+00
  %44 = fmul float %36, 2.000000e+00
  %45 = tail call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32(<2 x half> %11, <2 x half> %12, <2 x half> %13, <2 x half> %14, <2 x half> %15, <2 x half> %16, <2 x half> %17, <2 x half> %18, <2 x half> %20, <2 x half> %21, <2 x half> %22, <2 x half> %23, <2 x half> %24, <2 x half> %25, <2 x half> %26, <2 x half> %27, float %37, float %38, float %39, float %40, float %41, float %42, float %43, float %44)
  %46 = extractvalue { float, float, float, float, float, float, float, float } %45, 0
  %47 = extractvalue { float, float, float, float, float, float, float, float } %45, 1
  %48 = extractvalue { float, float, float, float, float, float, float, float } %45, 2
  %49 = extractvalue { float, float, float, float, float, float, float, float } %45, 3
  %50 = extractvalue { float, float, float, float, float, float, float, float } %45, 4
  %51 = extractvalue { float, float, float, float, float, float, float, float } %45, 5
  %52 = extractvalue { float, float, float, float, float, float, float, float } %45, 6
  %53 = extractvalue { float, float, float, float, float, float, float, float } %45, 7
  tail call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %2, float %46, float %47, float %48, float %49, float %50, float %51, float %52, float %53, i32 16)
  %54 = tail call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.row.stride.s8.p0(ptr readonly %3, i32 16)
  %55 = extractvalue { i32, i32, i32, i32 } %54, 0
  %56 = extractvalue { i32, i32, i32, i32 } %54, 1
  %57 = extractvalue { i32, i32, i32, i32 } %54, 2
  %58 = extractvalue { i32, i32, i32, i32 } %54, 3
  %59 = tail call i32 @llvm.nvvm.wmma.m32n8k16.load.b.col.stride.s8.p0(ptr readonly %4, i32 16)
  %60 = tail call { i32, i32, i32, i32, i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.mma.row.col.s8.satfinite(i32 %55, i32 %56, i32 %57, i32 %58, i32 %59, i32 -3, i32 -3, i32 -3, i32 -3, i32 -3, i32 -3, i32 -3, i32 -3)
  %61 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 0
  %62 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 1
  %63 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 2
  %64 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 3
  %65 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 4
  %66 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 5
  %67 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 6
  %68 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %60, 7
  tail call void @llvm.nvvm.wmma.m32n8k16.store.d.row.stride.s32.p0(ptr %5, i32 %61, i32 %62, i32 %63, i32 %64, i32 %65, i32 %66, i32 %67, i32 %68, i32 8)
  ret void

69:                                               ; preds = %6, %69
  %70 = phi i32 [ %75, %69 ], [ %7, %6 ]
  %71 = zext nneg i32 %70 to i64
  %72 = getelementptr inbounds %struct.__half, ptr %0, i64 %71
  %73 = getelementptr inbounds [256 x %struct.__half], ptr addrspacecast (ptr addrspace(3) @_ZZ10wmma_tilesE1s to ptr), i64 0, i64 %71
  %74 = load i16, ptr %72, align 2, !tbaa !8
  store i16 %74, ptr %73, align 2, !tbaa !8
  %75 = add nuw nsw i32 %70, 32
  %76 = icmp ult i32 %70, 224
  br i1 %76, label %69, label %9, !llvm.loop !12
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #2

; Function Attrs: nocallback nofree nounwind memory(argmem: read)
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr nocapture readonly, i32) #3

; Function Attrs: nocallback nofree nounwind memory(argmem: read)
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p0(ptr nocapture readonly, i32) #3

; Function Attrs: nocallback nofree nosync nounwind memory(none)
declare { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, float, float, float, float) #4

; Function Attrs: nocallback nounwind memory(argmem: write)
declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr nocapture writeonly, float, float, float, float, float, float, float, float, i32) #5

; Function Attrs: nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.row.stride.s8.p0(ptr nocapture readonly, i32) #3

; Function Attrs: nocallback nofree nounwind memory(argmem: read)
declare i32 @llvm.nvvm.wmma.m32n8k16.load.b.col.stride.s8.p0(ptr nocapture readonly, i32) #3

; Function Attrs: nocallback nofree nosync nounwind memory(none)
declare { i32, i32, i32, i32, i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.mma.row.col.s8.satfinite(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) #4

; Function Attrs: nocallback nounwind memory(argmem: write)
declare void @llvm.nvvm.wmma.m32n8k16.store.d.row.stride.s32.p0(ptr nocapture writeonly, i32, i32, i32, i32, i32, i32, i32, i32, i32) #5

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { nocallback nofree nounwind memory(argmem: read) }
attributes #4 = { nocallback nofree nosync nounwind memory(none) }
attributes #5 = { nocallback nounwind memory(argmem: write) }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4}
!llvm.ident = !{!5, !6}
!nvvmir.version = !{!7}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 5]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @wmma_tiles, !"kernel", i32 1}
!5 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!6 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
!7 = !{i32 2, i32 0}
!8 = !{!9, !9, i64 0}
!9 = !{!"short", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.mustprogress"}
