; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/checks-and-exponents.launch.json -mcpu=sm_75
target triple = "nvptx64-nvidia-cuda"

@g = internal global <2 x i32> <i32 3, i32 4>

; Checks that a compiler may leave out are made, as in llc.
; CHECK-LABEL: checks(
; CHECK: st.param.b32 [func_retval0], 1;
define i1 @checks() {
  %x = call i1 @llvm.allow.runtime.check(metadata !"check")
  %y = call i1 @llvm.allow.ubsan.check(i8 3)
  %z = and i1 %x, %y
  ret i1 %z
}

; The element of a constant vector is a constant.
; CHECK-LABEL: element(
; CHECK: mov.b64 [[G:%rd[0-9]+]], g;
; CHECK: cvta.global.u64 [[A:%rd[0-9]+]], [[G]];
; CHECK: st.param.b32 [func_retval0], [[A]];
define i32 @element() {
  ret i32 extractelement (<1 x i32> bitcast (i32 ptrtoint (ptr @g to i32) to <1 x i32>), i32 0)
}

; An exponent has any width: 3 times 2 to the power of the thread's number minus 16, of 8, of 24 and of 64 bits, and of vectors.
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = sub i32 %t, 16
  %e8 = trunc i32 %e to i8
  %e24 = trunc i32 %e to i24
  %a = call half @llvm.ldexp.f16.i8(half 3.0, i8 %e8)
  %b = call half @llvm.ldexp.f16.i24(half 3.0, i24 %e24)
  %p = getelementptr half, ptr addrspace(1) %io, i32 %t
  store half %a, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %p, i32 64
  store half %b, ptr addrspace(1) %q
  %e64 = sext i32 %e to i64
  %large = shl i64 %e64, 40
  %c = call float @llvm.ldexp.f32.i64(float 3.0, i64 %large)
  %u = getelementptr i8, ptr addrspace(1) %io, i64 128
  %v = getelementptr float, ptr addrspace(1) %u, i32 %t
  store float %c, ptr addrspace(1) %v
  %x = insertelement <2 x i8> <i8 0, i8 3>, i8 %e8, i32 0
  %w = call <2 x float> @llvm.ldexp.v2f32.v2i8(<2 x float> <float 5.0, float 7.0>, <2 x i8> %x)
  %r = getelementptr i8, ptr addrspace(1) %io, i64 256
  %s = getelementptr <2 x float>, ptr addrspace(1) %r, i32 %t
  store <2 x float> %w, ptr addrspace(1) %s
  ret void
}
