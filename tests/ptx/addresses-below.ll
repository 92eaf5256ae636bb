; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/addresses-below.launch.json -mcpu=sm_90 --json | filecheck %s --check-prefix=VALUES
; PTX adds to the address of a variable and does not subtract from it, and ptxas adds nothing to the address of a function.
; VALUES: "values":[3,1,8]
target triple = "nvptx64-nvidia-cuda"

; CHECK: .visible .global .align 8 .u64 p = generic(g)+-8;
; CHECK: .visible .global .align 8 .u64 q[2] = {7, generic(g)+-16};
@g = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@p = global ptr getelementptr (i8, ptr @g, i64 -8)
@q = global { i64, ptr } { i64 7, ptr getelementptr (i8, ptr @g, i64 -16) }

; CHECK-LABEL: behind(
; CHECK: mov.b64 	[[F:%rd[0-9]+]], behind;
; CHECK: add.s64 	{{%rd[0-9]+}}, [[F]], 8;
define i64 @behind() {
  ret i64 ptrtoint (ptr getelementptr (i8, ptr @behind, i64 8) to i64)
}

define ptx_kernel void @k(ptr %o) {
  %a = load ptr, ptr @p
  %b = getelementptr i8, ptr %a, i64 16
  %x = load i32, ptr %b
  %c = load ptr, ptr getelementptr (i8, ptr @q, i64 8)
  %d = getelementptr i8, ptr %c, i64 16
  %y = load i32, ptr %d
  %f = call i64 @behind()
  %e = sub i64 %f, ptrtoint (ptr @behind to i64)
  %z = trunc i64 %e to i32
  %o1 = getelementptr i32, ptr %o, i64 1
  %o2 = getelementptr i32, ptr %o, i64 2
  store i32 %x, ptr %o
  store i32 %y, ptr %o1
  store i32 %z, ptr %o2
  ret void
}
