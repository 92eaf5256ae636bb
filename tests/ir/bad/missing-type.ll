define void @f(i32 %x) {
  %y = add %x, 1
  %z = add i32 %x 1
  %w = add i32 %x, 1, !dgb !7
  store i32 %x ptr null
  ret void
}
