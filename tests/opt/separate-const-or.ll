; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; An index whose low bits are known to be free gets its odd neighbour by an or: one address, two offsets.
; CHECK-LABEL: unrolled(
; CHECK: st.global.b8 [%[[A:rd[0-9]+]]+1], {{.*}};
; CHECK: st.global.b8 [%[[A]]], {{.*}};
define ptx_kernel void @unrolled(ptr addrspace(1) %p, i32 %n) {
  %even = and i32 %n, -2
  %odd = or disjoint i32 %even, 1
  %o = zext nneg i32 %odd to i64
  %e = zext nneg i32 %even to i64
  %a = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %o
  %b = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %e
  store i8 1, ptr addrspace(1) %a
  store i8 2, ptr addrspace(1) %b
  ret void
}

; The sign of what a sext reads is that of the part without the constant, negative or not.
; CHECK-LABEL: signed(
; CHECK: mul.wide.s32 %[[I:rd[0-9]+]], %r{{[0-9]+}}, 4;
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+12];
define i32 @signed(ptr addrspace(1) %p, i32 %n) {
  %even = shl i32 %n, 2
  %odd = or disjoint i32 %even, 3
  %o = sext i32 %odd to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %o
  %v = load volatile i32, ptr addrspace(1) %a
  ret i32 %v
}

; Bits that may already be set are no sum.
; CHECK-LABEL: joint(
; CHECK-NOT: +1]
; CHECK: ret
define void @joint(ptr addrspace(1) %p, i32 %n) {
  %odd = or i32 %n, 1
  %o = zext nneg i32 %odd to i64
  %a = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %o
  store i8 1, ptr addrspace(1) %a
  ret void
}
