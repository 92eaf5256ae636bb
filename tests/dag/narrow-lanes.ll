; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/narrow-lanes.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s -O0 --launch=%p/narrow-lanes.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s --level=ir --launch=%p/narrow-lanes.launch.json --json | filecheck %s --check-prefix=VALUES
target triple = "nvptx64-nvidia-cuda"

; Bytes are compared and chosen in the registers they were cut out to.
; CHECK-LABEL: .func {{.*}} bytes(
; CHECK-COUNT-4: prmt.b32
; CHECK-NOT: cvt.
; CHECK-COUNT-4: selp.b32
; CHECK-NOT: cvt.
; CHECK: ret;
define <4 x i8> @bytes(<4 x i8> %a, <4 x i8> %b) noinline {
  %p = icmp slt <4 x i8> %a, %b
  %r = select <4 x i1> %p, <4 x i8> %b, <4 x i8> %a
  ret <4 x i8> %r
}

; The signs of two halves at once.
; CHECK-LABEL: .func {{.*}} signs(
; CHECK-DAG: and.b32 %[[S:r[0-9]+]], %r{{[0-9]+}}, -2147450880;
; CHECK-DAG: and.b32 %[[M:r[0-9]+]], %r{{[0-9]+}}, 2147450879;
; CHECK: or.b32 %r{{[0-9]+}}, %[[M]], %[[S]];
; CHECK-NOT: b16
; CHECK: ret;
define <2 x half> @signs(<2 x half> %a, <2 x half> %b) noinline {
  %r = call <2 x half> @llvm.copysign.v2f16(<2 x half> %a, <2 x half> %b)
  ret <2 x half> %r
}
; CHECK-LABEL: .func {{.*}} eight(
; CHECK-COUNT-4: or.b32
; CHECK-NOT: or.b
; CHECK: ret;
define <8 x bfloat> @eight(<8 x bfloat> %a, <8 x bfloat> %b) noinline {
  %r = call <8 x bfloat> @llvm.copysign.v8bf16(<8 x bfloat> %a, <8 x bfloat> %b)
  ret <8 x bfloat> %r
}

; A condition from another block is not negated: the branch reads the negation of both for nothing.
; CHECK-LABEL: .func both(
; CHECK-NOT: not.pred
; CHECK: and.pred %[[B:p[0-9]+]],
; CHECK: @!%[[B]] bra
define void @both(ptr %p, i32 %n, i32 %k) noinline {
entry:
  %c = icmp slt i32 %n, 10
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %d = icmp slt i32 %i, %k
  %both = and i1 %c, %d
  br i1 %both, label %then, label %next
then:
  store volatile i32 %i, ptr %p
  br label %next
next:
  %i1 = add i32 %i, 1
  %e = icmp eq i32 %i1, 20
  br i1 %e, label %done, label %loop
done:
  ret void
}

; VALUES: "out":{{.*}}[2130772225,3221241856,1073757184]
define ptx_kernel void @k(ptr %in, ptr %out) {
  %i1 = getelementptr i32, ptr %in, i32 1
  %i2 = getelementptr i32, ptr %in, i32 2
  %i3 = getelementptr i32, ptr %in, i32 3
  %o1 = getelementptr i32, ptr %out, i32 1
  %o2 = getelementptr i32, ptr %out, i32 2
  %a = load <4 x i8>, ptr %in
  %b = load <4 x i8>, ptr %i1
  %m = call <4 x i8> @bytes(<4 x i8> %a, <4 x i8> %b)
  store <4 x i8> %m, ptr %out
  %x = load <2 x half>, ptr %i2
  %y = load <2 x half>, ptr %i3
  %s = call <2 x half> @signs(<2 x half> %x, <2 x half> %y)
  store <2 x half> %s, ptr %o1
  %t = call <2 x half> @signs(<2 x half> %y, <2 x half> %x)
  store <2 x half> %t, ptr %o2
  ret void
}

declare <2 x half> @llvm.copysign.v2f16(<2 x half>, <2 x half>)
declare <8 x bfloat> @llvm.copysign.v8bf16(<8 x bfloat>, <8 x bfloat>)
