; The memory record of a load says where nobody writes what is loaded. ldgxform is off, or its mark would be there already.
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-ldgxform --stop-after=invariant-load-tagging -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-ldgxform --stop-after=invariant-load-tagging -disable-invariant-load-tagging -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-ldgxform -pass-remarks=invariant-load-tagging -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-ldgxform -MAX_INVARIANT_DEPTH=2 --stop-after=invariant-load-tagging -o - | filecheck %s --check-prefix=TWO
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; ROWS: INVL-01, INVL-02, INVL-03, INVL-04, INVL-06
target triple = "nvptx64-nvidia-cuda"
@c = addrspace(4) constant [64 x i32] zeroinitializer
@v = addrspace(1) constant [64 x i32] zeroinitializer
@s = addrspace(3) global [64 x i32] undef
declare void @take(ptr addrspace(1))
declare void @read(ptr addrspace(1) nocapture readonly)

; INVL-01: parameters, constant memory, constant variables, and an argument that is only read.
; CHECK-LABEL: name: simple
; CHECK-DAG: (invariant load (s32) from %ir.{{.*}}, addrspace 101)
; CHECK-DAG: (invariant load (s32) from %ir.pc, addrspace 4)
; CHECK-DAG: (invariant load (s32) from %ir.pv, addrspace 1)
; CHECK-DAG: (invariant load (s32) from %ir.p1, addrspace 1)
; CHECK: Return
; OFF-LABEL: name: simple
; OFF-NOT: (invariant load
; OFF: Return
; REMARK: remark: nobody writes what this loads {{.*}}in function simple
; PTX-LABEL: simple(
; PTX: ld.global.nc.b32
define ptx_kernel void @simple(ptr byval([4 x i32]) %b, ptr addrspace(1) noalias %p, ptr addrspace(1) %o, i64 %i) {
  %pb = getelementptr i32, ptr %b, i64 %i
  %x = load i32, ptr %pb
  %pc = getelementptr i32, ptr addrspace(4) @c, i64 %i
  %y = load i32, ptr addrspace(4) %pc
  %pv = getelementptr i32, ptr addrspace(1) @v, i64 %i
  %z = load i32, ptr addrspace(1) %pv
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %w = load i32, ptr addrspace(1) %p1
  %q = icmp eq ptr addrspace(1) %p1, %o
  call void @read(ptr addrspace(1) %p)
  %a = add i32 %x, %y
  %d = add i32 %a, %z
  %e = add i32 %d, %w
  %f = select i1 %q, i32 %e, i32 %a
  store i32 %f, ptr addrspace(1) %o
  ret void
}

; INVL-02: one use that may write, or let somebody else write: a call, an atomic, a volatile load, a store of the pointer.
; CHECK-LABEL: name: called
; CHECK-NOT: (invariant load
; CHECK: (load (s32) from %ir.p, addrspace 1)
; REMARK: missed: not invariant: {{.*}} one of its uses does more than read {{.*}}in function called
define ptx_kernel void @called(ptr addrspace(1) noalias %p, ptr addrspace(1) %o) {
  %x = load i32, ptr addrspace(1) %p
  call void @take(ptr addrspace(1) %p)
  store i32 %x, ptr addrspace(1) %o
  ret void
}
; CHECK-LABEL: name: atomic
; CHECK: (load (s32) from %ir.p, addrspace 1)
define ptx_kernel void @atomic(ptr addrspace(1) noalias %p, ptr addrspace(1) %o) {
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  %y = atomicrmw add ptr addrspace(1) %q, i32 %x monotonic
  store i32 %y, ptr addrspace(1) %o
  ret void
}
; CHECK-LABEL: name: watched
; CHECK: (load (s32) from %ir.p, addrspace 1)
define ptx_kernel void @watched(ptr addrspace(1) noalias %p, ptr addrspace(1) %o) {
  %x = load i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %o
  ret void
}
; CHECK-LABEL: name: escapes
; CHECK: (load (s32) from %ir.p, addrspace 1)
define ptx_kernel void @escapes(ptr addrspace(1) noalias %p, ptr addrspace(1) %o) {
  %x = load i32, ptr addrspace(1) %p
  store ptr addrspace(1) %p, ptr addrspace(1) %o
  %q = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; INVL-03: three steps are within the default bound of eight, not within two. What the argument's attribute says needs no walk.
; CHECK-LABEL: name: deep
; CHECK: (invariant load (s32) from %ir.q3, addrspace 1)
; CHECK: (invariant load (s32) from %ir.r3, addrspace 1)
; TWO-LABEL: name: deep
; TWO: (load (s32) from %ir.q3, addrspace 1)
; TWO: (invariant load (s32) from %ir.r3, addrspace 1)
define ptx_kernel void @deep(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias readonly %r, ptr addrspace(1) %o, i64 %i, i64 %j, i64 %k) {
  %q1 = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %q2 = getelementptr i32, ptr addrspace(1) %q1, i64 %j
  %q3 = getelementptr i32, ptr addrspace(1) %q2, i64 %k
  %x = load i32, ptr addrspace(1) %q3
  %r1 = getelementptr i32, ptr addrspace(1) %r, i64 %i
  %r2 = getelementptr i32, ptr addrspace(1) %r1, i64 %j
  %r3 = getelementptr i32, ptr addrspace(1) %r2, i64 %k
  %y = load i32, ptr addrspace(1) %r3
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %o
  ret void
}

; INVL-04: shared, local and generic memory.
; CHECK-LABEL: name: spaces
; CHECK: Callseq_Start
; CHECK-NOT: (invariant load
; CHECK: Return
define void @spaces(ptr noalias readonly %g, ptr addrspace(5) noalias readonly %l, ptr addrspace(3) noalias readonly %h, ptr addrspace(1) %o) {
  call void @take(ptr addrspace(1) %o)
  %x = load i32, ptr %g
  %y = load i32, ptr addrspace(5) %l
  %z = load i32, ptr addrspace(3) %h
  %a = add i32 %x, %y
  %b = add i32 %a, %z
  store i32 %b, ptr addrspace(1) %o
  ret void
}

; The loads of other instructions get no mark, nor do shared matrices.
; CHECK-LABEL: name: matrix
; CHECK: LDMATRIX_m8n8_x1_shared_b16 %0, 0{{$}}
define ptx_kernel void @matrix(ptr addrspace(3) noalias readonly %t, ptr addrspace(1) %o) {
  %x = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %t)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; INVL-06: a store in the kernel, by this pointer or by one that may point there.
; CHECK-LABEL: name: stored
; CHECK-DAG: (load (s32) from %ir.p, addrspace 1)
; CHECK-DAG: (load (s32) from %ir.q, addrspace 1)
; CHECK: Return
; REMARK: missed: not invariant: {{.*}} not noalias {{.*}}in function stored
define ptx_kernel void @stored(ptr addrspace(1) noalias %p, ptr addrspace(1) readonly %q, ptr addrspace(1) %o) {
  %x = load i32, ptr addrspace(1) %p
  %y = load i32, ptr addrspace(1) %q
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %o
  %n = getelementptr i32, ptr addrspace(1) %p, i64 5
  store i32 %z, ptr addrspace(1) %n
  ret void
}

declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
