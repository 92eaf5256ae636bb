; The first fetch of a module says whether its textures are in unified or independent mode; .target says it.
; RUN: sed -e '/only-unified/d' %s > %t.ll && ptxscope compile %t.ll -mcpu=sm_90 -o - | filecheck %s --check-prefix=INDEPENDENT
; RUN: sed -e '/only-unified/d' %s > %t.ll && ptxscope compile %t.ll -mcpu=sm_90 -o %t.ptx && ptxas -arch=sm_90 %t.ptx -o %t.cubin
; RUN: sed -e '/only-independent/d' %s > %t.ll && ptxscope compile %t.ll -mcpu=sm_90 -o - | filecheck %s --check-prefix=UNIFIED
; RUN: sed -e '/only-independent/d' %s > %t.ll && ptxscope compile %t.ll -mcpu=sm_90 -o %t.ptx && ptxas -arch=sm_90 %t.ptx -o %t.cubin
; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s --check-prefix=BOTH
; RUN: sed -e '/only-independent/d' %s > %t.ll && not ptxscope compile %t.ll -mcpu=sm_90 -mtriple=nvptx64-unknown-nvcl -bindless-images -o - 2>&1 | filecheck %s --check-prefix=OPENCL

; INDEPENDENT: .target sm_90, texmode_independent
; UNIFIED: .target sm_90{{$}}
; BOTH: [[#@LINE+14]]:{{[0-9]+}}: error: a texture fetch in independent mode, in a module of unified mode
; BOTH: hint: the first fetch of a module says its mode
; OPENCL: error: a texture fetch in unified mode, in a module of independent mode
; OPENCL: hint: OpenCL's fetches take a sampler

target triple = "nvptx64-nvidia-cuda"
declare { float, float, float, float } @llvm.nvvm.tex.1d.array.v4f32.s32(i64, i64, i32, i32)
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.array.v4f32.s32(i64, i32, i32)

define ptx_kernel void @fetch(i64 %tex, i64 %samp, ptr %out, i32 %i) {
  %v = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.array.v4f32.s32(i64 %tex, i32 1, i32 %i) ; only-unified
  %x = extractvalue { float, float, float, float } %v, 0 ; only-unified
  store float %x, ptr %out ; only-unified

  %w = call { float, float, float, float } @llvm.nvvm.tex.1d.array.v4f32.s32(i64 %tex, i64 %samp, i32 1, i32 %i) ; only-independent
  %y = extractvalue { float, float, float, float } %w, 0 ; only-independent
  store float %y, ptr %out ; only-independent
  ret void
}
