; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -o - | filecheck %s --check-prefix=PLAIN
; What an address is away from its base is part of intrinsics' addresses too, also where the base is computed outside a loop.
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] poison, align 16
@bar = internal addrspace(3) global [2 x i64] poison, align 8

; CHECK-LABEL: copy(
; CHECK: $L__BB0_1:
; CHECK: cp.async.ca.shared.global [tile+16], [%[[P:rd[0-9]+]]+64], 4;
; CHECK: cp.async.cg.shared.global [tile+32], [%[[P]]+128], 16;
; CHECK: mbarrier.arrive.shared.b64 %rd{{[0-9]+}}, [bar+8];
; CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r{{[0-9]+}}}, [%rd{{[0-9]+}}+48];
; PLAIN-LABEL: copy(
; PLAIN: cp.async.ca.shared.global [tile+16], [%rd{{[0-9]+}}], 4;
define ptx_kernel void @copy(ptr addrspace(1) %p, ptr addrspace(3) %s, i32 %n) {
entry:
  %a = getelementptr i8, ptr addrspace(1) %p, i64 64
  %b = getelementptr i8, ptr addrspace(1) %p, i64 128
  %m = getelementptr i8, ptr addrspace(3) %s, i64 48
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 16), ptr addrspace(1) %a)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 32), ptr addrspace(1) %b)
  %t = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @bar, i64 8))
  %x = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %m)
  store i32 %x, ptr addrspace(1) %p
  %i1 = add i32 %i, 1
  %c = icmp slt i32 %i1, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}

declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
