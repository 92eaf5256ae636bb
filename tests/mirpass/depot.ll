; A function with stack objects declares one depot, named by the function's number, and accesses it relative to %SPL.
; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -o %t.ptx && ptxas -arch=sm_75 %t.ptx -o %t.cubin
; ROWS: PRINT-04

; CHECK-LABEL: .entry first(
; CHECK-NOT: local_depot
; CHECK-LABEL: .entry depot(
; CHECK: .local .align 16 .b8 __local_depot1[80];
; CHECK-NEXT: .reg .b64 %SP;
; CHECK-NEXT: .reg .b64 %SPL;
; CHECK-NOT: __local_depot
; CHECK: mov.b64 %SPL, __local_depot1;
; CHECK-NOT: __local_depot
; CHECK: st.local.b32 [%SPL], 7;
; CHECK: st.local.b64 [%SPL+64], 4607182418800017408;
; CHECK: ld.local.b32 {{%r[0-9]+}}, [%SPL+36];
; CHECK: ld.local.b64 {{%rd[0-9]+}}, [%SPL+48];

target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @first(ptr addrspace(1) %p, i32 %i) {
  ret void
}
define ptx_kernel void @depot(ptr addrspace(1) %p, i32 %i) {
  %a = alloca [10 x i32], align 4
  %b = alloca [3 x double], align 16
  %at = getelementptr [10 x i32], ptr %a, i32 0, i32 %i
  %bt = getelementptr [3 x double], ptr %b, i32 0, i32 %i
  store i32 7, ptr %a
  store i32 %i, ptr %at
  %b2 = getelementptr i8, ptr %b, i32 16
  store double 1.0, ptr %b2
  store double 2.0, ptr %bt
  %a2 = getelementptr i8, ptr %a, i32 36
  %x = load i32, ptr %a2
  %y = load double, ptr %b
  store i32 %x, ptr addrspace(1) %p
  %p2 = getelementptr i8, ptr addrspace(1) %p, i32 8
  store double %y, ptr addrspace(1) %p2
  ret void
}
