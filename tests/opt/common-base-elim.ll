; RUN: ptxscope compile %s --run-pass=common-base-elim --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=common-base-elim -disable-common-base-elim -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s --run-pass=common-base-elim -pass-remarks=common-base-elim -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %s --launch=%p/common-base-elim.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/common-base-elim.launch.json
target triple = "nvptx64-nvidia-cuda"

; One sum in two forms: elements of 8 bytes, and bytes. The flags of what is shared go.
; CHECK-LABEL: @form(
; CHECK:      %a = getelementptr i64, ptr addrspace(1) %p, i64 %i
; CHECK-NOT:  shl
; CHECK:      %b = getelementptr i8, ptr addrspace(1) %a, i64 16
; LEFT-LABEL: @form(
; LEFT:       %b = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %t
; REMARK: remark: the address is that of line 24 plus 16 {{.*}}in function form
; PTX-LABEL: form(
; PTX: ld.global.b64 [[X:%rd[0-9]+]], [[[A:%rd[0-9]+]]+16];
; PTX: st.global.b64 [[[A]]], [[X]];
; VALUES: "p":{{.*}}["2","3","4","5","4",
define ptx_kernel void @form(ptr addrspace(1) %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %x to i64
  %a = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %i
  %s = shl nsw i64 %i, 3
  %t = add nsw i64 %s, 16
  %b = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %t
  %v = load i64, ptr addrspace(1) %b
  store i64 %v, ptr addrspace(1) %a
  ret void
}

; The order of a chain does not matter. A load that is in the way is no matter either: nothing is moved.
; CHECK-LABEL: @chain(
; CHECK:      %c = getelementptr i32, ptr addrspace(1) %b, i64 %j
; CHECK-NOT:  getelementptr
; CHECK:      store i32 %v, ptr addrspace(1) %c
define void @chain(ptr addrspace(1) %p, i64 %i, i64 %j) {
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %c = getelementptr i32, ptr addrspace(1) %b, i64 %j
  %v = load i32, ptr addrspace(1) %c
  %d = getelementptr i32, ptr addrspace(1) %p, i64 %j
  %e = getelementptr i32, ptr addrspace(1) %d, i64 %i
  store i32 %v, ptr addrspace(1) %e
  ret void
}

; Both ways of a branch compute it: it moves in front of the branch.
; CHECK-LABEL: @ways(
; CHECK:      entry:
; CHECK-NEXT:   %i2 = add i64 %i, 1
; CHECK-NEXT:   %b = getelementptr i32, ptr addrspace(1) %p, i64 %i2
; CHECK-NEXT:   br i1 %c
; CHECK:      then:
; CHECK-NEXT:   %a = getelementptr i8, ptr addrspace(1) %b, i64 -4
define void @ways(ptr addrspace(1) %p, i64 %i, i1 %c) {
entry:
  %i2 = add i64 %i, 1
  br i1 %c, label %then, label %else
then:
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %a
  br label %join
else:
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %i2
  store i32 2, ptr addrspace(1) %b
  br label %join
join:
  ret void
}

; Another extension, another base, a distance beyond 32 bits, and an address that is not on every path.
; CHECK-LABEL: @apart(
; CHECK:      %b = getelementptr i32, ptr addrspace(1) %p, i64 %z
; CHECK:      %c = getelementptr i32, ptr addrspace(1) %q, i64 %s
; CHECK:      %f = getelementptr i8, ptr addrspace(1) %p, i64 %t
; CHECK:      %e = getelementptr i32, ptr addrspace(1) %q, i64 %z
; CHECK:      %g = getelementptr i32, ptr addrspace(1) %q, i64 %z
; REMARK: missed: the address of line {{[0-9]+}} differs by a constant, but is not on every path {{.*}}in function apart
define void @apart(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %i, i1 %d) {
entry:
  %s = sext i32 %i to i64
  %z = zext i32 %i to i64
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %s
  store i32 1, ptr addrspace(1) %a
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %z
  store i32 2, ptr addrspace(1) %b
  %c = getelementptr i32, ptr addrspace(1) %q, i64 %s
  store i32 3, ptr addrspace(1) %c
  %m = shl i64 %s, 2
  %t = add i64 %m, 17179869184
  %f = getelementptr i8, ptr addrspace(1) %p, i64 %t
  store i32 4, ptr addrspace(1) %f
  br i1 %d, label %then, label %join
then:
  %e = getelementptr i32, ptr addrspace(1) %q, i64 %z
  store i32 3, ptr addrspace(1) %e
  br label %join
join:
  %g = getelementptr i32, ptr addrspace(1) %q, i64 %z
  store i32 5, ptr addrspace(1) %g
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
