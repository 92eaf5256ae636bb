; RUN: ptxscope compile %s -mcpu=sm_80 --run-pass=load-store-vectorizer --verify-each -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/load-store-vectorizer-apart.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/load-store-vectorizer-apart.launch.json
target triple = "nvptx64-nvidia-cuda"

; What is updated element by element: a load may go past a store to the same base that writes other bytes, not past one of its own.
; CHECK-LABEL: @update(
; CHECK:       load <2 x i32>, ptr addrspace(1) %p
; CHECK:       store <2 x i32>
; CHECK:       %[[W:[0-9]+]] = load <2 x i32>, ptr addrspace(1) %p
; CHECK-NEXT:  %w = extractelement <2 x i32> %[[W]], i32 0
; VALUES:      "p":{{.*}}[8,18,3,4]
define ptx_kernel void @update(ptr addrspace(1) align 16 %p) {
  %x = load i32, ptr addrspace(1) %p
  %x7 = add i32 %x, 7
  store i32 %x7, ptr addrspace(1) %p
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %y = load i32, ptr addrspace(1) %q
  %y8 = add i32 %y, 8
  store i32 %y8, ptr addrspace(1) %q
  %w = load i32, ptr addrspace(1) %p
  %z = load i32, ptr addrspace(1) %q
  %s = add i32 %w, %z
  %t = sub i32 %s, %y8
  %u = add i32 %t, 10
  store i32 %u, ptr addrspace(1) %q
  ret void
}

; An argument and one that is noalias are apart; two that are not may be one, and so may a noalias argument and what was loaded.
; CHECK-LABEL: @arguments(
; CHECK:       load <2 x i32>, ptr addrspace(1) %p
; CHECK:       load <2 x i32>, ptr addrspace(1) %r
define void @arguments(ptr addrspace(1) align 16 %p, ptr addrspace(1) noalias align 16 %q, ptr addrspace(1) align 16 %r, i64 %i) {
  %e = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %i
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %e
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %y = load i32, ptr addrspace(1) %p1
  store i32 %y, ptr addrspace(1) %e
  %a = load i32, ptr addrspace(1) %r
  store i32 %a, ptr addrspace(1) %e
  %r1 = getelementptr inbounds i8, ptr addrspace(1) %r, i64 4
  %b = load i32, ptr addrspace(1) %r1
  store i32 %b, ptr addrspace(1) %e
  ret void
}

; CHECK-LABEL: @maybe_one(
; CHECK-NOT:   <2 x i32>
; CHECK:       ret
define void @maybe_one(ptr addrspace(1) align 16 %p, ptr addrspace(1) noalias align 16 %q, ptr addrspace(1) align 16 %r, i64 %i) {
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %r
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %y = load i32, ptr addrspace(1) %p1
  %l = load ptr addrspace(1), ptr addrspace(1) %r
  %a = load i32, ptr addrspace(1) %q
  store i32 %y, ptr addrspace(1) %l
  %q1 = getelementptr inbounds i8, ptr addrspace(1) %q, i64 4
  %b = load i32, ptr addrspace(1) %q1
  store i32 %b, ptr addrspace(1) %l
  ret void
}

; Variables are apart, but not the external arrays without a size that all begin where the launch's shared memory does.
; CHECK-LABEL: @variables(
; CHECK:       load <2 x i32>, ptr addrspace(3) @a
; CHECK:       load i32, ptr addrspace(3) @dynamic
; CHECK:       load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dynamic, i64 4)
@a = internal addrspace(3) global [4 x i32] poison, align 16
@b = internal addrspace(3) global [4 x i32] poison, align 16
@dynamic = external addrspace(3) global [0 x i32], align 16
@other = external addrspace(3) global [0 x i32], align 16
define void @variables(i32 %n) {
  %x = load i32, ptr addrspace(3) @a
  store i32 %x, ptr addrspace(3) @b
  %y = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 4)
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(3) @b
  %u = load i32, ptr addrspace(3) @dynamic
  store i32 %u, ptr addrspace(3) @other
  %v = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dynamic, i64 4)
  store i32 %v, ptr addrspace(3) @other
  ret void
}
