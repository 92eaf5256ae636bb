; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/grid-constant.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/grid-constant.launch.json -mcpu=sm_90 -O0
; RUN: ptxscope check %s --launch=%p/grid-constant.launch.json -mcpu=sm_90 -pipeline=documented
; The address of a parameter that the grid shares escapes: it is the parameter's own, as a generic one, and no copy is made.
target triple = "nvptx64-nvidia-cuda"

define internal i32 @sum(ptr %p) noinline {
  %a = load i32, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %q
  %r = add i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: .entry k(
; CHECK-NOT: .local
; CHECK: mov.b64 [[P:%rd[0-9]+]], k_param_0;
; CHECK: cvta.param.u64 {{%rd[0-9]+}}, [[P]];
; CHECK-NOT: .local
define ptx_kernel void @k(ptr byval([2 x i32]) align 4 "nvvm.grid_constant" %a, ptr %o) {
  %s = call i32 @sum(ptr %a)
  store i32 %s, ptr %o
  ret void
}
