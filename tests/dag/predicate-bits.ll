; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -O0 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/predicate-bits.launch.json -mcpu=sm_80
; RUN: ptxscope check %s --launch=%p/predicate-bits.launch.json -mcpu=sm_80 -O0
; RUN: ptxscope run %s --launch=%p/predicate-bits.launch.json -mcpu=sm_80 --json | filecheck %s --check-prefix=VALUES
; Predicates that become bits of a number: an or and a selection for each further bit.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; VALUES: "values":[6,1,8,0]
; CHECK-LABEL: .entry k(
; CHECK: selp.b16
; CHECK-NOT: shl.b16
; CHECK-COUNT-3: or.b16
; CHECK: st{{(.global)?}}.b8
define ptx_kernel void @k(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i8, ptr %p, i32 %t
  %x = load i8, ptr %q
  %w = zext i8 %x to i32
  %a = insertelement <4 x i32> poison, i32 %w, i32 0
  %v = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> zeroinitializer
  %c = icmp ugt <4 x i32> %v, <i32 30, i32 10, i32 10, i32 35>
  %d = icmp ult <4 x i32> %v, <i32 35, i32 30, i32 20, i32 50>
  %e = and <4 x i1> %c, %d
  store <4 x i1> %e, ptr %q
  ret void
}
