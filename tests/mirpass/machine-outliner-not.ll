; No functions are made of sequences with barriers, with stack objects, or of which two values are read behind them.
; RUN: ptxscope compile %s -mcpu=sm_90 -enable-machine-outliner=enable -outliner-benefit-threshold=0 -o - | filecheck %s
; ROWS: OUTL-04

; CHECK-LABEL: .func (.param .b32 func_retval0) two1(
; CHECK-NOT:   OUTLINED

target triple = "nvptx64-nvidia-cuda"

define i32 @two1(i32 %a, i32 %b, ptr %p) {
  %x = mul i32 %a, %b
  %y = xor i32 %x, 99
  %z = mul i32 %y, %x
  %u = lshr i32 %z, 7
  %v = mul i32 %u, %y
  %w = xor i32 %v, 123
  %s = sub i32 %w, %u
  %t = add i32 %y, 1
  %o = mul i32 %s, %t
  ret i32 %o
}

define i32 @barrier1(i32 %a, i32 %b) {
  %x = mul i32 %a, %b
  %y = xor i32 %x, 98
  %z = mul i32 %y, %x
  %u = lshr i32 %z, 8
  call void @llvm.nvvm.barrier0()
  %v = mul i32 %u, %y
  %w = xor i32 %v, 122
  %s = sub i32 %w, 1
  ret i32 %s
}

define i32 @frame1(i32 %a, i32 %b, i32 %n) {
  %m = alloca [64 x i32]
  %p = getelementptr i32, ptr %m, i32 %a
  %q = getelementptr i32, ptr %m, i32 %b
  store volatile i32 %a, ptr %p
  store volatile i32 %b, ptr %q
  %v = load volatile i32, ptr %p
  %w = xor i32 %v, 1
  ret i32 %w
}

define i32 @two2(i32 %a, i32 %b, ptr %p) {
  %x = mul i32 %a, %b
  %y = xor i32 %x, 99
  %z = mul i32 %y, %x
  %u = lshr i32 %z, 7
  %v = mul i32 %u, %y
  %w = xor i32 %v, 123
  %s = sub i32 %w, %u
  %t = add i32 %y, 2
  %o = mul i32 %s, %t
  ret i32 %o
}

define i32 @barrier2(i32 %a, i32 %b) {
  %x = mul i32 %a, %b
  %y = xor i32 %x, 98
  %z = mul i32 %y, %x
  %u = lshr i32 %z, 8
  call void @llvm.nvvm.barrier0()
  %v = mul i32 %u, %y
  %w = xor i32 %v, 122
  %s = sub i32 %w, 2
  ret i32 %s
}

define i32 @frame2(i32 %a, i32 %b, i32 %n) {
  %m = alloca [64 x i32]
  %p = getelementptr i32, ptr %m, i32 %a
  %q = getelementptr i32, ptr %m, i32 %b
  store volatile i32 %a, ptr %p
  store volatile i32 %b, ptr %q
  %v = load volatile i32, ptr %p
  %w = xor i32 %v, 2
  ret i32 %w
}

define i32 @two3(i32 %a, i32 %b, ptr %p) {
  %x = mul i32 %a, %b
  %y = xor i32 %x, 99
  %z = mul i32 %y, %x
  %u = lshr i32 %z, 7
  %v = mul i32 %u, %y
  %w = xor i32 %v, 123
  %s = sub i32 %w, %u
  %t = add i32 %y, 3
  %o = mul i32 %s, %t
  ret i32 %o
}

define i32 @barrier3(i32 %a, i32 %b) {
  %x = mul i32 %a, %b
  %y = xor i32 %x, 98
  %z = mul i32 %y, %x
  %u = lshr i32 %z, 8
  call void @llvm.nvvm.barrier0()
  %v = mul i32 %u, %y
  %w = xor i32 %v, 122
  %s = sub i32 %w, 3
  ret i32 %s
}

define i32 @frame3(i32 %a, i32 %b, i32 %n) {
  %m = alloca [64 x i32]
  %p = getelementptr i32, ptr %m, i32 %a
  %q = getelementptr i32, ptr %m, i32 %b
  store volatile i32 %a, ptr %p
  store volatile i32 %b, ptr %q
  %v = load volatile i32, ptr %p
  %w = xor i32 %v, 3
  ret i32 %w
}

declare void @llvm.nvvm.barrier0()
