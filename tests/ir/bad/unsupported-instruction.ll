define ptr @f(ptr %p) {
  %q = getelementptr inrange(-8, 16) i32, ptr %p, i64 1
  ret ptr %q
}
