define void @f(ptr %p) {
entry:
  store i32 1, ptr %p
next:
  ret void
}
