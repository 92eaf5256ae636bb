; ModuleID = 'vecadd.7rcbfp3g-cgu.0'
source_filename = "vecadd.7rcbfp3g-cgu.0"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%"core::panic::location::Location<'_>" = type { { ptr, i64 }, i32, i32 }
%"core::fmt::Arguments<'_>" = type { { ptr, i64 }, { ptr, i64 }, { ptr, [1 x i64] } }

@alloc_0a1b = private unnamed_addr constant <{ [24 x i8] }> <{ [24 x i8] c"src/lib.rs index too big" }>, align 1
@alloc_9f = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_0a1b, [16 x i8] c"\18\00\00\00\00\00\00\00\0C\00\00\00\05\00\00\00" }>, align 8
@vtable.0 = private unnamed_addr constant <{ [24 x i8], ptr }> <{ [24 x i8] c"\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00", ptr @"_ZN4core3ptr19drop_in_place$LT$f32$GT$17h0E" }>, align 8
@_ZN6vecadd5STATE17hE = internal addrspace(1) global i32 0, align 4

; core::ptr::drop_in_place<f32>
; Function Attrs: inlinehint nounwind
define internal void @"_ZN4core3ptr19drop_in_place$LT$f32$GT$17h0E"(ptr align 4 %_1) unnamed_addr #1 {
start:
  ret void
}

; <core::ops::range::Range<T> as core::iter::traits::iterator::Iterator>::next
; Function Attrs: nounwind
define internal { i32, i32 } @"_ZN101_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hE"(ptr align 4 %self) unnamed_addr #1 {
start:
  %_0 = alloca [8 x i8], align 4
  %a = load i32, ptr %self, align 4, !noundef !3
  %0 = getelementptr inbounds nuw i8, ptr %self, i64 4
  %b = load i32, ptr %0, align 4, !noundef !3
  %c = icmp ult i32 %a, %b
  br i1 %c, label %bb1, label %bb2

bb1:                                              ; preds = %start
  %n = add nuw i32 %a, 1
  store i32 %n, ptr %self, align 4
  %1 = getelementptr inbounds i8, ptr %_0, i64 4
  store i32 %a, ptr %1, align 4
  store i32 1, ptr %_0, align 4
  br label %bb3

bb2:                                              ; preds = %start
  store i32 0, ptr %_0, align 4
  br label %bb3

bb3:                                              ; preds = %bb1, %bb2
  %2 = load i32, ptr %_0, align 4, !range !4, !noundef !3
  %3 = getelementptr inbounds i8, ptr %_0, i64 4
  %4 = load i32, ptr %3, align 4
  %5 = insertvalue { i32, i32 } poison, i32 %2, 0
  %6 = insertvalue { i32, i32 } %5, i32 %4, 1
  ret { i32, i32 } %6
}

; Function Attrs: nounwind
define dso_local ptx_kernel void @vecadd(ptr noalias noundef nonnull readonly align 4 captures(address, read_provenance) %a.0, i64 noundef range(i64 0, 2305843009213693952) %a.1, ptr noundef writeonly %c) unnamed_addr #0 personality ptr @rust_eh_personality {
start:
  %iter = alloca [8 x i8], align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %iter)
  store <2 x i32> <i32 0, i32 10>, ptr %iter, align 4
  %i = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %_7 = sext i32 %i to i64
  %_9 = icmp ult i64 %_7, %a.1
  br i1 %_9, label %bb4, label %panic, !prof !5

bb4:                                              ; preds = %start
  %r = call { i32, i32 } @"_ZN101_$LT$core..ops..range..Range$LT$T$GT$$u20$as$u20$core..iter..traits..iterator..Iterator$GT$4next17hE"(ptr noalias noundef nonnull align 4 dereferenceable(8) %iter)
  %d = extractvalue { i32, i32 } %r, 0
  %t = trunc nuw i32 %d to i1
  %p = getelementptr inbounds nuw float, ptr %a.0, i64 %_7
  %v = load float, ptr %p, align 4, !noundef !3
  %q = getelementptr inbounds float, ptr %c, i64 %_7
  %o = tail call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %i, i32 1)
  %s = select i1 %t, float %v, float 0.000000e+00
  store float %s, ptr %q, align 4
  %x = atomicrmw add ptr addrspace(1) @_ZN6vecadd5STATE17hE, i32 1 syncscope("device") monotonic, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %iter)
  ret void

panic:                                            ; preds = %start
; call core::panicking::panic_bounds_check
  tail call void @_ZN4core9panicking18panic_bounds_check17hE(i64 noundef %_7, i64 noundef %a.1, ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @alloc_9f) #3
  unreachable
}

; core::panicking::panic_bounds_check
define internal void @_ZN4core9panicking18panic_bounds_check17hE(i64, i64, ptr) unnamed_addr #2 {
start:
  call void asm sideeffect "trap;", ""()
  call void @llvm.trap()
  unreachable
}

declare noundef range(i32 0, 10) i32 @rust_eh_personality(i32 noundef, i32 noundef, i64 noundef, ptr noundef, ptr noundef) unnamed_addr #0
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32) #4
declare void @llvm.lifetime.start.p0(i64 immarg, ptr captures(none)) #5
declare void @llvm.lifetime.end.p0(i64 immarg, ptr captures(none)) #5
declare void @llvm.trap() #6

attributes #0 = { nounwind "target-cpu"="sm_70" "target-features"="+ptx60" }
attributes #1 = { inlinehint nounwind "target-cpu"="sm_70" }
attributes #2 = { cold noinline noreturn nounwind "target-cpu"="sm_70" }
attributes #3 = { noinline noreturn nounwind }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { cold noreturn nounwind memory(inaccessiblemem: write) }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.89.0-nightly"}
!3 = !{}
!4 = !{i32 0, i32 2}
!5 = !{!"branch_weights", !"expected", i32 2000, i32 1}
