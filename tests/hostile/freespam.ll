; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[1,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: x: u32.4. = 1 0 0 0
target triple = "nvptx64-nvidia-cuda"
declare ptr @malloc(i64)
declare void @free(ptr)
@t = addrspace(1) global [200000 x ptr] zeroinitializer
define ptx_kernel void @k(ptr %out) {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %n, %l ]
  %p = call ptr @malloc(i64 1)
  %g = getelementptr [200000 x ptr], ptr addrspace(1) @t, i32 0, i32 %i
  store ptr %p, ptr addrspace(1) %g
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 200000
  br i1 %c, label %l, label %e
e:
  %j = phi i32 [ 0, %l ], [ %m, %e ]
  %h = getelementptr [200000 x ptr], ptr addrspace(1) @t, i32 0, i32 %j
  %w = load ptr, ptr addrspace(1) %h
  call void @free(ptr %w)
  %m = add i32 %j, 1
  %d = icmp ult i32 %m, 200000
  br i1 %d, label %e, label %x
x:
  store i32 1, ptr %out
  ret void
}
