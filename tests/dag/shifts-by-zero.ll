; What a shift of several words carries from one to the other is shifted by 64 where the amount is 0. Here selection finds out the
; amounts, after the words are taken apart.
; RUN: ptxscope check %s --launch %p/shifts-by-zero.launch.json -O0
; RUN: ptxscope check %s --launch %p/shifts-by-zero.launch.json -O0 -mcpu=sm_20
; RUN: ptxscope check %s --launch %p/shifts-by-zero.launch.json
; RUN: ptxscope run %s --launch %p/shifts-by-zero.launch.json -O0 --json | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: "out":{"type":"u64","values":["5","9223372036854775808","5","9223372036854775808","5","9223372036854775808","2","0"]}
define ptx_kernel void @k(ptr %out) {
  %z = call i32 @llvm.fptoui.sat.i32.f64(double 0.0)
  %e = sext i32 %z to i128
  %n = and i128 %e, 63
  %x = or i128 -170141183460469231731687303715884105728, 5
  %ashr = ashr i128 %x, %n
  %lshr = lshr i128 %x, %n
  %shl = shl i128 %x, %n
  store i128 %ashr, ptr %out
  %p1 = getelementptr i128, ptr %out, i32 1
  store i128 %lshr, ptr %p1
  %p2 = getelementptr i128, ptr %out, i32 2
  store i128 %shl, ptr %p2
  %d = sub i128 %n, 5
  %q = udiv i128 %d, %x
  %p3 = getelementptr i128, ptr %out, i32 3
  %m = add i128 %q, 1
  store i128 %m, ptr %p3
  ret void
}
