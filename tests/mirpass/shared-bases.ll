; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 --disable-shared-bases=1 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_90 -nv-remat-default-max-reg=1 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope check %s --launch=%p/shared-bases.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/shared-bases.launch.json -mcpu=sm_90 -nvptx-short-ptr
; An address in shared memory is computed once from sm_90 on, in front of the loops and branches that need it; one that a single
; block needs is not moved.
target triple = "nvptx64-nvidia-cuda"
@a = internal addrspace(3) global [64 x i32] undef, align 4
@b = internal addrspace(3) global [2 x i32] undef, align 4
@c = internal addrspace(3) global i32 undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: .entry k(
; CHECK: mov.b64 [[B:%rd[0-9]+]], b;
; CHECK-NEXT: mov.b64 [[A:%rd[0-9]+]], a;
; CHECK-NEXT: @!%p1 bra
; CHECK: st.shared.b32 {{\[}}[[B]]+4],
; CHECK: add.s64 {{%rd[0-9]+}}, [[A]],
; CHECK: add.s64 {{%rd[0-9]+}}, [[A]],
; CHECK: ld.shared.b32 {{%r[0-9]+}}, {{\[}}[[B]]+4];
; CHECK: st.volatile.shared.b32 [c],
; CHECK-NEXT: ld.volatile.shared.b32 {{%r[0-9]+}}, [c];

; OFF-LABEL: .entry k(
; OFF: [b+4]
; OFF-COUNT-2: , a;
; OFF: [b+4]
define ptx_kernel void @k(ptr addrspace(1) %o) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %rest
one:
  store i32 5, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i64 4)
  br label %all
rest:
  %p = getelementptr [64 x i32], ptr addrspace(3) @a, i64 0, i64 %i
  store i32 %t, ptr addrspace(3) %p
  br label %all
all:
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %n = phi i32 [ 1, %all ], [ %n1, %loop ]
  %s = phi i32 [ 0, %all ], [ %s1, %loop ]
  %nt = add i32 %n, %t
  %m = and i32 %nt, 31
  %mz = zext i32 %m to i64
  %q = getelementptr [64 x i32], ptr addrspace(3) @a, i64 0, i64 %mz
  %z = icmp eq i32 %m, 0
  %x = load i32, ptr addrspace(3) %q
  %y = select i1 %z, i32 0, i32 %x
  %s1 = add i32 %s, %y
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, 20
  br i1 %more, label %loop, label %end
end:
  %v = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i64 4)
  %r = add i32 %v, %s1
  store volatile i32 %r, ptr addrspace(3) @c
  %w = load volatile i32, ptr addrspace(3) @c
  %op = getelementptr i32, ptr addrspace(1) %o, i64 %i
  %d = sub i32 %r, %w
  %e = select i1 %first, i32 %r, i32 %s1
  store i32 %e, ptr addrspace(1) %op
  ret void
}

; CHECK-LABEL: .entry loop(
; CHECK: mov.b64 {{%rd[0-9]+}}, a;
; CHECK: $L__BB1_1:
; CHECK-NOT: , a;
; CHECK: ret;
define ptx_kernel void @loop(i32 %n, i32 %k) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %x = phi i32 [ %k, %entry ], [ %y, %latch ]
  %odd = trunc i32 %x to i1
  br i1 %odd, label %one, label %two
one:
  %p = getelementptr [64 x i32], ptr addrspace(3) @a, i64 0, i64 %i
  store volatile i32 %x, ptr addrspace(3) %p
  br label %latch
two:
  %j = zext i32 %x to i64
  %q = getelementptr [64 x i32], ptr addrspace(3) @a, i64 0, i64 %j
  %v = load volatile i32, ptr addrspace(3) %q
  br label %latch
latch:
  %y = phi i32 [ 2, %one ], [ %v, %two ]
  call void @llvm.nvvm.barrier0()
  %i1 = add i64 %i, 1
  %c = icmp ult i32 %y, %n
  br i1 %c, label %head, label %end
end:
  ret void
}
