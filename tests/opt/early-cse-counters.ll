; RUN: ptxscope compile %s -mcpu=sm_90 -print-after=early-cse -o /dev/null 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; A loop unrolled by two counts its rounds beside its elements: one counter does. What either step does not promise is not promised.
; CHECK-LABEL: define void @rounds(
; CHECK: phi i32 [ 0, %entry ]
; CHECK-NOT: phi
; CHECK: %[[N:.*]] = add nuw i32 %i, 2
; CHECK-NOT: add
; CHECK: icmp ne i32 %[[N]], %n
define void @rounds(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %round = phi i32 [ 0, %entry ], [ %rounds, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store volatile i32 %i, ptr addrspace(1) %q
  %next = add nuw nsw i32 %i, 2
  %rounds = add nuw i32 %round, 2
  %more = icmp ne i32 %rounds, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Other steps, or other first values: two counters.
; CHECK-LABEL: define void @others(
; CHECK-COUNT-3: phi i32
; CHECK: ret void
define void @others(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %j = phi i32 [ 1, %entry ], [ %after, %loop ]
  %k = phi i32 [ 0, %entry ], [ %third, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store volatile i32 %j, ptr addrspace(1) %q
  store volatile i32 %k, ptr addrspace(1) %q
  %next = add i32 %i, 2
  %after = add i32 %j, 2
  %third = add i32 %k, 3
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Two that follow each other do not count alike.
; CHECK-LABEL: define void @crossed(
; CHECK-COUNT-2: phi i32
; CHECK: ret void
define void @crossed(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %j = phi i32 [ 0, %entry ], [ %after, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store volatile i32 %j, ptr addrspace(1) %q
  %next = add i32 %i, 2
  %after = add i32 %i, 3
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
