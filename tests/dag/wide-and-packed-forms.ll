; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -nvptx-mad-wide-opt -o - | filecheck %s --check-prefix=WIDE
; RUN: ptxscope check %s --launch=%p/wide-and-packed-forms.launch.json -mcpu=sm_90 -mattr=+ptx80
; RUN: ptxscope check %s --launch=%p/wide-and-packed-forms.launch.json -mcpu=sm_80 -nvptx-mad-wide-opt
; Forms of instructions that take a second operation along.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare <2 x i16> @llvm.smin.v2i16(<2 x i16>, <2 x i16>)
declare <2 x i16> @llvm.smax.v2i16(<2 x i16>, <2 x i16>)
declare i32 @llvm.fshr.i32(i32, i32, i32)

; CHECK-LABEL: .entry k(
; CHECK-NOT: mad.wide
; CHECK-DAG: min.relu.s16x2
; CHECK-DAG: max.relu.s16x2
; CHECK-DAG: prmt.b32.f4e
; CHECK-DAG: setp.eq.s32 {{%p[0-9]+}}, {{%r[0-9]+}}, 6;
; CHECK-NOT: mad.wide
; CHECK: ret;
; WIDE-LABEL: .entry k(
; WIDE-DAG: mad.wide.s32
; WIDE-DAG: mad.wide.u16
; WIDE: ret;
define ptx_kernel void @k(ptr %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr { i64, i64, i64, i64 }, ptr %io, i32 %t
  %p8 = getelementptr i8, ptr %p, i64 8
  %p16 = getelementptr i8, ptr %p, i64 16
  %p20 = getelementptr i8, ptr %p, i64 20
  %p24 = getelementptr i8, ptr %p, i64 24
  %p28 = getelementptr i8, ptr %p, i64 28
  %p30 = getelementptr i8, ptr %p, i64 30
  %a = load i32, ptr %p
  %b = load i32, ptr %p8
  %c = load i64, ptr %p16
  %as = sext i32 %a to i64
  %bs = sext i32 %b to i64
  %m = mul i64 %as, %bs
  %s = add i64 %m, %c
  %ah = trunc i32 %a to i16
  %bh = trunc i32 %b to i16
  %az = zext i16 %ah to i32
  %bz = zext i16 %bh to i32
  %n = mul i32 %az, %bz
  %n1 = add i32 %b, %n
  %va = bitcast i32 %a to <2 x i16>
  %vb = bitcast i32 %b to <2 x i16>
  %x = call <2 x i16> @llvm.smin.v2i16(<2 x i16> %va, <2 x i16> %vb)
  %x1 = call <2 x i16> @llvm.smax.v2i16(<2 x i16> %x, <2 x i16> zeroinitializer)
  %y = call <2 x i16> @llvm.smax.v2i16(<2 x i16> %va, <2 x i16> zeroinitializer)
  %y1 = call <2 x i16> @llvm.smax.v2i16(<2 x i16> %y, <2 x i16> %vb)
  %t8 = shl i32 %t, 3
  %f = call i32 @llvm.fshr.i32(i32 %b, i32 %a, i32 %t8)
  %i1 = add i32 %a, 5
  %e = icmp eq i32 %i1, 11
  %ez = zext i1 %e to i16
  store i64 %s, ptr %p
  store i32 %n1, ptr %p8
  store <2 x i16> %x1, ptr %p16
  store <2 x i16> %y1, ptr %p20
  store i32 %f, ptr %p24
  store i16 %ez, ptr %p28
  ret void
}
