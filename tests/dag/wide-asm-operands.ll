; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx83 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/wide-asm-operands.launch.json -mcpu=sm_90 -mattr=+ptx83
; RUN: ptxscope check %s --launch=%p/wide-asm-operands.launch.json -mcpu=sm_120 -mattr=+ptx87 -O0
; RUN: not ptxscope compile %s -mcpu=sm_90 -mattr=+ptx82 -o - 2>&1 | filecheck %s --check-prefix=OLD
; Operands of 128 bits (q) are packed of two words; bytes are in 16 bits.
target triple = "nvptx64-nvidia-cuda"

; OLD: error: in 'k': an operand of 128 bits before sm_70 and PTX 8.3 is not supported

; CHECK: .reg .b128 	%rq<
; CHECK: mov.b128 	[[IN:%rq[0-9]+]], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
; CHECK: mov.b128 {[[LO:%rd[0-9]+]], [[HI:%rd[0-9]+]]}, [[IN]];
; CHECK: mov.b128 [[OUT:%rq[0-9]+]], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
; CHECK: mov.b128 	{%rd{{[0-9]+}}, %rd{{[0-9]+}}}, [[OUT]];
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i128, ptr %in, i32 %t
  %q = getelementptr i128, ptr %out, i32 %t
  %v = load i128, ptr %p
  %words = call { i64, i64 } asm "mov.b128 {$0, $1}, $2;", "=l,=l,q"(i128 %v)
  %lo = extractvalue { i64, i64 } %words, 0
  %hi = extractvalue { i64, i64 } %words, 1
  %hi1 = add i64 %hi, 7
  %swapped = call <4 x i32> asm "mov.b128 $0, {$1, $2};", "=q,l,l"(i64 %hi1, i64 %lo)
  %low = trunc i64 %lo to i8
  %b = call i8 asm "add.u16 $0, $1, 3;", "=h,h"(i8 %low)
  %b32 = zext i8 %b to i32
  %r = insertelement <4 x i32> %swapped, i32 %b32, i32 3
  store <4 x i32> %r, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
