; RUN: ptxscope compile %s --run-pass=nvvm-peephole-ir --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=nvvm-peephole-ir -disable-nvvm-peephole-ir -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s --run-pass=nvvm-peephole-ir -pass-remarks=nvvm-peephole-ir -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %s --launch=%p/nvvm-peephole-ir.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/nvvm-peephole-ir.launch.json
target triple = "nvptx64-nvidia-cuda"

; The operands come from another block, where selection cannot see them. Signed division of what fits 32 bits, the top bit set.
; CHECK-LABEL: @k(
; CHECK:      then:
; CHECK:        %[[Q:[0-9]+]] = udiv i32 %a, %{{[0-9]+}}
; CHECK-NEXT:   %q = zext i32 %[[Q]] to i64
; LEFT-LABEL: @k(
; LEFT: sdiv i64 %x, %b
; REMARK: remark: sdiv becomes a division of 32 bits {{.*}}in function k
; PTX-LABEL: k(
; PTX: div.u32
; PTX-NOT: div.s64
; VALUES: "p":{{.*}}["3000000000","3","4","1431655765"]
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %r = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %l = load i64, ptr addrspace(1) %r
  %a = trunc i64 %l to i32
  %x = zext i32 %a to i64
  %b = and i64 %i, 65535
  %c = icmp eq i32 %t, 0
  br i1 %c, label %done, label %then
then:
  %b1 = or i64 %b, 2
  %q = sdiv i64 %x, %b
  %u = select i1 %c, i64 %b1, i64 %q
  %s = icmp eq i64 %i, 1
  %v = select i1 %s, i64 3, i64 %u
  store i64 %v, ptr addrspace(1) %r
  br label %done
done:
  ret void
}

; CHECK-LABEL: @each(
; CHECK:      %d = udiv i32 %m, 4
; CHECK-NEXT: %e = icmp ult i32 %a, 100
; CHECK-NEXT: %f = icmp slt i32 %a, -5
; CHECK-NEXT: %[[G:[0-9]+]] = and i32 %a, 255
; CHECK-NEXT: %g = zext i32 %[[G]] to i64
; CHECK-NEXT: %[[H:[0-9]+]] = lshr i32 %a, 7
; CHECK-NEXT: %h = zext i32 %[[H]] to i64
; CHECK-NEXT: %n = zext nneg i32 %m to i64
; CHECK-NEXT: %k = and i64 %w, 1023
; CHECK-NEXT: %[[K:[0-9]+]] = trunc i64 %k to i32
; CHECK-NEXT: %[[R:[0-9]+]] = urem i32 %[[K]], %a
; CHECK-NEXT: %r = zext i32 %[[R]] to i64
; REMARK: remark: sdiv becomes an unsigned division {{.*}}in function each
; REMARK: remark: icmp becomes a comparison of 32 bits {{.*}}in function each
; REMARK: remark: sext becomes a zero extension {{.*}}in function each
define void @each(i64 %w, i32 %a, i32 %b) {
  %m = lshr i32 %b, 1
  %z = zext i32 %a to i64
  %s = sext i32 %a to i64
  %d = sdiv i32 %m, 4
  %e = icmp slt i64 %z, 100
  %f = icmp slt i64 %s, -5
  %g = and i64 %z, 255
  %h = lshr i64 %z, 7
  %n = sext i32 %m to i64
  %k = and i64 %w, 1023
  %r = srem i64 %k, %z
  call void @use(i32 %d, i1 %e, i1 %f, i64 %g, i64 %h, i64 %n, i64 %r)
  ret void
}

; What may be negative or wide stays; so does a comparison of values that are extended in two ways, or with a constant beyond.
; CHECK-LABEL: @stay(
; CHECK:      %d = sdiv i32 %a, 4
; CHECK-NEXT: %e = udiv i64 %w, %z
; CHECK-NEXT: %f = icmp slt i64 %z, %s
; CHECK-NEXT: %g = icmp slt i64 %z, 4294967296
; CHECK-NEXT: %h = and i64 %z, -256
; CHECK-NEXT: %n = sext i32 %a to i64
; REMARK: missed: sdiv stays: its operands may be negative {{.*}}in function stay
; REMARK: missed: udiv stays: its operands may have more than 32 bits {{.*}}in function stay
define void @stay(ptr %p, i32 %a, i64 %w) {
  %z = zext i32 %a to i64
  %s = sext i32 %a to i64
  %d = sdiv i32 %a, 4
  %e = udiv i64 %w, %z
  %f = icmp slt i64 %z, %s
  %g = icmp slt i64 %z, 4294967296
  %h = and i64 %z, -256
  %n = sext i32 %a to i64
  call void @use2(i32 %d, i64 %e, i1 %f, i1 %g, i64 %h, i64 %n)
  ret void
}

; The bits of a mask that is shifted up are tested in what is shifted down; a mask that others read stays.
; CHECK-LABEL: @masks(
; CHECK:      %[[A:[0-9]+]] = lshr i32 %x, %y
; CHECK-NEXT: %[[B:[0-9]+]] = and i32 %[[A]], 4
; CHECK-NEXT: %p = icmp eq i32 %[[B]], 0
; CHECK:      %[[C:[0-9]+]] = lshr i64 %z, %w
; CHECK-NEXT: %[[D:[0-9]+]] = and i64 %[[C]], 1
; CHECK-NEXT: %q = icmp ne i64 %[[D]], 0
; CHECK:      %o = and i32 %x, %n
; CHECK-NEXT: %r = icmp eq i32 %o, 0
; CHECK:      %s = icmp eq i32 %{{.*}}, 1
define void @masks(i32 %x, i32 %y, i64 %z, i64 %w) {
  %a = shl i32 4, %y
  %b = and i32 %x, %a
  %p = icmp eq i32 %b, 0
  %c = shl nuw i64 1, %w
  %d = and i64 %c, %z
  %q = icmp ne i64 %d, 0
  %n = shl i32 8, %y
  %o = and i32 %x, %n
  %r = icmp eq i32 %o, 0
  %e = shl i32 1, %y
  %f = and i32 %x, %e
  %s = icmp eq i32 %f, 1
  call void @use3(i1 %p, i1 %q, i1 %r, i1 %s, i32 %n)
  ret void
}

declare void @use3(i1, i1, i1, i1, i32)
declare void @use(i32, i1, i1, i64, i64, i64, i64)
declare void @use2(i32, i64, i1, i1, i64, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Equal, or not: the exclusive or that lives on anyway is tested, and neither operand has to.
; CHECK-LABEL: define i32 @difference(
; CHECK:         %d = xor i32 %x, %y
; CHECK:         icmp ne i32 %d, 0
; CHECK-LABEL: define i1 @dies(
; CHECK:         icmp ne i32 %x, %y
define i32 @difference(i32 %a, i32 %b, ptr %p) {
  %x = add i32 %a, 1
  %y = mul i32 %b, 3
  %d = xor i32 %x, %y
  store volatile i32 0, ptr %p
  %c = icmp ne i32 %x, %y
  br i1 %c, label %t, label %f
t:
  ret i32 %d
f:
  ret i32 0
}
define i1 @dies(i32 %a, i32 %b, ptr %p) {
  %x = add i32 %a, 1
  %y = mul i32 %b, 3
  %d = xor i32 %x, %y
  store volatile i32 %d, ptr %p
  %c = icmp ne i32 %x, %y
  ret i1 %c
}

; What a truncation does not lose is compared and converted in the register where it is.
; CHECK-LABEL: define i1 @signed(
; CHECK:         icmp sle i32 %a, -42
; CHECK-LABEL: define i1 @unsigned(
; CHECK:         icmp ult i32 %a, 65494
; CHECK-LABEL: define i1 @lost(
; CHECK:         icmp ult i16 %t, -42
; CHECK-LABEL: define i1 @two(
; CHECK:         icmp eq i32 %a, %b
; CHECK-LABEL: define double @converted(
; CHECK:         uitofp i32 %a to double
; CHECK:         sitofp i32 %b to double
; CHECK:         uitofp i16 %v to double
define i1 @signed(i32 %a) {
  %t = trunc nsw i32 %a to i16
  %c = icmp sle i16 %t, -42
  ret i1 %c
}
define i1 @unsigned(i32 %a) {
  %t = trunc nuw i32 %a to i16
  %c = icmp ult i16 %t, -42
  ret i1 %c
}
define i1 @lost(i32 %a) {
  %t = trunc nsw i32 %a to i16
  %c = icmp ult i16 %t, -42
  ret i1 %c
}
define i1 @two(i32 %a, i32 %b) {
  %t = trunc nsw i32 %a to i16
  %u = trunc nuw nsw i32 %b to i16
  %c = icmp eq i16 %t, %u
  ret i1 %c
}
define double @converted(i32 %a, i32 %b) {
  %t = trunc nuw i32 %a to i16
  %x = uitofp i16 %t to double
  %u = trunc nsw i32 %b to i16
  %y = sitofp i16 %u to double
  %s = fadd double %x, %y
  %v = trunc nsw i32 %b to i16
  %z = uitofp i16 %v to double
  %r = fadd double %s, %z
  ret double %r
}
