; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; p[6 - i], p[5 - i] and p[4 - i] are one address and three offsets.
; CHECK-LABEL: minuend(
; CHECK: mul.wide.u32 [[B:%rd[0-9]+]], %r{{[0-9]+}}, 4;
; CHECK-NEXT: sub.s64 [[A:%rd[0-9]+]], %rd{{[0-9]+}}, [[B]];
; CHECK-NOT: sub.s32
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, {{\[}}[[A]]+24];
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, {{\[}}[[A]]+20];
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, {{\[}}[[A]]+16];
define i32 @minuend(ptr addrspace(1) %p, i32 %n) {
  %i = lshr i32 %n, 5
  %a = sub nsw i32 6, %i
  %b = sub nsw i32 5, %i
  %c = sub nsw i32 4, %i
  %wa = sext i32 %a to i64
  %wb = sext i32 %b to i64
  %wc = sext i32 %c to i64
  %pa = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wa
  %pb = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wb
  %pc = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wc
  %x = load volatile i32, ptr addrspace(1) %pa
  %y = load volatile i32, ptr addrspace(1) %pb
  %z = load volatile i32, ptr addrspace(1) %pc
  %s = add i32 %x, %y
  %t = add i32 %s, %z
  ret i32 %t
}

; A difference that may wrap is not extended term by term.
; CHECK-LABEL: wraps(
; CHECK: sub.s32
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
define i32 @wraps(ptr addrspace(1) %p, i32 %n) {
  %a = sub i32 6, %n
  %w = sext i32 %a to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  %x = load volatile i32, ptr addrspace(1) %q
  ret i32 %x
}

; In an index of 64 bits the constant is found on either side, and behind a minus.
; CHECK-LABEL: either_side(
; CHECK: ld.volatile.global.b8 %rs{{[0-9]+}}, [%rd{{[0-9]+}}+7];
; CHECK: ld.volatile.global.b8 %rs{{[0-9]+}}, [%rd{{[0-9]+}}+-7];
; CHECK: ld.volatile.global.b8 %rs{{[0-9]+}}, [%rd{{[0-9]+}}+-7];
define void @either_side(ptr addrspace(1) %p, i64 %i, i64 %j) {
  %k = add i64 %j, 7
  %a = add i64 %i, %k
  %b = sub i64 %i, %k
  %l = sub i64 7, %j
  %c = sub i64 %i, %l
  %pa = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %a
  %pb = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %b
  %pc = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %c
  %x = load volatile i8, ptr addrspace(1) %pa
  %y = load volatile i8, ptr addrspace(1) %pb
  %z = load volatile i8, ptr addrspace(1) %pc
  ret void
}

; Where the sum of two variables may wrap once the constant is gone, the constant stays: i + j may be the least value minus 1.
; CHECK-LABEL: any_sign(
; CHECK: add.s32 {{.*}}, 1;
; CHECK-NEXT: mul.wide.s32 [[I:%rd[0-9]+]], %r{{[0-9]+}}, 4;
; CHECK-NEXT: add.s64 [[Q:%rd[0-9]+]], %rd{{[0-9]+}}, [[I]];
; CHECK-NEXT: ld.volatile.global.b32 %r{{[0-9]+}}, {{\[}}[[Q]]];
define i32 @any_sign(ptr addrspace(1) %p, i32 %i, i32 %j) {
  %k = add nsw i32 %j, 1
  %a = add nsw i32 %k, %i
  %w = sext i32 %a to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  %x = load volatile i32, ptr addrspace(1) %q
  ret i32 %x
}

; With one that is not negative it cannot wrap. The sum is made in its own width and extended as a whole.
; CHECK-LABEL: one_sign(
; CHECK-NOT: , 1;
; CHECK: mul.wide.s32 [[I:%rd[0-9]+]], %r{{[0-9]+}}, 4;
; CHECK-NEXT: add.s64 [[Q:%rd[0-9]+]], %rd{{[0-9]+}}, [[I]];
; CHECK-NEXT: ld.volatile.global.b32 %r{{[0-9]+}}, {{\[}}[[Q]]+4];
define i32 @one_sign(ptr addrspace(1) %p, i32 %i, i16 %n) {
  %j = zext i16 %n to i32
  %k = add nsw i32 %j, 1
  %a = add nsw i32 %k, %i
  %w = sext i32 %a to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  %x = load volatile i32, ptr addrspace(1) %q
  ret i32 %x
}

; A constant below 0 is the other way round: here the sum without it may exceed the greatest value.
; CHECK-LABEL: below_zero(
; CHECK: add.s32 {{.*}}, -1;
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
define i32 @below_zero(ptr addrspace(1) %p, i32 %i, i16 %n) {
  %j = zext i16 %n to i32
  %k = add nsw i32 %j, -1
  %a = add nsw i32 %k, %i
  %w = sext i32 %a to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  %x = load volatile i32, ptr addrspace(1) %q
  ret i32 %x
}

; Without unsigned wrap a zext needs no more; its counterpart without the constant shares the address.
; CHECK-LABEL: unsigned(
; CHECK: add.s32 [[S:%r[0-9]+]],
; CHECK-NEXT: mul.wide.u32 [[I:%rd[0-9]+]], [[S]], 4;
; CHECK-NOT: mul
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%[[Q:rd[0-9]+]]];
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%[[Q]]+4];
define void @unsigned(ptr addrspace(1) %p, i32 %i, i32 %n) {
  %j = shl nuw i32 %n, 1
  %k = or disjoint i32 %j, 1
  %a = add nuw i32 %j, %i
  %b = add nuw i32 %k, %i
  %v = zext i32 %a to i64
  %w = zext i32 %b to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %v
  %r = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  %x = load volatile i32, ptr addrspace(1) %q
  %y = load volatile i32, ptr addrspace(1) %r
  ret void
}

; A counter that begins at 0 and does not wrap is not negative: the two rows are one address each.
; CHECK-LABEL: counter(
; CHECK: mul.wide.s32
; CHECK: $L__BB
; CHECK-NOT: mul
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%[[Q:rd[0-9]+]]];
; CHECK-NEXT: ld.volatile.global.b32 %r{{[0-9]+}}, [%[[Q]]+4];
define void @counter(ptr addrspace(1) %p, i32 %i, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = add nsw i32 %k, %i
  %odd = or disjoint i32 %k, 1
  %b = add nsw i32 %odd, %i
  %v = sext i32 %a to i64
  %w = sext i32 %b to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %v
  %r = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %w
  %x = load volatile i32, ptr addrspace(1) %q
  %y = load volatile i32, ptr addrspace(1) %r
  %next = add nuw nsw i32 %k, 2
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
