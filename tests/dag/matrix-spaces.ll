; Matrices in a space that the instructions cannot name: an error, no generic access to the number of the address.
; RUN: not ptxscope compile %s -mcpu=sm_80 -o - 2>&1 | filecheck %s

; CHECK: matrix-spaces.ll:[[#@LINE+3]]:{{.*}}PTX has no instruction for llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p5
; CHECK: hint: matrices lie in global or shared memory
define i32 @local(ptr addrspace(5) %p) {
  %r = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p5(ptr addrspace(5) %p)
  ret i32 %r
}
; CHECK: matrix-spaces.ll:[[#@LINE+3]]:{{.*}}PTX has no instruction for llvm.nvvm.wmma.m16n16k16.store.d.row.f32.p4
; CHECK: hint: matrices lie in global or shared memory
define void @constant(ptr addrspace(4) %p, float %x) {
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.f32.p4(ptr addrspace(4) %p, float %x, float %x, float %x, float %x, float %x, float %x, float %x, float %x)
  ret void
}
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p5(ptr addrspace(5))
declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.f32.p4(ptr addrspace(4), float, float, float, float, float, float, float, float)
