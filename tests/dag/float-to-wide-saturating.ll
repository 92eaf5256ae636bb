; RUN: ptxscope run %s --launch=%p/float-to-wide-saturating.launch.json --json | filecheck %s
; RUN: ptxscope run %s -O0 --launch=%p/float-to-wide-saturating.launch.json --json | filecheck %s
; Doubles to 128 and 100 bits, as `as i128` of Rust has it: clamped at both ends, NaN is 0.
target triple = "nvptx64-nvidia-cuda"

; in: 1.5, -1.5, NaN, inf, -inf, 2^127, -2^127, 2^128, 2^100, -2^99, 3 * 2^70, -0.5
; Signed 128 (low word, high word), unsigned 128, signed 100.
; CHECK: "out":{{.*}}"values":["1","0","1","0","1","0",
; CHECK-SAME: "18446744073709551615","18446744073709551615","0","0","18446744073709551615","68719476735",
; CHECK-SAME: "0","0","0","0","0","0",
; CHECK-SAME: "18446744073709551615","9223372036854775807","18446744073709551615","18446744073709551615","18446744073709551615","34359738367",
; CHECK-SAME: "0","9223372036854775808","0","0","0","34359738368",
; CHECK-SAME: "18446744073709551615","9223372036854775807","0","9223372036854775808","18446744073709551615","34359738367",
; CHECK-SAME: "0","9223372036854775808","0","0","0","34359738368",
; CHECK-SAME: "18446744073709551615","9223372036854775807","18446744073709551615","18446744073709551615","18446744073709551615","34359738367",
; CHECK-SAME: "0","68719476736","0","68719476736","18446744073709551615","34359738367",
; CHECK-SAME: "0","18446744039349813248","0","0","0","34359738368",
; CHECK-SAME: "0","192","0","192","0","192",
; CHECK-SAME: "0","0","0","0","0","0"]
define void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr double, ptr %in, i64 %i
  %x = load double, ptr %p
  %at = mul i64 %i, 48
  %o0 = getelementptr i8, ptr %out, i64 %at
  %o1 = getelementptr i8, ptr %o0, i64 16
  %o2 = getelementptr i8, ptr %o0, i64 32
  %s = call i128 @llvm.fptosi.sat.i128.f64(double %x)
  %u = call i128 @llvm.fptoui.sat.i128.f64(double %x)
  %w = call i100 @llvm.fptosi.sat.i100.f64(double %x)
  store i128 %s, ptr %o0
  store i128 %u, ptr %o1
  store i100 %w, ptr %o2
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i128 @llvm.fptosi.sat.i128.f64(double)
declare i128 @llvm.fptoui.sat.i128.f64(double)
declare i100 @llvm.fptosi.sat.i100.f64(double)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
