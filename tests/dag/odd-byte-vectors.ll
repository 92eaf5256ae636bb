; RUN: ptxscope compile %s -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/odd-byte-vectors.launch.json
; RUN: ptxscope check %s --launch=%p/odd-byte-vectors.launch.json -O0
; RUN: ptxscope run %s --launch=%p/odd-byte-vectors.launch.json --json | filecheck %s --check-prefix=VALUES
; Vectors of bytes are passed in words, and what is left behind the last of them in bytes.
target triple = "nvptx64-nvidia-cuda"

; VALUES: "values":[10,20,30,40,50,60,70,80,91,1,2,3,4,5,6,7,8,9,1,2,3,4,5,9,31,32,33,34,35,36,37,5,31,32,77,0,31,32,0,0]
; CHECK-LABEL: .func {{.*}} nine(
; CHECK: ld.param.v2.b32
; CHECK: ld.param.b8
; CHECK-NOT: st.param.{{v[24].}}b8
; CHECK: st.param.v2.b32
; CHECK: st.param.b8 [func_retval0+8]
; CHECK-NOT: st.param
; CHECK: ret;
define internal <9 x i8> @nine(<9 x i8> %a) noinline {
  %r = add <9 x i8> %a, <i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 1>
  ret <9 x i8> %r
}
; CHECK-LABEL: .func {{.*}} fifteen(
; CHECK: st.param.b8 [func_retval0+14]
define internal <15 x i8> @fifteen(<15 x i8> %a) noinline {
  %r = shufflevector <15 x i8> %a, <15 x i8> poison, <15 x i32> <i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  ret <15 x i8> %r
}
; Behind an odd offset there are bytes alone.
define internal <{ i8, <7 x i8> }> @packed(<{ i8, <7 x i8> }> %a) noinline {
  %v = extractvalue <{ i8, <7 x i8> }> %a, 1
  %w = insertelement <7 x i8> %v, i8 5, i32 6
  %r = insertvalue <{ i8, <7 x i8> }> %a, <7 x i8> %w, 1
  ret <{ i8, <7 x i8> }> %r
}

define ptx_kernel void @k(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 9
  %s = getelementptr i8, ptr %p, i64 24
  %a = load <9 x i8>, ptr %p, align 1
  %b = load <15 x i8>, ptr %q, align 1
  %c = load <{ i8, <7 x i8> }>, ptr %s, align 1
  %x = call <9 x i8> @nine(<9 x i8> %a)
  %y = call <15 x i8> @fifteen(<15 x i8> %b)
  %z = call <{ i8, <7 x i8> }> @packed(<{ i8, <7 x i8> }> %c)
  %n = load i16, ptr %s, align 1
  %u = call <2 x i8> @two(i16 %n)
  %w = call { i8, <2 x i8> } @two_and_one(i16 %n, i8 77)
  %w0 = extractvalue { i8, <2 x i8> } %w, 0
  %w1 = extractvalue { i8, <2 x i8> } %w, 1
  %p32 = getelementptr i8, ptr %p, i64 32
  %p34 = getelementptr i8, ptr %p, i64 34
  %p36 = getelementptr i8, ptr %p, i64 36
  store <9 x i8> %x, ptr %p, align 1
  store <15 x i8> %y, ptr %q, align 1
  store <{ i8, <7 x i8> }> %z, ptr %s, align 1
  store <2 x i8> %u, ptr %p32
  store i8 %w0, ptr %p34
  store <2 x i8> %w1, ptr %p36
  ret void
}

; Two bytes that are a number are returned as one.
; CHECK-LABEL: .func {{.*}} two(
; CHECK-NOT: shr
; CHECK: st.param.b16 [func_retval0]
; CHECK: ret;
define internal <2 x i8> @two(i16 %a) noinline {
  %r = bitcast i16 %a to <2 x i8>
  ret <2 x i8> %r
}
; CHECK-LABEL: .func {{.*}} two_and_one(
; CHECK: st.param.b16 [func_retval0+2]
; CHECK: ret;
define internal { i8, <2 x i8> } @two_and_one(i16 %a, i8 %b) noinline {
  %v = bitcast i16 %a to <2 x i8>
  %x = insertvalue { i8, <2 x i8> } poison, i8 %b, 0
  %y = insertvalue { i8, <2 x i8> } %x, <2 x i8> %v, 1
  ret { i8, <2 x i8> } %y
}
