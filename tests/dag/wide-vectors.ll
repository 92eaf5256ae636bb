; Vectors of elements wider than 64 bits as parameters and results: words, or the integer of all bits.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch %p/wide-vectors.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch %p/wide-vectors.launch.json -mcpu=sm_90 -O0

; CHECK-LABEL: .func (.param .align 32 .b8 func_retval0[32]) two(
; CHECK:       ld.param.v2.b64
; CHECK:       st.param.v2.b64 [func_retval0+16],
; CHECK:       st.param.v2.b64 [func_retval0],
target triple = "nvptx64-nvidia-cuda"
define <2 x i128> @two(<2 x i128> %a, <2 x i128> %b) {
  %r = add <2 x i128> %a, %b
  ret <2 x i128> %r
}

define internal <3 x i128> @f(<3 x i128> %a, <2 x i96> %b) noinline {
  %x = extractelement <2 x i96> %b, i32 1
  %y = sext i96 %x to i128
  %i = insertelement <3 x i128> poison, i128 %y, i32 0
  %s = shufflevector <3 x i128> %i, <3 x i128> poison, <3 x i32> zeroinitializer
  %r = add <3 x i128> %a, %s
  ret <3 x i128> %r
}
define internal <2 x i96> @g(<2 x i96> %b, <8 x i128> %w) noinline {
  %e = extractelement <8 x i128> %w, i32 7
  %t = trunc i128 %e to i96
  %r = insertelement <2 x i96> %b, i96 %t, i32 0
  ret <2 x i96> %r
}
define ptx_kernel void @k(ptr %in, ptr %out) {
  %a = load <3 x i128>, ptr %in
  %pb = getelementptr i8, ptr %in, i32 64
  %b = load <2 x i96>, ptr %pb
  %r = call <3 x i128> @f(<3 x i128> %a, <2 x i96> %b)
  store <3 x i128> %r, ptr %out
  %w = load <8 x i128>, ptr %in
  %g = call <2 x i96> @g(<2 x i96> %b, <8 x i128> %w)
  %po = getelementptr i8, ptr %out, i32 64
  store <2 x i96> %g, ptr %po
  ret void
}
