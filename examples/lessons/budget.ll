target triple = "nvptx64-nvidia-cuda"

; Four numbers of a row are read, and are used when the loop has ended. Meanwhile the loop wants registers of its own.
define ptx_kernel void @budget(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %t, 2
  %p0 = getelementptr i32, ptr addrspace(1) %in, i32 %row
  %p1 = getelementptr i32, ptr addrspace(1) %p0, i32 1
  %p2 = getelementptr i32, ptr addrspace(1) %p0, i32 2
  %p3 = getelementptr i32, ptr addrspace(1) %p0, i32 3
  %a = load volatile i32, ptr addrspace(1) %p0
  %b = load volatile i32, ptr addrspace(1) %p1
  %c = load volatile i32, ptr addrspace(1) %p2
  %d = load volatile i32, ptr addrspace(1) %p3
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %x = phi i32 [ %t, %entry ], [ %x2, %loop ]
  %m = mul i32 %x, 1664525
  %x2 = add i32 %m, 1013904223
  %i2 = add i32 %i, 1
  %more = icmp slt i32 %i2, %n
  br i1 %more, label %loop, label %done

done:
  %s0 = add i32 %a, %x2
  %s1 = xor i32 %s0, %b
  %s2 = add i32 %s1, %c
  %s3 = xor i32 %s2, %d
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s3, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
