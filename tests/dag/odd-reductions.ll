; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/odd-reductions.launch.json -mcpu=sm_90 -mattr=+ptx80
; RUN: ptxscope check %s --launch=%p/odd-reductions.launch.json -mcpu=sm_50
; RUN: ptxscope check %s --launch=%p/odd-reductions.launch.json -mcpu=sm_90 -mattr=+ptx80 -O0
; RUN: ptxscope run %s --launch=%p/odd-reductions.launch.json -mcpu=sm_90 -mattr=+ptx80 --json | filecheck %s --check-prefix=VALUES
; Reductions of lengths that halve to no two elements: pairs where an instruction takes two, and the last element.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i16 @llvm.vector.reduce.add.v7i16(<7 x i16>)
declare i16 @llvm.vector.reduce.smax.v6i16(<6 x i16>)
declare half @llvm.vector.reduce.fmul.v5f16(half, <5 x half>)

; 1 + 2 + ... + 7, the greatest of the first six, and 5 halves that are powers of two.
; VALUES: "values":[28,6,18432,0]
; CHECK-LABEL: .entry k(
; CHECK-DAG: add.s16x2
; CHECK-DAG: add.s16x2
; CHECK-DAG: max.s16x2
; CHECK-DAG: max.s16x2
; CHECK-DAG: mul.rn.f16x2
; CHECK: ret;
define ptx_kernel void @k(ptr %a, ptr %h, ptr %o) {
  %x = load <7 x i16>, ptr %a
  %y = load <6 x i16>, ptr %a
  %z = load <5 x half>, ptr %h
  %r = call i16 @llvm.vector.reduce.add.v7i16(<7 x i16> %x)
  %s = call i16 @llvm.vector.reduce.smax.v6i16(<6 x i16> %y)
  %t = call reassoc half @llvm.vector.reduce.fmul.v5f16(half 1.0, <5 x half> %z)
  %o1 = getelementptr i8, ptr %o, i64 2
  %o2 = getelementptr i8, ptr %o, i64 4
  store i16 %r, ptr %o
  store i16 %s, ptr %o1
  store half %t, ptr %o2
  ret void
}
