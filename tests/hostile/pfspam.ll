; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[1,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: x: u32.4. = 2000000 0 0 0
target triple = "nvptx64-nvidia-cuda"
@fmt = private addrspace(4) constant [2 x i8] c"x\00"
@fe = private addrspace(4) constant [1 x i8] c"\00"
declare i32 @vprintf(ptr, ptr)
define ptx_kernel void @k(ptr %out) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %n, %l ]
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @fe to ptr), ptr null)
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 2000000
  br i1 %c, label %l, label %e
e:
  store i32 %n, ptr %out
  ret void
}
