; Options of llc-22: answers to __nvvm_reflect, logarithms without afn, no packed f32, and some that change nothing here.
; RUN: ptxscope compile %s -mcpu=sm_100 -nvptx-approx-log2f32 -nvvm-reflect-add=BAR=2,FOO=5 -nvvm-reflect-add=FOO=7 -nvptx-mad-wide-opt -nvptx-early-byval-copy -disable-nvptx-ir-peephole -nvptx-traverse-address-aliasing-limit=3 -o - | filecheck %s --check-prefixes=CHECK,ANSWER,PACKED
; RUN: ptxscope compile %s -mcpu=sm_100 -nvptx-approx-log2f32 -nvvm-reflect-enable=0 -nvptx-no-f32x2 -o - | filecheck %s --check-prefixes=CHECK,CALL,SINGLE
; RUN: not ptxscope compile %s -mcpu=sm_100 -o -

target triple = "nvptx64-nvidia-cuda"

@foo = private unnamed_addr addrspace(4) constant [4 x i8] c"FOO\00"
declare i32 @__nvvm_reflect(ptr)

; CHECK-LABEL: f(
; ANSWER-NOT:  call
; ANSWER:      st.param.b32 [func_retval0], 7;
; CALL:        __nvvm_reflect,
define i32 @f() {
  %r = call i32 @__nvvm_reflect(ptr addrspacecast (ptr addrspace(4) @foo to ptr))
  ret i32 %r
}

; CHECK-LABEL: l(
; CHECK:       lg2.approx.f32
define float @l(float %x) {
  %r = call float @llvm.log2.f32(float %x)
  ret float %r
}

; CHECK-LABEL: h(
; CHECK:       cvt.f32.f16
; CHECK:       lg2.approx.f32
; CHECK:       cvt.rn.f16.f32
define half @h(half %x) {
  %r = call half @llvm.log2.f16(half %x)
  ret half %r
}

; CHECK-LABEL: v(
; PACKED:      add.rn.f32x2
; SINGLE:      add.rn.f32
; SINGLE:      add.rn.f32
define <2 x float> @v(<2 x float> %x) {
  %r = fadd <2 x float> %x, %x
  ret <2 x float> %r
}
