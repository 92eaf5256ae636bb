; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; An undefined index may be 0, an undefined number a NaN, an undefined length 0.
; CHECK-LABEL: .func (.param .b32 func_retval0) index(
; CHECK: ld.param.b64 [[P:%rd[0-9]+]], [index_param_0];
; CHECK-NEXT: ld.b32 %r{{[0-9]+}}, {{\[}}[[P]]];
define i32 @index(ptr %p) {
  %q = getelementptr i32, ptr %p, i64 undef
  %v = load i32, ptr %q
  ret i32 %v
}

; CHECK-LABEL: .func (.param .b32 func_retval0) sum(
; CHECK-NOT: add
; CHECK: 0f7FFFFFFF
define float @sum(float %x) {
  %v = fadd float undef, %x
  ret float %v
}

; The amount of an arithmetic shift may be any, but the sign stays.
; CHECK-LABEL: .func (.param .b32 func_retval0) shifts(
; CHECK: shr.s32
; CHECK-NOT: sh{{[lr]}}
define i32 @shifts(i32 %x) {
  %a = shl i32 undef, %x
  %b = lshr i32 %x, undef
  %c = ashr i32 %x, undef
  %d = ashr i32 undef, %x
  %e = or i32 %a, %b
  %f = or i32 %c, %d
  %g = or i32 %e, %f
  ret i32 %g
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: .func copy(
; CHECK-NOT: {{ld\.u|st\.u}}
; CHECK: ret;
define void @copy(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 undef, i1 false)
  ret void
}
