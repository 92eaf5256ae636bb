; RUN: ptxscope compile %s --run-pass=slsr --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=slsr -disable-slsr -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s --run-pass=slsr -pass-remarks=slsr -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %s --launch=%p/slsr.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/slsr.launch.json
target triple = "nvptx64-nvidia-cuda"

; Rows of a matrix: each from the nearest one above it, one from the first one below. The extension of the basis may be poison as
; long as it says nneg, and the address as long as it is inbounds.
; CHECK-LABEL: @rows(
; CHECK:      %w = sext i32 %i to i64
; CHECK-NEXT: %a = getelementptr i32, ptr addrspace(1) %p, i64 %w
; CHECK:      %[[N:[0-9]+]] = sext i32 %n to i64
; CHECK-NEXT: %b = getelementptr i32, ptr addrspace(1) %a, i64 %[[N]]
; CHECK:      %[[M:[0-9]+]] = sext i32 %n to i64
; CHECK-NEXT: %[[K:[0-9]+]] = mul i64 %[[M]], 8
; CHECK-NEXT: %d = getelementptr i8, ptr addrspace(1) %b, i64 %[[K]]
; CHECK:      %c = getelementptr i32, ptr addrspace(1) %b, i64 %
; CHECK:      mul i64 %{{[0-9]+}}, -4
; CHECK-NEXT: %e = getelementptr i8, ptr addrspace(1) %a, i64
; LEFT-LABEL: @rows(
; LEFT:       %w = zext nneg i32 %i to i64
; LEFT:       %b = getelementptr inbounds i32, ptr addrspace(1) %p
; REMARK: the address is that of line {{[0-9]+}} and 1 times a value {{.*}}in function rows
; REMARK: the address is that of line {{[0-9]+}} and 2 times a value {{.*}}in function rows
; REMARK: the address is that of line {{[0-9]+}} and -1 times a value {{.*}}in function rows
; PTX-LABEL: rows(
; PTX: mad.lo.s32
; PTX-NOT: add.s32
; PTX: mul.wide.s32 %rd{{[0-9]+}}, %r{{[0-9]+}}, 8;
; PTX-NOT: add.s32
; PTX: mul.wide.s32 %rd{{[0-9]+}}, %r{{[0-9]+}}, -4;
; PTX-LABEL: // -- End function
; VALUES: "p":{{.*}}[1,2,3,4,5,55,60,65,70,10,
define ptx_kernel void @rows(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = mul nsw i32 %u, %n
  %h = add nsw i32 %t, %n
  %i = add nsw i32 %h, %f
  %w = zext nneg i32 %i to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  %x = load i32, ptr addrspace(1) %a
  %r1 = add nsw i32 %i, %n
  %w1 = sext i32 %r1 to i64
  %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
  %y = load i32, ptr addrspace(1) %b
  %n3 = mul nsw i32 %n, 3
  %r3 = add nsw i32 %n3, %i
  %w3 = zext nneg i32 %r3 to i64
  %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w3
  %z = load i32, ptr addrspace(1) %d
  %n2 = shl nsw i32 %n, 1
  %r2 = add nsw i32 %i, %n2
  %w2 = sext i32 %r2 to i64
  %c = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w2
  %v = load i32, ptr addrspace(1) %c
  %rm = sub nsw i32 %i, %n
  %wm = sext i32 %rm to i64
  %e = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wm
  %o = load i32, ptr addrspace(1) %e
  %s1 = add i32 %x, %y
  %s2 = add i32 %z, %v
  %s3 = add i32 %s1, %s2
  %s4 = add i32 %s3, %o
  store i32 %s4, ptr addrspace(1) %a
  ret void
}

; What may wrap stays, and a sum that others read, another size, a basis that is not on every path, and one beyond: 2n is no way to n.
; CHECK-LABEL: @stay(
; CHECK-NOT: getelementptr i8
; CHECK: %b = getelementptr i32, ptr addrspace(1) %p, i64 %w1
; CHECK: %c = getelementptr i32, ptr addrspace(1) %p, i64 %w2
; CHECK: %d = getelementptr i64, ptr addrspace(1) %p, i64 %w3
; CHECK: then:
; CHECK: %e = getelementptr i32, ptr addrspace(1) %p, i64 %w4
; CHECK: done:
; CHECK: %f = getelementptr i32, ptr addrspace(1) %p, i64 %w5
define void @stay(ptr addrspace(1) %p, i32 %i, i32 %n, i32 %m, i1 %k) {
  %w = sext i32 %i to i64
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %w
  store i32 0, ptr addrspace(1) %a
  %r1 = add i32 %i, %n
  %w1 = sext i32 %r1 to i64
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store i32 1, ptr addrspace(1) %b
  %r2 = add nsw i32 %i, %m
  %w2 = sext i32 %r2 to i64
  %c = getelementptr i32, ptr addrspace(1) %p, i64 %w2
  store i32 %r2, ptr addrspace(1) %c
  %r3 = sub nsw i32 %i, %n
  %w3 = sext i32 %r3 to i64
  %d = getelementptr i64, ptr addrspace(1) %p, i64 %w3
  store i64 3, ptr addrspace(1) %d
  br i1 %k, label %then, label %done
then:
  %w4 = sext i32 %m to i64
  %e = getelementptr i32, ptr addrspace(1) %p, i64 %w4
  store i32 4, ptr addrspace(1) %e
  br label %done
done:
  %r5 = add nsw i32 %m, %n
  %w5 = sext i32 %r5 to i64
  %f = getelementptr i32, ptr addrspace(1) %p, i64 %w5
  store i32 5, ptr addrspace(1) %f
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; Rows that begin with a product: the products of 32 bits go, also where two arrays have the same rows. One with another reader stays,
; one that may wrap, and a first row.
; CHECK-LABEL: @products(
; CHECK:      %w1 = sext i32 %r1 to i64
; CHECK:      %a1 = getelementptr float, ptr addrspace(1) %p, i64 %w1
; CHECK-NEXT: %b1 = getelementptr float, ptr addrspace(1) %q, i64 %w1
; CHECK-NOT:  i32 %n, 4
; CHECK:      %[[X:[0-9]+]] = mul i64 %{{[0-9]+}}, 32
; CHECK-NEXT: %a2 = getelementptr i8, ptr addrspace(1) %a1, i64 %[[X]]
; CHECK:      %[[Y:[0-9]+]] = mul i64 %{{[0-9]+}}, 32
; CHECK-NEXT: %b2 = getelementptr i8, ptr addrspace(1) %b1, i64 %[[Y]]
; CHECK-NOT:  i32 %n, 24
; CHECK:      %a3 = getelementptr i8, ptr addrspace(1) %a2, i64
; CHECK:      %a4 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w4
; CHECK:      %a5 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w5
; CHECK:      %a6 = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %w6
define void @products(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
  %r1 = shl nsw i32 %n, 3
  %w1 = sext i32 %r1 to i64
  %a1 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w1
  %b1 = getelementptr inbounds float, ptr addrspace(1) %q, i64 %w1
  store float 1.0, ptr addrspace(1) %a1
  store float 1.0, ptr addrspace(1) %b1
  %r2 = shl nsw i32 %n, 4
  %w2 = sext i32 %r2 to i64
  %a2 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w2
  %b2 = getelementptr inbounds float, ptr addrspace(1) %q, i64 %w2
  store float 2.0, ptr addrspace(1) %a2
  store float 2.0, ptr addrspace(1) %b2
  %r3 = mul nsw i32 %n, 24
  %w3 = sext i32 %r3 to i64
  %a3 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w3
  store float 3.0, ptr addrspace(1) %a3
  %r4 = shl nsw i32 %n, 5
  %w4 = sext i32 %r4 to i64
  %a4 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w4
  %f4 = sitofp i64 %w4 to float
  store float %f4, ptr addrspace(1) %a4
  %r5 = mul i32 %n, 40
  %w5 = sext i32 %r5 to i64
  %a5 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w5
  store float 5.0, ptr addrspace(1) %a5
  %r6 = mul nsw i32 %n, 48
  %w6 = sext i32 %r6 to i64
  %a6 = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %w6
  store i64 6, ptr addrspace(1) %a6
  ret void
}
