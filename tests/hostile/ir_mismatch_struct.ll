; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[32,1,1],"args":[{"buffer":"x"},{"u8":1}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: bad-call in thread .*: the call's arguments or results have other widths than those of g
target triple = "nvptx64-nvidia-cuda"
define {i64,i64,i64,i64,i64,i64,i64,i64} @g() noinline {
  ret {i64,i64,i64,i64,i64,i64,i64,i64} {i64 -1,i64 -1,i64 -1,i64 -1,i64 -1,i64 -1,i64 -1,i64 -1}
}
define ptx_kernel void @k(ptr %out, i1 %c) {
  %r = call i32 @g()
  store i32 %r, ptr %out
  ret void
}
