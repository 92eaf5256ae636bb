define int @f() {
  ret i32 0
}
