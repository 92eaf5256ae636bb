; RUN: ptxscope check %s --launch=%p/redundant-move-elim-asm.launch.json -mcpu=sm_90
; RUN: ptxscope run %s --launch=%p/redundant-move-elim-asm.launch.json -mcpu=sm_90 --level=mir --json | filecheck %s
; RUN: ptxscope run %s --launch=%p/redundant-move-elim-asm.launch.json -mcpu=sm_90 --level=ptx --json | filecheck %s
; The move from a float to its bits goes, as PTX has both in %r; the assembly asks for an integer (r) and is given the register of
; the float, and the other way round (f).
; CHECK: "values":[8,0,1065353224,1073741824]
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = sitofp i32 %i to float
  %bits = bitcast float %f to i32
  %r = call i32 asm "{ .reg .b32 t; add.s32 t, $1, 8; mov.b32 $0, t; }", "=r,r"(i32 %bits)
  %g = bitcast i32 %bits to float
  %s = call float asm "{ .reg .f32 t; add.rn.f32 t, $1, $1; mov.f32 $0, t; }", "=f,f"(float %g)
  %sbits = bitcast float %s to i32
  %at = shl i32 %i, 1
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %r, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %sbits, ptr addrspace(1) %q
  ret void
}
