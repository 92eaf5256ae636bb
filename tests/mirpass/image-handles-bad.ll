; A handle of the wrong kind, of no image, or of one of several images is an error with its place.
; RUN: not ptxscope compile %s -mcpu=sm_75 -o - 2>&1 | filecheck %s --implicit-check-not=error:
; RUN: not ptxscope compile %s -mcpu=sm_75 -O0 -o - 2>&1 | filecheck %s --implicit-check-not=error:
; RUN: not ptxscope compile %s -mcpu=sm_75 -disable-nvptx-image-optimizer -o - 2>&1 | filecheck %s --implicit-check-not=error:
; ROWS: IMGOPT-01, IMGOPT-02, IMGOPT-03, IMGOPT-04, IMGOPT-07, IMGH-06

target triple = "nvptx64-nvidia-cuda"
declare { float, float, float, float } @llvm.nvvm.tex.1d.v4f32.s32(i64, i64, i32)
declare i32 @llvm.nvvm.suld.1d.i32.trap(i64, i32)
declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)
declare i32 @llvm.nvvm.suq.width(i64)
declare i64 @llvm.nvvm.texsurf.handle.p1(metadata, ptr addrspace(1))
@tex = internal addrspace(1) global i64 0, align 8
@surf = internal addrspace(1) global i64 0, align 8
@samp = internal addrspace(1) global i64 0, align 8
@number = internal addrspace(1) global i64 0, align 8

; CHECK: [[#@LINE+5]]:{{[0-9]+}}: error: Invalid image type in .tex
; CHECK: hint: this is a surface, where tex.1d.v4.f32.s32 takes a texture
define ptx_kernel void @surface_as_texture(ptr %out, i32 %i) {
  %h = call i64 @llvm.nvvm.texsurf.handle.p1(metadata !10, ptr addrspace(1) @surf)
  %s = call i64 @llvm.nvvm.texsurf.handle.p1(metadata !12, ptr addrspace(1) @samp)
  %v = call { float, float, float, float } @llvm.nvvm.tex.1d.v4f32.s32(i64 %h, i64 %s, i32 %i)
  %x = extractvalue { float, float, float, float } %v, 0
  store float %x, ptr %out
  ret void
}

; CHECK: [[#@LINE+4]]:{{[0-9]+}}: error: Invalid image type in .tex
; CHECK: hint: this is a sampler, where tex.1d.v4.f32.s32 takes a texture
define ptx_kernel void @sampler_as_texture(ptr %out, i32 %i) {
  %h = call i64 @llvm.nvvm.texsurf.handle.p1(metadata !12, ptr addrspace(1) @samp)
  %v = call { float, float, float, float } @llvm.nvvm.tex.1d.v4f32.s32(i64 %h, i64 %h, i32 %i)
  %x = extractvalue { float, float, float, float } %v, 0
  store float %x, ptr %out
  ret void
}

; CHECK: [[#@LINE+3]]:{{[0-9]+}}: error: Invalid image type in .suld
; CHECK: hint: this is a texture, where suld.b.1d.b32.trap takes a surface
define ptx_kernel void @texture_as_surface(i64 %img, ptr %out, i32 %i) {
  %v = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %img, i32 %i)
  store i32 %v, ptr %out
  ret void
}

; CHECK: [[#@LINE+3]]:{{[0-9]+}}: error: Invalid image type in .sust
define ptx_kernel void @texture_stored_to(i32 %i) {
  %h = call i64 @llvm.nvvm.texsurf.handle.p1(metadata !11, ptr addrspace(1) @tex)
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %h, i32 %i, i32 7)
  ret void
}

; CHECK: [[#@LINE+3]]:{{[0-9]+}}: error: Invalid image type in suq.{{$}}
define ptx_kernel void @texture_queried(ptr %out) {
  %h = call i64 @llvm.nvvm.texsurf.handle.p1(metadata !11, ptr addrspace(1) @tex)
  %v = call i32 @llvm.nvvm.suq.width(i64 %h)
  store i32 %v, ptr %out
  ret void
}

; CHECK: [[#@LINE+4]]:{{[0-9]+}}: error: invalid image handle
; CHECK: hint: 'number' is no texture, sampler or surface
define ptx_kernel void @no_image(ptr %out, i32 %i) {
  %h = call i64 @llvm.nvvm.texsurf.handle.p1(metadata !13, ptr addrspace(1) @number)
  %v = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %h, i32 %i)
  store i32 %v, ptr %out
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr addrspace(1) @tex, !"texture", i32 1}
!1 = !{ptr addrspace(1) @surf, !"surface", i32 1}
!2 = !{ptr addrspace(1) @samp, !"sampler", i32 1}
!3 = !{ptr @texture_as_surface, !"rdoimage", i32 0}
!10 = !{ptr addrspace(1) @surf}
!11 = !{ptr addrspace(1) @tex}
!12 = !{ptr addrspace(1) @samp}
!13 = !{ptr addrspace(1) @number}
