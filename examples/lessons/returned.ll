; The pointer comes out of a function: what it points to must be known there.
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef, align 4

define internal ptr @slot(i32 %n, i1 %upper) noinline {
  %i = zext nneg i32 %n to i64
  %low = getelementptr inbounds [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %j = add i64 %i, 32
  %high = getelementptr inbounds [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %j
  %p = select i1 %upper, ptr addrspace(3) %high, ptr addrspace(3) %low
  %generic = addrspacecast ptr addrspace(3) %p to ptr
  ret ptr %generic
}

define ptx_kernel void @returned(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %tid to i64
  %from = getelementptr inbounds i32, ptr %in, i64 %i
  %x = load i32, ptr %from, align 4
  %odd = and i32 %x, 1
  %upper = icmp ne i32 %odd, 0
  %mine = call ptr @slot(i32 %tid, i1 %upper)
  store i32 %x, ptr %mine, align 4
  %again = load i32, ptr %mine, align 4
  %y = add i32 %again, 100
  %to = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %y, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
