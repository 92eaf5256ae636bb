; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/odd-vector-accesses.launch.json
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/odd-vector-accesses.launch.json -O0
; Vectors of 3 and 5 elements: one load where the alignment promises the rest, and stores as wide as the bits allow.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: halves(
; CHECK: ld.v2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]},
; CHECK-DAG: st.b32 [{{%rd[0-9]+}}], [[A]];
; CHECK-DAG: st.b16 [{{%rd[0-9]+}}+4], [[B]];
; CHECK: ret;
define void @halves(ptr %p, ptr %q) {
  %v = load <3 x half>, ptr %p
  store <3 x half> %v, ptr %q
  ret void
}

; CHECK-LABEL: floats(
; CHECK: ld.v4.b32
; CHECK-NOT: ld.b32
; CHECK: ret;
define float @floats(ptr %p) {
  %v = load <3 x float>, ptr %p, align 16
  %a = extractelement <3 x float> %v, i32 0
  %b = extractelement <3 x float> %v, i32 1
  %c = extractelement <3 x float> %v, i32 2
  %s = fadd float %a, %b
  %t = fadd float %s, %c
  ret float %t
}

; Not where the program counts accesses.
; CHECK-LABEL: volatile(
; CHECK-NOT: ld.v4
; CHECK: ret;
define float @volatile(ptr %p) {
  %v = load volatile <3 x float>, ptr %p, align 16
  %c = extractelement <3 x float> %v, i32 2
  ret float %c
}

define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %in1 = getelementptr i8, ptr addrspace(1) %in, i32 16
  %in2 = getelementptr i8, ptr addrspace(1) %in, i32 32
  %in3 = getelementptr i8, ptr addrspace(1) %in, i32 48
  %out1 = getelementptr i8, ptr addrspace(1) %out, i32 16
  %out2 = getelementptr i8, ptr addrspace(1) %out, i32 32
  %out3 = getelementptr i8, ptr addrspace(1) %out, i32 48
  %out4 = getelementptr i8, ptr addrspace(1) %out, i32 56
  %a = load <3 x i16>, ptr addrspace(1) %in, align 8
  %b = load <3 x i8>, ptr addrspace(1) %in1, align 4
  %c = load <5 x i16>, ptr addrspace(1) %in2, align 16
  %d = load <7 x i8>, ptr addrspace(1) %in3, align 1
  %e = add <3 x i16> %a, <i16 1, i16 2, i16 3>
  %f = srem <3 x i8> %b, <i8 7, i8 11, i8 13>
  store <3 x i16> %e, ptr addrspace(1) %out, align 2
  store <3 x i8> %f, ptr addrspace(1) %out1, align 4
  store <5 x i16> %c, ptr addrspace(1) %out2, align 16
  store <7 x i8> %d, ptr addrspace(1) %out3, align 1
  store <3 x i8> %b, ptr addrspace(1) %out4, align 2
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
