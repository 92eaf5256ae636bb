; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=atomic-expand --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_50 -O0 -o - | filecheck %s --check-prefix=PTX
; PTX has no atomics on .local, which no other thread sees: a load, the operation, a store. Nothing is ordered.
target triple = "nvptx64-nvidia-cuda"

; PTX-NOT: atom.
; PTX-NOT: fence
; PTX-NOT: membar

; CHECK-LABEL: define i32 @sum(
; CHECK-NEXT: %[[OLD:.*]] = load i32, ptr addrspace(5) %p, align 4
; CHECK-NEXT: %[[NEW:.*]] = add i32 %[[OLD]], %v
; CHECK-NEXT: store i32 %[[NEW]], ptr addrspace(5) %p, align 4
; CHECK-NEXT: ret i32 %[[OLD]]
define i32 @sum(ptr addrspace(5) %p, i32 %v) {
  %x = atomicrmw add ptr addrspace(5) %p, i32 %v seq_cst
  ret i32 %x
}

; A byte needs no word around it, and volatile accesses stay so.
; CHECK-LABEL: define i8 @byte(
; CHECK-NEXT: %[[OLD:.*]] = load volatile i8, ptr addrspace(5) %p, align 1
; CHECK: store volatile i8 %{{.*}}, ptr addrspace(5) %p, align 1
define i8 @byte(ptr addrspace(5) %p, i8 %v) {
  %x = atomicrmw volatile nand ptr addrspace(5) %p, i8 %v monotonic
  ret i8 %x
}

; CHECK-LABEL: define double @float(
; CHECK: load double
; CHECK: call double @llvm.maxnum.f64
; CHECK: store double
define double @float(ptr addrspace(5) %p, double %v) {
  %x = atomicrmw fmax ptr addrspace(5) %p, double %v acquire
  ret double %x
}

; CHECK-LABEL: define { i64, i1 } @exchange(
; CHECK-NEXT: %[[OLD:.*]] = load i64, ptr addrspace(5) %p, align 8
; CHECK-NEXT: %[[SAME:.*]] = icmp eq i64 %[[OLD]], %a
; CHECK-NEXT: %[[NEW:.*]] = select i1 %[[SAME]], i64 %b, i64 %[[OLD]]
; CHECK: insertvalue { i64, i1 } poison, i64 %[[OLD]], 0
; CHECK: insertvalue { i64, i1 } %{{.*}}, i1 %[[SAME]], 1
; CHECK: store i64 %[[NEW]], ptr addrspace(5) %p, align 8
define { i64, i1 } @exchange(ptr addrspace(5) %p, i64 %a, i64 %b) {
  %x = cmpxchg ptr addrspace(5) %p, i64 %a, i64 %b seq_cst monotonic
  ret { i64, i1 } %x
}
