; RUN: ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/number-idioms.launch.json -mcpu=sm_70 --level=ir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/number-idioms.launch.json -mcpu=sm_70 --level=mir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/number-idioms.launch.json -mcpu=sm_70 --level=ptx --json | filecheck %s --check-prefix=RESULT
; Several operations that are one: what people write for absolute values, rotations, distances, tests of bits and of remainders.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: absolute(
; CHECK: ld.param
; CHECK-NEXT: abs.s32
; CHECK-NEXT: st.param
define i32 @absolute(i32 %a) {
  %s = ashr i32 %a, 31
  %x = xor i32 %a, %s
  %r = sub i32 %x, %s
  ret i32 %r
}
; The sum comes first.
; CHECK-LABEL: absolute_sum(
; CHECK: ld.param
; CHECK-NEXT: abs.s64
; CHECK-NEXT: st.param
define i64 @absolute_sum(i64 %a) {
  %s = ashr i64 %a, 63
  %x = add i64 %s, %a
  %r = xor i64 %x, %s
  ret i64 %r
}
; CHECK-LABEL: distance(
; CHECK-DAG: min.s32
; CHECK-DAG: max.s32
; CHECK: sub.s32
; CHECK-NEXT: st.param
define i32 @distance(i32 %a, i32 %b) {
  %x = sub i32 %a, %b
  %y = sub i32 %b, %a
  %c = icmp sgt i32 %a, %b
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}
; A byte's minimum is one of 16 bits.
; CHECK-LABEL: least(
; CHECK: ld.param.s8
; CHECK-NEXT: ld.param.s8
; CHECK-NEXT: min.s16
define i8 @least(i8 %a, i8 %b) {
  %c = icmp slt i8 %a, %b
  %r = select i1 %c, i8 %a, i8 %b
  ret i8 %r
}
; CHECK-LABEL: limit(
; CHECK: ld.param
; CHECK-NEXT: shr.s32 [[S:%r[0-9]+]], %r{{[0-9]+}}, 31;
; CHECK-NEXT: xor.b32 %r{{[0-9]+}}, [[S]], 2147483647;
define i32 @limit(i32 %a) {
  %c = icmp slt i32 %a, 0
  %r = select i1 %c, i32 -2147483648, i32 2147483647
  ret i32 %r
}

; clz of 0 is the width already.
; CHECK-LABEL: leading(
; CHECK: ld.param
; CHECK-NEXT: clz.b32
; CHECK-NEXT: st.param
define i32 @leading(i32 %a) {
  %n = call i32 @llvm.ctlz.i32(i32 %a, i1 true)
  %z = icmp eq i32 %a, 0
  %r = select i1 %z, i32 32, i32 %n
  ret i32 %r
}
; At most 16: nothing to clear above.
; CHECK-LABEL: leading_of_half(
; CHECK: clz.b32
; CHECK-NEXT: add.s32
; CHECK-NEXT: st.param
define i32 @leading_of_half(i16 %a) {
  %n = call i16 @llvm.ctlz.i16(i16 %a, i1 false)
  %r = zext i16 %n to i32
  ret i32 %r
}

; Two values side by side, and one.
; CHECK-LABEL: funnel(
; CHECK: shf.l.wrap.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 5;
; CHECK-NEXT: st.param
define i32 @funnel(i32 %a, i32 %b) {
  %x = shl i32 %a, 5
  %y = lshr i32 %b, 27
  %r = or i32 %x, %y
  ret i32 %r
}
; CHECK-LABEL: funnel_wide(
; CHECK-COUNT-2: shf.l.wrap.b32
; CHECK-NOT: sh{{[lr]}}.
define i64 @funnel_wide(i64 %a, i64 %b) {
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 11)
  ret i64 %r
}
; CHECK-LABEL: funnel_words(
; CHECK-NOT: sh{{[lrf]}}.
; CHECK: st.param
define i64 @funnel_words(i64 %a, i64 %b) {
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 32)
  ret i64 %r
}
; CHECK-LABEL: rotated(
; CHECK: ld.param
; CHECK: ld.param
; CHECK-NEXT: shf.l.wrap.b32
; CHECK-NEXT: st.param
define i32 @rotated(i32 %a, i32 %n) {
  %m = and i32 %n, 31
  %o = sub i32 0, %n
  %p = and i32 %o, 31
  %x = shl i32 %a, %m
  %y = lshr i32 %a, %p
  %r = or i32 %x, %y
  ret i32 %r
}
; The sum of both is twice the value where the amount is 0.
; CHECK-LABEL: not_rotated(
; CHECK-NOT: shf
; CHECK: add.s32
define i32 @not_rotated(i32 %a, i32 %n) {
  %m = and i32 %n, 31
  %o = sub i32 0, %n
  %p = and i32 %o, 31
  %x = shl i32 %a, %m
  %y = lshr i32 %a, %p
  %r = add i32 %x, %y
  ret i32 %r
}

; CHECK-LABEL: sign(
; CHECK: ld.param.{{[ub]}}32 [[A:%r[0-9]+]], [sign_param_0+4];
; CHECK-NEXT: shr.u32 %r{{[0-9]+}}, [[A]], 31;
define i32 @sign(i64 %a) {
  %c = icmp slt i64 %a, 0
  %r = zext i1 %c to i32
  ret i32 %r
}
; What is above the bit is nobody's.
; CHECK-LABEL: bit(
; CHECK: shr.u32
; CHECK-NEXT: st.param
define i1 @bit(i32 %a, i32 %n) {
  %x = shl i32 1, %n
  %y = and i32 %x, %a
  %r = icmp ne i32 %y, 0
  ret i1 %r
}
; CHECK-LABEL: never(
; CHECK-NOT: ld
; CHECK: st.param.b32 [func_retval0], 0;
define i32 @never(i32 %a) {
  %x = lshr i32 %a, 15
  %y = and i32 %x, 1
  %c = icmp ugt i32 %y, 1
  %d = icmp eq i32 %y, 3
  %e = or i1 %c, %d
  %r = zext i1 %e to i32
  ret i32 %r
}
; CHECK-LABEL: narrow_compare(
; CHECK: setp.lt.u16
define i1 @narrow_compare(i16 %a, i16 %b) {
  %x = zext i16 %a to i64
  %y = zext i16 %b to i64
  %r = icmp slt i64 %x, %y
  ret i1 %r
}
; Equality does not need the bits above.
; CHECK-LABEL: equal_halves(
; CHECK: setp.eq.b16
define i1 @equal_halves(i16 %a, i16 %b) {
  %r = icmp eq i16 %a, %b
  ret i1 %r
}

; Multiples of an odd number, and of an even one, from a product.
; CHECK-LABEL: by_seven(
; CHECK: mul.lo.s32 [[Q:%r[0-9]+]], %r{{[0-9]+}}, -1227133513;
; CHECK-NEXT: setp.lt.u32 %p{{[0-9]+}}, [[Q]], 613566757;
define i1 @by_seven(i32 %a) {
  %m = urem i32 %a, 7
  %r = icmp eq i32 %m, 0
  ret i1 %r
}
; CHECK-LABEL: by_twelve(
; CHECK: mad.lo.s32
; CHECK-NEXT: shf.r.wrap.b32 {{.*}}, 2;
; CHECK-NEXT: setp.gt.u32
define i1 @by_twelve(i32 %a) {
  %m = srem i32 %a, -12
  %r = icmp ne i32 %m, 0
  ret i1 %r
}
; CHECK-LABEL: exactly(
; CHECK: shr.s64
; CHECK-NEXT: mul.lo.s64
; CHECK-NEXT: st.param
define i64 @exactly(i64 %a) {
  %r = sdiv exact i64 %a, 12
  ret i64 %r
}
; CHECK-LABEL: by_power(
; CHECK: shr.u32
; CHECK-NOT: div
define i32 @by_power(i32 %a, i32 %n) {
  %p = shl i32 1, %n
  %q = udiv i32 %a, %p
  %m = urem i32 %a, %p
  %r = xor i32 %q, %m
  ret i32 %r
}
; CHECK-LABEL: upper(
; CHECK: mul.hi.s32
; CHECK-NEXT: st.param
define i32 @upper(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %m = mul i64 %x, %y
  %h = ashr i64 %m, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

; Bytes of what is in memory.
; CHECK-LABEL: parts(
; CHECK-DAG: ld.global.b8 %r{{[0-9]+}}, [%rd{{[0-9]+}}+2];
; CHECK-DAG: ld.global.s8 %r{{[0-9]+}}, [%rd{{[0-9]+}}+5];
; CHECK-DAG: ld.global.{{[bs]}}16 %r{{[0-9]+}}, [%rd{{[0-9]+}}+10];
define void @parts(ptr addrspace(1) %p) {
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  %t = getelementptr i32, ptr addrspace(1) %p, i64 2
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %q
  %c = load i32, ptr addrspace(1) %t
  %a1 = lshr i32 %a, 16
  %a2 = and i32 %a1, 255
  %b1 = shl i32 %b, 16
  %b2 = ashr i32 %b1, 24
  %c2 = lshr i32 %c, 16
  %x = add i32 %a2, %b2
  %y = add i32 %x, %c2
  store i32 %y, ptr addrspace(1) %p
  ret void
}
; The whole is read where somebody says so.
; CHECK-LABEL: whole(
; CHECK: ld.volatile.global.b32
define i32 @whole(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %r = lshr i32 %a, 16
  ret i32 %r
}

declare i32 @llvm.ctlz.i32(i32, i1)
declare i16 @llvm.ctlz.i16(i16, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; RESULT: "words":{{.*}}[0,84,172,2147483647,32,0,31,0,0,1,0,0,1,0,1,0,0,0,65535,0,4294967295,4294967212,0,0,0,0,0,0,0,0,0,0,84,2023406731,172,2147483648,0,1,4294964624,4294967129,4294967129,0,0,0,0,0,0,0,2147483606,39,34661,0,65857,2271560481,4294967212,0,0,0,0,0,0,0,0,0,
; RESULT-SAME: 2023406815,2023406899,33,2147483648,0,9,3970458656,840463956,840463956,1,0,0,0,0,0,1,346967,4294967256,0,0,34762,84,2271560481,0,0,0,0,0,0,0,0,0,84,2147483732,0,2147483647,25,16,2704,84,168,1,0,0,0,0,1,0,84,4294967254,32768,0,0,2147483648,84,0,0,0,0,0,0,0,0,0]
; RESULT: "wide":{{.*}}["360777252864","0","0","0","8690466096928522156","17699146535566049279","18446743712932298752","18446744073709551532","362800659679","7223773802301287592","9756277976781029376","18446744071686144801","9223372036854775724","756604737398243328","360777252864","84"]
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %words, ptr addrspace(1) %wide) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %pa = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %pb = getelementptr i32, ptr addrspace(1) %pa, i64 1
  %a = load i32, ptr addrspace(1) %pa, align 4
  %b = load i32, ptr addrspace(1) %pb, align 4
  %a64 = sext i32 %a to i64
  %b64 = zext i32 %b to i64
  %hi = shl i64 %b64, 32
  %w = xor i64 %a64, %hi
  %r0 = call i32 @absolute(i32 %a)
  %r1 = call i32 @distance(i32 %a, i32 %b)
  %a8 = trunc i32 %a to i8
  %b8 = trunc i32 %b to i8
  %a16 = trunc i32 %a to i16
  %b16 = trunc i32 %b to i16
  %r2b = call i8 @least(i8 %a8, i8 %b8)
  %r2 = zext i8 %r2b to i32
  %r3 = call i32 @limit(i32 %a)
  %r4 = call i32 @leading(i32 %a)
  %r5 = call i32 @leading_of_half(i16 %b16)
  %r6 = call i32 @funnel(i32 %a, i32 %b)
  %r7 = call i32 @rotated(i32 %a, i32 %b)
  %r8 = call i32 @not_rotated(i32 %a, i32 %b)
  %r9 = call i32 @sign(i64 %w)
  %n = and i32 %b, 31
  %r10b = call i1 @bit(i32 %a, i32 %n)
  %r10 = zext i1 %r10b to i32
  %r11 = call i32 @never(i32 %a)
  %r12b = call i1 @narrow_compare(i16 %a16, i16 %b16)
  %r12 = zext i1 %r12b to i32
  %r13b = call i1 @equal_halves(i16 %a16, i16 %b16)
  %r13 = zext i1 %r13b to i32
  %r14b = call i1 @by_seven(i32 %a)
  %r14 = zext i1 %r14b to i32
  %r15b = call i1 @by_twelve(i32 %a)
  %r15 = zext i1 %r15b to i32
  %r16 = call i32 @by_power(i32 %a, i32 %n)
  %r17 = call i32 @upper(i32 %a, i32 %b)
  %s0 = shl i32 %t, 5
  %s = zext i32 %s0 to i64
  %o = getelementptr i32, ptr addrspace(1) %words, i64 %s
  store i32 %r0, ptr addrspace(1) %o
  %o1 = getelementptr i32, ptr addrspace(1) %o, i64 1
  store i32 %r1, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %o, i64 2
  store i32 %r2, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %o, i64 3
  store i32 %r3, ptr addrspace(1) %o3
  %o4 = getelementptr i32, ptr addrspace(1) %o, i64 4
  store i32 %r4, ptr addrspace(1) %o4
  %o5 = getelementptr i32, ptr addrspace(1) %o, i64 5
  store i32 %r5, ptr addrspace(1) %o5
  %o6 = getelementptr i32, ptr addrspace(1) %o, i64 6
  store i32 %r6, ptr addrspace(1) %o6
  %o7 = getelementptr i32, ptr addrspace(1) %o, i64 7
  store i32 %r7, ptr addrspace(1) %o7
  %o8 = getelementptr i32, ptr addrspace(1) %o, i64 8
  store i32 %r8, ptr addrspace(1) %o8
  %o9 = getelementptr i32, ptr addrspace(1) %o, i64 9
  store i32 %r9, ptr addrspace(1) %o9
  %o10 = getelementptr i32, ptr addrspace(1) %o, i64 10
  store i32 %r10, ptr addrspace(1) %o10
  %o11 = getelementptr i32, ptr addrspace(1) %o, i64 11
  store i32 %r11, ptr addrspace(1) %o11
  %o12 = getelementptr i32, ptr addrspace(1) %o, i64 12
  store i32 %r12, ptr addrspace(1) %o12
  %o13 = getelementptr i32, ptr addrspace(1) %o, i64 13
  store i32 %r13, ptr addrspace(1) %o13
  %o14 = getelementptr i32, ptr addrspace(1) %o, i64 14
  store i32 %r14, ptr addrspace(1) %o14
  %o15 = getelementptr i32, ptr addrspace(1) %o, i64 15
  store i32 %r15, ptr addrspace(1) %o15
  %o16 = getelementptr i32, ptr addrspace(1) %o, i64 16
  store i32 %r16, ptr addrspace(1) %o16
  %o17 = getelementptr i32, ptr addrspace(1) %o, i64 17
  store i32 %r17, ptr addrspace(1) %o17
  %v0 = call i64 @absolute_sum(i64 %w)
  %v1 = call i64 @funnel_wide(i64 %w, i64 %a64)
  %v2 = call i64 @funnel_words(i64 %w, i64 %b64)
  %twelve = mul nsw i64 %a64, 12
  %v3 = call i64 @exactly(i64 %twelve)
  %u = shl i64 %i, 2
  %q = getelementptr i64, ptr addrspace(1) %wide, i64 %u
  store i64 %v0, ptr addrspace(1) %q
  %q1 = getelementptr i64, ptr addrspace(1) %q, i64 1
  store i64 %v1, ptr addrspace(1) %q1
  %q2 = getelementptr i64, ptr addrspace(1) %q, i64 2
  store i64 %v2, ptr addrspace(1) %q2
  %q3 = getelementptr i64, ptr addrspace(1) %q, i64 3
  store i64 %v3, ptr addrspace(1) %q3
  %sl = getelementptr i32, ptr addrspace(1) %o, i64 20
  store i32 %a, ptr addrspace(1) %sl
  %sl1 = getelementptr i32, ptr addrspace(1) %o, i64 21
  store i32 %b, ptr addrspace(1) %sl1
  %sl2 = getelementptr i32, ptr addrspace(1) %o, i64 22
  store i32 %a, ptr addrspace(1) %sl2
  call void @parts(ptr addrspace(1) %sl)
  %r18 = call i32 @whole(ptr addrspace(1) %sl1)
  %o18 = getelementptr i32, ptr addrspace(1) %o, i64 18
  store i32 %r18, ptr addrspace(1) %o18
  ret void
}
