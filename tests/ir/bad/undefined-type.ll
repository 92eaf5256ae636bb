define void @f(ptr byval(%args) %p) {
  ret void
}
