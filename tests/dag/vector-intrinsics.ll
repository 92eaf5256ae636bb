; RUN: ptxscope run %s --launch=%p/vector-intrinsics.launch.json --json | filecheck %s
; RUN: ptxscope run %s -O0 --launch=%p/vector-intrinsics.launch.json --json | filecheck %s
; Elements in another order, and operations that are scalar ones element by element.
target triple = "nvptx64-nvidia-cuda"

; in: 1 -2 3 -4 5 -6 7 -8
; CHECK: "bits":{{.*}}"values":[165,90,6]
; reverse, extract, insert
; CHECK: "out":{{.*}}[-4,3,-2,1,-4,5,-6,7,1,-2,5,-6,
; splice by 1 and by -1, interleave, deinterleave
; CHECK-SAME: -2,3,-4,5,-4,5,-6,7,1,5,-2,-6,3,7,-4,-8,1,3,5,7,-2,-4,-6,-8,
; compress
; CHECK-SAME: 1,-4,7,-8,
; scmp, ucmp of a and b
; CHECK-SAME: -1,1,-1,1,-1,1,-1,1,
; smul.fix by 4 bits, saturating with 0 bits
; CHECK-SAME: 0,0,1,2,2147483647,-2147483648,2147483647,-2147483648,
; sdiv.fix by 4 bits: 16/5, -32/-6, 48/7, -64/-8
; CHECK-SAME: 3,5,6,8,
; frexp of 1, -2, 3, -4; is.fpclass negative
; CHECK-SAME: 1,2,2,3,0,1,0,1,
; sadd.with.overflow of i128 pairs: overflow flags
; CHECK-SAME: 0,1]
define void @k(ptr %in, ptr %out, ptr %bits) {
  %in4 = getelementptr i32, ptr %in, i32 4
  %a = load <4 x i32>, ptr %in
  %b = load <4 x i32>, ptr %in4
  %ab = load <8 x i32>, ptr %in
  %rev = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %a)
  store <4 x i32> %rev, ptr %out
  %ext = call <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32> %ab, i64 0)
  %ext2 = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %b, i64 0)
  %mid = shufflevector <8 x i32> %ab, <8 x i32> poison, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %o1 = getelementptr i32, ptr %out, i32 4
  store <4 x i32> %mid, ptr %o1
  %ins = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %ext, <2 x i32> %ext2, i64 2)
  %o2 = getelementptr i32, ptr %out, i32 8
  store <4 x i32> %ins, ptr %o2
  %s1 = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %a, <4 x i32> %b, i32 1)
  %o3 = getelementptr i32, ptr %out, i32 12
  store <4 x i32> %s1, ptr %o3
  %s2 = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %a, <4 x i32> %b, i32 -1)
  %o4 = getelementptr i32, ptr %out, i32 16
  store <4 x i32> %s2, ptr %o4
  %il = call <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32> %a, <4 x i32> %b)
  %o5 = getelementptr i32, ptr %out, i32 20
  store <8 x i32> %il, ptr %o5, align 16
  %dl = call { <4 x i32>, <4 x i32> } @llvm.vector.deinterleave2.v8i32(<8 x i32> %ab)
  %d0 = extractvalue { <4 x i32>, <4 x i32> } %dl, 0
  %d1 = extractvalue { <4 x i32>, <4 x i32> } %dl, 1
  %o6 = getelementptr i32, ptr %out, i32 28
  store <4 x i32> %d0, ptr %o6
  %o7 = getelementptr i32, ptr %out, i32 32
  store <4 x i32> %d1, ptr %o7
  %odd = trunc <4 x i32> <i32 1, i32 0, i32 0, i32 1> to <4 x i1>
  %m0 = icmp ne <4 x i32> %a, <i32 -2, i32 -2, i32 -2, i32 -2>
  %m1 = icmp ne <4 x i32> %a, <i32 3, i32 3, i32 3, i32 3>
  %mask = and <4 x i1> %m0, %m1
  %cmp = call <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32> %a, <4 x i1> %mask, <4 x i32> %b)
  %o8 = getelementptr i32, ptr %out, i32 36
  store <4 x i32> %cmp, ptr %o8
  %sc = call <4 x i32> @llvm.scmp.v4i32.v4i32(<4 x i32> %a, <4 x i32> %b)
  %o9 = getelementptr i32, ptr %out, i32 40
  store <4 x i32> %sc, ptr %o9
  %uc = call <4 x i32> @llvm.ucmp.v4i32.v4i32(<4 x i32> %a, <4 x i32> %b)
  %o10 = getelementptr i32, ptr %out, i32 44
  store <4 x i32> %uc, ptr %o10
  %fm = call <4 x i32> @llvm.smul.fix.v4i32(<4 x i32> %a, <4 x i32> %b, i32 4)
  %o11 = getelementptr i32, ptr %out, i32 48
  store <4 x i32> %fm, ptr %o11
  %big = mul <4 x i32> %a, <i32 1000000000, i32 1000000000, i32 500000000, i32 500000000>
  %fs = call <4 x i32> @llvm.smul.fix.sat.v4i32(<4 x i32> %big, <4 x i32> <i32 9, i32 9, i32 9, i32 9>, i32 0)
  %o12 = getelementptr i32, ptr %out, i32 52
  store <4 x i32> %fs, ptr %o12
  %fd = call <4 x i32> @llvm.sdiv.fix.v4i32(<4 x i32> %a, <4 x i32> %b, i32 4)
  %o13 = getelementptr i32, ptr %out, i32 56
  store <4 x i32> %fd, ptr %o13
  %f = sitofp <4 x i32> %a to <4 x float>
  %fr = call { <4 x float>, <4 x i32> } @llvm.frexp.v4f32.v4i32(<4 x float> %f)
  %fe = extractvalue { <4 x float>, <4 x i32> } %fr, 1
  %o14 = getelementptr i32, ptr %out, i32 60
  store <4 x i32> %fe, ptr %o14
  %cl = call <4 x i1> @llvm.is.fpclass.v4f32(<4 x float> %f, i32 60)
  %ci = zext <4 x i1> %cl to <4 x i32>
  %o15 = getelementptr i32, ptr %out, i32 64
  store <4 x i32> %ci, ptr %o15
  %w0 = extractelement <4 x i32> %a, i32 0
  %w1 = zext i32 %w0 to i128
  %w2 = shl i128 %w1, 126
  %w3 = insertelement <2 x i128> zeroinitializer, i128 %w2, i32 1
  %wo = call { <2 x i128>, <2 x i1> } @llvm.sadd.with.overflow.v2i128(<2 x i128> %w3, <2 x i128> %w3)
  %wb = extractvalue { <2 x i128>, <2 x i1> } %wo, 1
  %wi = zext <2 x i1> %wb to <2 x i32>
  %o16 = getelementptr i32, ptr %out, i32 68
  store <2 x i32> %wi, ptr %o16
  ; the bits 10100101 in both orders, and every second of them twice over
  %v = load <8 x i1>, ptr %bits
  %r = call <8 x i1> @llvm.vector.reverse.v8i1(<8 x i1> %v)
  store <8 x i1> %r, ptr %bits
  %n = xor <8 x i1> %r, <i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1>
  %b1 = getelementptr i32, ptr %bits, i32 1
  store <8 x i1> %n, ptr %b1
  %lo = call <4 x i1> @llvm.vector.extract.v4i1.v8i1(<8 x i1> %v, i64 4)
  %b2 = getelementptr i32, ptr %bits, i32 2
  %rl = call <4 x i1> @llvm.vector.splice.v4i1(<4 x i1> %lo, <4 x i1> %lo, i32 1)
  %x = xor <4 x i1> %rl, <i1 1, i1 1, i1 0, i1 0>
  store <4 x i1> %x, ptr %b2
  ret void
}
declare <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32>)
declare <8 x i1> @llvm.vector.reverse.v8i1(<8 x i1>)
declare <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32>, i64)
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
declare <4 x i1> @llvm.vector.extract.v4i1.v8i1(<8 x i1>, i64)
declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64)
declare <4 x i32> @llvm.vector.splice.v4i32(<4 x i32>, <4 x i32>, i32)
declare <4 x i1> @llvm.vector.splice.v4i1(<4 x i1>, <4 x i1>, i32)
declare <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32>, <4 x i32>)
declare { <4 x i32>, <4 x i32> } @llvm.vector.deinterleave2.v8i32(<8 x i32>)
declare <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32>, <4 x i1>, <4 x i32>)
declare <4 x i32> @llvm.scmp.v4i32.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.ucmp.v4i32.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.smul.fix.v4i32(<4 x i32>, <4 x i32>, i32)
declare <4 x i32> @llvm.smul.fix.sat.v4i32(<4 x i32>, <4 x i32>, i32)
declare <4 x i32> @llvm.sdiv.fix.v4i32(<4 x i32>, <4 x i32>, i32)
declare { <4 x float>, <4 x i32> } @llvm.frexp.v4f32.v4i32(<4 x float>)
declare <4 x i1> @llvm.is.fpclass.v4f32(<4 x float>, i32)
declare { <2 x i128>, <2 x i1> } @llvm.sadd.with.overflow.v2i128(<2 x i128>, <2 x i128>)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
