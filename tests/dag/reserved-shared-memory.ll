; RUN: ptxscope compile %s -mcpu=sm_80 -mattr=+ptx76 -o - | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_80 -mattr=+ptx75 -o - 2>&1 | filecheck %s --check-prefix=OLDER
; Registers that say where the system's shared memory is, by their names of LLVM 23.
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: mov.b32 %r{{[0-9]+}}, %reserved_smem_offset_begin;
; CHECK-DAG: mov.b32 %r{{[0-9]+}}, %reserved_smem_offset_end;
; CHECK-DAG: mov.b32 %r{{[0-9]+}}, %reserved_smem_offset_cap;
; CHECK-DAG: mov.b32 %r{{[0-9]+}}, %reserved_smem_offset_0;
; CHECK-DAG: mov.b32 %r{{[0-9]+}}, %reserved_smem_offset_1;
; OLDER: error: in 'registers': llvm.nvvm.read.ptx.sreg.reserved_smem_offset_begin needs sm_80 and PTX 7.6
define i32 @registers() {
  %a = call i32 @llvm.nvvm.read.ptx.sreg.reserved_smem_offset_begin()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.reserved_smem_offset_end()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.reserved_smem_offset_cap()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.reserved_smem_offset_0()
  %e = call i32 @llvm.nvvm.read.ptx.sreg.reserved_smem_offset_1()
  %f = add i32 %a, %b
  %g = add i32 %f, %c
  %h = add i32 %g, %d
  %i = add i32 %h, %e
  ret i32 %i
}
