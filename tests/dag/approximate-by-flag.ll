; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefixes=CHECK,FLAG
; RUN: ptxscope compile %s -mcpu=sm_90 -nvptx-prec-divf32=2 -nvptx-prec-sqrtf32 -o - | filecheck %s --check-prefixes=CHECK,ASKED
; RUN: ptxscope check %s --launch=%p/approximate-by-flag.launch.json -mcpu=sm_90
; The flag afn of an operation allows an approximation where no option says how f32 is divided.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: quotient(
; FLAG: div.approx.f32
; ASKED: div.rn.f32
define float @quotient(float %a, float %b) {
  %r = fdiv afn float %a, %b
  ret float %r
}
; CHECK-LABEL: exact(
; CHECK: div.rn.f32
define float @exact(float %a, float %b) {
  %r = fdiv arcp contract float %a, %b
  ret float %r
}
; CHECK-LABEL: flushed(
; FLAG: rcp.approx.ftz.f32
; ASKED: rcp.rn.ftz.f32
define float @flushed(float %b) "denormal-fp-math-f32"="preserve-sign" {
  %r = fdiv afn float 1.0, %b
  ret float %r
}
; CHECK-LABEL: quotients(
; FLAG-COUNT-2: div.approx.f32
; ASKED-COUNT-2: div.rn.f32
define <2 x half> @quotients(<2 x half> %a, <2 x half> %b) {
  %r = fdiv fast <2 x half> %a, %b
  ret <2 x half> %r
}
; CHECK-LABEL: root(
; FLAG: sqrt.approx.f32
; ASKED: sqrt.rn.f32
define float @root(float %a) {
  %r = call afn float @llvm.sqrt.f32(float %a)
  ret float %r
}
; CHECK-LABEL: reciprocal_root(
; FLAG: rsqrt.approx.f32
; ASKED: sqrt.rn.f32
; ASKED: rcp.rn.f32
define float @reciprocal_root(float %a) {
  %s = call afn float @llvm.sqrt.f32(float %a)
  %r = fdiv afn float 1.0, %s
  ret float %r
}
; CHECK-LABEL: powers(
; CHECK: ex2.approx.f16x2
define <2 x half> @powers(<2 x half> %a) {
  %r = call afn <2 x half> @llvm.exp2.v2f16(<2 x half> %a)
  ret <2 x half> %r
}
; CHECK-LABEL: rounded_powers(
; CHECK-COUNT-2: ex2.approx.f32
define <2 x half> @rounded_powers(<2 x half> %a) {
  %r = call <2 x half> @llvm.exp2.v2f16(<2 x half> %a)
  ret <2 x half> %r
}
; CHECK-LABEL: halved(
; CHECK: mul.rn.f16x2
; CHECK-NOT: div
; CHECK: ret;
define <2 x half> @halved(<2 x half> %a) {
  %r = fdiv <2 x half> %a, splat (half 2.0)
  ret <2 x half> %r
}
; CHECK-LABEL: negated_product(
; CHECK: fma.rn.f64
; CHECK-NOT: mul
; CHECK: ret;
define double @negated_product(double %a, double %b, double %c) {
  %m = fmul contract double %a, %b
  %n = fneg double %m
  %r = fsub contract double %n, %c
  ret double %r
}

; CHECK-LABEL: .entry k(
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [4 x float], ptr addrspace(1) %io, i32 %t
  %p1 = getelementptr float, ptr addrspace(1) %p, i32 1
  %p2 = getelementptr float, ptr addrspace(1) %p, i32 2
  %p3 = getelementptr float, ptr addrspace(1) %p, i32 3
  %a = load float, ptr addrspace(1) %p
  %b = load float, ptr addrspace(1) %p1
  %r0 = call float @quotient(float %a, float %b)
  %r1 = call float @reciprocal_root(float %b)
  %h = fptrunc float %a to half
  %v = insertelement <2 x half> splat (half 1.5), half %h, i32 0
  %w = call <2 x half> @halved(<2 x half> %v)
  %h2 = extractelement <2 x half> %w, i32 0
  %r2 = fpext half %h2 to float
  %ad = fpext float %a to double
  %bd = fpext float %b to double
  %d = call double @negated_product(double %ad, double %bd, double 3.0)
  %r3 = fptrunc double %d to float
  store float %r0, ptr addrspace(1) %p
  store float %r1, ptr addrspace(1) %p1
  store float %r2, ptr addrspace(1) %p2
  store float %r3, ptr addrspace(1) %p3
  ret void
}
