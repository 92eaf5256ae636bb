; RUN: ptxscope compile %s -o - | filecheck %s
; RUN: ptxscope compile %s -O0 -o - | filecheck %s
; RUN: ptxscope compile %s -pipeline=documented -o - | filecheck %s
; RUN: ptxscope fmt %s -disable-output
; In code that is not reached, values may be computed from themselves: whoever follows operands has to end.
; CHECK: k(
; CHECK: ret;
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr byval(i64) %q, ptr %o) {
  %z = load ptr, ptr %q
  store ptr %z, ptr %o
  ret void
dead:
  %p = getelementptr i8, ptr %p, i64 1
  %v = load ptr, ptr %p
  %w = load i64, ptr %v
  store i64 %w, ptr %o
  %c = addrspacecast ptr %d to ptr addrspace(1)
  %d = addrspacecast ptr addrspace(1) %c to ptr
  store ptr %d, ptr %p
  %i = add i64 %i, 1
  %j = sext i32 %t to i64
  %t = trunc i64 %j to i32
  %g = getelementptr i8, ptr %o, i64 %i
  %h = getelementptr i8, ptr %g, i64 %j
  store i64 %w, ptr %h
  %s = select i1 %x, i1 %x, i1 %x
  %x = xor i1 %x, true
  br i1 %s, label %dead, label %dead2
dead2:
  %f = freeze i64 %f
  %m = mul i64 %m, 3
  %n = and i64 %n, 255
  %sh = shl i64 %sh, 1
  store i64 %n, ptr %o
  store i64 %sh, ptr %o
  store i64 %m, ptr %o
  store i64 %f, ptr %o
  %fl = fneg float %fl
  %fm = fmul float %fm, 2.0
  store float %fl, ptr %o
  store float %fm, ptr %o
  %ee = extractelement <2 x i32> %ii, i32 0
  %ii = insertelement <2 x i32> %sv, i32 %ee, i32 0
  %sv = shufflevector <2 x i32> %ii, <2 x i32> %sv, <2 x i32> <i32 1, i32 2>
  store i32 %ee, ptr %o
  %ca = addrspacecast ptr %cb to ptr addrspace(5)
  %cb = addrspacecast ptr addrspace(5) %ca to ptr
  call void @llvm.lifetime.start(i64 8, ptr %cb)
  br label %dead2
}
declare void @llvm.lifetime.start(i64, ptr)
