; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; One byte of a vector computed byte by byte: the others are not computed, and a constant's bytes are constants.
; CHECK-LABEL: one(
; CHECK: prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0, 17474;
; CHECK: add.s16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, 3;
; CHECK-NOT: prmt
; CHECK-NOT: add
; CHECK: ret;
define i32 @one(i32 %x) {
  %a = bitcast i32 %x to <4 x i8>
  %b = add <4 x i8> %a, <i8 1, i8 2, i8 3, i8 4>
  %c = extractelement <4 x i8> %b, i32 2
  %d = zext i8 %c to i32
  ret i32 %d
}
