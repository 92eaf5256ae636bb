; RUN: not ptxscope compile %s -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -verify-machineinstrs -o - 2>&1 | filecheck %s
; PTX has no registers of a name that a constraint could ask for; {f1} was read as the number of an output. Codes of several letters
; are other targets': @3Uci was read as an output's number, too, and as the letter c.
target triple = "nvptx64-nvidia-cuda"
; CHECK: asm-named-registers.ll:[[#@LINE+2]]:3: error: in 'input': this constraint of inline assembly is not supported
define i32 @input(float %a) {
  %r = call i32 asm "cvt.rzi.s32.f32 $0, $1;", "=r,{f1}"(float %a)
  ret i32 %r
}
; CHECK: asm-named-registers.ll:[[#@LINE+2]]:3: error: in 'output': this constraint of inline assembly is not supported
define i32 @output(float %a) {
  %r = call i32 asm "cvt.rzi.s32.f32 $0, $1;", "={r0},f"(float %a)
  ret i32 %r
}
; CHECK: asm-named-registers.ll:[[#@LINE+2]]:3: error: in 'memory': this constraint of inline assembly is not supported
define void @memory(ptr %p) {
  call void asm sideeffect "mov.u32 $0, 1;", "=*r"(ptr elementtype(i32) %p)
  ret void
}
; CHECK: asm-named-registers.ll:[[#@LINE+2]]:3: error: in 'several': this constraint of inline assembly is not supported
define void @several(i32 %a) {
  call void asm sideeffect "add x0, x0, $0", "@3Uci"(i32 %a)
  ret void
}
; CHECK: asm-named-registers.ll:[[#@LINE+2]]:3: error: in 'two': this constraint of inline assembly is not supported
define void @two(i32 %a) {
  call void asm sideeffect "add x0, x0, $0", "^cr"(i32 %a)
  ret void
}
; CHECK-NOT: error
define void @alternatives(i32 %a) {
  call void asm sideeffect "use $0;", "^Wdr"(i32 %a)
  ret void
}
