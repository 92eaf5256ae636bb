; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 --emit=ir -o - | filecheck %s --check-prefix=IR
target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; PTX has no volatile access of local memory, which no other thread sees: it is a plain one.
; CHECK-LABEL: .entry stack(
; CHECK-NOT: cvta.local.u64
; CHECK: st.local.b32
; CHECK: ld.local.b32
; CHECK: st.volatile.global.b32
; CHECK: st.local.b32
define ptx_kernel void @stack(ptr %o, i32 %n, i64 %i) {
  %a = alloca i32
  store volatile i32 %n, ptr %a
  %v = load volatile i32, ptr %a
  store volatile i32 %v, ptr %o
  %b = alloca [8 x i32]
  %at = getelementptr i32, ptr %b, i64 %i
  store i32 %n, ptr %at
  %w = load i32, ptr %b
  store i32 %w, ptr %o
  ret void
}

; Nor of constant memory, where a generic one stays volatile; shared memory has one.
; CHECK-LABEL: .entry others(
; CHECK: ld.volatile.b32
; CHECK: st.volatile.shared.b32
; CHECK: ld.const.b32
define ptx_kernel void @others(ptr addrspace(3) %s, ptr %o, i64 %i) {
  %g = addrspacecast ptr addrspace(4) @table to ptr
  %at = getelementptr i32, ptr %g, i64 %i
  %v = load volatile i32, ptr %at
  %sg = addrspacecast ptr addrspace(3) %s to ptr
  store volatile i32 %v, ptr %sg
  %w = load i32, ptr %at
  store i32 %w, ptr %o
  ret void
}

; As a constant expression.
; CHECK-LABEL: .entry direct(
; CHECK: ld.volatile.b32
define ptx_kernel void @direct(ptr %o) {
  %v = load volatile i32, ptr addrspacecast (ptr addrspace(4) @table to ptr)
  store i32 %v, ptr %o
  ret void
}

; A volatile copy from the stack.
; IR-LABEL: define ptx_kernel void @copy
; IR: call void @llvm.memcpy.p1.p5.i64(ptr addrspace(1) {{.*}}, i1 true)
; CHECK-LABEL: .entry copy(
; CHECK: ld.local.b8
; CHECK: st.volatile.global.b8
define ptx_kernel void @copy(ptr %o, i64 %n, i64 %i) {
  %a = alloca [8 x i32]
  %at = getelementptr i32, ptr %a, i64 %i
  store i64 %n, ptr %at
  call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %a, i64 8, i1 true)
  ret void
}

; There is no atom.local: plain accesses do (atomic-expand).
; CHECK-LABEL: .entry atomic(
; CHECK: st.local.b32
; CHECK-NOT: atom
; CHECK: ld.local.b32 [[V:%r[0-9]+]]
; CHECK: add.s32 [[W:%r[0-9]+]], [[V]], 1;
; CHECK: selp.b32
; CHECK-NOT: atom
define ptx_kernel void @atomic(ptr %o, i32 %n) {
  %a = alloca i32
  store i32 %n, ptr %a
  %v = atomicrmw add ptr %a, i32 1 monotonic
  %w = cmpxchg ptr %a, i32 %v, i32 %n monotonic monotonic
  %x = load i32, ptr %a
  store i32 %x, ptr %o
  ret void
}
