define i32 @f(i32* %p) {
  %x = load i32* %p
  ret i32 %x
}
