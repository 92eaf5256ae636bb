; prmt of numbers is a number, in each of its modes. At -O0 the instructions stay, so both are executed and compared.
; RUN: ptxscope compile %s -mcpu=sm_50 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_50 -O0 -o - | filecheck %s --check-prefix=NONE
; RUN: ptxscope run %s --launch=%p/permuted-constants.launch.json | filecheck %s --check-prefix=OUT
; RUN: ptxscope run %s --launch=%p/permuted-constants.launch.json -O0 | filecheck %s --check-prefix=OUT
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry k(
; CHECK-NOT:   prmt
; CHECK:       ret;
; NONE:        prmt.b32 %
; NONE:        prmt.b32.f4e
; NONE:        prmt.b32.b4e
; NONE:        prmt.b32.rc8
; NONE:        prmt.b32.ecl
; NONE:        prmt.b32.ecr
; NONE:        prmt.b32.rc16
; OUT: out: u32[7] = 16909060 67305985 101122049 33686018 50463234 16843008 50463490
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %a = call i32 @llvm.nvvm.prmt(i32 50462976, i32 117835012, i32 4660)
  store i32 %a, ptr addrspace(1) %out
  %b = call i32 @llvm.nvvm.prmt.f4e(i32 50462976, i32 117835012, i32 1)
  %pb = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %b, ptr addrspace(1) %pb
  %c = call i32 @llvm.nvvm.prmt.b4e(i32 50462976, i32 117835012, i32 1)
  %pc = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %c, ptr addrspace(1) %pc
  %d = call i32 @llvm.nvvm.prmt.rc8(i32 50462976, i32 2)
  %pd = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %d, ptr addrspace(1) %pd
  %e = call i32 @llvm.nvvm.prmt.ecl(i32 50462976, i32 2)
  %pe = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %e, ptr addrspace(1) %pe
  %f = call i32 @llvm.nvvm.prmt.ecr(i32 50462976, i32 1)
  %pf = getelementptr i32, ptr addrspace(1) %out, i32 5
  store i32 %f, ptr addrspace(1) %pf
  %g = call i32 @llvm.nvvm.prmt.rc16(i32 50462976, i32 1)
  %pg = getelementptr i32, ptr addrspace(1) %out, i32 6
  store i32 %g, ptr addrspace(1) %pg
  ret void
}
