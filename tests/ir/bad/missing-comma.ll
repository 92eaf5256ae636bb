define i32 @f(i32 %a, i32 %b) {
  %x = add i32 %a %b
  ret i32 %x
}
