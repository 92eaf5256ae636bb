; ModuleID = 'device_heap.cu'
source_filename = "device_heap.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$_ZNK3Add5applyEj = comdat any

$_ZN3AddD1Ev = comdat any

$_ZN3AddD0Ev = comdat any

$_ZNK3Mul5applyEj = comdat any

$_ZN3MulD1Ev = comdat any

$_ZN3MulD0Ev = comdat any

$_ZTV3Add = comdat any

$_ZTV3Mul = comdat any

@_ZZ11device_heapE3ops = internal unnamed_addr addrspace(3) global [32 x ptr] undef, align 8
@_ZTV3Add = linkonce_odr dso_local unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr null, ptr @_ZNK3Add5applyEj, ptr @_ZN3AddD1Ev, ptr @_ZN3AddD0Ev] }, comdat, align 8
@_ZTV3Mul = linkonce_odr dso_local unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr null, ptr @_ZNK3Mul5applyEj, ptr @_ZN3MulD1Ev, ptr @_ZN3MulD0Ev] }, comdat, align 8

; Function Attrs: mustprogress noreturn nounwind memory(inaccessiblemem: write)
define dso_local void @__cxa_pure_virtual() unnamed_addr #0 {
  tail call void @llvm.trap()
  unreachable
}

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.trap() #1

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @device_heap(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = alloca ptr, align 8
  %5 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = trunc nuw nsw i32 %5 to i16
  %7 = urem i16 %6, 3
  %8 = icmp eq i16 %7, 0
  br i1 %8, label %13, label %9

9:                                                ; preds = %3
  %10 = tail call noalias noundef nonnull dereferenceable(16) ptr @_Znwm(i64 noundef 16) #13
  %11 = mul nuw nsw i32 %5, 7
  store ptr getelementptr inbounds inrange(-16, 24) (i8, ptr @_ZTV3Add, i64 16), ptr %10, align 8, !tbaa !5
  %12 = getelementptr inbounds i8, ptr %10, i64 8
  store i32 %11, ptr %12, align 8, !tbaa !8
  br label %17

13:                                               ; preds = %3
  %14 = tail call noalias noundef nonnull dereferenceable(16) ptr @_Znwm(i64 noundef 16) #13
  store ptr getelementptr inbounds inrange(-16, 24) (i8, ptr @_ZTV3Mul, i64 16), ptr %14, align 8, !tbaa !5
  %15 = getelementptr inbounds i8, ptr %14, i64 8
  %16 = add nuw nsw i16 %6, 2
  store i16 %16, ptr %15, align 8, !tbaa !13
  br label %17

17:                                               ; preds = %13, %9
  %18 = phi ptr [ %10, %9 ], [ %14, %13 ]
  %19 = zext nneg i32 %5 to i64
  %20 = getelementptr inbounds [32 x ptr], ptr addrspacecast (ptr addrspace(3) @_ZZ11device_heapE3ops to ptr), i64 0, i64 %19
  store ptr %18, ptr %20, align 8, !tbaa !16
  tail call void @llvm.nvvm.barrier0()
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  store ptr null, ptr %4, align 8, !tbaa !16
  %21 = icmp sgt i32 %2, 0
  br i1 %21, label %22, label %26

22:                                               ; preds = %17
  %23 = mul nuw nsw i32 %5, 5
  br label %29

24:                                               ; preds = %54
  %25 = load ptr, ptr %4, align 8, !tbaa !16
  br label %26

26:                                               ; preds = %24, %17
  %27 = phi ptr [ %25, %24 ], [ null, %17 ]
  %28 = icmp eq ptr %27, null
  br i1 %28, label %66, label %57

29:                                               ; preds = %22, %54
  %30 = phi i32 [ 0, %22 ], [ %55, %54 ]
  %31 = tail call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #14
  %32 = add nuw nsw i32 %30, %5
  %33 = and i32 %32, 31
  %34 = zext nneg i32 %33 to i64
  %35 = getelementptr inbounds [32 x ptr], ptr addrspacecast (ptr addrspace(3) @_ZZ11device_heapE3ops to ptr), i64 0, i64 %34
  %36 = load ptr, ptr %35, align 8, !tbaa !16
  %37 = add nuw nsw i32 %30, %23
  %38 = and i32 %37, 63
  %39 = zext nneg i32 %38 to i64
  %40 = getelementptr inbounds i32, ptr %0, i64 %39
  %41 = load i32, ptr %40, align 4, !tbaa !18
  %42 = load ptr, ptr %36, align 8, !tbaa !5
  %43 = load ptr, ptr %42, align 8
  %44 = tail call noundef i32 %43(ptr noundef nonnull align 8 dereferenceable(8) %36, i32 noundef %41) #15
  %45 = getelementptr inbounds i8, ptr %31, i64 8
  store i32 %44, ptr %45, align 8, !tbaa !19
  br label %46

46:                                               ; preds = %50, %29
  %47 = phi ptr [ %4, %29 ], [ %48, %50 ]
  %48 = load ptr, ptr %47, align 8, !tbaa !16
  %49 = icmp eq ptr %48, null
  br i1 %49, label %54, label %50

50:                                               ; preds = %46
  %51 = getelementptr inbounds i8, ptr %48, i64 8
  %52 = load i32, ptr %51, align 8, !tbaa !19
  %53 = icmp ult i32 %52, %44
  br i1 %53, label %46, label %54, !llvm.loop !21

54:                                               ; preds = %46, %50
  store ptr %48, ptr %31, align 8, !tbaa !23
  store ptr %31, ptr %47, align 8, !tbaa !16
  %55 = add nuw nsw i32 %30, 1
  %56 = icmp eq i32 %55, %2
  br i1 %56, label %24, label %29, !llvm.loop !24

57:                                               ; preds = %26, %57
  %58 = phi i32 [ %63, %57 ], [ 0, %26 ]
  %59 = phi ptr [ %64, %57 ], [ %27, %26 ]
  %60 = mul i32 %58, 31
  %61 = getelementptr inbounds i8, ptr %59, i64 8
  %62 = load i32, ptr %61, align 8, !tbaa !19
  %63 = add i32 %62, %60
  %64 = load ptr, ptr %59, align 8, !tbaa !23
  tail call void @free(ptr noundef nonnull %59) #15
  %65 = icmp eq ptr %64, null
  br i1 %65, label %66, label %57, !llvm.loop !25

66:                                               ; preds = %57, %26
  %67 = phi i32 [ 0, %26 ], [ %63, %57 ]
  tail call void @llvm.nvvm.barrier0()
  %68 = load ptr, ptr %20, align 8, !tbaa !16
  %69 = icmp eq ptr %68, null
  br i1 %69, label %74, label %70

70:                                               ; preds = %66
  %71 = load ptr, ptr %68, align 8, !tbaa !5
  %72 = getelementptr inbounds i8, ptr %71, i64 16
  %73 = load ptr, ptr %72, align 8
  tail call void %73(ptr noundef nonnull align 8 dereferenceable(8) %68) #15
  br label %74

74:                                               ; preds = %70, %66
  %75 = getelementptr inbounds i32, ptr %1, i64 %19
  store i32 %67, ptr %75, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: convergent nobuiltin nounwind allocsize(0)
declare dso_local noundef nonnull ptr @_Znwm(i64 noundef) local_unnamed_addr #4

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #5

; Function Attrs: convergent mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare dso_local noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: convergent mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare dso_local void @free(ptr allocptr nocapture noundef) local_unnamed_addr #7

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #8

; Function Attrs: mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZNK3Add5applyEj(ptr noundef nonnull align 8 dereferenceable(12) %0, i32 noundef %1) unnamed_addr #9 comdat align 2 {
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load i32, ptr %3, align 8, !tbaa !8
  %5 = add i32 %4, %1
  ret i32 %5
}

; Function Attrs: inlinehint mustprogress nounwind
define linkonce_odr dso_local void @_ZN3AddD1Ev(ptr noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #10 comdat align 2 {
  ret void
}

; Function Attrs: convergent inlinehint mustprogress nounwind
define linkonce_odr dso_local void @_ZN3AddD0Ev(ptr noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #11 comdat align 2 {
  tail call void @_ZdlPvm(ptr noundef nonnull %0, i64 noundef 16) #16
  ret void
}

; Function Attrs: convergent nobuiltin nounwind
declare dso_local void @_ZdlPvm(ptr noundef, i64 noundef) local_unnamed_addr #12

; Function Attrs: mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZNK3Mul5applyEj(ptr noundef nonnull align 8 dereferenceable(10) %0, i32 noundef %1) unnamed_addr #9 comdat align 2 {
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load i16, ptr %3, align 8, !tbaa !13
  %5 = zext i16 %4 to i32
  %6 = mul i32 %5, %1
  ret i32 %6
}

; Function Attrs: inlinehint mustprogress nounwind
define linkonce_odr dso_local void @_ZN3MulD1Ev(ptr noundef nonnull align 8 dereferenceable(10) %0) unnamed_addr #10 comdat align 2 {
  ret void
}

; Function Attrs: convergent inlinehint mustprogress nounwind
define linkonce_odr dso_local void @_ZN3MulD0Ev(ptr noundef nonnull align 8 dereferenceable(10) %0) unnamed_addr #11 comdat align 2 {
  tail call void @_ZdlPvm(ptr noundef nonnull %0, i64 noundef 16) #16
  ret void
}

attributes #0 = { mustprogress noreturn nounwind memory(inaccessiblemem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #1 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #2 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { convergent nobuiltin nounwind allocsize(0) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { convergent mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #7 = { convergent mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #8 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #10 = { inlinehint mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #11 = { convergent inlinehint mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #12 = { convergent nobuiltin nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #13 = { builtin convergent nounwind allocsize(0) }
attributes #14 = { convergent nounwind allocsize(0) }
attributes #15 = { convergent nounwind }
attributes #16 = { builtin convergent nounwind }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @device_heap, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"vtable pointer", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !11, i64 8}
!9 = !{!"_ZTS3Add", !10, i64 0, !11, i64 8}
!10 = !{!"_ZTS2Op"}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !7, i64 0}
!13 = !{!14, !15, i64 8}
!14 = !{!"_ZTS3Mul", !10, i64 0, !15, i64 8}
!15 = !{!"short", !12, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"any pointer", !12, i64 0}
!18 = !{!11, !11, i64 0}
!19 = !{!20, !11, i64 8}
!20 = !{!"_ZTS4Node", !17, i64 0, !11, i64 8}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.mustprogress"}
!23 = !{!20, !17, i64 0}
!24 = distinct !{!24, !22}
!25 = distinct !{!25, !22}
