; RUN: ptxscope compile %s -O0 -o - | filecheck %s
; RUN: ptxscope compile %s -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/lane-extremes.launch.json
; RUN: ptxscope check %s --launch=%p/lane-extremes.launch.json -O0
; A selection between the lanes that were compared is min or max of each lane, of any width that has the instruction.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry k(
; CHECK-NOT: setp
; CHECK-COUNT-2: max.s32
; CHECK-COUNT-2: min.u64
; CHECK-NOT: selp
; CHECK: ret;
define ptx_kernel void @k(ptr %io) {
  %p1 = getelementptr i8, ptr %io, i64 8
  %q = getelementptr i8, ptr %io, i64 16
  %q1 = getelementptr i8, ptr %io, i64 32
  %a = load <2 x i32>, ptr %io
  %b = load <2 x i32>, ptr %p1
  %c = icmp sgt <2 x i32> %a, %b
  %m = select <2 x i1> %c, <2 x i32> %a, <2 x i32> %b
  store <2 x i32> %m, ptr %io
  %x = load <2 x i64>, ptr %q
  %y = load <2 x i64>, ptr %q1
  %d = icmp ugt <2 x i64> %x, %y
  %n = select <2 x i1> %d, <2 x i64> %y, <2 x i64> %x
  store <2 x i64> %n, ptr %q
  ret void
}

; A byte that becomes a float is not cut to 16 bits first.
; CHECK-LABEL: .func {{.*}} floats(
; CHECK-NOT: cvt.u16
; CHECK: ret;
define <4 x float> @floats(<4 x i8> %a) {
  %r = uitofp <4 x i8> %a to <4 x float>
  ret <4 x float> %r
}
