; All threads of a warp go round this loop together: the count is an argument.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @coalesce(ptr %out, i32 %count) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ %tid, %entry ], [ %more, %body ]
  %go = icmp ult i32 %i, %count
  br i1 %go, label %body, label %done

body:
  %square = mul i32 %i, %i
  %more = add i32 %sum, %square
  %next = add nuw i32 %i, 1
  br label %head

done:
  %n = zext nneg i32 %tid to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %n
  store i32 %sum, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
