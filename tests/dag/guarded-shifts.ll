; RUN: ptxscope compile %s -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/guarded-shifts.launch.json
; RUN: ptxscope check %s --launch=%p/guarded-shifts.launch.json -O0
; RUN: ptxscope check %s --launch=%p/guarded-rotation.launch.json
; RUN: ptxscope run %s --launch=%p/guarded-rotation.launch.json --json | filecheck %s --check-prefix=ROTATED
; RUN: ptxscope run %s --launch=%p/guarded-shifts.launch.json --json | filecheck %s --check-prefix=VALUES
; A shift whose amount is checked is the shift alone, as an amount that is too large leaves 0.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Amounts 0, 5, 32 and 2^32 + 257.
; VALUES: "o":{"type":"u32","values":[3,3,3,0,96,0,96,0,0,0,0,3,0,1,0,0]}
; CHECK-LABEL: .entry k(
; CHECK-NOT: setp
; CHECK-NOT: selp
; CHECK: cvt.sat.u32.u64
; CHECK-NOT: setp
; CHECK-NOT: selp
; CHECK: ret;
define ptx_kernel void @k(ptr %n, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %np = getelementptr i64, ptr %n, i32 %t
  %op = getelementptr { i32, i16, i8, i64 }, ptr %o, i32 %t
  %w = load i64, ptr %np
  %a = trunc i64 %w to i32
  %b = trunc i64 %w to i8
  %s = shl i32 3, %a
  %p = icmp ugt i32 %a, 31
  %x = select i1 %p, i32 0, i32 %s
  %s1 = lshr i8 3, %b
  %p1 = icmp ult i8 %b, 8
  %x1 = select i1 %p1, i8 %s1, i8 0
  %s2 = shl nuw i64 3, %w
  %p2 = icmp ult i64 %w, 64
  %x2 = select i1 %p2, i64 %s2, i64 0
  %z = zext i8 %x1 to i32
  %q1 = getelementptr i8, ptr %op, i64 4
  %q2 = getelementptr i8, ptr %op, i64 8
  store i32 %x, ptr %op
  store i32 %z, ptr %q1
  store i64 %x2, ptr %q2
  ret void
}

; Two of them are no rotation: it takes its amount modulo the width.
; CHECK-LABEL: .entry both(
; CHECK-NOT: shf
; CHECK: ret;
; Amounts 0, 5, 32 and 33.
; ROTATED: "o":{"type":"u32","values":[3,96,3,0]}
define ptx_kernel void @both(ptr %n, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %np = getelementptr i32, ptr %n, i32 %t
  %op = getelementptr i32, ptr %o, i32 %t
  %a = load i32, ptr %np
  %s = shl i32 3, %a
  %p = icmp ugt i32 %a, 31
  %x = select i1 %p, i32 0, i32 %s
  %b = sub i32 32, %a
  %s1 = lshr i32 3, %b
  %p1 = icmp ult i32 %b, 32
  %x1 = select i1 %p1, i32 %s1, i32 0
  %r = or i32 %x, %x1
  store i32 %r, ptr %op
  ret void
}
