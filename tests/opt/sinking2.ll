; RUN: ptxscope compile %s --run-pass=sinking2 --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_90 --disable-sinking2 -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s -mcpu=sm_90 --nvptx-short-ptr -o /dev/null --verify-each
; RUN: ptxscope run %s --launch=%p/sinking2.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s --launch=%p/sinking2.launch.json --json --disable-sinking2 | filecheck %s --check-prefix=VALUES
target triple = "nvptx64-nvidia-cuda"

; Constants that were taken out of a loop come back into its accesses, one address for each block. What is read behind it leaves it.
; CHECK-LABEL: @loop(
; CHECK: entry:
; CHECK-NOT: getelementptr i8
; CHECK: loop:
; CHECK: %[[A:[0-9]+]] = getelementptr i8, ptr addrspace(1) %q, i64 32
; CHECK-NEXT: %x = load i32, ptr addrspace(1) %[[A]]
; CHECK: %[[B:[0-9]+]] = getelementptr i8, ptr addrspace(1) %q, i64 48
; CHECK-NEXT: %y = load i32, ptr addrspace(1) %[[B]]
; CHECK: store i32 %s, ptr addrspace(1) %[[A]]
; CHECK: done:
; CHECK-NEXT: %w = zext nneg i32 %t to i64
; CHECK-NEXT: %z = getelementptr i32, ptr addrspace(1) %p, i64 %w
; CHECK-NEXT: store i32 %s, ptr addrspace(1) %z
; PTX-LABEL: loop(
; PTX-NOT: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, {{[0-9]+}};
; PTX: ld.global.b32 %r{{[0-9]+}}, [%[[Q:rd[0-9]+]]+32];
; PTX: ld.global.b32 %r{{[0-9]+}}, [%[[Q]]+48];
; PTX-LABEL: // -- End function
; LEFT-LABEL: loop(
; LEFT-DAG: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 32;
; LEFT-DAG: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 48;
; LEFT-LABEL: // -- End function
; VALUES: "p":{{.*}}[48,52,56,60,
define ptx_kernel void @loop(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %a = getelementptr i8, ptr addrspace(1) %q, i64 32
  %b = getelementptr i8, ptr addrspace(1) %a, i64 16
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %x = load i32, ptr addrspace(1) %a
  %y = load i32, ptr addrspace(1) %b
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(1) %a
  %w = zext nneg i32 %t to i64
  %z = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %k1 = add i32 %k, 1
  %c = icmp slt i32 %k1, %n
  br i1 %c, label %loop, label %done
done:
  store i32 %s, ptr addrspace(1) %z
  ret void
}

; What cannot be an offset stays: it is beyond 32 bits, or the pointer is written by a phi.
; CHECK-LABEL: @far(
; CHECK: entry:
; CHECK-NEXT: %a = getelementptr i8, ptr addrspace(1) %p, i64 4294967296
; CHECK-NEXT: %b = getelementptr i8, ptr addrspace(1) %p, i64 8
; CHECK-NEXT: br i1 %c
define i32 @far(ptr addrspace(1) %p, i1 %c) {
entry:
  %a = getelementptr i8, ptr addrspace(1) %p, i64 4294967296
  %b = getelementptr i8, ptr addrspace(1) %p, i64 8
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr addrspace(1) %p
  br label %join
join:
  %q = phi ptr addrspace(1) [ %a, %entry ], [ %b, %then ]
  %x = load i32, ptr addrspace(1) %q
  %y = load i32, ptr addrspace(1) %a
  %s = add i32 %x, %y
  ret i32 %s
}

; An index that another block extends is extended again where it is scaled: a mul.wide in each block, which ptxas makes one instruction with
; the addition. With LEFT it is shifted.
; What is not scaled, or comes from another width, is left.
; CHECK-LABEL: @index(
; CHECK: then:
; CHECK-NEXT: %[[W:[0-9]+]] = sext i32 %i to i64
; CHECK-NEXT: %b = getelementptr i32, ptr addrspace(1) %q, i64 %[[W]]
; CHECK-NEXT: %e = getelementptr i8, ptr addrspace(1) %q, i64 %w
; CHECK-NEXT: %f = getelementptr i32, ptr addrspace(1) %q, i64 %n
; PTX-LABEL: index(
; PTX: mul.wide.s32 %[[A:rd[0-9]+]], %r{{[0-9]+}}, 4;
; PTX-NOT: shl.b64 %rd{{[0-9]+}}, %[[A]]
; PTX: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %[[A]];
; PTX: bra
; PTX: mul.wide.s32 %[[B:rd[0-9]+]], %r{{[0-9]+}}, 4;
; PTX: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %[[B]];
; PTX-LABEL: // -- End function
define void @index(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %i, i16 %h) {
entry:
  %w = sext i32 %i to i64
  %n = sext i16 %h to i64
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %x = load i32, ptr addrspace(1) %a
  %g = getelementptr i8, ptr addrspace(1) %p, i64 %n
  store i8 1, ptr addrspace(1) %g
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %then, label %done
then:
  %b = getelementptr i32, ptr addrspace(1) %q, i64 %w
  %e = getelementptr i8, ptr addrspace(1) %q, i64 %w
  %f = getelementptr i32, ptr addrspace(1) %q, i64 %n
  store i32 %x, ptr addrspace(1) %b
  store i8 7, ptr addrspace(1) %e
  store i32 %x, ptr addrspace(1) %f
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
