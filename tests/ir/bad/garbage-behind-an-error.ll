define void @f() {
  %x = bogus i32 1
   ` ? "never closed
  %y = add i32 1, 2
  ret void
}
at the end ` of "it
