; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[1,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: ^0!x: 
target triple = "nvptx64-nvidia-cuda"
@fmt = private addrspace(4) constant [7 x i8] c"%#.0o!\00"
declare i32 @vprintf(ptr, ptr)
define ptx_kernel void @k(ptr %out) {
  %a = alloca [8 x i64]
  store i64 0, ptr %a
  %a1 = getelementptr i64, ptr %a, i64 1
  store i64 0, ptr %a1
  %a2 = getelementptr i64, ptr %a, i64 2
  store i64 0, ptr %a2
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @fmt to ptr), ptr %a)
  store i32 %r, ptr %out
  ret void
}
