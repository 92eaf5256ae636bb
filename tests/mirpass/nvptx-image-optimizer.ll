; Fetches of one place are merged, and two neighbouring elements of a surface; not across a write.
; RUN: ptxscope compile %s -mcpu=sm_75 --stop-after=nvptx-image-optimizer -verify-machineinstrs --check-claims -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -disable-nvptx-image-optimizer -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_75 -pass-remarks=image -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_75 -o %t.ptx && ptxas -arch=sm_75 %t.ptx -o %t.cubin
; RUN: ptxscope check %s --launch %p/nvptx-image-optimizer.launch.json
; RUN: ptxscope run %s --launch %p/nvptx-image-optimizer.launch.json --json > %t.on && ptxscope run %s --launch %p/nvptx-image-optimizer.launch.json -disable-nvptx-image-optimizer --json > %t.off && diff <(sed 's/"stats".*//' %t.on) <(sed 's/"stats".*//' %t.off)
; ROWS: IMGOPT-05, IMGOPT-06

; REMARK: remark: the same place has been fetched already {{.*}}in function equal
; REMARK: remark: two neighbouring elements of a surface are loaded as a vector {{.*}}in function neighbours

target triple = "nvptx64-nvidia-cuda"
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)
declare i32 @llvm.nvvm.suld.1d.i32.trap(i64, i32)
declare i32 @llvm.nvvm.suld.1d.i32.zero(i64, i32)
declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: name: equal
; CHECK: = TEX_UNIFIED_1D_F32_S32_R
; CHECK-NOT: TEX
; CHECK: Return
; OFF-LABEL: .entry equal(
; OFF-COUNT-2: tex.1d
define ptx_kernel void @equal(i64 %t, ptr %out, i32 %i) {
  %v = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %t, i32 %i)
  %w = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %t, i32 %i)
  %x = extractvalue { float, float, float, float } %v, 0
  %y = extractvalue { float, float, float, float } %w, 1
  %s = fadd float %x, %y
  store float %s, ptr %out
  ret void
}

; Another handle, another place, a write of a surface in between.
; CHECK-LABEL: name: unequal
; CHECK-COUNT-3: TEX_UNIFIED_1D_F32_S32_R
; CHECK: SULD_1D_I32_TRAP_R
; CHECK: SUST_B_1D_B32_TRAP_R
; CHECK: SULD_1D_I32_TRAP_R
; CHECK: TEX_UNIFIED_1D_F32_S32_R
define ptx_kernel void @unequal(i64 %t, i64 %u, i64 %s, ptr %out, i32 %i) {
  %j = add i32 %i, 1
  %v = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %t, i32 %i)
  %w = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %u, i32 %i)
  %z = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %t, i32 %j)
  %a = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %i)
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %s, i32 %i, i32 7)
  %b = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %i)
  %k = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %t, i32 %i)
  %v0 = extractvalue { float, float, float, float } %v, 0
  %w0 = extractvalue { float, float, float, float } %w, 0
  %z0 = extractvalue { float, float, float, float } %z, 0
  %k0 = extractvalue { float, float, float, float } %k, 0
  %s1 = fadd float %v0, %w0
  %s2 = fadd float %z0, %k0
  %s3 = fadd float %s1, %s2
  %ab = add i32 %a, %b
  %f = sitofp i32 %ab to float
  %s4 = fadd float %s3, %f
  store float %s4, ptr %out
  ret void
}

; CHECK-LABEL: name: neighbours
; CHECK: = SULD_1D_V2I32_TRAP_R
; CHECK-NOT: SULD
define ptx_kernel void @neighbours(i64 %s, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = shl i32 %t, 3
  %y = add i32 %x, 4
  %a = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %x)
  %b = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %y)
  %c = shl i32 %a, 1
  %d = sub i32 %c, %b
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %d, ptr %p
  ret void
}

; Not aligned to the pair; not adjacent; zero out of range.
; CHECK-LABEL: name: apart
; CHECK-COUNT-6: = SULD_1D_I32
define ptx_kernel void @apart(i64 %s, ptr %out, i32 %i) {
  %x = shl i32 %i, 2
  %y = add i32 %x, 4
  %a = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %x)
  %b = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %y)
  %x8 = shl i32 %i, 3
  %y8 = add i32 %x8, 8
  %c = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %x8)
  %d = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %y8)
  %z8 = add i32 %x8, 4
  %e = call i32 @llvm.nvvm.suld.1d.i32.zero(i64 %s, i32 %x8)
  %f = call i32 @llvm.nvvm.suld.1d.i32.zero(i64 %s, i32 %z8)
  %ab = sub i32 %a, %b
  %cd = sub i32 %c, %d
  %ef = sub i32 %e, %f
  %abcd = xor i32 %ab, %cd
  %all = xor i32 %abcd, %ef
  store i32 %all, ptr %out
  ret void
}
