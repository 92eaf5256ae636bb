; RUN: ptxscope compile %s --run-pass=loop-bases --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=loop-bases -disable-loop-bases -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s --run-pass=loop-bases -pass-remarks=loop-bases -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %s --launch=%p/loop-bases.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/loop-bases.launch.json
; RUN: ptxscope run %s --launch=%p/loop-bases-columns.launch.json --json | filecheck %s --check-prefix=COLUMNS
; RUN: ptxscope check %s --launch=%p/loop-bases-columns.launch.json
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; The row of a matrix is a base in front of both loops, the column one in front of the inner loop. The counter of the inner loop goes on by
; two: its address is a pointer, and so is that of the vector.
; CHECK-LABEL: @twice(
; CHECK: entry:
; CHECK: %[[R:[0-9]+]] = zext nneg i32 %row to i64
; CHECK-NEXT: %[[BASE:[0-9]+]] = getelementptr float, ptr addrspace(1) %p, i64 %[[R]]
; CHECK: outer:
; CHECK: %[[J:[0-9]+]] = sext i32 %jn to i64
; CHECK-NEXT: %[[START:[0-9]+]] = getelementptr float, ptr addrspace(1) %[[BASE]], i64 %[[J]]
; CHECK: inner:
; CHECK-DAG: %a = phi ptr addrspace(1) [ %[[START]], %outer ], [ %[[NEXT:[0-9]+]], %inner ]
; CHECK-DAG: %v = phi ptr addrspace(1) [ %q, %outer ], [ %[[OTHER:[0-9]+]], %inner ]
; CHECK-NOT: sext
; CHECK-DAG: %[[NEXT]] = getelementptr i8, ptr addrspace(1) %a, i64 8
; CHECK-DAG: %[[OTHER]] = getelementptr i8, ptr addrspace(1) %v, i64 8
; CHECK: br i1
; LEFT-LABEL: @twice(
; LEFT: inner:
; LEFT: %s1 = add nsw i32 %jn, %s0
; LEFT: %a = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w
; REMARK: a part of the address is added in front of the loop {{.*}}in function twice
; REMARK: a pointer goes on with the loop's counter {{.*}}in function twice
; PTX-LABEL: twice(
; PTX: =>  This Inner Loop
; PTX-NOT: mul.wide
; PTX: bra
; VALUES: "p":{{.*}}[0,1,2,3,4,5,6,7,8,9,10,11,
; VALUES-SAME: "q":
define ptx_kernel void @twice(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %to, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl nsw i32 %t, 4
  br label %outer
outer:
  %j = phi i32 [ 0, %entry ], [ %j1, %after ]
  %sum0 = phi float [ 0.0, %entry ], [ %sum2, %after ]
  %jn = mul nsw i32 %j, %n
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k1, %inner ]
  %sum1 = phi float [ %sum0, %outer ], [ %sum2, %inner ]
  %s0 = add nsw i32 %k, %row
  %s1 = add nsw i32 %jn, %s0
  %w = sext i32 %s1 to i64
  %a = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w
  %x = load float, ptr addrspace(1) %a
  %a1 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %y = load float, ptr addrspace(1) %a1
  %kw = zext nneg i32 %k to i64
  %v = getelementptr inbounds float, ptr addrspace(1) %q, i64 %kw
  %z = load float, ptr addrspace(1) %v
  %v1 = getelementptr inbounds i8, ptr addrspace(1) %v, i64 4
  %u = load float, ptr addrspace(1) %v1
  %xz = fmul float %x, %z
  %yu = fmul float %y, %u
  %both = fadd float %xz, %yu
  %sum2 = fadd float %sum1, %both
  %k1 = add nuw nsw i32 %k, 2
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %inner, label %after
after:
  %j1 = add nuw nsw i32 %j, 1
  %again = icmp slt i32 %j1, 2
  br i1 %again, label %outer, label %exit
exit:
  %tw = sext i32 %t to i64
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %tw
  store float %sum2, ptr addrspace(1) %r
  ret void
}

; A counter that goes on by one stays, from wherever it starts; so does the sum in an index of 64 bits, of which the loop's part is left.
; CHECK-LABEL: @once(
; CHECK: %[[Q:[0-9]+]] = getelementptr i32, ptr addrspace(1) %p, i64 %m
; CHECK: loop:
; CHECK-NOT: add i64 %k, %m
; CHECK: %a = getelementptr i32, ptr addrspace(1) %[[Q]], i64 %k
; CHECK: br i1
define void @once(ptr addrspace(1) %p, i64 %from, i64 %m, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ %from, %entry ], [ %k1, %loop ]
  %s = add i64 %k, %m
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %s
  store i32 1, ptr addrspace(1) %a
  %k1 = add i64 %k, 1
  %more = icmp slt i64 %k1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A counter that starts elsewhere: so does the pointer.
; CHECK-LABEL: @later(
; CHECK: %[[W:[0-9]+]] = zext i32 %from to i64
; CHECK-NEXT: %[[Q:[0-9]+]] = getelementptr i64, ptr addrspace(1) %p, i64 %[[W]]
; CHECK: phi ptr addrspace(1) [ %[[Q]], %entry ]
; CHECK: getelementptr i8, ptr addrspace(1) %{{.*}}, i64 16
define void @later(ptr addrspace(1) %p, i32 %from, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ %from, %entry ], [ %k1, %loop ]
  %w = zext i32 %k to i64
  %a = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %w
  store i64 1, ptr addrspace(1) %a
  %k1 = add nuw i32 %k, 2
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Products of 64 bits with a factor that stays: one pointer, which goes on by 3 times the factor, and one address from the other. The
; counter of 32 bits starts later; what is beyond its constants is a pointer of its own.
; CHECK-LABEL: @columns(
; CHECK: entry:
; CHECK-DAG: %[[STEP:[0-9]+]] = mul i64 %n, 12
; CHECK-DAG: %[[ONE:[0-9]+]] = mul i64 %n, 4
; CHECK-DAG: %[[START:[0-9]+]] = mul i64 %{{[0-9]+}}, %n
; CHECK-DAG: %[[Q:[0-9]+]] = getelementptr i32, ptr addrspace(1) %q, i64 %[[START]]
; CHECK: loop:
; CHECK-DAG: %[[P0:[a-z0-9]+]] = phi ptr addrspace(1) [ %p, %entry ]
; CHECK-DAG: phi ptr addrspace(1) [ %[[Q]], %entry ]
; CHECK-NOT: mul
; CHECK: %[[P1:[a-z0-9]+]] = getelementptr i8, ptr addrspace(1) %[[P0]], i64 %[[ONE]]
; CHECK: %[[P2:[a-z0-9]+]] = getelementptr i8, ptr addrspace(1) %[[P1]], i64 %[[ONE]]
; CHECK: getelementptr i8, ptr addrspace(1) %[[P0]], i64 %[[STEP]]
; CHECK: br i1
; COLUMNS: "p":{{.*}}[10,1,11,3,12,5,16,7,17,9,18,11,
define ptx_kernel void @columns(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %from) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k3, %loop ]
  %i = phi i32 [ %from, %entry ], [ %i1, %loop ]
  %x0 = mul i64 %k, %n
  %a0 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x0
  %iw = zext i32 %i to i64
  %y0 = mul i64 %n, %iw
  %b0 = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %y0
  %v0 = load i32, ptr addrspace(1) %b0
  store i32 %v0, ptr addrspace(1) %a0
  %k1 = add i64 %k, 1
  %x1 = mul i64 %k1, %n
  %a1 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x1
  %v1 = add i32 %v0, 1
  store i32 %v1, ptr addrspace(1) %a1
  %k2 = add i64 %k, 2
  %x2 = mul i64 %n, %k2
  %a2 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x2
  %v2 = add i32 %v0, 2
  store i32 %v2, ptr addrspace(1) %a2
  %k3 = add i64 %k, 3
  %i1 = add nuw i32 %i, 3
  %more = icmp slt i64 %k3, 6
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not: a sum that may wrap; one that is read by something else, or by addresses of another base; a product that the addition is part of;
; a counter that may wrap; memory of one thread, which ptxas keeps in registers.
; CHECK-LABEL: @stay(
; CHECK: entry:
; CHECK-NEXT: %l = alloca
; CHECK-NEXT: br label %loop
; CHECK: %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w0
; CHECK: %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
; CHECK: %c = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %w1
; CHECK: %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w2
; CHECK: %e = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w3
; CHECK: %f = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w4
; CHECK: %g = getelementptr inbounds i32, ptr addrspace(5) %l, i64 %w5
define void @stay(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %m, i32 %n) {
entry:
  %l = alloca [64 x i32], align 4, addrspace(5)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s0 = add i32 %i, %m
  %w0 = sext i32 %s0 to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w0
  store i32 0, ptr addrspace(1) %a
  %s1 = add nsw i32 %k, %m
  %w1 = sext i32 %s1 to i64
  %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
  store i32 1, ptr addrspace(1) %b
  %c = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %w1
  store i32 2, ptr addrspace(1) %c
  %s2 = add nsw i32 %k, %n
  %w2 = sext i32 %s2 to i64
  %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w2
  store i32 %s2, ptr addrspace(1) %d
  %x = mul nsw i32 %k, %n
  %s3 = add nsw i32 %x, %m
  %w3 = sext i32 %s3 to i64
  %e = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w3
  store i32 4, ptr addrspace(1) %e
  %w4 = sext i32 %i to i64
  %f = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w4
  store i32 5, ptr addrspace(1) %f
  %w5 = sext i32 %k to i64
  %g = getelementptr inbounds i32, ptr addrspace(5) %l, i64 %w5
  store volatile i32 6, ptr addrspace(5) %g
  %k1 = add nuw nsw i32 %k, 2
  %i1 = add i32 %i, 2
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; In a long loop one addition less is not worth a base's two registers.
; CHECK-LABEL: @long(
; CHECK: %s = add nsw i32 %k, %m
; CHECK: %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
define void @long(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %m, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = add nsw i32 %k, %m
  %w = sext i32 %s to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  store i32 0, ptr addrspace(1) %a
  store volatile i32 0, ptr addrspace(1) %q
  store volatile i32 1, ptr addrspace(1) %q
  store volatile i32 2, ptr addrspace(1) %q
  store volatile i32 3, ptr addrspace(1) %q
  store volatile i32 4, ptr addrspace(1) %q
  store volatile i32 5, ptr addrspace(1) %q
  store volatile i32 6, ptr addrspace(1) %q
  store volatile i32 7, ptr addrspace(1) %q
  store volatile i32 8, ptr addrspace(1) %q
  store volatile i32 9, ptr addrspace(1) %q
  store volatile i32 10, ptr addrspace(1) %q
  store volatile i32 11, ptr addrspace(1) %q
  store volatile i32 12, ptr addrspace(1) %q
  store volatile i32 13, ptr addrspace(1) %q
  store volatile i32 14, ptr addrspace(1) %q
  store volatile i32 15, ptr addrspace(1) %q
  store volatile i32 16, ptr addrspace(1) %q
  store volatile i32 17, ptr addrspace(1) %q
  store volatile i32 18, ptr addrspace(1) %q
  store volatile i32 19, ptr addrspace(1) %q
  store volatile i32 20, ptr addrspace(1) %q
  store volatile i32 21, ptr addrspace(1) %q
  store volatile i32 22, ptr addrspace(1) %q
  store volatile i32 23, ptr addrspace(1) %q
  store volatile i32 24, ptr addrspace(1) %q
  store volatile i32 25, ptr addrspace(1) %q
  store volatile i32 26, ptr addrspace(1) %q
  store volatile i32 27, ptr addrspace(1) %q
  store volatile i32 28, ptr addrspace(1) %q
  store volatile i32 29, ptr addrspace(1) %q
  store volatile i32 30, ptr addrspace(1) %q
  store volatile i32 31, ptr addrspace(1) %q
  store volatile i32 32, ptr addrspace(1) %q
  store volatile i32 33, ptr addrspace(1) %q
  store volatile i32 34, ptr addrspace(1) %q
  store volatile i32 35, ptr addrspace(1) %q
  store volatile i32 36, ptr addrspace(1) %q
  store volatile i32 37, ptr addrspace(1) %q
  store volatile i32 38, ptr addrspace(1) %q
  store volatile i32 39, ptr addrspace(1) %q
  store volatile i32 40, ptr addrspace(1) %q
  store volatile i32 41, ptr addrspace(1) %q
  store volatile i32 42, ptr addrspace(1) %q
  store volatile i32 43, ptr addrspace(1) %q
  store volatile i32 44, ptr addrspace(1) %q
  store volatile i32 45, ptr addrspace(1) %q
  store volatile i32 46, ptr addrspace(1) %q
  store volatile i32 47, ptr addrspace(1) %q
  store volatile i32 48, ptr addrspace(1) %q
  store volatile i32 49, ptr addrspace(1) %q
  store volatile i32 50, ptr addrspace(1) %q
  store volatile i32 51, ptr addrspace(1) %q
  store volatile i32 52, ptr addrspace(1) %q
  store volatile i32 53, ptr addrspace(1) %q
  store volatile i32 54, ptr addrspace(1) %q
  store volatile i32 55, ptr addrspace(1) %q
  store volatile i32 56, ptr addrspace(1) %q
  store volatile i32 57, ptr addrspace(1) %q
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; ptxas does not repeat a loop that the program tells not to unroll: its counter stays.
; CHECK-LABEL: @told(
; CHECK: %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k
define void @told(ptr addrspace(1) %p, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k
  store i32 0, ptr addrspace(1) %a
  %k1 = add i64 %k, 2
  %more = icmp slt i64 %k1, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; Nor one of several blocks.
; CHECK-LABEL: @blocks(
; CHECK: %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k
define void @blocks(ptr addrspace(1) %p, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %on ]
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k
  %x = load volatile i32, ptr addrspace(1) %a
  %c = icmp eq i32 %x, 0
  br i1 %c, label %zero, label %on
zero:
  store volatile i32 1, ptr addrspace(1) %a
  br label %on
on:
  %k1 = add i64 %k, 2
  %more = icmp slt i64 %k1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
