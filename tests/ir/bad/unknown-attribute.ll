define void @f(ptr noalais %p) {
  ret void
}
