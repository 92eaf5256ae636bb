; Loads of memory that nobody writes while the kernel runs are ld.global.nc, in pieces where they are too wide.
; RUN: ptxscope compile %s -mcpu=sm_80 --verify-each -o - | filecheck %s --check-prefixes=CHECK,LDG
; RUN: ptxscope compile %s -mcpu=sm_80 -disable-ldgxform -o - | filecheck %s --check-prefixes=CHECK,PLAIN --implicit-check-not=.nc
; RUN: ptxscope compile %s -mcpu=sm_30 -mattr=+ptx60 -o - | filecheck %s --check-prefix=OLD --implicit-check-not=.nc
; RUN: ptxscope compile %s -mcpu=sm_80 -O0 -o - | filecheck %s --check-prefix=OLD --implicit-check-not=.nc
; RUN: ptxscope run %s -mcpu=sm_80 --launch=%p/ldgxform.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s -mcpu=sm_80 --launch=%p/ldgxform.launch.json --json -disable-ldgxform | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s -mcpu=sm_80 --launch=%p/ldgxform.launch.json
; ROWS: LDG-01, LDG-02, LDG-03, LDG-04, LDG-06, LDG-07, LDG-08, LDG-12, LDG-13, LDG-14
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kinds(
; LDG: ld.global.nc.b32
; PLAIN: ld.global.b32
; CHECK: ld.volatile.global.b32
; CHECK: ld.global.b32
; CHECK: ld.shared.b32
; CHECK: atom.{{.*}}global.add.u32
; CHECK: st.global.b32
; OLD-LABEL: kinds(
@s = internal addrspace(3) global [32 x i32] undef
define ptx_kernel void @kinds(ptr noalias readonly %p, ptr noalias %w, i32 %i) {
  %a = load i32, ptr %p
  %p1 = getelementptr i32, ptr %p, i64 1
  %b = load volatile i32, ptr %p1
  %c = load i32, ptr %w
  %ps = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %i
  %d = load i32, ptr addrspace(3) %ps
  %e = atomicrmw add ptr %w, i32 %a monotonic
  %f = add i32 %b, %c
  %g = add i32 %d, %e
  %h = add i32 %f, %g
  store i32 %h, ptr %w
  ret void
}

; A pointer that a loop counts up is as read-only as its base, also where selects and phis choose between two of them.
; CHECK-LABEL: counted(
; LDG: ld.global.nc.s8
; PLAIN: ld.global.s8
; CHECK: ret;
define ptx_kernel void @counted(ptr noalias readonly %p, ptr noalias readonly %q, ptr noalias %o, i64 %n, i1 %c) {
entry:
  %s = select i1 %c, ptr %p, ptr %q
  %e = getelementptr i8, ptr %s, i64 %n
  br label %loop
loop:
  %a = phi ptr [ %s, %entry ], [ %b, %loop ]
  %h = phi i32 [ 5381, %entry ], [ %h3, %loop ]
  %b = getelementptr i8, ptr %a, i64 1
  %x = load i8, ptr %a
  %y = sext i8 %x to i32
  %h2 = mul i32 %h, 33
  %h3 = add i32 %h2, %y
  %d = icmp eq ptr %b, %e
  br i1 %d, label %done, label %loop
done:
  store i32 %h3, ptr %o
  ret void
}

; Lanes of a vector that one load cannot take are where they were; half an alignment, half a width.
; CHECK-LABEL: wide(
; LDG: ld.global.nc.v4.b32 {%[[A:r[0-9]+]], %[[B:r[0-9]+]], %[[C:r[0-9]+]], %[[D:r[0-9]+]]}, [%[[P:rd[0-9]+]]];
; LDG: ld.global.nc.v4.b32 {%[[E:r[0-9]+]], %[[F:r[0-9]+]], %[[G:r[0-9]+]], %[[H:r[0-9]+]]}, [%[[P]]+16];
; LDG-DAG: st.global.v4.b32 [%[[O:rd[0-9]+]]], {%[[A]], %[[B]], %[[C]], %[[D]]};
; LDG-DAG: st.global.v4.b32 [%[[O]]+16], {%[[E]], %[[F]], %[[G]], %[[H]]};
; LDG-COUNT-4: ld.global.nc.v2.b32
; LDG-NOT: ld.global.nc.v4
; CHECK-LABEL: one(
; LDG: ld.global.nc.v4.b32
; VALUES: "o":{{.*}}[1,2,3,4,5,6,7,8,10,9,12,11,14,13,16,15]
define ptx_kernel void @wide(ptr noalias readonly %p, ptr noalias %o) {
  %v = load <8 x i32>, ptr %p, align 32
  store <8 x i32> %v, ptr %o, align 32
  %q = getelementptr i8, ptr %p, i64 32
  %u = load <8 x i32>, ptr %q, align 8
  %r = shufflevector <8 x i32> %u, <8 x i32> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
  %t = getelementptr i8, ptr %o, i64 32
  store <8 x i32> %r, ptr %t, align 8
  ret void
}

define ptx_kernel void @one(ptr noalias readonly %p, ptr noalias %o) {
  %v = load <4 x i32>, ptr %p, align 16
  store <4 x i32> %v, ptr %o, align 16
  ret void
}
