; RUN: ptxscope compile %s -mcpu=sm_90 --passes=early-cse --check-claims -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/early-cse-alike.launch.json -mcpu=sm_90
; What both ways of a branch compute moves in front of it, if it may be executed anywhere; it promises what both did.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK-LABEL: @k(
; CHECK: [[N:%[a-z0-9]+]] = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK-NEXT: [[S:%[a-z0-9]+]] = add nuw i32 %t, 3
; CHECK-NEXT: br i1
; CHECK-NOT: ntid
; CHECK: udiv i32 %t, %z
; CHECK: udiv i32 %t, %z
; CHECK: ret void
define ptx_kernel void @k(ptr addrspace(1) %o) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %z = and i32 %t, 7
  %c = icmp ugt i32 %z, 3
  br i1 %c, label %one, label %two
one:
  %n1 = call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s1 = add nuw nsw i32 %t, 3
  %d1 = udiv i32 %t, %z
  %x1 = mul i32 %s1, %d1
  br label %end
two:
  %any = icmp eq i32 %z, 0
  %s2 = add nuw i32 %t, 3
  %n2 = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br i1 %any, label %end, label %three
three:
  %d2 = udiv i32 %t, %z
  %x2 = add i32 %s2, %d2
  br label %end
end:
  %n = phi i32 [ %n1, %one ], [ %n2, %two ], [ %n2, %three ]
  %x = phi i32 [ %x1, %one ], [ 5, %two ], [ %x2, %three ]
  %r = add i32 %n, %x
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; The second way is reached from elsewhere, too.
; CHECK-LABEL: @stays(
; CHECK: br i1 %c
; CHECK: mul i32 %a, %b
; CHECK: mul i32 %a, %b
define i32 @stays(i1 %c, i1 %e, i32 %a, i32 %b) {
entry:
  br i1 %e, label %start, label %two
start:
  br i1 %c, label %one, label %two
one:
  %x = mul i32 %a, %b
  ret i32 %x
two:
  %y = mul i32 %a, %b
  %r = add i32 %y, 1
  ret i32 %r
}
