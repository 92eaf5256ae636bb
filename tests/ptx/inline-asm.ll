; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; Two outputs, an input in the first one's register, the text in a scope of its own.
; CHECK-LABEL: outputs(
; CHECK: // begin inline asm
; CHECK-NEXT: { .reg .b32 t; add.s32 %[[A:r[0-9]+]], %r{{[0-9]+}}, %[[A]]; mov.f32 %{{r[0-9]+}}, %r{{[0-9]+}}; }
; CHECK-NEXT: // end inline asm
; CHECK: cvt.rn.f32.s32 {{.*}}, %[[A]];
define float @outputs(i32 %x, i32 %y, float %z) {
  %r = call { i32, float } asm "{ .reg .b32 t; add.s32 $0, $2, $3; mov.f32 $1, $4; }", "=r,=f,r,0,f,~{memory}"(i32 %x, i32 %y, float %z)
  %a = extractvalue { i32, float } %r, 0
  %b = extractvalue { i32, float } %r, 1
  %c = sitofp i32 %a to float
  %d = fadd float %b, %c
  ret float %d
}

; Constants and registers; side effects keep their order and are kept without a use.
; CHECK-LABEL: effects(
; CHECK: st.shared.b32 [%rd{{[0-9]+}}], 42;
; CHECK: membar.gl;
define void @effects(i64 %p) {
  call void asm sideeffect "st.shared.b32 [$0], $1;", "l,n"(i64 %p, i32 42)
  call void asm sideeffect "membar.gl;", "~{memory}"()
  ret void
}

; Without side effects and without a use it is dead.
; CHECK-LABEL: unused(
; CHECK-NOT: inline asm
define void @unused(i32 %x) {
  %r = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %x)
  ret void
}

; A value whose type is not the register's goes through the bits.
; CHECK-LABEL: casts(
; CHECK: not.b32
define float @casts(float %x) {
  %y = fadd float %x, 1.0
  %r = call float asm "not.b32 $0, $1;", "=r,r"(float %y)
  ret float %r
}

; A constant of a type that no register has; a constraint that takes a register as well.
; CHECK-LABEL: small(
; CHECK: st.shared.b32 [%rd{{[0-9]+}}], -1;
; CHECK: st.shared.b32 [%rd{{[0-9]+}}], 1;
; CHECK: st.shared.b32 [%rd{{[0-9]+}}], %r{{[0-9]+}};
define void @small(i64 %p, i32 %x) {
  call void asm sideeffect "st.shared.b32 [$0], $1;", "l,n"(i64 %p, i8 -1)
  call void asm sideeffect "st.shared.b32 [$0], $1;", "l,n"(i64 %p, i1 true)
  call void asm sideeffect "st.shared.b32 [$0], $1;", "l,rn"(i64 %p, i32 %x)
  ret void
}

; A tied operand and phis in one function, unoptimised.
; RUN: ptxscope compile %s -O0 -mcpu=sm_90 -verify-machineinstrs -o /dev/null
define float @tied(float %x, i1 %c) {
  br i1 %c, label %a, label %b
a:
  %y = fadd float %x, 1.0
  br label %b
b:
  %z = phi float [ %x, %0 ], [ %y, %a ]
  %r = call float asm "ex2.approx.ftz.f32 $0, $0;", "=f,0"(float %z)
  ret float %r
}

; What names memory is kept and keeps its place, used or not.
; CHECK-LABEL: clobbers(
; CHECK: st.b32
; CHECK: mbarrier.arrive.shared.b64 %rd{{[0-9]+}}, [%r{{[0-9]+}}];
; CHECK: st.b32
define void @clobbers(ptr %p, i32 %b) {
  store i32 1, ptr %p
  %token = call i64 asm "mbarrier.arrive.shared.b64 $0, [$1];", "=l,r,~{memory}"(i32 %b)
  store i32 2, ptr %p
  ret void
}
