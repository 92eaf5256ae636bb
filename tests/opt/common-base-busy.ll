; RUN: ptxscope compile %s --run-pass=common-base-elim --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=common-base-elim -disable-common-base-elim -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s --run-pass=common-base-elim -pass-remarks=common-base-elim -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope run %s --launch=%p/common-base-busy.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/common-base-busy.launch.json
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Three of the blocks behind one another compute the address; none dominates another one.
; CHECK-LABEL: @kernel(
; CHECK:      loop:
; CHECK:      %i0 = mul i32 %k, 4
; CHECK-NEXT: %x0 = zext i32 %i0 to i64
; CHECK-NEXT: %a0 = getelementptr i32, ptr addrspace(1) %q, i64 %x0
; CHECK-NEXT: br i1 %c0
; CHECK-NOT:  mul
; CHECK-NOT:  getelementptr i32
; CHECK:      store i32 %r0, ptr addrspace(1) %a0
; CHECK:      store i32 %r1, ptr addrspace(1) %a0
; CHECK:      store i32 %r2, ptr addrspace(1) %a0
; LEFT-LABEL: @kernel(
; LEFT-COUNT-3: getelementptr inbounds i32
; REMARK: the address of 3 blocks is computed in front of them
; VALUES: "q":{{.*}}[0,0,0,0,1,0,0,0,1,0,0,0,2,0,0,0,1,0,0,0,2,0,0,0,2,0,0,0,3
define ptx_kernel void @kernel(ptr addrspace(1) %q, i32 %n) {
entry:
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %b0 = and i32 %k, 1
  %c0 = icmp eq i32 %b0, 0
  br i1 %c0, label %m0, label %s0
s0:
  %i0 = mul nuw nsw i32 %k, 4
  %x0 = zext nneg i32 %i0 to i64
  %a0 = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x0
  %v0 = load i32, ptr addrspace(1) %a0
  %r0 = add i32 %v0, 1
  store i32 %r0, ptr addrspace(1) %a0
  br label %m0
m0:
  %b1 = and i32 %k, 2
  %c1 = icmp eq i32 %b1, 0
  br i1 %c1, label %m1, label %s1
s1:
  %i1 = mul nuw nsw i32 %k, 4
  %x1 = zext nneg i32 %i1 to i64
  %a1 = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x1
  %v1 = load i32, ptr addrspace(1) %a1
  %r1 = add i32 %v1, 1
  store i32 %r1, ptr addrspace(1) %a1
  br label %m1
m1:
  %b2 = and i32 %k, 4
  %c2 = icmp eq i32 %b2, 0
  br i1 %c2, label %next, label %s2
s2:
  %i2 = mul nuw nsw i32 %k, 4
  %x2 = zext nneg i32 %i2 to i64
  %a2 = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x2
  %v2 = load i32, ptr addrspace(1) %a2
  %r2 = add i32 %v2, 1
  store i32 %r2, ptr addrspace(1) %a2
  br label %next
next:
  %k1 = add nuw nsw i32 %k, 1
  %d = icmp eq i32 %k1, %n
  br i1 %d, label %done, label %loop
done:
  ret void
}

; Not where two blocks compute it; nor where what it is computed from is loaded in its block; nor out of loops.
; CHECK-LABEL: @two(
; CHECK: a:
; CHECK: getelementptr inbounds float
; CHECK: b:
; CHECK: getelementptr inbounds float
define void @two(ptr %p, i64 %i, i1 %c, i1 %e) {
  br i1 %c, label %a, label %m
a:
  %g = getelementptr inbounds float, ptr %p, i64 %i
  store float 1.0, ptr %g
  br label %m
m:
  br i1 %e, label %b, label %done
b:
  %h = getelementptr inbounds float, ptr %p, i64 %i
  store float 2.0, ptr %h
  br label %done
done:
  ret void
}

; CHECK-LABEL: @loaded(
; CHECK-NOT: getelementptr
; CHECK: switch
; CHECK-COUNT-3: getelementptr inbounds float
define void @loaded(ptr %p, ptr %n, i32 %c) {
  switch i32 %c, label %done [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %d
  ]
a:
  %i = load i64, ptr %n
  %g = getelementptr inbounds float, ptr %p, i64 %i
  store float 1.0, ptr %g
  br label %done
b:
  %j = load i64, ptr %n
  %h = getelementptr inbounds float, ptr %p, i64 %j
  store float 2.0, ptr %h
  br label %done
d:
  %k = load i64, ptr %n
  %f = getelementptr inbounds float, ptr %p, i64 %k
  store float 3.0, ptr %f
  br label %done
done:
  ret void
}

; CHECK-LABEL: @loops(
; CHECK-NOT: getelementptr
; CHECK: switch
; CHECK-COUNT-3: getelementptr inbounds float
define void @loops(ptr %p, i64 %i, i32 %c, i1 %e) {
  switch i32 %c, label %done [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %d
  ]
a:
  %g = getelementptr inbounds float, ptr %p, i64 %i
  store volatile float 1.0, ptr %g
  br i1 %e, label %a, label %done
b:
  %h = getelementptr inbounds float, ptr %p, i64 %i
  store volatile float 2.0, ptr %h
  br i1 %e, label %b, label %done
d:
  %f = getelementptr inbounds float, ptr %p, i64 %i
  store volatile float 3.0, ptr %f
  br i1 %e, label %d, label %done
done:
  ret void
}

; Nor into a loop that the blocks are left from.
; CHECK-LABEL: @exits(
; CHECK: again:
; CHECK-NOT: getelementptr
; CHECK: switch
; CHECK-COUNT-3: getelementptr inbounds float
define void @exits(ptr %p, i64 %i, ptr %c) {
  br label %again
again:
  %v = load volatile i32, ptr %c
  switch i32 %v, label %again [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %d
  ]
a:
  %g = getelementptr inbounds float, ptr %p, i64 %i
  store float 1.0, ptr %g
  ret void
b:
  %h = getelementptr inbounds float, ptr %p, i64 %i
  store float 2.0, ptr %h
  ret void
d:
  %f = getelementptr inbounds float, ptr %p, i64 %i
  store float 3.0, ptr %f
  ret void
}
