; A block in two pieces: the value that the second one reads is in a register; a byval parameter is named in both.
; RUN: ptxscope compile %s -mcpu=sm_75 -isel-piece-limit=3 -stop-after=nvptx-isel -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -isel-piece-limit=3 --emit=dag -o - | filecheck %s --check-prefix=DAG
; RUN: ptxscope compile %s -mcpu=sm_75 -isel-piece-limit=1 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_75 -isel-piece-limit=2 -stop-after=nvptx-isel -o - | filecheck %s --check-prefix=FREE
target triple = "nvptx64-nvidia-cuda"

; DAG: SelectionDAG of f:bb.0, piece 1, built:
; DAG: SelectionDAG of f:bb.0, piece 2, built:
; DAG: CopyFromReg
; CHECK-LABEL: name: f
; CHECK:       [[S:%[0-9]+]]:int32regs = MAD_lo_s32rrr
; CHECK:       ST_global_b32 {{%[0-9]+}}, 0, [[S]] ::
define void @f(i32 %a, i32 %b, ptr addrspace(1) %p) {
  %m = mul i32 %a, %b
  %n = xor i32 %a, %b
  %s = add i32 %m, %n
  %t = getelementptr i32, ptr addrspace(1) %p, i32 %a
  store i32 %s, ptr addrspace(1) %t
  ret void
}

%S = type { i32, [7 x i32] }
; PTX-LABEL: .func (.param .b32 func_retval0) g(
; PTX:       ld.param.b32 {{%r[0-9]+}}, [g_param_0+8];
; PTX:       mov.b64 {{%rd[0-9]+}}, g_param_0;
define i32 @g(ptr byval(%S) align 4 %p, i32 %i) {
  %q = addrspacecast ptr %p to ptr addrspace(101)
  %a = getelementptr i32, ptr addrspace(101) %q, i32 2
  %v = load i32, ptr addrspace(101) %a
  %b = getelementptr i32, ptr %p, i32 %i
  %w = load i32, ptr %b
  %s = add i32 %v, %w
  ret i32 %s
}

; Addresses at constant distances cost nothing: each piece makes its own, and only what is at the root of the chain is in a register.
; FREE-LABEL: name: h
; FREE:       [[Q:%[0-9]+]]:int64regs = ADDs64rr
; FREE-NEXT:  ST_volatile_global_b32 [[Q]], 16, [[V:%[0-9]+]] ::
; FREE-NEXT:  ST_volatile_global_b32 [[Q]], 20, [[V]] ::
; FREE-NEXT:  ST_volatile_global_b32 [[Q]], 16, [[V]] ::
; FREE-NEXT:  ST_volatile_global_b32 [[Q]], 20, [[V]] ::
; FREE-NEXT:  [[N:%[0-9]+]]:int64regs = ADDs64ri [[Q]], 20
; FREE-NEXT:  ST_volatile_global_b64 [[Q]], 20, [[N]] ::
define void @h(ptr addrspace(1) %p, i32 %i, i32 %v) {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %a = getelementptr i8, ptr addrspace(1) %q, i64 16
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %n = ptrtoint ptr addrspace(1) %b to i64
  store volatile i32 %v, ptr addrspace(1) %a
  store volatile i32 %v, ptr addrspace(1) %b
  store volatile i32 %v, ptr addrspace(1) %a
  store volatile i32 %v, ptr addrspace(1) %b
  store volatile i64 %n, ptr addrspace(1) %b
  ret void
}
