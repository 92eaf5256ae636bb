; RUN: ptxscope compile %s -mcpu=sm_80 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -O0 -verify-machineinstrs -o - | filecheck %s --check-prefix=NOOPT
; RUN: ptxscope compile %s -mcpu=sm_80 --disable-guarded-params=1 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope check %s --launch=%p/guarded-params.launch.json -mcpu=sm_80
; RUN: ptxscope check %s --launch=%p/guarded-params.launch.json -mcpu=sm_80 -O0
; RUN: ptxscope run %s --launch=%p/guarded-params.launch.json -mcpu=sm_80 --json | filecheck %s --check-prefix=VALUES
; A choice between two parameters is a load of one and a guarded load of the other, which replaces it.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; VALUES: "values":[20,3,4,300,20,3,4,300,10,1,2,310,10,1,2,310]
; CHECK-LABEL: .func {{.*}} pair(
; NOOPT-LABEL: .func {{.*}} pair(
; OFF-LABEL: .func {{.*}} pair(
; CHECK: setp.{{.*}} [[P:%p[0-9]+]],
; CHECK-NOT: selp
; CHECK: ld.param.v2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]}, [pair_param_0];
; CHECK-NEXT: @![[P]] ld.param.v2.b32 {[[A]], [[B]]}, [pair_param_1];
; CHECK-NOT: selp
; CHECK: ret;
; NOOPT: @!{{%p[0-9]+}} ld.param.v2.b32
; OFF: selp.b32
; OFF: selp.b32
define internal <2 x i32> @pair(<2 x i32> %a, <2 x i32> %b, i32 %t) noinline {
  %c = icmp ugt i32 %t, 1
  %r = select i1 %c, <2 x i32> %a, <2 x i32> %b
  ret <2 x i32> %r
}

; What is read elsewhere, too, is loaded for all, and so is what a vector has more of than is chosen.
; CHECK-LABEL: .func {{.*}} both(
; CHECK-NOT: @{{!?}}%
; CHECK: selp.b32
; CHECK: ret;
define internal i32 @both(i32 %a, i32 %b, i32 %t) noinline {
  %c = icmp ugt i32 %t, 1
  %r = select i1 %c, i32 %a, i32 %b
  %s = add i32 %r, %a
  ret i32 %s
}
; CHECK-LABEL: .func {{.*}} part(
; CHECK-NOT: @{{!?}}%
; CHECK: selp.b32
; CHECK: ret;
define internal i32 @part(<2 x i32> %a, <2 x i32> %b, i32 %t) noinline {
  %c = icmp ugt i32 %t, 1
  %d = icmp ugt i32 %t, 2
  %r = select i1 %c, <2 x i32> %a, <2 x i32> %b
  %s = select i1 %d, <2 x i32> %a, <2 x i32> %b
  %x = extractelement <2 x i32> %r, i32 0
  %y = extractelement <2 x i32> %s, i32 1
  %z = add i32 %x, %y
  ret i32 %z
}

; CHECK-LABEL: .entry k(
; CHECK: ld.param.b32 [[C:%r[0-9]+]], [k_param_0];
; CHECK-NEXT: @!{{%p[0-9]+}} ld.param.b32 [[C]], [k_param_1];
define ptx_kernel void @k(i32 %a, i32 %b, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call <2 x i32> @pair(<2 x i32> <i32 1, i32 2>, <2 x i32> <i32 3, i32 4>, i32 %t)
  %w = call i32 @both(i32 100, i32 200, i32 %t)
  %z = call i32 @part(<2 x i32> <i32 100, i32 10>, <2 x i32> <i32 0, i32 0>, i32 3)
  %d = icmp ugt i32 %t, 1
  %e = select i1 %d, i32 %a, i32 %b
  %y = select i1 %d, i32 %z, i32 0
  %g = select i1 %d, i32 200, i32 300
  %x = extractelement <2 x i32> %v, i32 0
  %x1 = extractelement <2 x i32> %v, i32 1
  %h = add i32 %y, %g
  %h1 = sub i32 %w, %w
  %h2 = add i32 %h, %h1
  %q = getelementptr [4 x i32], ptr %o, i32 %t
  %q1 = getelementptr i32, ptr %q, i64 1
  %q2 = getelementptr i32, ptr %q, i64 2
  %q3 = getelementptr i32, ptr %q, i64 3
  store i32 %e, ptr %q
  store i32 %x, ptr %q1
  store i32 %x1, ptr %q2
  store i32 %h2, ptr %q3
  ret void
}
