; What is in a space is an argument or a constant: the cast back to a generic address stands where the expression stood.
; RUN: ptxscope compile %s --run-pass=infer-address-spaces --verify-each -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"
@g = addrspace(1) global i32 0

define void @first(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  store i32 2, ptr addrspace(1) %p
  store i32 3, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @argument(i32 %n, ptr addrspace(5) %p) {
; CHECK: %[[G:[0-9]+]] = addrspacecast ptr addrspace(5) %p to ptr
; CHECK-NEXT: load ptr, ptr addrspace(5) %p
; CHECK-NEXT: call void %f(ptr %[[G]])
define void @argument(i32 %n, ptr addrspace(5) %p) {
  %a = addrspacecast ptr addrspace(5) %p to ptr
  %b = bitcast ptr %a to ptr
  %f = load ptr, ptr %b
  call void %f(ptr %b)
  ret void
}

; CHECK-LABEL: define void @constant(i32 %n) {
; CHECK: %[[H:[0-9]+]] = addrspacecast ptr addrspace(1) @g to ptr
; CHECK-NEXT: load ptr, ptr addrspace(1) @g
; CHECK-NEXT: call void %f(ptr %[[H]])
define void @constant(i32 %n) {
  %b = bitcast ptr addrspacecast (ptr addrspace(1) @g to ptr) to ptr
  %f = load ptr, ptr %b
  call void %f(ptr %b)
  ret void
}
