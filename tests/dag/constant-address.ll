; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/constant-address.launch.json
; RUN: ptxscope run %s -mcpu=sm_90 --launch=%p/constant-address.launch.json --level=ir --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s -mcpu=sm_90 --launch=%p/constant-address.launch.json --level=ptx --json | filecheck %s --check-prefix=VALUES
; Addresses that are constants and have an index that is one only when addresses are known: distances in an array, and bits of an
; address. Differences within one variable are numbers, as for llc-22.
; VALUES: "values":[7,9,0,11]
target triple = "nvptx64-nvidia-cuda"

@a = addrspace(1) global [8 x i32] [i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17], align 32
@s = addrspace(3) global [128 x i8] undef, align 4

; CHECK-LABEL: distance(
; CHECK: ld.shared.b32 	%r1, [s+-133];
define i32 @distance() {
  %v = load i32, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 sub (
    i64 ptrtoint (ptr getelementptr inbounds ([128 x i8], ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 0, i64 123) to i64),
    i64 ptrtoint (ptr getelementptr inbounds ([128 x i8], ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 2, i64 0) to i64)))
  ret i32 %v
}

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %v0 = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @a, i64 sub (
    i64 ptrtoint (ptr addrspace(1) getelementptr ([8 x i32], ptr addrspace(1) @a, i64 0, i64 3) to i64),
    i64 ptrtoint (ptr addrspace(1) getelementptr ([8 x i32], ptr addrspace(1) @a, i64 0, i64 1) to i64)))
  store i32 %v0, ptr addrspace(1) %out
  ; The address is a multiple of 32: its lowest bit is 0.
  %v1 = load i32, ptr addrspace(1) getelementptr ([8 x i32], ptr addrspace(1) @a, i64 0, i8 add (i8 trunc (i64 sub (
    i64 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @a, i64 259) to i64),
    i64 ptrtoint (ptr addrspace(1) @a to i64)) to i8), i8 0))
  %p1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %v1, ptr addrspace(1) %p1
  %d = trunc i64 sub (i64 ptrtoint (ptr addrspace(1) getelementptr ({ i32, [0 x i32] }, ptr addrspace(1) @a, i64 0, i32 1, i64 sub (
    i64 ptrtoint (ptr addrspace(1) @a to i64), i64 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @a, i64 1) to i64))) to i64),
    i64 ptrtoint (ptr addrspace(1) @a to i64)) to i32
  %p2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %d, ptr addrspace(1) %p2
  %v3 = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @a, i64 add (i64 sub (
    i64 ptrtoint (ptr addrspace(1) @a to i64), i64 ptrtoint (ptr addrspace(1) @a to i64)), i64 16))
  %p3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %v3, ptr addrspace(1) %p3
  ret void
}
