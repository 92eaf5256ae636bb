target triple = "nvptx64-nvidia-cuda"
@s = addrspace(3) global [4 x float] undef, align 4
define ptx_kernel void @k(ptr noalias nocapture readonly %p, i32 %n) #0 {
entry:
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %loop, label %done
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %w = zext nneg i32 %i to i64
  %at = getelementptr inbounds float, ptr %p, i64 %w
  %v = load float, ptr %at, align 4, !tbaa !1
  %f = fadd contract float %v, 1.000000e+00
  store float %f, ptr %at, align 4
  %next = add nsw i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !3
done:
  call void @llvm.nvvm.barrier0()
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare void @llvm.nvvm.barrier0()
attributes #0 = { convergent nounwind "target-cpu"="sm_90" }
attributes #1 = { nounwind memory(none) }
!0 = !{!"char", !4}
!1 = !{!2, !2, i64 0}
!2 = !{!"float", !0, i64 0}
!3 = distinct !{!3}
!4 = !{!"root"}
