; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; Kernels that go function by function: what stands in front of them, and which variable is whose, is known
; when all are printed.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: .extern .func  (.param .b32 func_retval0) late
; CHECK-NOT: mine[
; CHECK: mine has been demoted
; CHECK: .shared .align 4 .b8 ours[128]
; CHECK: both has been demoted
; CHECK-NOT: nobodys
; CHECK: .global .align 8 .u64 table = generic(cell)
@mine = internal addrspace(3) global [64 x float] undef, align 4
@ours = internal addrspace(3) global [32 x float] undef, align 4
@"a.dot" = private addrspace(1) global i32 7, align 4
@both = internal addrspace(3) global i32 undef, align 4
@nobodys = private addrspace(3) global i32 undef, align 4
@cell = addrspace(1) global i32 0, align 4
@table = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @cell to ptr), align 8

; CHECK-LABEL: .visible .entry first(
; CHECK: // demoted variable
; CHECK-NEXT: .shared .align 4 .b8 mine[256]
; CHECK-NOT: .shared .align 4 .u32 both
define ptx_kernel void @first(ptr addrspace(1) %p) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %a = getelementptr inbounds [64 x float], ptr addrspace(3) @mine, i64 0, i64 %w
  %b = getelementptr inbounds [32 x float], ptr addrspace(3) @ours, i64 0, i64 %w
  %x = load float, ptr addrspace(3) %a, align 4, !range.is.not.one !3
  store float %x, ptr addrspace(3) %b, align 4
  call void @llvm.nvvm.barrier0() #1
  %y = load float, ptr addrspace(3) %b, align 4
  store float %y, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK-LABEL: .visible .entry second(
; CHECK: .shared .align 4 .u32 both
; CHECK: $L__BB1_1:
; CHECK: .pragma "nounroll"
define ptx_kernel void @second(ptr addrspace(1) %p, i32 %n) #0 {
entry:
  store i32 0, ptr addrspace(3) @both, align 4
  br label %loop
loop:                                             ; braces } in comments, "quotes
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %old = atomicrmw add ptr addrspacecast (ptr addrspace(3) @both to ptr), i32 %i seq_cst
  call void asm sideeffect "{ // }\0A}", ""()
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !4
done:
  %v = load i32, ptr addrspace(1) @"a.dot", align 4
  %f = getelementptr inbounds float, ptr addrspace(3) getelementptr inbounds ([32 x float], ptr addrspace(3) @ours, i64 0, i64 4), i32 %n
  store float 1.0, ptr addrspace(3) %f, align 4
  %s = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %v, i32 %n)
  %sum = extractvalue { i32, i1 } %s, 0
  store i32 %sum, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK-LABEL: .visible .entry third(
; CHECK: call.uni (retval0), late,
define ptx_kernel void @third(ptr addrspace(1) %p) #0 {
  %v = call i32 @late(i32 3) #2
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}

declare i32 @late(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

attributes #0 = { nounwind "target-cpu"="sm_90" }
attributes #1 = { convergent nounwind }
attributes #2 = { nounwind }

!3 = !{}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.disable"}
