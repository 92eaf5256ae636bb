define i32 @f(ptr %p) {
  %x = atomicrmw add ptr %p, i32 1
  ret i32 %x
}
