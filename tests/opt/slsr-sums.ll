; RUN: ptxscope compile %s --run-pass=slsr --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=slsr -inbounds-offsets=0 -o - | filecheck %s --check-prefix=PROVEN
; RUN: ptxscope compile %s --run-pass=slsr -pass-remarks=slsr -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %s --launch=%p/slsr-sums.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/slsr-sums.launch.json
target triple = "nvptx64-nvidia-cuda"

; Sums of which others are made: each address is made from the one before it. Where indices differ by a constant, the access has it; the
; product of which nothing is said may be the least number, but the first access says that its sum with %t is none that wraps.
; CHECK-LABEL: @chain(
; CHECK:      %[[N1:[0-9]+]] = sext i32 %n to i64
; CHECK-NEXT: %b = getelementptr float, ptr addrspace(1) %a, i64 %[[N1]]
; CHECK:      %[[N2:[0-9]+]] = sext i32 %n to i64
; CHECK-NEXT: %c = getelementptr float, ptr addrspace(1) %b, i64 %[[N2]]
; CHECK:      %d = getelementptr i8, ptr addrspace(1) %a, i64 32
; CHECK:      %[[N3:[0-9]+]] = sext i32 %n to i64
; CHECK-NEXT: %e = getelementptr float, ptr addrspace(1) %c, i64 %[[N3]]
; CHECK-NEXT: %{{[0-9]+}} = getelementptr i8, ptr addrspace(1) %e, i64 -4
; REMARK: the address is that of line {{[0-9]+}} and 1 times a value {{.*}}in function chain
; REMARK: the address is that of line {{[0-9]+}} and 32 bytes {{.*}}in function chain
; PTX-LABEL: chain(
; PTX:       mad.lo.s32
; PTX-NOT:   add.s32
; PTX:       ret
; VALUES: "p":{{.*}}[0,1,2,3,51,5,
define ptx_kernel void @chain(ptr addrspace(1) %p, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = mul i32 %t, %m
  %i0 = add nsw i32 %x, %n
  %w0 = sext i32 %i0 to i64
  %a = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w0
  %va = load float, ptr addrspace(1) %a
  %i1 = add nsw i32 %i0, %n
  %w1 = sext i32 %i1 to i64
  %b = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w1
  %vb = load float, ptr addrspace(1) %b
  %i2 = add nsw i32 %i1, %n
  %w2 = sext i32 %i2 to i64
  %c = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w2
  %vc = load float, ptr addrspace(1) %c
  %x8 = or disjoint i32 %x, 8
  %i3 = add nsw i32 %x8, %n
  %w3 = sext i32 %i3 to i64
  %d = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w3
  %vd = load float, ptr addrspace(1) %d
  %n1 = add nsw i32 %n, -1
  %i4 = add nsw i32 %i2, %n1
  %w4 = sext i32 %i4 to i64
  %e = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w4
  %ve = load float, ptr addrspace(1) %e
  %s1 = fadd float %va, %vb
  %s2 = fadd float %vc, %vd
  %s3 = fadd float %s1, %s2
  %s4 = fadd float %s3, %ve
  store float %s4, ptr addrspace(1) %a
  ret void
}

; Behind a product, and in an index of 64 bits, where nothing has to be said of wrapping.
; CHECK-LABEL: @products(
; CHECK: %b = getelementptr i8, ptr addrspace(1) %a, i64 48
; CHECK: %d = getelementptr i64, ptr addrspace(1) %c, i64 %n
define void @products(ptr addrspace(1) %p, i32 %i, i64 %k, i64 %n) {
  %i0 = add nsw i32 %i, -1
  %j0 = mul nsw i32 %i0, 12
  %w0 = sext i32 %j0 to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w0
  store i32 0, ptr addrspace(1) %a
  %j1 = mul nsw i32 %i, 12
  %w1 = sext i32 %j1 to i64
  %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
  store i32 1, ptr addrspace(1) %b
  %c = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %k
  store i64 2, ptr addrspace(1) %c
  %kn = add i64 %k, %n
  %d = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %kn
  store i64 3, ptr addrspace(1) %d
  ret void
}

; Not from an address that nobody has accessed there, as its index may wrap; not where a sum may wrap; not from another block, where two
; addresses would be live instead of two numbers; not where the sum is needed anyway.
; CHECK-LABEL: @stay(
; CHECK: %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
; CHECK: %c = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w2
; CHECK: %e = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w4
; CHECK: next:
; CHECK: %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w3
define void @stay(ptr addrspace(1) %p, i32 %i, i32 %j, i32 %n) {
  %s = add nsw i32 %i, %j
  %i0 = add nsw i32 %s, 1
  %w0 = sext i32 %i0 to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w0
  %w1 = sext i32 %s to i64
  %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
  store i32 1, ptr addrspace(1) %b
  store i32 0, ptr addrspace(1) %a
  %i2 = add i32 %s, %n
  %w2 = sext i32 %i2 to i64
  %c = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w2
  store i32 2, ptr addrspace(1) %c
  %i4 = sub nsw i32 %j, %n
  %k4 = add nsw i32 %i4, %i
  %w4 = sext i32 %k4 to i64
  %e = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w4
  store i32 %k4, ptr addrspace(1) %e
  br label %next
next:
  %i3 = sub nsw i32 %s, %n
  %j3 = sub nsw i32 %i3, %n
  %w3 = sext i32 %j3 to i64
  %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w3
  store i32 3, ptr addrspace(1) %d
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; What clang leaves of p[x - 1] and p[x + 1] where it dropped nsw: offsets, as both addresses are inbounds.
; CHECK-LABEL: @loose(
; CHECK: %b = getelementptr i8, ptr addrspace(1) %a, i64 -4
; CHECK: %c = getelementptr i32, ptr addrspace(1) %p, i64 %w2
; PROVEN-LABEL: @loose(
; PROVEN: %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
define void @loose(ptr addrspace(1) %p, i32 %x) {
  %w0 = sext i32 %x to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w0
  store i32 0, ptr addrspace(1) %a
  %i1 = add i32 %x, -1
  %w1 = sext i32 %i1 to i64
  %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
  store i32 1, ptr addrspace(1) %b
  %i2 = add i32 %x, -2
  %w2 = sext i32 %i2 to i64
  %c = getelementptr i32, ptr addrspace(1) %p, i64 %w2
  store i32 2, ptr addrspace(1) %c
  ret void
}

; Sums that may wrap, in any order: as words of 32 bits they differ by a constant, or are equal. Not those that differ by a variable.
; CHECK-LABEL: @words(
; CHECK: store i32 0, ptr addrspace(1) %a
; CHECK: %b = getelementptr i8, ptr addrspace(1) %a, i64 -256
; CHECK: %c = getelementptr i8, ptr addrspace(1) %a, i64 -256
; CHECK: %d = getelementptr i8, ptr addrspace(1) %a, i64 36
; CHECK: %e = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w4
; CHECK: store i32 5, ptr addrspace(1) %a
; PROVEN-LABEL: @words(
; PROVEN: %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
; PROVEN: %c = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w2
; PROVEN: %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w3
define void @words(ptr addrspace(1) %p, i32 %x, i32 %row) {
  %i0 = add i32 %row, %x
  %w0 = sext i32 %i0 to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w0
  store i32 0, ptr addrspace(1) %a
  %j1 = add i32 %x, -64
  %i1 = add i32 %j1, %row
  %w1 = sext i32 %i1 to i64
  %b = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w1
  store i32 1, ptr addrspace(1) %b
  %i2 = sub i32 %i0, 64
  %w2 = sext i32 %i2 to i64
  %c = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w2
  store i32 2, ptr addrspace(1) %c
  %j3 = add i32 %x, 3
  %k3 = mul i32 %j3, 3
  %l3 = shl i32 %x, 1
  %m3 = sub i32 %k3, %l3
  %i3 = add i32 %m3, %row
  %w3 = sext i32 %i3 to i64
  %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w3
  store i32 3, ptr addrspace(1) %d
  %i4 = add i32 %i0, %x
  %w4 = sext i32 %i4 to i64
  %e = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w4
  store i32 4, ptr addrspace(1) %e
  %i5 = add i32 %x, %row
  %w5 = sext i32 %i5 to i64
  %f = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w5
  store i32 5, ptr addrspace(1) %f
  ret void
}
