; The address in the narrower space keeps the inrange of the original: without it less could be assumed of the access.
; RUN: ptxscope compile %s -run-pass=infer-address-spaces --emit=ir -o - | filecheck %s

@g = internal addrspace(1) global [4 x i32] zeroinitializer

define i32 @f() {
; CHECK: load i32, ptr addrspace(1) getelementptr inbounds inrange(-8, 8) ([4 x i32], ptr addrspace(1) @g, i64 0, i64 2)
  %v = load i32, ptr getelementptr inbounds inrange(-8, 8) ([4 x i32], ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 0, i64 2)
  ret i32 %v
}
