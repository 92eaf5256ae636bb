; A library function that anybody may call, so its signature must stay as it is.
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x i32] undef, align 4

define i32 @pair_sum(ptr %p) noinline {
  %a = load i32, ptr %p, align 4
  %next = getelementptr inbounds i32, ptr %p, i64 1
  %b = load i32, ptr %next, align 4
  %sum = add i32 %a, %b
  ret i32 %sum
}

define ptx_kernel void @cloning(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %tid to i64
  %from = getelementptr inbounds i32, ptr %in, i64 %i
  %x = load i32, ptr %from, align 4
  %cell = getelementptr inbounds [32 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 %x, ptr addrspace(3) %cell, align 4
  call void @llvm.nvvm.barrier0()
  %even = and i64 %i, 30
  %here = getelementptr inbounds [32 x i32], ptr addrspace(3) @tile, i64 0, i64 %even
  %generic = addrspacecast ptr addrspace(3) %here to ptr
  %s = call i32 @pair_sum(ptr %generic)
  %to = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %s, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
