; One function, two calls: a pointer to shared memory here, one to global memory there.
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x i32] undef, align 4

define internal i32 @first_of(ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  %w = mul i32 %v, 3
  ret i32 %w
}

define ptx_kernel void @conflict(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %tid to i64
  %from = getelementptr inbounds i32, ptr %in, i64 %i
  %x = load i32, ptr %from, align 4
  %cell = getelementptr inbounds [32 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %twice = shl i32 %x, 1
  store i32 %twice, ptr addrspace(3) %cell, align 4
  %generic = addrspacecast ptr addrspace(3) %cell to ptr
  %a = call i32 @first_of(ptr %generic)
  %b = call i32 @first_of(ptr %from)
  %d = sub i32 %a, %b
  %to = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %d, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
