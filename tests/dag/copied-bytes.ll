; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; A word that is copied byte by byte is never put together: each store asks for one byte, and the others are left out.
; CHECK-LABEL: word(
; CHECK-COUNT-4: ld.global.b8
; CHECK-NOT: {{shl|shr|or|prmt|bfe}}.b
; CHECK-COUNT-4: st.global.b8
define void @word(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load i32, ptr addrspace(1) %p, align 1
  store i32 %v, ptr addrspace(1) %q, align 1
  ret void
}
; A remainder by a constant is one product with its negative and a sum.
; CHECK-LABEL: digit(
; CHECK: mad.lo.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, -10, %r{{[0-9]+}};
; CHECK-NOT: sub.s32
; CHECK: ret;
define i32 @digit(i32 %x) {
  %r = urem i32 %x, 10
  ret i32 %r
}
