; RUN: ptxscope run %s --launch=%p/wide-reduction.launch.json -mcpu=sm_90 | filecheck %s
; RUN: ptxscope run %s --launch=%p/wide-reduction.launch.json -mcpu=sm_90 -O0 | filecheck %s
; Selects of the compares' words become each other's likes while the compares are taken apart: what was remembered of
; them follows. The largest is 2^81 - 1, the smallest the thread's number or 1.
; CHECK: io: u64[64] = 18446744073709551615 0 0 0
target triple = "nvptx64-nvidia-cuda"
declare i128 @llvm.vector.reduce.smax.v16i128(<16 x i128>)
declare i97 @llvm.vector.reduce.umin.v16i97(<16 x i97>)

define ptx_kernel void @k(ptr %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr %io, i32 %t
  %w = load i64, ptr %p
  %m = call i128 @llvm.vector.reduce.smax.v16i128(<16 x i128> <i128 2417851639229258349412351, i128 140737488355327, i128 19, i128 3565487978813851889, i128 -53, i128 0, i128 4203151329182854346, i128 146, i128 7480486194954365970, i128 8429596791050514693, i128 16192043717003537145, i128 -142, i128 14, i128 0, i128 15865904202642610011, i128 -1>)
  %a = trunc i128 %m to i64
  %z = zext i64 %w to i97
  %v = insertelement <16 x i97> <i97 214, i97 -524288, i97 0, i97 107, i97 233, i97 -1, i97 64, i97 -198, i97 1, i97 11920779112762218791, i97 131072, i97 8102813039349973019, i97 0, i97 -287, i97 260, i97 1>, i97 %z, i64 0
  %s = shufflevector <16 x i97> %v, <16 x i97> %v, <16 x i32> <i32 0, i32 13, i32 11, i32 0, i32 0, i32 15, i32 0, i32 5, i32 0, i32 14, i32 0, i32 14, i32 0, i32 0, i32 0, i32 0>
  %n = call i97 @llvm.vector.reduce.umin.v16i97(<16 x i97> %s)
  %b = trunc i97 %n to i64
  %r = add i64 %a, %b
  store i64 %r, ptr %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
