; RUN: ptxscope compile %s --run-pass=instsimplify --verify-each -o - | filecheck %s
; What a constant variable holds is known where nobody can put another in its place.
target triple = "nvptx64-nvidia-cuda"

%S = type { i8, [3 x { i32, float }], i64 }
@t = internal constant %S { i8 1, [3 x { i32, float }] [{ i32, float } { i32 2, float 3.0 }, { i32, float } { i32 4, float 5.0 }, { i32, float } zeroinitializer], i64 ptrtoint (ptr @t to i64) }
@weak = weak constant i32 7
@host = addrspace(4) externally_initialized constant i32 8
@variable = addrspace(1) global i32 9
@c = addrspace(4) constant [4 x i32] [i32 10, i32 11, i32 12, i32 13]

; CHECK-LABEL: @known(
; CHECK: store volatile i8 1,
; CHECK: store volatile i32 4,
; CHECK: store volatile float 0.0
; CHECK: store volatile i64 ptrtoint (ptr @t to i64)
; CHECK: store volatile i32 13,
; CHECK-NOT: load
; CHECK: ret void
define void @known(ptr %o) {
  %a = load i8, ptr @t
  store volatile i8 %a, ptr %o
  %b = load i32, ptr getelementptr (i8, ptr @t, i64 12)
  store volatile i32 %b, ptr %o
  %p = getelementptr %S, ptr @t, i64 0, i32 1, i32 2, i32 1
  %c = load float, ptr %p
  store volatile float %c, ptr %o
  %d = load i64, ptr getelementptr (%S, ptr @t, i64 0, i32 2)
  store volatile i64 %d, ptr %o
  %e = load i32, ptr addrspace(4) getelementptr (i32, ptr addrspace(4) @c, i64 3)
  store volatile i32 %e, ptr %o
  ret void
}

; CHECK-LABEL: @unknown(
; CHECK-COUNT-8: = load
; CHECK: ret void
define void @unknown(ptr %o, i64 %i) {
  %a = load i32, ptr @weak
  store volatile i32 %a, ptr %o
  %b = load i32, ptr addrspace(4) @host
  store volatile i32 %b, ptr %o
  %c = load i32, ptr addrspace(1) @variable
  store volatile i32 %c, ptr %o
  %d = load volatile i32, ptr addrspace(4) @c
  store volatile i32 %d, ptr %o
  %e = load i32, ptr addrspace(4) getelementptr (i32, ptr addrspace(4) @c, i64 4)
  store volatile i32 %e, ptr %o
  %f = load i32, ptr addrspace(4) getelementptr (i32, ptr addrspace(4) @c, i64 -1)
  store volatile i32 %f, ptr %o
  %g = load i32, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @c, i64 2)
  store volatile i32 %g, ptr %o
  %p = getelementptr i32, ptr addrspace(4) @c, i64 %i
  %h = load i32, ptr addrspace(4) %p
  store volatile i32 %h, ptr %o
  ret void
}
