; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s
; CHECK: circular-internal.ll:6:1: error: the initial value of 'itself' leads to its own address
; CHECK: hint: PTX declares a variable in front of its definition only if other modules see it
target triple = "nvptx64-nvidia-cuda"
@out = global ptr @itself
@itself = internal global ptr @itself
