define void @f(ptr %p, i64 %i) {
  %a = getelementptr ptr %p, i64 %i
  %b = getelementptr float, ptr %p, 1
  %v = load float %p
  store float 1, ptr %p
  ret void
}
