; RUN: ptxscope compile %s -o - | filecheck %s
; Code that is not reached may insert elements into its own result; looking for the element that is extracted ends.
target triple = "nvptx64-nvidia-cuda"
; CHECK: f()
; CHECK: ret;
define void @f() {
  ret void
unreached:
  %e = extractelement <2 x i64> %v, i32 0
  %p = inttoptr i64 %e to ptr
  %v = insertelement <2 x i64> %v, i64 undef, i32 1
  %x = extractvalue { i32, i32 } %s, 0
  %s = insertvalue { i32, i32 } %s, i32 1, 1
  store i32 %x, ptr %p
  br label %unreached
}
