; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; An index from memory is extended and multiplied in one mul.wide. A load that extends to 64 bits would leave a shift and an addition
; of 64 bits: three machine instructions for one.
; CHECK-LABEL: gather(
; CHECK:      ld.global.b32 [[I:%r[0-9]+]],
; CHECK:      mul.wide.s32 [[O:%rd[0-9]+]], [[I]], 4;
; CHECK-NEXT: add.s64
; CHECK:      ld.global.b8 {{%r(s)?[0-9]+}},
; CHECK:      mul.wide.u32
; CHECK-NOT:  shl.b64
; CHECK:      ret
define float @gather(ptr addrspace(1) %p, ptr addrspace(1) %index, ptr addrspace(1) %byte) {
  %i = load i32, ptr addrspace(1) %index
  %w = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 %w
  %x = load float, ptr addrspace(1) %q
  %c = load i8, ptr addrspace(1) %byte
  %v = zext i8 %c to i64
  %r = getelementptr inbounds float, ptr addrspace(1) %p, i64 %v
  %y = load float, ptr addrspace(1) %r
  %s = fadd float %x, %y
  ret float %s
}
