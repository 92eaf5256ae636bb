; RUN: ptxscope compile %s -run-pass=infer-address-spaces -verify-each -o - | filecheck %s
; An address built on null fits every space, but has none: what it flows into stays generic.
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [32 x i32] undef

; CHECK-LABEL: @f(
; CHECK: phi ptr [
; CHECK: load i32, ptr %p
define i32 @f(i1 %c, i64 %i) {
  br i1 %c, label %a, label %b
a:
  br label %join
b:
  %n = getelementptr i32, ptr null, i64 %i
  br label %join
join:
  %p = phi ptr [ addrspacecast (ptr addrspace(3) @s to ptr), %a ], [ %n, %b ]
  %v = load i32, ptr %p
  ret i32 %v
}

; A null itself is one of any space.
; CHECK-LABEL: @g(
; CHECK: load i32, ptr addrspace(3) %
define i32 @g(i1 %c) {
  %p = select i1 %c, ptr addrspacecast (ptr addrspace(3) @s to ptr), ptr null
  %v = load i32, ptr %p
  ret i32 %v
}
