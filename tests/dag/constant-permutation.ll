; prmt of constants is a constant: bytes in order, and signs (bit 3 of a selector) over the whole byte.
; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-NOT:   prmt.b32 %r{{[0-9]+}}, {{[0-9]}}
; CHECK-LABEL: bytes(
; CHECK:       st.param.b32 [func_retval0+0], 873656406;
define i32 @bytes() {
  %r = call i32 @llvm.nvvm.prmt(i32 305419896, i32 -1698898192, i32 9025)
  ret i32 %r
}
; CHECK-LABEL: signs(
; CHECK:       st.param.b32 [func_retval0+0], 255;
define i32 @signs() {
  %r = call i32 @llvm.nvvm.prmt(i32 -2139127681, i32 0, i32 35467)
  ret i32 %r
}
; CHECK-LABEL: some(
; CHECK:       prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 7, 4660;
define i32 @some(i32 %a) {
  %r = call i32 @llvm.nvvm.prmt(i32 %a, i32 7, i32 4660)
  ret i32 %r
}
