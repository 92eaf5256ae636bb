; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefixes=CHECK,MATRIX
; RUN: ptxscope compile %s -mcpu=sm_90 -wmma-memory-space-opt=0 -ias-wmma-memory-space-opt=0 -o - | filecheck %s --check-prefixes=CHECK,PLAIN
; RUN: ptxscope compile %s -mcpu=sm_90 -wmma-memory-space-opt=0 -ias-wmma-memory-space-opt=0 -msp-for-wmma=1 -o - | filecheck %s --check-prefixes=CHECK,MATRIX
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-MemorySpaceOptPass -o - | filecheck %s --check-prefix=OFF
; ROWS: INFER-16
;
; Intrinsics with addresses: each takes the form for the space that its address is seen to be in. The global fragment of
; the tensor cores is read as what it is, not as shared memory.

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef, align 16
@barrier = internal addrspace(3) global i64 undef

declare void @llvm.nvvm.mbarrier.init(ptr, i32)
declare i64 @llvm.nvvm.mbarrier.arrive(ptr)
declare i1 @llvm.nvvm.mbarrier.test.wait(ptr, i64)
declare void @llvm.nvvm.cp.async.mbarrier.arrive(ptr)
declare i32 @llvm.nvvm.ldg.global.i.i32.p0(ptr, i32)
declare ptr @llvm.nvvm.ldg.global.p.p0.p0(ptr, i32)
declare i32 @llvm.nvvm.ldu.global.i.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr, i32)
declare void @llvm.nvvm.wmma.m8n8k4.store.d.row.f64.p0(ptr, double, double)
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr)
declare i32 @llvm.nvvm.getctarank(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: .entry k(
; CHECK:         cvta.to.global.u64 [[G:%rd[0-9]+]],
; CHECK:         mbarrier.init.shared.b64 [barrier], 3;
; CHECK:         mbarrier.arrive.shared.b64 {{%rd[0-9]+}}, [barrier];
; CHECK:         mbarrier.test_wait.shared.b64 {{%p[0-9]+}}, [barrier],
; CHECK:         cp.async.mbarrier.arrive.shared.b64 [barrier];
; CHECK:         ld.global.nc.b32 {{%r[0-9]+}}, {{\[}}[[G]]];
; CHECK:         ld.global.nc.b64 {{%rd[0-9]+}}, {{\[}}[[G]]];
; CHECK:         ldu.global.b32 {{%r[0-9]+}}, {{\[}}[[G]]];
; CHECK:         atom.global.cta.add.s32 {{%r[0-9]+}}, {{\[}}[[G]]+16],
; CHECK:         atom{{.*}}.global.inc.u32 {{%r[0-9]+}}, {{\[}}[[G]]+16],
; MATRIX:        wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {{.*}}, {{\[}}[[G]]],
; MATRIX:        wmma.store.d.sync.aligned.row.m8n8k4.shared.f64
; MATRIX:        ldmatrix.sync.aligned.m8n8.x1.shared.b16
; PLAIN:         wmma.load.a.sync.aligned.row.m16n16k16.f16
; PLAIN:         wmma.store.d.sync.aligned.row.m8n8k4.f64
; PLAIN:         ldmatrix.sync.aligned.m8n8.x1.b16
; CHECK:         getctarank.shared::cluster.u64
; CHECK:         ld.shared.b32

; OFF-LABEL:   .entry k(
; OFF:           mbarrier.init.b64
; OFF:           mbarrier.arrive.b64
; OFF:           mbarrier.test_wait.b64
; OFF:           cp.async.mbarrier.arrive.b64
; OFF:           atom.cta.add.s32
; OFF:           atom{{.*}}.inc.u32
; OFF:           wmma.load.a.sync.aligned.row.m16n16k16.f16
; OFF:           ldmatrix.sync.aligned.m8n8.x1.b16
; OFF:           getctarank.u64
define ptx_kernel void @k(ptr %out) {
  call void @llvm.nvvm.mbarrier.init(ptr addrspacecast (ptr addrspace(3) @barrier to ptr), i32 3)
  %token = call i64 @llvm.nvvm.mbarrier.arrive(ptr addrspacecast (ptr addrspace(3) @barrier to ptr))
  %there = call i1 @llvm.nvvm.mbarrier.test.wait(ptr addrspacecast (ptr addrspace(3) @barrier to ptr), i64 %token)
  call void @llvm.nvvm.cp.async.mbarrier.arrive(ptr addrspacecast (ptr addrspace(3) @barrier to ptr))
  %a = call i32 @llvm.nvvm.ldg.global.i.i32.p0(ptr %out, i32 4)
  %p = call ptr @llvm.nvvm.ldg.global.p.p0.p0(ptr %out, i32 8)
  %b = call i32 @llvm.nvvm.ldu.global.i.i32.p0(ptr %out, i32 4)
  %q = getelementptr i8, ptr %out, i64 16
  %c = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %q, i32 %a)
  %d = call i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr %q, i32 %b)
  %fragment = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %out, i32 16)
  %f0 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %fragment, 0
  call void @llvm.nvvm.wmma.m8n8k4.store.d.row.f64.p0(ptr addrspacecast (ptr addrspace(3) @tile to ptr), double 1.0, double 2.0)
  %m = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr addrspacecast (ptr addrspace(3) @tile to ptr))
  %rank = call i32 @llvm.nvvm.getctarank(ptr addrspacecast (ptr addrspace(3) @tile to ptr))
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %out, ptr align 4 addrspacecast (ptr addrspace(3) @tile to ptr), i64 4, i1 false)
  store <2 x half> %f0, ptr %q
  %s0 = add i32 %c, %d
  %s1 = add i32 %s0, %m
  %s2 = add i32 %s1, %rank
  %w = zext i1 %there to i32
  %s3 = add i32 %s2, %w
  store i32 %s3, ptr %q
  store ptr %p, ptr %q
  ret void
}
