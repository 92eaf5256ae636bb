; Matrix intrinsics: the name spells the instruction, the arguments are its fragments.
; RUN: ptxscope compile %s -mcpu=sm_80 -mattr=+ptx71 -o - | filecheck %s --check-prefixes=CHECK,ALIGNED
; RUN: ptxscope compile %s -mcpu=sm_80 -mattr=+ptx71 -verify-machineinstrs -o - | filecheck %s --check-prefixes=CHECK
; RUN: not ptxscope compile %s -mcpu=sm_50 -o /dev/null

declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1), i32)
declare void @llvm.nvvm.wmma.m8n8k4.store.d.col.f64.p0(ptr, double, double)
declare { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8.u8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare { i32, i32 } @llvm.nvvm.wmma.m8n8k128.mma.xor.popc.row.col.b1(i32, i32, i32, i32)
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))

; CHECK-LABEL: .visible .func load(
; CHECK: wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}+32], %r{{[0-9]+}};
define void @load(ptr addrspace(1) %p, i32 %stride, ptr %out) {
  %q = getelementptr i8, ptr addrspace(1) %p, i64 32
  %v = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1) %q, i32 %stride)
  %x = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %v, 3
  store <2 x half> %x, ptr %out
  ret void
}

; CHECK-LABEL: .visible .func store(
; CHECK: wmma.store.d.sync.aligned.col.m8n8k4.f64 [%rd{{[0-9]+}}], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
define void @store(ptr %p, double %a, double %b) {
  call void @llvm.nvvm.wmma.m8n8k4.store.d.col.f64.p0(ptr %p, double %a, double %b)
  ret void
}

; CHECK-LABEL: .visible .func product(
; CHECK:      mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32
; CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}},
; CHECK-NEXT: {[[A:%r[0-9]+]], [[A]], [[A]], [[A]]},
; CHECK-NEXT: {[[B:%r[0-9]+]], [[B]]},
; CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
define void @product(i32 %a, i32 %b, i32 %c, ptr %out) {
  %v = call { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8.u8(i32 %a, i32 %a, i32 %a, i32 %a, i32 %b, i32 %b, i32 %c, i32 %c, i32 %c, i32 %c)
  %x = extractvalue { i32, i32, i32, i32 } %v, 0
  store i32 %x, ptr %out
  ret void
}

; CHECK-LABEL: .visible .func bits(
; CHECK:      wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32
; CHECK-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}},
; CHECK:      ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}];
define void @bits(i32 %a, i32 %b, ptr addrspace(3) %s, ptr %out) {
  %v = call { i32, i32 } @llvm.nvvm.wmma.m8n8k128.mma.xor.popc.row.col.b1(i32 %a, i32 %b, i32 0, i32 0)
  %x = extractvalue { i32, i32 } %v, 1
  store i32 %x, ptr %out
  %m = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %s)
  %y = extractvalue { i32, i32 } %m, 0
  store i32 %y, ptr %out
  ret void
}
