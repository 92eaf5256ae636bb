; RUN: ptxscope compile %s -mcpu=sm_80 -print-machine-bfi -o %t.ptx 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -print-machine-bfi --verify-each -o %t.ptx 2>&1 | filecheck %s

; A loop's frequency follows the weights of its branch; a noalias argument meets no other pointer.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: machine metrics of 'loop' on Ampere GA100:
; CHECK-NEXT: bb.0: frequency 1.000, loop depth 0, critical path {{[0-9]+}} cycles of {{[0-9]+}} instructions, memory dependences 0
; CHECK-NEXT: bb.1: frequency 8.000, loop depth 1, critical path {{[0-9]+}} cycles of {{[0-9]+}} instructions, memory dependences 1
; CHECK-SAME: , divergent definitions 0 of {{[0-9]+$}}
; CHECK-NEXT: bb.2: frequency 1.000, loop depth 0
define ptx_kernel void @loop(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  store i32 %i, ptr addrspace(1) %p
  %v = load i32, ptr addrspace(1) %q
  %j = add i32 %i, %v
  %c = icmp slt i32 %j, %n
  br i1 %c, label %l, label %x, !prof !0
x:
  ret void
}

; CHECK-LABEL: machine metrics of 'apart' on Ampere GA100:
; CHECK-NEXT: bb.0: {{.*}} memory dependences 0
define ptx_kernel void @apart(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i32 %n) {
  store i32 %n, ptr addrspace(1) %p
  %v = load volatile i32, ptr addrspace(1) %q
  ret void
}

; One of them may point anywhere else than the other's object only when both are known.
; CHECK-LABEL: machine metrics of 'derived' on Ampere GA100:
; CHECK-NEXT: bb.0: {{.*}} memory dependences 1
define ptx_kernel void @derived(ptr addrspace(1) noalias %p, ptr addrspace(1) %q, i32 %n) {
  store i32 %n, ptr addrspace(1) %p
  %v = load volatile i32, ptr addrspace(1) %q
  ret void
}

; The counter is the same for all threads in the loop, and not behind it: each thread leaves it on its own.
; CHECK-LABEL: machine metrics of 'leave' on Ampere GA100:
; CHECK-NEXT: bb.0: {{.*}}, divergent definitions 1 of {{[0-9]+$}}
; CHECK-NEXT: bb.1: {{.*}}, divergent definitions 1 of 4, divergent branch
; CHECK-NEXT: bb.2: {{.*}}, divergent definitions 1 of 1
define ptx_kernel void @leave(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %t
  br i1 %c, label %l, label %x
x:
  %r = mul i32 %j, 3
  store i32 %r, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!0 = !{!"branch_weights", i32 7, i32 1}
