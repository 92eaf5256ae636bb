; Accesses of 32 bytes: of global memory, aligned, from sm_100 and PTX 8.8 on. Volatile accesses too; other memory keeps 16.
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx86 -o - | filecheck %s --check-prefix=NARROW
; RUN: ptxscope check %s --launch %p/wide-accesses.launch.json -mcpu=sm_100 -mattr=+ptx88
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -o %t.ptx && ptxas -arch=sm_100 -c %t.ptx -o /dev/null
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [8 x float] undef, align 32

; NARROW-NOT: .v8
; CHECK-LABEL: .entry k(
; CHECK:       ld.global.nc.v8.b32
; CHECK:       ld.global.v8.b32
; CHECK:       st.global.v8.b32
; CHECK:       ld.global.v4.b64
; CHECK:       st.global.v4.b64
; CHECK:       ld.global.v8.{{[bu]}}32
; CHECK:       st.global.v8.{{[bu]}}32
; CHECK:       ld.volatile.global.v8.b32
; CHECK:       st.volatile.global.v8.b32
; CHECK:       st.shared.v4.b32
; CHECK:       ld.global.v4.b32
; CHECK-NOT:   v8
define ptx_kernel void @k(ptr addrspace(1) noalias align 32 %x, ptr addrspace(1) noalias %y) {
  %a = load <8 x float>, ptr addrspace(1) %x, align 32
  %b = load <8 x float>, ptr addrspace(1) %y, align 32
  %m = fmul <8 x float> %a, %b
  store <8 x float> %m, ptr addrspace(1) %y, align 32
  %y1 = getelementptr i8, ptr addrspace(1) %y, i32 32
  %d = load <4 x double>, ptr addrspace(1) %y1, align 32
  %y2 = getelementptr i8, ptr addrspace(1) %y, i32 64
  store <4 x double> %d, ptr addrspace(1) %y2, align 32
  %y3 = getelementptr i8, ptr addrspace(1) %y, i32 96
  %h = load <16 x i16>, ptr addrspace(1) %y3, align 32
  %h1 = add <16 x i16> %h, %h
  store <16 x i16> %h1, ptr addrspace(1) %y3, align 32
  %y5 = getelementptr i8, ptr addrspace(1) %y, i32 160
  %v = load volatile <8 x i32>, ptr addrspace(1) %y5, align 32
  store volatile <8 x i32> %v, ptr addrspace(1) %y1, align 32
  store <8 x float> %a, ptr addrspace(3) @s, align 32
  %u = load <8 x float>, ptr addrspace(1) %y3, align 16
  store <8 x float> %u, ptr addrspace(1) %y5, align 16
  ret void
}

; Single accesses are combined as far.
; CHECK-LABEL: .entry scalars(
; CHECK:       ld.global.nc.v4.b64
; CHECK:       st.global.v8.b32
; NARROW-LABEL: .entry scalars(
; NARROW:       ld.global.nc.v2.b64
; NARROW:       st.global.v4.b32
; NARROW:       st.global.v4.b32
define ptx_kernel void @scalars(ptr addrspace(1) noalias align 32 %x, ptr addrspace(1) noalias align 32 %y) {
  %p1 = getelementptr i64, ptr addrspace(1) %x, i32 1
  %p2 = getelementptr i64, ptr addrspace(1) %x, i32 2
  %p3 = getelementptr i64, ptr addrspace(1) %x, i32 3
  %x0 = load i64, ptr addrspace(1) %x, align 32
  %x1 = load i64, ptr addrspace(1) %p1, align 8
  %x2 = load i64, ptr addrspace(1) %p2, align 16
  %x3 = load i64, ptr addrspace(1) %p3, align 8
  %s0 = add i64 %x0, %x1
  %s1 = mul i64 %x2, %x3
  %t0 = trunc i64 %s0 to i32
  %t1 = trunc i64 %s1 to i32
  store i32 %t0, ptr addrspace(1) %y, align 32
  %q1 = getelementptr i32, ptr addrspace(1) %y, i32 1
  store i32 %t1, ptr addrspace(1) %q1, align 4
  %q2 = getelementptr i32, ptr addrspace(1) %y, i32 2
  store i32 %t0, ptr addrspace(1) %q2, align 4
  %q3 = getelementptr i32, ptr addrspace(1) %y, i32 3
  store i32 %t0, ptr addrspace(1) %q3, align 4
  %q4 = getelementptr i32, ptr addrspace(1) %y, i32 4
  store i32 %t1, ptr addrspace(1) %q4, align 4
  %q5 = getelementptr i32, ptr addrspace(1) %y, i32 5
  store i32 %t1, ptr addrspace(1) %q5, align 4
  %q6 = getelementptr i32, ptr addrspace(1) %y, i32 6
  store i32 %t0, ptr addrspace(1) %q6, align 4
  %q7 = getelementptr i32, ptr addrspace(1) %y, i32 7
  store i32 7, ptr addrspace(1) %q7, align 4
  ret void
}

; CHECK-LABEL: .entry integer(
; CHECK:       ld.global.nc.v4.b64
; CHECK:       st.global.v4.b64
; NARROW-LABEL: .entry integer(
; NARROW:       st.global.v2.b64
; NARROW:       st.global.v2.b64
define ptx_kernel void @integer(ptr addrspace(1) noalias align 32 %x, ptr addrspace(1) noalias align 32 %y) {
  %w = load i256, ptr addrspace(1) %x, align 32
  %w1 = xor i256 %w, -1
  store i256 %w1, ptr addrspace(1) %y, align 32
  ret void
}
