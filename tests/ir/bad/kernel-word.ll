define kernel void @f(pointer %p, int %n) nounwnd {
  ret void
}
