; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[1,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: bad-call in thread .*: the call's arguments or results have other widths than those of g
target triple = "nvptx64-nvidia-cuda"
define i128 @g() noinline { 
  ret i128 86736912018532115329184920474829086017
}
define ptx_kernel void @k(ptr %out) {
  %r = call i1 @g()
  ret void
}
