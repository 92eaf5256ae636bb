define i32 @f(i64 %a) {
  %x = zext i64 %a to i32
  %y = fptosi i64 %a to i32
  ret i32 %x
}
