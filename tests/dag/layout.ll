; RUN: ptxscope compile %s -mcpu=sm_100a -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_100a --nvptx-short-ptr -o - | filecheck %s --check-prefix=SHORT
; LLVM 22's data layout where the module has none: a caller and a callee by another compiler agree on sizes and alignments.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: f(
; CHECK: .param .b32 f_param_0,
; CHECK: .param .b64 f_param_1,
; CHECK: .param .b64 f_param_2,
; CHECK: .param .align 32 .b8 f_param_3[32]
; SHORT-LABEL: f(
; SHORT: .param .b32 f_param_0,
; SHORT: .param .b32 f_param_1,
; SHORT: .param .b32 f_param_2,
define void @f(ptr addrspace(6) %tensor, ptr addrspace(7) %cluster, ptr addrspace(3) %shared, {i256} %wide) {
  ret void
}
