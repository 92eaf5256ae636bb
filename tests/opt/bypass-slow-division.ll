; RUN: ptxscope compile %s --run-pass=bypass-slow-division --verify-each -o - | filecheck %s --check-prefix=IR
; RUN: ptxscope compile %s -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -bypass-slow-division=0 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -O0 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope run %s --launch=%p/bypass-slow-division.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/bypass-slow-division.launch.json
target triple = "nvptx64-nvidia-cuda"

; Quotient and remainder, unsigned and signed, of short and long operands.
; VALUES: "out":{{.*}}["0","0","0","0","1","0","1","0","2","1","2","1","1","0","1","0","1431655765","1","1431655765","1","0","9223372036854775808","4611686018427387904","0","1","0","1","0","256","259","256","259","14","2","14","2","0","4294967295","0","4294967295","1234567890123","4","1234567890123","4","0","5","18446744073709551611","0","4611686018427387904","0","13835058055282163712","0","6148914691236517203","0","18446744073709551614","18446744073709551615","1","0","1","0","0","99","0","99"]

; One test for the unsigned pair, one for the signed.
; OFF-LABEL: .entry k(
; OFF-NOT: div.u32
; OFF: ret;

; PTX-LABEL: .entry k(
; PTX: or.b64
; PTX: mov.b64 {%r{{[0-9]+}}, [[HI:%r[0-9]+]]}
; PTX: setp.ne.s32 {{.*}}, [[HI]], 0;
; PTX: div.u32
; PTX: div.u64
; PTX-NOT: setp
; PTX: ret;
define void @k(ptr %pa, ptr %pb, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %qa = getelementptr i64, ptr %pa, i64 %i
  %qb = getelementptr i64, ptr %pb, i64 %i
  %a = load i64, ptr %qa
  %b = load i64, ptr %qb
  %r0 = udiv i64 %a, %b
  %r1 = urem i64 %a, %b
  %r2 = sdiv i64 %a, %b
  %r3 = srem i64 %a, %b
  %o0 = getelementptr [4 x i64], ptr %out, i64 %i
  %o1 = getelementptr i64, ptr %o0, i64 1
  %o2 = getelementptr i64, ptr %o0, i64 2
  %o3 = getelementptr i64, ptr %o0, i64 3
  store i64 %r0, ptr %o0
  store i64 %r1, ptr %o1
  store i64 %r2, ptr %o2
  store i64 %r3, ptr %o3
  ret void
}

; Known to be short: no test. Of one that is, the other alone is tested.
; IR-LABEL: define i64 @both(
; IR-NOT: br
; IR: udiv i32
; IR: ret
define i64 @both(i32 %a, i64 %b) {
  %x = zext i32 %a to i64
  %y = lshr i64 %b, 32
  %q = udiv i64 %x, %y
  ret i64 %q
}

; IR-LABEL: define i64 @one(
; IR-NOT: or i64
; IR: icmp ult i64 %{{.*}}, 4294967296
; IR: div.short:
; IR: udiv i32
; IR: div.long:
; IR: sdiv i64
; IR: div.end:
; IR: phi i64
define i64 @one(i64 %a, i64 %b) {
  %y = and i64 %b, 65535
  %q = sdiv i64 %a, %y
  ret i64 %q
}

; A quotient divided again.
; IR-LABEL: define i64 @twice(
; IR: %q = phi i64
; IR: freeze i64 %q
; IR: %p = phi i64
define i64 @twice(i64 %a, i64 %b) {
  %q = udiv i64 %a, %b
  %p = udiv i64 %q, %b
  ret i64 %p
}

; Constants are multiplied; what is negative for certain never fits; small code is asked for.
; IR-LABEL: define i64 @not(
; IR-NOT: br
define i64 @not(i64 %a, i64 %b) {
  %q = udiv i64 %a, 7
  %p = sdiv i64 -5, %b
  %r = add i64 %p, %q
  ret i64 %r
}

; IR-LABEL: define i64 @small(
; IR-NOT: br
define i64 @small(i64 %a, i64 %b) optsize {
  %q = udiv i64 %a, %b
  ret i64 %q
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
