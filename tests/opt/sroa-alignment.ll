; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=sroa --verify-each -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/sroa-alignment.launch.json -mcpu=sm_90
; Bytes from an odd place on get a slot of their own, which begins with them: what was a multiple of 4 in the variable is odd there.
; CHECK: %a.sroa1 = alloca [5 x i8], align 1
; CHECK: load i32, ptr %{{[0-9]+}}, align 1
; CHECK: store i16 7, ptr %{{[0-9]+}}, align 1
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i64, ptr addrspace(1) %io, i32 %t
  %v = load i64, ptr addrspace(1) %q
  %a = alloca [24 x i8], align 8
  store i64 0, ptr %a
  %a5 = getelementptr i8, ptr %a, i32 11
  %w = trunc i64 %v to i40
  store i40 %w, ptr %a5, align 1
  %a8 = getelementptr i8, ptr %a, i32 12
  %x = load i32, ptr %a8, align 4
  %a9 = getelementptr i8, ptr %a, i32 14
  store i16 7, ptr %a9, align 2
  %y = load i40, ptr %a5, align 1
  %u = load i64, ptr %a
  %x64 = zext i32 %x to i64
  %y64 = zext i40 %y to i64
  %s = shl i64 %y64, 20
  %r = xor i64 %s, %x64
  %r2 = add i64 %r, %u
  store i64 %r2, ptr addrspace(1) %q
  ret void
}
