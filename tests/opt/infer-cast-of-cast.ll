; RUN: ptxscope compile %s -mcpu=sm_75 --run-pass=infer-address-spaces --verify-each -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; A cast into the space and back again, twice: whoever was to use the inner cast uses the argument.
; CHECK-LABEL: define i8 @f(
; CHECK: load i8, ptr addrspace(5) %p, align 1
define i8 @f(ptr addrspace(5) %p) {
  %a = addrspacecast ptr addrspace(5) %p to ptr
  %b = addrspacecast ptr %a to ptr addrspace(5)
  %c = addrspacecast ptr addrspace(5) %b to ptr
  %v = load i8, ptr %c, align 1
  ret i8 %v
}
