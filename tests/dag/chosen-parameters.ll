; RUN: ptxscope compile %s -mcpu=sm_60 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/chosen-parameters.launch.json -mcpu=sm_60
; RUN: ptxscope check %s --launch=%p/chosen-parameters.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/chosen-parameters.launch.json -mcpu=sm_60 -O0
; A choice between by-value parameters that are read alone is a choice between their addresses in .param space: no copies in
; local memory, no generic addresses. With something else in it, they are copied.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: .entry k(
; CHECK-NOT: .local
; CHECK: mov.b64 {{%rd[0-9]+}}, k_param_0;
; CHECK-NOT: cvta.param
; CHECK: selp.b64 [[P:%rd[0-9]+]],
; CHECK: ld.param.b32 {{%r[0-9]+}}, {{\[}}[[P]]];
; CHECK: ret;
define ptx_kernel void @k(ptr byval([4 x i32]) align 4 %a, ptr byval([4 x i32]) align 4 "nvvm.grid_constant" %b, ptr byval(i64) align 8 %c, ptr %o) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %p = select i1 %odd, ptr %a, ptr %b
  %x = load i32, ptr %p
  %big = icmp ugt i32 %t, 20
  br i1 %big, label %loop, label %end
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s1, %loop ]
  %y = load i32, ptr %q
  %s1 = add i32 %s, %y
  %n1 = add i32 %n, 1
  %r = getelementptr i32, ptr %q, i64 1
  %more = icmp ult i32 %n1, 4
  br i1 %more, label %loop, label %end
end:
  %z = phi i32 [ %x, %entry ], [ %s1, %loop ]
  %m = phi ptr [ %c, %entry ], [ %a, %loop ]
  %w = load i32, ptr %m
  %zw = add i32 %z, %w
  %op = getelementptr [4 x i32], ptr %o, i32 %t
  store i32 %zw, ptr %op
  %o1 = getelementptr i32, ptr %op, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o1, ptr align 4 %m, i64 8, i1 false)
  ret void
}

; CHECK-LABEL: .entry w(
; CHECK: st.local
define ptx_kernel void @w(ptr byval(i32) align 4 %a, ptr byval(i32) align 4 %b, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %p = select i1 %odd, ptr %a, ptr %b
  store i32 %t, ptr %p
  %x = load i32, ptr %a
  %op = getelementptr i32, ptr %o, i32 %t
  store i32 %x, ptr %op
  ret void
}

; CHECK-LABEL: .entry g(
; CHECK: st.local
define ptx_kernel void @g(ptr byval(i32) align 4 %a, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %op = getelementptr i32, ptr %o, i32 %t
  %p = select i1 %odd, ptr %a, ptr %op
  %x = load i32, ptr %p
  %y = add i32 %x, 1
  store i32 %y, ptr %op
  ret void
}
