; RUN: ptxscope check %s -O3 -mcpu=sm_75 -enable-tail-duplicate=1 --launch=%p/tail-duplicate-barrier.launch.json
; RUN: ptxscope compile %s -O3 -mcpu=sm_75 -enable-tail-duplicate=1 -pass-remarks=tailduplication -o /dev/null 2>&1 | filecheck %s
; Threads that a switch has sent different ways meet in %join and branch together from there. Were %join repeated in the arms, they
; would come to the barrier one arm after the other: it is reached by some threads of the warp then, which is undefined.
; CHECK: is not repeated in its predecessors: threads have to meet in it for what is convergent behind it
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)

@count = internal addrspace(3) global [16 x i32] undef, align 4

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %take) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %which = and i32 %tid, 7
  switch i32 %which, label %rest [
    i32 1, label %one
    i32 2, label %two
  ]

one:
  store volatile i32 1, ptr addrspace(1) %p
  br label %join

two:
  %old = atomicrmw max ptr addrspace(3) @count, i32 0 monotonic, align 4
  br label %join

rest:
  br label %join

join:
  %odd = icmp eq i32 %take, 0
  br i1 %odd, label %skip, label %meet

skip:
  br label %end

meet:
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 true)
  store i32 %n, ptr addrspace(1) %p
  br label %end

end:
  ret void
}
