; RUN: ptxscope fmt %s -o - | filecheck %s
; What is called "" has no name, but the next number.
; CHECK: @0 = global i32 1
; CHECK: call void @1()
; CHECK: define void @1()
@"" = global i32 1
define void @f() {
  call void @1()
  ret void
}
define void @""() {
  ret void
}
