; RUN: ptxscope compile %s -mcpu=sm_80 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope check %s -mcpu=sm_80 -verify-machineinstrs --launch=%p/odd-pairs.launch.json
; Votes take a constant for a predicate.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: k(
; CHECK: vote.sync.ballot.b32 	%r{{[0-9]+}}, -1, -1;
define ptx_kernel void @k(ptr %in, ptr %out) {
  %a = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 false)
  %c = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 true)
  %d = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 7)
  %e = zext i1 %c to i32
  %f = add i32 %a, %b
  %g = xor i32 %f, %e
  %h = add i32 %g, %d
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr %out, i32 %t
  store i32 %h, ptr %q
  ret void
}

declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
