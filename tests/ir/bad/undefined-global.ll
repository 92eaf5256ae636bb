define i32 @f() {
  %y = load i32, ptr @counter
  ret i32 %y
}
