; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[32,1,1],"args":[{"buffer":"x"},{"u8":1}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: bad-call in thread .*: the call's arguments or results have other widths than those of g
target triple = "nvptx64-nvidia-cuda"
define void @g(ptr %out, i128 %a, i128 %b, i128 %c, i128 %d) noinline {
  %h = lshr i128 %d, 64
  %t = trunc i128 %h to i64
  store i64 %t, ptr %out
  ret void
}
define ptx_kernel void @k(ptr %out, i1 %c) {
  call void @g(ptr %out, i32 1, i32 2, i32 3, i32 4)
  ret void
}
