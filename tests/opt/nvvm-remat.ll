; RUN: ptxscope compile %s --run-pass=nvvm-remat --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=nvvm-remat -nv-remat-default-max-reg=6 --verify-each -o - | filecheck %s --check-prefix=TIGHT
; RUN: ptxscope compile %s --run-pass=nvvm-remat -nv-remat-default-max-reg=6 -enable-new-nvvm-remat=0 -o - | filecheck %s --check-prefix=OLD
; RUN: ptxscope compile %s --run-pass=nvvm-remat -nv-remat-default-max-reg=6 -pass-remarks=nvvm-remat -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope run %s --launch=%p/nvvm-remat.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope run %s --launch=%p/nvvm-remat.launch.json --json -nv-disable-remat | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/nvvm-remat.launch.json -nv-remat-default-max-reg=1
target triple = "nvptx64-nvidia-cuda"

; Both inputs are one computation of what is there before the branch; the flags of both are kept.
; CHECK-LABEL: @widened(
; CHECK:     join:
; CHECK-NEXT:  %v = zext i32 %t2 to i64
; CHECK-NEXT:  %q = getelementptr
; REMARK: remark: phi v is recomputed: its 2 inputs are the same computation {{.*}}in function widened
; VALUES: "p":{{.*}}["2","2","2","2","0","5","6","7","8",
define ptx_kernel void @widened(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t2 = add i32 %t, %n
  %c = icmp eq i32 %t, 1
  %r = getelementptr i64, ptr addrspace(1) %p, i32 %t
  br i1 %c, label %then, label %else
then:
  %x = zext nneg i32 %t2 to i64
  store i64 1, ptr addrspace(1) %r
  br label %join
else:
  %y = zext i32 %t2 to i64
  store i64 2, ptr addrspace(1) %r
  br label %join
join:
  %v = phi i64 [ %x, %then ], [ %y, %else ]
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %v
  store i64 %v, ptr addrspace(1) %q
  store i64 2, ptr addrspace(1) %r
  ret void
}

; A widened counter follows from the counter, which is another phi of the loop.
; CHECK-LABEL: @counter(
; CHECK:     loop:
; CHECK-NEXT:  %i = phi i32 [ %n, %entry ], [ %i1, %loop ]
; CHECK-NEXT:  %w = sext i32 %i to i64
; CHECK-NOT:   sext
; CHECK:     done:
define void @counter(ptr addrspace(1) %p, i32 %n) {
entry:
  %w0 = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %i1, %loop ]
  %w = phi i64 [ %w0, %entry ], [ %w1, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %w
  store i32 %i, ptr addrspace(1) %q
  %i1 = add i32 %i, 1
  %w1 = sext i32 %i1 to i64
  %c = icmp slt i32 %i1, 100
  br i1 %c, label %loop, label %done
done:
  ret void
}

; An input that dominates the phi is its value.
; CHECK-LABEL: @in_front(
; CHECK:       %w0 = sext i32 %n to i64
; CHECK:     loop:
; CHECK-NEXT:  %i = phi i32
; CHECK-NOT:   sext
; CHECK:       getelementptr i32, ptr addrspace(1) %p, i64 %w0
; REMARK: remark: phi w is its first input: its 2 inputs are the same computation {{.*}}in function in_front
define void @in_front(ptr addrspace(1) %p, i32 %n) {
entry:
  %w0 = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %w = phi i64 [ %w0, %entry ], [ %w1, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %w
  store i32 %i, ptr addrspace(1) %q
  %i1 = add i32 %i, 1
  %w1 = sext i32 %n to i64
  %c = icmp slt i32 %i1, 100
  br i1 %c, label %loop, label %done
done:
  ret void
}

; A loop's own value is not at hand behind the phi: the input is that of the iteration before. Loads are not repeated.
; CHECK-LABEL: @not_at_hand(
; CHECK:     loop:
; CHECK-NEXT:  %w = phi i64 [ %a, %entry ], [ %b, %loop ]
; CHECK-NEXT:  %z = phi i32 [ %l, %entry ], [ %m, %loop ]
; REMARK: missed: phi w stays: what its inputs are computed from is not at hand behind it {{.*}}in function not_at_hand
define void @not_at_hand(ptr addrspace(1) %p, i32 %n) {
entry:
  %a = sext i32 %n to i64
  %l = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %w = phi i64 [ %a, %entry ], [ %b, %loop ]
  %z = phi i32 [ %l, %entry ], [ %m, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %x = load i32, ptr addrspace(1) %q
  store i32 %z, ptr addrspace(1) %q
  %b = sext i32 %x to i64
  %m = load i32, ptr addrspace(1) %p
  %c = icmp slt i32 %x, 100
  br i1 %c, label %loop, label %done
done:
  ret void
}

; Where too much is live, what is cheap is computed again by its readers, if its operands are there; not in a deeper loop.
; TIGHT-LABEL: @pressed(
; TIGHT:     done:
; TIGHT-NEXT:  %k.remat = sext i32 %n to i64
; TIGHT-NEXT:  %q = getelementptr i64, ptr addrspace(1) %p, i64 %k.remat
; OLD-LABEL: @pressed(
; OLD:         getelementptr i64, ptr addrspace(1) %p, i64 %k
; CHECK-LABEL: @pressed(
; CHECK:       getelementptr i64, ptr addrspace(1) %p, i64 %k
; REMARK: remark: k is computed again where other blocks read it (1): more than 6 registers are live {{.*}}in function pressed
; REMARK: missed: inner stays live among more than 6 registers: too many blocks read it, or a deeper loop does {{.*}}in function pressed
define void @pressed(ptr addrspace(1) %p, i32 %n, i64 %b) {
entry:
  %k = sext i32 %n to i64
  %inner = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %j = add i64 %inner, %b
  %r = getelementptr i64, ptr addrspace(1) %p, i64 %j
  store i64 %b, ptr addrspace(1) %r
  %i1 = add i32 %i, 1
  %c = icmp slt i32 %i1, %n
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %k
  store i32 %n, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
