; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[32,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":32}}}
; ARGS: --independent --max-steps=100000
; EXPECT: x: u32.32. = 2 1 2 1
target triple = "nvptx64-nvidia-cuda"
define internal void @a(ptr %p) noinline { store i32 1, ptr %p
  ret void }
define internal void @b(ptr %p) noinline { store i32 2, ptr %p
  ret void }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = trunc i32 %t to i1
  %g = getelementptr i32, ptr %out, i32 %t
  %f = select i1 %c, ptr @a, ptr @b
  call void %f(ptr %g)
  call void %f(ptr %g)
  ret void
}
