; Bits of bfloats in integers, before bfloat was a type: intrinsics that LLVM 22 has under another name, too.
target triple = "nvptx64-nvidia-cuda"
declare i16 @llvm.nvvm.abs.bf16(i16)
declare i32 @llvm.nvvm.abs.bf16x2(i32)
define i16 @f(i16 %a, i32 %b, ptr %p) {
  %r = call i16 @llvm.nvvm.abs.bf16(i16 %a)
  %s = call i32 @llvm.nvvm.abs.bf16x2(i32 %b)
  store i32 %s, ptr %p
  ret i16 %r
}

define i16 @of_a_constant() {
  %r = call i16 @llvm.nvvm.abs.bf16(i16 -16512)
  ret i16 %r
}
