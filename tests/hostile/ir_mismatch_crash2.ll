; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[1,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: bad-call in thread .*: the call's arguments or results have other widths than those of g
target triple = "nvptx64-nvidia-cuda"
define [16 x i64] @g() noinline {
  %a = insertvalue [16 x i64] zeroinitializer, i64 4702111234474983745, 1
  %b = insertvalue [16 x i64] %a, i64 4702111234474983745, 2
  %c = insertvalue [16 x i64] %b, i64 4702111234474983745, 3
  %d = insertvalue [16 x i64] %c, i64 4702111234474983745, 4
  %e = insertvalue [16 x i64] %d, i64 4702111234474983745, 5
  %f = insertvalue [16 x i64] %e, i64 4702111234474983745, 6
  %h = insertvalue [16 x i64] %f, i64 4702111234474983745, 7
  ret [16 x i64] %h
}
define ptx_kernel void @k(ptr %out) {
  %q = call i128 @g()
  %r = trunc i128 %q to i64
  store i64 %r, ptr %out
  ret void
}
