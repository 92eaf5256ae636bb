; No functions are made of sequences with barriers or carries, with stack objects, or of which two values are read behind them.
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
  %t = xor i32 %z, 41
  %u = mul i32 %t, %y
  call void @llvm.nvvm.barrier0()
  %k = mul i32 %u, %u
  %l = xor i32 %k, 31
  %m = mul i32 %l, %u
  %v = xor i32 %m, 45
  %w = mul i32 %v, %l
  %s = xor i32 %w, 1
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
  %t = xor i32 %z, 41
  %u = mul i32 %t, %y
  call void @llvm.nvvm.barrier0()
  %k = mul i32 %u, %u
  %l = xor i32 %k, 31
  %m = mul i32 %l, %u
  %v = xor i32 %m, 45
  %w = mul i32 %v, %l
  %s = xor i32 %w, 2
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
  %t = xor i32 %z, 41
  %u = mul i32 %t, %y
  call void @llvm.nvvm.barrier0()
  %k = mul i32 %u, %u
  %l = xor i32 %k, 31
  %m = mul i32 %l, %u
  %v = xor i32 %m, 45
  %w = mul i32 %v, %l
  %s = xor i32 %w, 3
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

define i64 @carry1(i128 %a, i128 %b) {
  %x = add i128 %a, %b
  %y = mul i128 %x, %a
  %v = add i128 %y, %b
  %z = mul i128 %v, %x
  %l = trunc i128 %z to i64
  %s = lshr i128 %z, 64
  %h = trunc i128 %s to i64
  %m = mul i64 %l, %h
  %t = xor i64 %m, 1
  ret i64 %t
}

define i64 @carry2(i128 %a, i128 %b) {
  %x = add i128 %a, %b
  %y = mul i128 %x, %a
  %v = add i128 %y, %b
  %z = mul i128 %v, %x
  %l = trunc i128 %z to i64
  %s = lshr i128 %z, 64
  %h = trunc i128 %s to i64
  %m = mul i64 %l, %h
  %t = xor i64 %m, 2
  ret i64 %t
}

define i64 @carry3(i128 %a, i128 %b) {
  %x = add i128 %a, %b
  %y = mul i128 %x, %a
  %v = add i128 %y, %b
  %z = mul i128 %v, %x
  %l = trunc i128 %z to i64
  %s = lshr i128 %z, 64
  %h = trunc i128 %s to i64
  %m = mul i64 %l, %h
  %t = xor i64 %m, 3
  ret i64 %t
}

declare void @llvm.nvvm.barrier0()
