; %a and %b change places on every round: each phi reads the other one.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @swap(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %rounds = add nuw nsw i32 %tid, 1
  br label %loop

loop:
  %a = phi i32 [ 5, %entry ], [ %b, %loop ]
  %b = phi i32 [ %tid, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %rounds
  br i1 %again, label %loop, label %done

done:
  %r = sub i32 %a, %b
  %n = zext nneg i32 %tid to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %n
  store i32 %r, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
