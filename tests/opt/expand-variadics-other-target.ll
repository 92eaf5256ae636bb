; An intrinsic of another target passes what no memory holds. Only selection has to say something.
; RUN: not ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.wasm.ref.test.func(ptr, ...)

; CHECK: other-target.ll:[[#@LINE+2]]:3: error: in 'f': this intrinsic is not supported (call of @llvm.wasm.ref.test.func)
define i32 @f(ptr %p) {
  %r = call i32 (ptr, ...) @llvm.wasm.ref.test.func(ptr %p, token poison, double poison)
  ret i32 %r
}
