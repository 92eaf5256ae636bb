source_filename = "calls.ll"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @a(float, float)

declare float @b(float, float)

declare void @store(ptr, i32)

declare i32 @wide(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)

declare i32 @any(i32, ...)

declare i32 @nothing()

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

define float @alike(ptr %f, float %x, i32 %n, ptr %p) {
entry:
  %c1 = call float @a(float %x, float 1.000000e+00)
  %c2 = call float @a(float %c1, float %x)
  %c3 = call float @b(float %c2, float 2.000000e+00)
  %c4 = call float %f(float %c3, float %c2)
  %c5 = call float @a(float %c4, float 3.000000e+00)
  %m1 = call float @llvm.fma.f32(float %c1, float %c2, float %c3)
  %m2 = call float @llvm.fma.f32(float %m1, float %c4, float 5.000000e-01)
  %m3 = call fast float @llvm.fma.f32(float %m2, float %c4, float %m1)
  %m4 = call fast float @llvm.fma.f32(float %m3, float %m3, float %m3)
  %m5 = call contract float @llvm.fma.f32(float %m4, float %m3, float %m3)
  call void @store(ptr %p, i32 %n)
  call void @store(ptr %p, i32 7)
  tail call void @store(ptr %p, i32 8)
  notail call void @store(ptr %p, i32 9)
  call void @store(ptr nonnull %p, i32 10)
  call void @store(ptr nonnull %p, i32 noundef 11)
  call void @store(ptr %p, i32 12) #3
  call void @store(ptr %p, i32 13) #3
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ %m5, %entry ], [ %c7, %loop ]
  %c6 = call float @a(float %s, float %c5)
  %c7 = call float @b(float %c6, float %c1)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  %v1 = call i32 (i32, ...) @any(i32 %n, float %c7)
  %v2 = call i32 (i32, ...) @any(i32 %n, i32 %next)
  %w1 = call i32 @wide(i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32)
  %w2 = call i32 @wide(i32 %w1, i32 %n, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 %v1)
  %w3 = call i32 @wide(i32 %w2, i32 %n, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 %v2)
  %o1 = call i32 @nothing()
  %o2 = call i32 @nothing()
  %o3 = call i32 @nothing()
  %big = icmp ugt i32 %o3, %o2
  call void @llvm.assume(i1 %big)
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p) ]
  call void @llvm.assume(i1 %more)
  ret float %c7
}

define float @before(float %x, i1 %c) {
entry:
  br i1 %c, label %second, label %third

first:                                            ; preds = %join
  %r = call float @a(float %y, float %z)
  %q = call float @b(float %r, float 1.000000e+00)
  ret float %q

second:                                           ; preds = %entry
  %y2 = call float @a(float %x, float %x)
  br label %join

third:                                            ; preds = %entry
  %y3 = call float @b(float 4.000000e+00, float %x)
  br label %join

join:                                             ; preds = %third, %second
  %y = phi float [ %y2, %second ], [ %y3, %third ]
  %z = call float @b(float %y, float 1.000000e+00)
  br label %first
}

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = call i32 @nothing()
  %s = add i32 %t, %u
  %r = add i32 %s, %o
  store i32 %r, ptr addrspace(1) %out, align 4
  ret void
}

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }
