; RUN: not ptxscope compile %s -o - 2>&1 | filecheck %s
; PTX has no registers of a name that a constraint could ask for; {f1} was read as the number of an output.
; CHECK: asm-named-registers.ll:8:3: error: in 'input': this constraint of inline assembly is not supported
; CHECK: asm-named-registers.ll:12:3: error: in 'output': this constraint of inline assembly is not supported
; CHECK: asm-named-registers.ll:16:3: error: in 'memory': this constraint of inline assembly is not supported
target triple = "nvptx64-nvidia-cuda"
define i32 @input(float %a) {
  %r = call i32 asm "cvt.rzi.s32.f32 $0, $1;", "=r,{f1}"(float %a)
  ret i32 %r
}
define i32 @output(float %a) {
  %r = call i32 asm "cvt.rzi.s32.f32 $0, $1;", "={r0},f"(float %a)
  ret i32 %r
}
define void @memory(ptr %p) {
  call void asm sideeffect "mov.u32 $0, 1;", "=*r"(ptr elementtype(i32) %p)
  ret void
}
