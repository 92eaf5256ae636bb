; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx84 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_120 -mattr=+ptx87 -O0 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/atomics-128.launch.json -mcpu=sm_90 -mattr=+ptx84 --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s --launch=%p/atomics-128.launch.json -mcpu=sm_90 -mattr=+ptx84 --level=mir -O0 --json | filecheck %s --check-prefix=VALUES
; RUN: not ptxscope compile %s -mcpu=sm_80 -mattr=+ptx84 -o - 2>&1 | filecheck %s --check-prefix=OLD
; RUN: not ptxscope compile %s -mcpu=sm_90 -mattr=+ptx83 -o - 2>&1 | filecheck %s --check-prefix=OLD
; 128 bits at once: exchanged, or compared and exchanged; the rest is built of these. Never two words one by one.
target triple = "nvptx64-nvidia-cuda"

; 64 threads add their number << 60, and 1; the greatest number << 60; ones everywhere.
; VALUES: "p":{{.*}}["64","126","17293822569102704640","3","18446744073709551615","18446744073709551615"]

; OLD-COUNT-6: an atomic access of more than 64 bits (128 are there from sm_90 and PTX 8.4 on) is not supported

; CHECK-LABEL: exchange(
; CHECK: mov.b128 	[[V:%rq[0-9]+]], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
; CHECK: atom.acq_rel.sys.exch.b128 	[[O:%rq[0-9]+]], [%rd{{[0-9]+}}], [[V]];
; CHECK: mov.b128 	{%rd{{[0-9]+}}, %rd{{[0-9]+}}}, [[O]];
define i128 @exchange(ptr %p, i128 %v) {
  %r = atomicrmw xchg ptr %p, i128 %v acq_rel
  ret i128 %r
}

; CHECK-LABEL: compare(
; CHECK: atom.relaxed.gpu.global.cas.b128
define i1 @compare(ptr addrspace(1) %p, i128 %v, i128 %w) {
  %r = cmpxchg ptr addrspace(1) %p, i128 %v, i128 %w syncscope("device") monotonic monotonic
  %q = extractvalue { i128, i1 } %r, 1
  ret i1 %q
}

; CHECK-LABEL: loaded(
; CHECK: atom.acquire.sys.cas.b128
; CHECK-NOT: ld.acquire
define i128 @loaded(ptr %p) {
  %r = load atomic i128, ptr %p acquire, align 16
  ret i128 %r
}

; CHECK-LABEL: stored(
; CHECK: atom.release.sys.exch.b128
; CHECK-NOT: st.release
define void @stored(ptr %p, i128 %v) {
  store atomic i128 %v, ptr %p release, align 16
  ret void
}

; CHECK-LABEL: added(
; CHECK: add.cc
; CHECK: atom.relaxed.sys.cas.b128
; CHECK: bra
define i128 @added(ptr %p, i128 %v) {
  %r = atomicrmw add ptr %p, i128 %v monotonic
  ret i128 %r
}
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i128
  %h = shl i128 %w, 60
  %x = or i128 %h, 1
  %r = atomicrmw add ptr addrspace(1) %p, i128 %x monotonic
  %q = getelementptr i128, ptr addrspace(1) %p, i32 1
  %m = atomicrmw umax ptr addrspace(1) %q, i128 %h monotonic
  %s = getelementptr i128, ptr addrspace(1) %p, i32 2
  store atomic i128 340282366920938463463374607431768211455, ptr addrspace(1) %s release, align 16
  %l = load atomic i128, ptr addrspace(1) %s acquire, align 16
  %e = getelementptr i128, ptr addrspace(1) %o, i32 %t
  store i128 %l, ptr addrspace(1) %e
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
