; Compare-exchanges and exchanges of bytes and halves to and from 0: nothing is put into the word around them.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @atomic_zero(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %byte = getelementptr i8, ptr addrspace(1) %p, i32 %tid
  %pair = cmpxchg ptr addrspace(1) %byte, i8 3, i8 0 acq_rel monotonic
  %old = extractvalue { i8, i1 } %pair, 0
  %won = extractvalue { i8, i1 } %pair, 1
  %pair2 = cmpxchg ptr addrspace(1) %byte, i8 0, i8 9 acquire acquire
  %won2 = extractvalue { i8, i1 } %pair2, 1
  %pair3 = cmpxchg ptr addrspace(1) %byte, i8 0, i8 0 monotonic monotonic
  %won3 = extractvalue { i8, i1 } %pair3, 1
  %base = getelementptr i8, ptr addrspace(1) %p, i32 32
  %half = getelementptr i16, ptr addrspace(1) %base, i32 %tid
  %was = atomicrmw xchg ptr addrspace(1) %half, i16 0 monotonic
  %a = zext i8 %old to i32
  %b = select i1 %won, i32 256, i32 0
  %c = select i1 %won2, i32 512, i32 0
  %d = select i1 %won3, i32 1024, i32 0
  %w = zext i16 %was to i32
  %h = shl i32 %w, 16
  %ab = or i32 %a, %b
  %abc = or i32 %ab, %c
  %abcd = or i32 %abc, %d
  %all = or i32 %abcd, %h
  %slot = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %all, ptr addrspace(1) %slot
  ret void
}
