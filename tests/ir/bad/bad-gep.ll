%pair = type { i32, float }
define ptr @f(ptr %p, i32 %i) {
  %q = getelementptr %pair, ptr %p, i32 0, i32 2
  ret ptr %q
}
