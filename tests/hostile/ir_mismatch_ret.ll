; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[1,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: bad-call in thread .*: the call's arguments or results have other widths than those of
target triple = "nvptx64-nvidia-cuda"
define [200 x i128] @f() noinline {
  ret [200 x i128] zeroinitializer
}
define i128 @g() noinline {
  ret i128 -1
}
define ptx_kernel void @k(ptr %out) {
  %p = ptrtoint ptr @g to i64
  %q = inttoptr i64 %p to ptr
  %r = call i32 %q()
  store i32 %r, ptr %out
  ret void
}
