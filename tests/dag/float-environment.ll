; There is one floating-point environment, rounding to nearest, and vectors have the length they are written with.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: not ptxscope compile %p/float-environment-other.txt -mcpu=sm_80 -o %t.ptx 2>&1 | filecheck %s --check-prefix=OTHER

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: same(
; CHECK-NOT: call
; CHECK: st.param.b64 [func_retval0], 0;
define i64 @same() {
  call void @llvm.reset.fpenv()
  call void @llvm.reset.fpmode()
  %e = call i64 @llvm.get.fpenv.i64()
  call void @llvm.set.fpenv.i64(i64 %e)
  call void @llvm.set.rounding(i32 1)
  ret i64 %e
}

; CHECK-LABEL: scale(
; CHECK: st.param.b64 [func_retval0], 1;
define i64 @scale() {
  %r = call i64 @llvm.vscale.i64()
  ret i64 %r
}

; OTHER: error: in 'upward': a rounding mode other than to nearest is not supported
