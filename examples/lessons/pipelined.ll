target triple = "nvptx64-nvidia-cuda"

; out[i] = 3 in[i] + 1: each iteration waits for its load, and no iteration needs anything of the one before but the counter.
define ptx_kernel void @pipelined(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k = sext i32 %i to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %k
  %x = load float, ptr addrspace(1) %from
  %y = fmul float %x, 3.0
  %z = fadd float %y, 1.0
  %to = getelementptr float, ptr addrspace(1) %out, i64 %k
  store float %z, ptr addrspace(1) %to
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
