; RUN: ptxscope compile %s --run-pass=sinking2 --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s --run-pass=sinking2 -sinking2-definitions=0 -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s --run-pass=sinking2 -disable-sinking2 -o - | filecheck %s --check-prefix=LEFT
; RUN: ptxscope compile %s --run-pass=sinking2 -pass-remarks=sinking2 -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope check %s --launch=%p/sinking2-definitions.launch.json
; RUN: ptxscope run %s --launch=%p/sinking2-definitions.launch.json --json | filecheck %s --check-prefix=VALUES
target triple = "nvptx64-nvidia-cuda"

; What only one way reads is computed there, its operands with it.
; CHECK-LABEL: @guarded(
; CHECK-NEXT: entry:
; CHECK-NEXT:   br i1 %c, label %work, label %done
; CHECK:      work:
; CHECK-NEXT:   %a = mul i32 %n, 3
; CHECK-NEXT:   %b = xor i32 %a, %m
; CHECK-NEXT:   br label %loop
; LEFT-LABEL: @guarded(
; LEFT:       entry:
; LEFT-NEXT:    %a = mul i32 %n, 3
; REMARK: remark: xor b moves to the block at line 27, which executes less often {{.*}}in function guarded
; REMARK: remark: mul a moves to the block at line 27, which executes less often {{.*}}in function guarded
define void @guarded(ptr addrspace(1) %p, i32 %n, i32 %m, i1 %c) {
entry:
  %a = mul i32 %n, 3
  %b = xor i32 %a, %m
  br i1 %c, label %work, label %done
work:
  br label %loop
loop:
  %i = phi i32 [ %b, %work ], [ %i1, %loop ]
  %i1 = add i32 %i, 1
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i1
  store i32 %i, ptr addrspace(1) %q
  %d = icmp slt i32 %i1, %n
  br i1 %d, label %loop, label %done
done:
  ret void
}

; What is read behind the loop only leaves it. It then reads the phi behind the phi's next value, so cssa has to copy the phi.
; CHECK-LABEL: @lost_copy(
; CHECK:      loop:
; CHECK-NOT:    mul
; CHECK:      done:
; CHECK-NEXT:   %x = mul i32 %k, 10
; VALUES: "p":{{.*}}[0,10,20,30,40,50,60,70]
define ptx_kernel void @lost_copy(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %x = mul i32 %k, 10
  %k1 = add i32 %k, 1
  %c = icmp ule i32 %k1, %t
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; Never into a loop; up to the block in front of it if that is guarded.
; CHECK-LABEL: @not_into_loop(
; CHECK:      entry:
; CHECK-NEXT:   br i1 %c
; CHECK:      work:
; CHECK-NEXT:   %a = mul i32 %n, 3
; CHECK-NEXT:   br label %loop
define void @not_into_loop(ptr addrspace(1) %p, i32 %n, i1 %c) {
entry:
  %a = mul i32 %n, 3
  br i1 %c, label %work, label %done
work:
  br label %loop
loop:
  %i = phi i32 [ 0, %work ], [ %i1, %loop ]
  %i1 = add i32 %i, 1
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i1
  store i32 %a, ptr addrspace(1) %q
  %d = icmp slt i32 %i1, %n
  br i1 %d, label %loop, label %done
done:
  ret void
}

; Neither a load past a write to its memory, nor anything past a barrier. A write to another space, and the one below the load, are none.
; CHECK-LABEL: @past(
; CHECK-NEXT: entry:
; CHECK-NEXT:   %a = load i32, ptr addrspace(1) %p
; CHECK-NEXT:   store i32 %n, ptr addrspace(1) %o
; CHECK-NEXT:   store i32 %n, ptr addrspace(3) %s
; CHECK-NEXT:   br i1 %c
; CHECK:      work:
; CHECK-NEXT:   %b = load i32, ptr addrspace(1) %o
; CHECK-NEXT:   %sum = add i32 %a, %b
; REMARK: missed: load a does not move to the block at line {{[0-9]+}}: a write between may be to what it loads {{.*}}in function past
; REMARK: missed: mul m does not move to the block at line {{[0-9]+}}: a convergent operation is between {{.*}}in function barrier
; REMARK: missed: mul w does not move to the block at line {{[0-9]+}}: its operands would live on in more registers {{.*}}in function wide
define void @past(ptr addrspace(1) %p, ptr addrspace(1) %o, ptr addrspace(3) %s, i32 %n, i1 %c) {
entry:
  %a = load i32, ptr addrspace(1) %p
  store i32 %n, ptr addrspace(1) %o
  %b = load i32, ptr addrspace(1) %o
  store i32 %n, ptr addrspace(3) %s
  br i1 %c, label %work, label %done
work:
  %sum = add i32 %a, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %work ], [ %i1, %loop ]
  %i1 = add i32 %i, %sum
  %d = icmp slt i32 %i1, %n
  br i1 %d, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @barrier(
; CHECK-NEXT: entry:
; CHECK-NEXT:   %m = mul i32 %n, 3
; CHECK-NEXT:   call void @llvm.nvvm.barrier
define void @barrier(ptr addrspace(1) %p, i32 %n, i1 %c) {
entry:
  %m = mul i32 %n, 3
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %work, label %done
work:
  br label %loop
loop:
  %i = phi i32 [ %m, %work ], [ %i1, %loop ]
  %i1 = add i32 %i, 1
  %d = icmp slt i32 %i1, %n
  br i1 %d, label %loop, label %done
done:
  ret void
}

; Two loaded values that nothing else reads would take two registers, their product takes one. Short blocks are predicated anyway, but not
; in front of the end, where other threads exit.
; CHECK-LABEL: @wide(
; CHECK:      entry:
; CHECK:        %w = mul i32 %x, %y
; CHECK:        %z = mul i32 %n, %n
; CHECK-NEXT:   br i1 %c
; CHECK:      last:
; CHECK-NEXT:   %v = mul i32 %i2, %i2
define void @wide(ptr addrspace(1) %p, i32 %n, i1 %c, i1 %e) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %w = mul i32 %x, %y
  %z = mul i32 %n, %n
  br i1 %c, label %work, label %short
short:
  store i32 %z, ptr addrspace(1) %p
  br label %tail
work:
  br label %loop
loop:
  %i = phi i32 [ %w, %work ], [ %i1, %loop ]
  %i1 = add i32 %i, 1
  %d = icmp slt i32 %i1, %n
  br i1 %d, label %loop, label %tail
tail:
  %i2 = phi i32 [ %n, %short ], [ %i1, %loop ]
  store i32 0, ptr addrspace(1) %p
  %v = mul i32 %i2, %i2
  br i1 %e, label %last, label %done
last:
  store i32 %v, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; A product of an extended value stays with the extension, which has other users here: one mul.wide. Without them both move.
; CHECK-LABEL: define void @extended(
; CHECK: entry:
; CHECK: sext i32 %i to i64
; CHECK-NEXT: mul i64
; CHECK-NEXT: add i64
; CHECK: a:
; CHECK: sext i32 %j to i64
; CHECK: mul i64
define void @extended(ptr %p, i32 %i, i32 %j, i64 %n, i1 %c) {
entry:
  %x = sext i32 %i to i64
  %m = mul i64 %x, 12
  %y = add i64 %x, %n
  %u = sext i32 %j to i64
  %v = mul i64 %u, 12
  store volatile i64 %y, ptr %p
  br i1 %c, label %a, label %end
a:
  store volatile i64 %m, ptr %p
  store volatile i64 %v, ptr %p
  store volatile i64 1, ptr %p
  store volatile i64 2, ptr %p
  store volatile i64 3, ptr %p
  store volatile i64 4, ptr %p
  store volatile i64 5, ptr %p
  store volatile i64 6, ptr %p
  store volatile i64 7, ptr %p
  br label %end
end:
  ret void
}
