define i8 @f(i8 %x) {
  %y = add i8 %x, 300
  ret i8 %y
}
