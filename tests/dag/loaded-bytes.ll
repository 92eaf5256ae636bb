; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; A byte is taken out of a loaded word where it is used: taken right behind the load, all sixteen would live at once.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: each(
; CHECK: ld.v4.b32
; CHECK-NEXT: {{bfe|prmt}}
; CHECK-NEXT: cvt.u16.u32
; CHECK-NEXT: add.s16
; CHECK-NEXT: cvt.u32.u16
; CHECK-NEXT: {{bfe|prmt}}
; CHECK-NEXT: cvt.u16.u32
; CHECK-NEXT: add.s16
; CHECK-COUNT-14: add.s16
; CHECK: st.v4.b32
define void @each(ptr %p) {
  %v = load <16 x i8>, ptr %p
  %r = add <16 x i8> %v, splat (i8 1)
  store <16 x i8> %r, ptr %p
  ret void
}
