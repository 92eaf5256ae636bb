; RUN: ptxscope check %s --launch=%p/odd-pairs.launch.json
; RUN: ptxscope compile %s -o /dev/null
; Two integers of an odd width seen as one of twice the width: they do not lie in whole registers.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr %in, i32 %t
  %x = load i64, ptr %p
  %a = trunc i64 %x to i17
  %h = lshr i64 %x, 20
  %b = trunc i64 %h to i17
  %v = insertelement <2 x i17> poison, i17 %a, i32 0
  %w = insertelement <2 x i17> %v, i17 %b, i32 1
  %i = bitcast <2 x i17> %w to i34
  %r = zext i34 %i to i64
  %q = getelementptr i64, ptr %out, i32 %t
  store i64 %r, ptr %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; What the emulator does not execute: 188 bits.
define i64 @wide(i64 %x) {
  %a = zext i64 %x to i94
  %b = mul i94 %a, 1234567890123456789
  %v = insertelement <2 x i94> poison, i94 %a, i32 0
  %w = insertelement <2 x i94> %v, i94 %b, i32 1
  %i = bitcast <2 x i94> %w to i188
  %s = lshr i188 %i, 90
  %r = trunc i188 %s to i64
  ret i64 %r
}
