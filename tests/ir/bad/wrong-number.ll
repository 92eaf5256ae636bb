define i32 @f(i32 %x) {
  %1 = mul i32 %x, %x
  %3 = add i32 %1, 2
  ret i32 %2
}
