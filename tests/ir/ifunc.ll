; An ifunc is read and printed; PTX has nothing to make of it, nor has the emulator.
; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: not ptxscope compile %s -o - 2>&1 | filecheck %s --check-prefix=REFUSED
; RUN: not ptxscope compile %s -O0 -o - 2>&1 | filecheck %s --check-prefix=REFUSED
; RUN: not ptxscope run %s --level=ir --launch=%p/ifunc.launch.json 2>&1 | filecheck %s --check-prefix=REFUSED

; CHECK: @f = dso_local ifunc void (ptr), ptr @resolve, partition "part"
; REFUSED: ifunc.ll:10:1: error: ifunc '@f': PTX has no indirect functions
; REFUSED: hint: call through a pointer in constant memory instead
@f = dso_local ifunc void (ptr), ptr @resolve, partition "part"

define ptr @resolve() {
  ret ptr @g
}

define void @g(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define ptx_kernel void @k(ptr %p) {
  call void @f(ptr %p)
  ret void
}
