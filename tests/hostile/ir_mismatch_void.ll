; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[32,1,1],"args":[{"buffer":"x"},{"u8":1}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: bad-call in thread .*: g takes 0 arguments and returns 0 values; the call has 0 and 1
target triple = "nvptx64-nvidia-cuda"
define void @g() noinline {
  ret void
}
define ptx_kernel void @k(ptr %out, i1 %c) {
  %r = call i128 @g()
  %t = trunc i128 %r to i32
  store i32 %t, ptr %out
  ret void
}
