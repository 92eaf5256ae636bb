declare void @f(i32 nounwind)
define noinline i32 @g() {
  ret i32 0
}
attributes #0 = { byval(i32) }
