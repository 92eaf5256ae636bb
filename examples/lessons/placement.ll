target triple = "nvptx64-nvidia-cuda"

; A measured profile says that one number of a thousand is negative. Yet the code for it stands in the middle.
define ptx_kernel void @placement(ptr addrspace(1) %data, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %data, i32 %t
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load volatile i32, ptr addrspace(1) %p
  %negative = icmp slt i32 %x, 0
  br i1 %negative, label %rare, label %usual, !prof !0

rare:
  %minus = sub i32 0, %x
  store volatile i32 %minus, ptr addrspace(1) %p
  br label %latch

usual:
  %more = mul i32 %x, 3
  store volatile i32 %more, ptr addrspace(1) %p
  br label %latch

latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done, !prof !1

done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = !{!"branch_weights", i32 1, i32 999}
!1 = !{!"branch_weights", i32 100, i32 1}
