; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; Bytes of a word: moved by prmt, widened by bfe with the sign that is asked for, compared as they come.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: reversed(
; CHECK: prmt.b32 	%r2, %r1, 0, 291;
; CHECK-NEXT: st.param.b32
define <4 x i8> @reversed(<4 x i8> %a) {
  %r = shufflevector <4 x i8> %a, <4 x i8> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  ret <4 x i8> %r
}

; CHECK-LABEL: mixed(
; CHECK: prmt.b32 	%r3, %r1, %r2, 29217;
; CHECK-NEXT: st.param.b32
define <4 x i8> @mixed(<4 x i8> %a, <4 x i8> %b) {
  %r = shufflevector <4 x i8> %a, <4 x i8> %b, <4 x i32> <i32 1, i32 2, i32 2, i32 7>
  ret <4 x i8> %r
}

; CHECK-LABEL: gathered(
; CHECK-COUNT-3: prmt.b32
; CHECK-NOT: bfi
; CHECK: ret;
define <4 x i8> @gathered(i8 %a, i8 %b, i8 %c, i8 %d) {
  %1 = insertelement <4 x i8> poison, i8 %a, i32 0
  %2 = insertelement <4 x i8> %1, i8 %b, i32 1
  %3 = insertelement <4 x i8> %2, i8 %c, i32 2
  %4 = insertelement <4 x i8> %3, i8 %d, i32 3
  ret <4 x i8> %4
}

; CHECK-LABEL: signed(
; CHECK: prmt.b32 	%r{{[0-9]+}}, %r1, 0, 39313;
; CHECK: setp.gt.s32
define i1 @signed(<4 x i8> %a) {
  %e = extractelement <4 x i8> %a, i32 1
  %c = icmp sgt i8 %e, 5
  ret i1 %c
}
