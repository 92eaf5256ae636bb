; RUN: ptxscope compile %s --run-pass=early-cse --verify-each -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; %a promises not to wrap and %b does not. Where the program is undefined if %a is poison, %a keeps its promise though it stands
; for %b: as (part of) an address, as a divisor, as what a branch decides by.

; CHECK-LABEL: @address(
; CHECK: %a = shl nsw i32 %n, 3
; CHECK: ret i32 %a
define i32 @address(ptr %p, i32 %n) {
  %a = shl nsw i32 %n, 3
  %x = sext i32 %a to i64
  %g = getelementptr float, ptr %p, i64 %x
  store float 0.0, ptr %g
  %b = shl i32 %n, 3
  ret i32 %b
}

; CHECK-LABEL: @divisor(
; CHECK: %a = add nuw i32 %n, 1
define i32 @divisor(i32 %n, i32 %k) {
  %a = add nuw i32 %n, 1
  %q = udiv i32 %k, %a
  %b = add i32 %n, 1
  %r = xor i32 %q, %b
  ret i32 %r
}

; CHECK-LABEL: @branch(
; CHECK: %a = add nuw i32 %n, 1
define i32 @branch(i32 %n) {
  %a = add nuw i32 %n, 1
  %c = icmp eq i32 %a, 5
  br i1 %c, label %then, label %done
then:
  %b = add i32 %n, 1
  ret i32 %b
done:
  ret i32 0
}

; The promise goes where poison may be harmless: as a value that is stored, as the dividend, behind a call that may not return,
; in another block, for a choice.
; CHECK-LABEL: @stored(
; CHECK: %a = add i32 %n, 1
define i32 @stored(ptr %p, i32 %n, i32 %k) {
  %a = add nuw i32 %n, 1
  store i32 %a, ptr %p
  %q = udiv i32 %a, %k
  %b = add i32 %n, 1
  %r = xor i32 %q, %b
  ret i32 %r
}

declare void @may_exit()
; CHECK-LABEL: @call(
; CHECK: %a = shl i32 %n, 3
define i32 @call(ptr %p, i32 %n) {
  %a = shl nsw i32 %n, 3
  call void @may_exit()
  %x = sext i32 %a to i64
  %g = getelementptr float, ptr %p, i64 %x
  store float 0.0, ptr %g
  %b = shl i32 %n, 3
  ret i32 %b
}

; CHECK-LABEL: @elsewhere(
; CHECK: %a = shl i32 %n, 3
define i32 @elsewhere(ptr %p, i32 %n, i1 %c) {
  %a = shl nsw i32 %n, 3
  br i1 %c, label %then, label %done
then:
  %x = sext i32 %a to i64
  %g = getelementptr float, ptr %p, i64 %x
  store float 0.0, ptr %g
  br label %done
done:
  %b = shl i32 %n, 3
  ret i32 %b
}

; CHECK-LABEL: @choice(
; CHECK: %a = shl i32 %n, 3
define i32 @choice(ptr %p, i32 %n, i1 %c) {
  %a = shl nsw i32 %n, 3
  %s = select i1 %c, i32 %a, i32 0
  %x = sext i32 %s to i64
  %g = getelementptr float, ptr %p, i64 %x
  store float 0.0, ptr %g
  %b = shl i32 %n, 3
  ret i32 %b
}

; Other elements may be poison than the one that is looked at.
; CHECK-LABEL: @elements(
; CHECK: %a = add <2 x i32> %n, splat (i32 1)
define i32 @elements(ptr %p, <2 x i32> %n) {
  %a = add nuw <2 x i32> %n, <i32 1, i32 1>
  %q = udiv <2 x i32> <i32 7, i32 7>, %a
  %b = add <2 x i32> %n, <i32 1, i32 1>
  %u = xor <2 x i32> %q, %b
  %r = extractelement <2 x i32> %u, i32 0
  ret i32 %r
}

; What lets a value be another one holds only if both say so.
; CHECK-LABEL: @contracted(
; CHECK: %a = fcmp nnan olt float %v, %w
define i1 @contracted(float %v, float %w) {
  %a = fcmp nnan contract olt float %v, %w
  br i1 %a, label %then, label %done
then:
  %b = fcmp nnan olt float %v, %w
  ret i1 %b
done:
  ret i1 false
}
