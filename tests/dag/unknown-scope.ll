; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; A scope of another target has no meaning here, and none is guessed.
target triple = "nvptx64-nvidia-cuda"

; CHECK: [[#@LINE+3]]:3: error: in 'exchange': the NVPTX backend does not support syncscope "agent"
; CHECK: hint: supported are: singlethread, <empty string>, block, cluster, device
define i32 @exchange(ptr %p, i32 %a, i32 %b) {
  %r = cmpxchg ptr %p, i32 %a, i32 %b syncscope("agent") monotonic monotonic
  %v = extractvalue { i32, i1 } %r, 0
  ret i32 %v
}

; CHECK: error: in 'ordered': the NVPTX backend does not support syncscope "workgroup"
define void @ordered() {
  fence syncscope("workgroup") seq_cst
  ret void
}
