; RUN: ptxscope compile %s --run-pass=sinking2 --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

; Factors that are extended in another block are extended again in front of their product, which is then one of two words. A factor of 64
; bits makes no such product, nor do two extensions of different kinds.
; CHECK-LABEL: @k(
; CHECK:       then:
; CHECK-NEXT:  %[[A:[0-9]+]] = sext i32 %a to i64
; CHECK-NEXT:  %[[B:[0-9]+]] = sext i32 %b to i64
; CHECK-NEXT:  %x = mul i64 %[[A]], %[[B]]
; CHECK-NEXT:  %y = mul i64 %wa, %n
; CHECK-NEXT:  %z = mul i64 %wa, %ub
; PTX-LABEL:   k(
; PTX:         mul.hi.s32
define void @k(ptr %p, i32 %a, i32 %b, i64 %n, i1 %c) {
  %wa = sext i32 %a to i64
  %wb = sext i32 %b to i64
  %ub = zext i32 %b to i64
  store volatile i64 %wa, ptr %p
  store volatile i64 %wb, ptr %p
  store volatile i64 %ub, ptr %p
  br i1 %c, label %then, label %done
then:
  %x = mul i64 %wa, %wb
  %y = mul i64 %wa, %n
  %z = mul i64 %wa, %ub
  %h = lshr i64 %x, 32
  %t = trunc i64 %h to i32
  store volatile i32 %t, ptr %p
  store volatile i64 %y, ptr %p
  store volatile i64 %z, ptr %p
  br label %done
done:
  ret void
}
