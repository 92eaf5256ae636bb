; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/odd-vector-results.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/odd-vector-results.launch.json -mcpu=sm_90 -O0
; Elements of 24 or 40 bits of a result are put together from bytes, in registers of 32 or 64 bits.
target triple = "nvptx64-nvidia-cuda"

define <2 x i24> @pair(i24 %a, i24 %b) noinline {
  %v = insertelement <2 x i24> poison, i24 %a, i32 0
  %w = insertelement <2 x i24> %v, i24 %b, i32 1
  ret <2 x i24> %w
}

define <3 x i40> @three(i40 %a) noinline {
  %b = mul i40 %a, 1234567
  %c = xor i40 %b, -3
  %v = insertelement <3 x i40> poison, i40 %a, i32 0
  %w = insertelement <3 x i40> %v, i40 %b, i32 1
  %x = insertelement <3 x i40> %w, i40 %c, i32 2
  ret <3 x i40> %x
}

; CHECK-LABEL: .entry k(
; CHECK:         ld.param.b8 {{%r[0-9]+}}, [retval0+5];
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr addrspace(1) %io, i32 %t
  %v = load i64, ptr addrspace(1) %q
  %a = trunc i64 %v to i24
  %b = mul i24 %a, 7777
  %p = call <2 x i24> @pair(i24 %a, i24 %b)
  %p0 = extractelement <2 x i24> %p, i32 0
  %p1 = extractelement <2 x i24> %p, i32 1
  %c = trunc i64 %v to i40
  %r = call <3 x i40> @three(i40 %c)
  %r1 = extractelement <3 x i40> %r, i32 1
  %r2 = extractelement <3 x i40> %r, i32 2
  %e = zext i24 %p0 to i64
  %f = sext i24 %p1 to i64
  %g = zext i40 %r1 to i64
  %h = sext i40 %r2 to i64
  %m = mul i64 %e, 3
  %n = xor i64 %m, %f
  %o = add i64 %n, %g
  %s = xor i64 %o, %h
  store i64 %s, ptr addrspace(1) %q
  ret void
}
