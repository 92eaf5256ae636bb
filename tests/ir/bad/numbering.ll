define i32 @f(i32 %0) {
  %2 = add i32 %0, 1
  %1 = add i32 %2, 1
  ret i32 %1
}
