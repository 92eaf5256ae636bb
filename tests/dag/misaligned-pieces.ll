; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/misaligned-pieces.launch.json -mcpu=sm_90
; What is aligned less than its size is loaded in pieces that are joined by halves, and stored in pieces. A copy of the same pieces
; joins nothing, and one of larger pieces no more than those.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: bytes(
; CHECK-COUNT-6: ld.b8
; CHECK-NOT:     or.b
; CHECK-COUNT-6: st.b8
; CHECK-NEXT:    ret;
define void @bytes(ptr %from, ptr %to) {
  %v = load i48, ptr %from, align 1
  store i48 %v, ptr %to, align 1
  ret void
}

; CHECK-LABEL: halves(
; CHECK:         ld.b8 [[A:%r[0-9]+]], [%rd1];
; CHECK-NEXT:    ld.b8 [[B:%r[0-9]+]], [%rd1+1];
; CHECK-NEXT:    shl.b32 [[C:%r[0-9]+]], [[B]], 8;
; CHECK-NEXT:    or.b32 [[D:%r[0-9]+]], [[C]], [[A]];
; CHECK-COUNT-3: or.b32
; CHECK-NOT:     sh
; CHECK:         st.b16 [%rd2], [[D]];
; CHECK-NEXT:    ret;
define void @halves(ptr %from, ptr %to) {
  %v = load <2 x float>, ptr %from, align 1
  store <2 x float> %v, ptr %to, align 2
  ret void
}

; Two words become a pair, and are stored as they are.
; CHECK-LABEL: words(
; CHECK:         ld.b32 [[A:%r[0-9]+]], [%rd1];
; CHECK-NEXT:    ld.b32 [[B:%r[0-9]+]], [%rd1+4];
; CHECK-NOT:     mov.b64
; CHECK-DAG:     st.b32 [%rd2], [[A]];
; CHECK-DAG:     st.b32 [%rd2+4], [[B]];
; CHECK:         ret;
define void @words(ptr %from, ptr %to) {
  %v = load double, ptr %from, align 4
  store double %v, ptr %to, align 4
  ret void
}

; The last piece is loaded with the sign.
; CHECK-LABEL: signed(
; CHECK:         ld.b8
; CHECK-NEXT:    ld.s8
; CHECK-NEXT:    shl.b32
; CHECK-NEXT:    or.b32
; CHECK-NEXT:    st.param.b32
define i32 @signed(ptr %from) {
  %v = load i16, ptr %from, align 1
  %s = sext i16 %v to i32
  ret i32 %s
}

define ptx_kernel void @k(ptr %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = mul i32 %t, 64
  %p = getelementptr i8, ptr %io, i32 %o
  %p1 = getelementptr i8, ptr %p, i32 1
  %q = getelementptr i8, ptr %p, i32 17
  call void @bytes(ptr %p1, ptr %q)
  %p2 = getelementptr i8, ptr %p, i32 3
  %q2 = getelementptr i8, ptr %p, i32 26
  call void @halves(ptr %p2, ptr %q2)
  %p3 = getelementptr i8, ptr %p, i32 4
  %q3 = getelementptr i8, ptr %p, i32 36
  call void @words(ptr %p3, ptr %q3)
  %s = call i32 @signed(ptr %p1)
  %q4 = getelementptr i8, ptr %p, i32 47
  store i32 %s, ptr %q4, align 1
  %w = load i16, ptr %p1, align 1
  %z = zext i16 %w to i64
  %q5 = getelementptr i8, ptr %p, i32 53
  store i64 %z, ptr %q5, align 1
  %h = load half, ptr %p2, align 1
  %q6 = getelementptr i8, ptr %p, i32 62
  store half %h, ptr %q6, align 1
  ret void
}
