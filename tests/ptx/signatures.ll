; Functions: declarations where they are needed, linkage, parameters, results, directives of kernels, aliases.
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"
%S = type { i8, i64, [3 x i16] }

; CHECK:      .extern .func (.param .b32 func_retval0) outside
; CHECK-NEXT: (
; CHECK-NEXT:   .param .b32 outside_param_0,
; CHECK-NEXT:   .param .b64 outside_param_1
; CHECK-NEXT: )
; CHECK-NEXT: ;
declare float @outside(float, ptr)
; CHECK-NEXT: .extern .func never
; CHECK-NEXT: ()
; CHECK-NEXT: .noreturn;
declare void @never() noreturn
; Not used: not declared.
; CHECK-NOT:  unused
declare void @unused()
; Used before its body.
; CHECK:      .visible .func later
; CHECK:      .visible .func same
; CHECK-NEXT: (
; CHECK-NEXT:   .param .b64 later_param_0
@same = alias void (ptr), ptr @later

; CHECK:      .visible .func params(
; CHECK-NEXT:   .param .b32 params_param_0,
; CHECK-NEXT:   .param .b32 params_param_1,
; CHECK-NEXT:   .param .b64 params_param_2,
; CHECK-NEXT:   .param .align 16 .b8 params_param_3[16],
; CHECK-NEXT:   .param .align 2 .b8 params_param_4[2],
; CHECK-NEXT:   .param .align 16 .b8 params_param_5[16],
; CHECK-NEXT:   .param .align 8 .b8 params_param_6[24],
; CHECK-NEXT:   .param .align 16 .b8 params_param_7[24]
; CHECK-NEXT: )
define void @params(i1 %a, i24 %b, i48 %c, i128 %d, half %e, <3 x float> %f, %S %g, ptr byval(%S) align 16 %h) {
  call void @later(ptr null)
  ret void
}
; Nobody outside calls it: its arrays are aligned to 16.
; CHECK:      .func (.param .align 16 .b8 func_retval0[24]) private(
; CHECK-NEXT:   .param .align 16 .b8 private_param_0[24]
define internal %S @private(%S %a) noinline {
  ret %S %a
}
; CHECK:      .weak .func weak(
; CHECK:      call.uni (retval0), outside, (param0, param1);
; CHECK:      prototype_[[#N:]] : .callprototype (.param .b32 _) _ (.param .b64 _);
; CHECK-NEXT: call (retval0), %rd{{[0-9]+}}, (param0), prototype_[[#N]];
define weak void @weak(ptr %p, %S %s) {
  %r = call float @outside(float 1.0, ptr %p)
  %i = call i32 %p(ptr %p)
  %t = call %S @private(%S %s)
  store %S %t, ptr %p
  store i32 %i, ptr %p
  store float %r, ptr %p
  ret void
}
; CHECK:      .visible .func later(
define void @later(ptr %p) {
  call void @never()
  unreachable
}
; CHECK:      .visible .entry kernel(
; CHECK-NEXT:   .param .u8 kernel_param_0,
; CHECK-NEXT:   .param .u16 kernel_param_1,
; CHECK-NEXT:   .param .f64 kernel_param_2,
; CHECK-NEXT:   .param .u64 .ptr .align 1 kernel_param_3,
; CHECK-NEXT:   .param .align 8 .b8 kernel_param_4[24]
; CHECK-NEXT: )
; CHECK-NEXT: .reqntid 128
; CHECK-NEXT: .minnctapersm 3
; CHECK-NEXT: .maxnreg 32
; CHECK-NEXT: .explicitcluster
; CHECK-NEXT: .reqnctapercluster 2
; CHECK-NEXT: {
define ptx_kernel void @kernel(i1 %a, i16 %b, double %c, ptr %d, ptr byval(%S) %e) {
  ret void
}
; CHECK:      .alias same, later;
!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"reqntidx", i32 128, !"maxntidx", i32 256, !"maxntidy", i32 2, !"minctasm", i32 3, !"maxnreg", i32 32, !"cluster_dim_x", i32 2, !"maxclusterrank", i32 8}
