; RUN: ptxscope compile %s -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/bytes-in-words.launch.json
; RUN: ptxscope check %s --launch=%p/bytes-in-words.launch.json -O0
; RUN: ptxscope run %s --launch=%p/bytes-in-words.launch.json --json | filecheck %s --check-prefix=VALUES
; Bytes need no registers of their own: two that are passed as a vector and read as a number are loaded as the number, and two numbers of
; 32 bits are compared by their bytes where they are.
target triple = "nvptx64-nvidia-cuda"

; VALUES: "o":{"type":"u32","values":[513,1,1285,0]}
; CHECK-LABEL: .func (.param .b32 func_retval0) number(
; CHECK: ld.param.b16
; CHECK-NOT: shl
; CHECK: ret;
define i16 @number(<2 x i8> %v) noinline {
  %n = bitcast <2 x i8> %v to i16
  ret i16 %n
}

; CHECK-LABEL: .func (.param .b32 func_retval0) below(
; CHECK-NOT: cvt
; CHECK: and.b32
; CHECK-NOT: cvt
; CHECK: setp.lt.u32
; CHECK: ret;
define i1 @below(i32 %a, i32 %b) noinline {
  %p = mul i32 %a, %b
  %q = add i32 %a, %b
  %x = trunc i32 %p to i8
  %y = trunc i32 %q to i8
  %c = icmp ult i8 %x, %y
  ret i1 %c
}

define ptx_kernel void @k(ptr %i, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ip = getelementptr i32, ptr %i, i32 %t
  %op = getelementptr { i32, i32 }, ptr %o, i32 %t
  %cp = getelementptr i8, ptr %op, i64 4
  %v = load <2 x i8>, ptr %ip
  %w = load i32, ptr %ip
  %n = call i16 @number(<2 x i8> %v)
  %s = lshr i32 %w, 8
  %c = call i1 @below(i32 %w, i32 %s)
  %nz = zext i16 %n to i32
  %cz = zext i1 %c to i32
  store i32 %nz, ptr %op
  store i32 %cz, ptr %cp
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
