; Handles become slots for OpenCL's driver; for CUDA arguments stay in registers, and variables are named.
; ROWS: IMGH-01, IMGH-03, IMGH-12
; RUN: ptxscope compile %s -mtriple=nvptx64-unknown-nvcl -bindless-images -mcpu=sm_30 -o - | filecheck %s --check-prefixes=NVCL
; RUN: ptxscope compile %s -mtriple=nvptx64-nvidia-cuda -mcpu=sm_30 -o - | filecheck %s --check-prefixes=CUDA
; RUN: ptxscope compile %s -mtriple=nvptx64-nvidia-cuda -mcpu=sm_20 -o - | filecheck %s --check-prefixes=OLD
; RUN: ptxscope compile %s -mtriple=nvptx64-unknown-nvcl -bindless-images -mcpu=sm_30 -verify-machineinstrs --emit=mir -o - | filecheck %s --check-prefixes=MIR

target triple = "nvptx64-unknown-nvcl"

declare i32 @llvm.nvvm.suld.1d.i32.trap(i64, i32)
declare { float, float, float, float } @llvm.nvvm.tex.1d.v4f32.s32(i64, i64, i32)
declare i64 @llvm.nvvm.texsurf.handle.p1(metadata, ptr addrspace(1))
@tex = internal addrspace(1) global i64 0, align 8

; NVCL-LABEL: {{^}}.entry load(
; NVCL:   .param .surfref load_param_0,
; NVCL-NOT: ld.param.b64 {{.*}}load_param_0
; NVCL:   suld.b.1d.b32.trap {%r{{[0-9]+}}}, [load_param_0, {%r{{[0-9]+}}}];
; CUDA-LABEL: .visible .entry load(
; CUDA:   .param .u64 .ptr .surfref load_param_0,
; CUDA:   ld.param.b64 [[H:%rd[0-9]+]], [load_param_0];
; CUDA:   suld.b.1d.b32.trap {%r{{[0-9]+}}}, {{\[}}[[H]], {%r{{[0-9]+}}}];
; MIR: SULD_1D_I32_TRAP_I &load_param_0, %
define void @load(i64 %img, ptr %out, i32 %i) {
  %v = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %img, i32 %i)
  store i32 %v, ptr %out
  ret void
}

; A texture that is known and a sampler from memory, which OpenCL allows only when asked to: one slot, one register.
; NVCL-LABEL: {{^}}.entry fetch(
; NVCL:   tex.1d.v4.f32.s32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [tex, %rd{{[0-9]+}}, {%r{{[0-9]+}}}];
; CUDA-LABEL: .visible .entry fetch(
; CUDA-NOT: mov.b64 {{.*}}, tex;
; CUDA:   tex.1d.v4.f32.s32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [tex, %rd{{[0-9]+}}, {%r{{[0-9]+}}}];
; OLD-LABEL: .visible .entry fetch(
; OLD:    tex.1d.v4.f32.s32 {{.*}}, [tex, %rd{{[0-9]+}}, {%r{{[0-9]+}}}];
; MIR: TEX_1D_F32_S32_IR @tex, %
define void @fetch(ptr %samplers, ptr %out, i32 %i) {
  %t = call i64 @llvm.nvvm.texsurf.handle.p1(metadata !0, ptr addrspace(1) @tex)
  %s = load i64, ptr %samplers
  %v = call { float, float, float, float } @llvm.nvvm.tex.1d.v4f32.s32(i64 %t, i64 %s, i32 %i)
  %x = extractvalue { float, float, float, float } %v, 0
  store float %x, ptr %out
  ret void
}

!nvvm.annotations = !{!1, !2, !3, !4}
!0 = !{ptr addrspace(1) @tex}
!1 = !{ptr @load, !"kernel", i32 1}
!2 = !{ptr @load, !"rdwrimage", i32 0}
!3 = !{ptr @fetch, !"kernel", i32 1}
!4 = !{ptr addrspace(1) @tex, !"texture", i32 1}
