; %x is read behind the loop, when its next value %y has been computed already.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @lost_copy(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %limit = mul nuw nsw i32 %tid, 100
  br label %loop

loop:
  %x = phi i32 [ 1, %entry ], [ %y, %loop ]
  %y = mul i32 %x, 3
  %again = icmp ult i32 %y, %limit
  br i1 %again, label %loop, label %done

done:
  %n = zext nneg i32 %tid to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %n
  store i32 %x, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
