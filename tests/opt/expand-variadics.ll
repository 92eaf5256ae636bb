; RUN: ptxscope compile %s -mcpu=sm_75 --run-pass=expand-variadics --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %s --launch=%p/expand-variadics.launch.json --level=ir --json | filecheck %s --check-prefix=EXEC
; RUN: ptxscope run %s --launch=%p/expand-variadics.launch.json --level=ptx --json | filecheck %s --check-prefix=EXEC
; RUN: ptxscope run %s --launch=%p/expand-variadics.launch.json --level=ptx -O0 --json | filecheck %s --check-prefix=EXEC
; RUN: ptxscope run %s --launch=%p/expand-variadics.launch.json --level=mir --json | filecheck %s --check-prefix=EXEC
target triple = "nvptx64-nvidia-cuda"

; Each thread: 7 + its number + 100 + 2000 + twice 30000 + 5800000; then nothing but 1.
; EXEC: "values":["5862107","1","5862108","1"]

%S = type { i16, i64 }

; CHECK-LABEL: define internal i64 @sum(i64 %first, ptr %varargs)
; CHECK: store ptr %varargs, ptr %list, align 8
; CHECK: %[[CUR:.*]] = load ptr, ptr %list, align 8
; CHECK: load i8, ptr %[[CUR]], align 1
; CHECK: getelementptr i8, ptr %{{.*}}, i64 7
; CHECK: %[[D:.*]] = call ptr @llvm.ptrmask.p0.i64(ptr %{{.*}}, i64 -8)
; CHECK: getelementptr inbounds i8, ptr %[[D]], i64 8
; CHECK: load double, ptr %[[D]], align 8
; CHECK: %[[SAVED:.*]] = load ptr, ptr %list, align 8
; CHECK: store ptr %[[SAVED]], ptr %again, align 8
; CHECK-NOT: @llvm.va_
define internal i64 @sum(i64 %first, ...) noinline {
  %list = alloca ptr
  %again = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, i8
  %b = va_arg ptr %list, double
  call void @llvm.va_copy.p0(ptr %again, ptr %list)
  %c = va_arg ptr %list, i32
  %d = va_arg ptr %list, %S
  %c2 = va_arg ptr %again, i32
  %d2 = va_arg ptr %again, %S
  call void @llvm.va_end.p0(ptr %again)
  call void @llvm.va_end.p0(ptr %list)
  %a64 = zext i8 %a to i64
  %b64 = fptosi double %b to i64
  %c64 = sext i32 %c to i64
  %c264 = sext i32 %c2 to i64
  %d0 = extractvalue %S %d, 0
  %d1 = extractvalue %S %d, 1
  %d20 = extractvalue %S %d2, 0
  %d064 = zext i16 %d0 to i64
  %d2064 = zext i16 %d20 to i64
  %s1 = add i64 %first, %a64
  %s2 = add i64 %s1, %b64
  %s3 = add i64 %s2, %c64
  %s4 = add i64 %s3, %c264
  %s5 = add i64 %s4, %d064
  %s6 = add i64 %s5, %d2064
  %s7 = add i64 %s6, %d1
  ret i64 %s7
}

; CHECK-LABEL: define internal i64 @none(i64 %x, ptr %varargs)
define internal i64 @none(i64 %x, ...) noinline {
  ret i64 %x
}

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: %vararg_buffer = alloca [40 x i8], align 8
; CHECK: store i8 100, ptr %vararg_buffer, align 1
; CHECK: %[[B:.*]] = getelementptr inbounds i8, ptr %vararg_buffer, i64 8
; CHECK: store double %b, ptr %[[B]], align 8
; CHECK: %[[C:.*]] = getelementptr inbounds i8, ptr %vararg_buffer, i64 16
; CHECK: store i32 30000, ptr %[[C]], align 4
; CHECK: %[[S:.*]] = getelementptr inbounds i8, ptr %vararg_buffer, i64 24
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %[[S]], ptr %s, i64 16, i1 false)
; CHECK: %sum = call i64 @sum(i64 %i, ptr %vararg_buffer)
; CHECK: %one = call i64 @none(i64 1, ptr null)
; PTX-LABEL: .entry k(
; PTX: .local .align 8 .b8 __local_depot
define ptx_kernel void @k(ptr %out, double %b) {
  %s = alloca %S
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid64 = zext i32 %tid to i64
  %i = add i64 %tid64, 7
  store i16 0, ptr %s
  %p1 = getelementptr %S, ptr %s, i32 0, i32 1
  store i64 5800000, ptr %p1
  %sum = tail call i64 (i64, ...) @sum(i64 %i, i8 100, double %b, i32 30000, ptr byval(%S) %s)
  %one = call i64 (i64, ...) @none(i64 1)
  %at = getelementptr { i64, i64 }, ptr %out, i64 %tid64
  store i64 %sum, ptr %at
  %at1 = getelementptr { i64, i64 }, ptr %out, i64 %tid64, i32 1
  store i64 %one, ptr %at1
  ret void
}

; The other side of a call does the same.

; CHECK-LABEL: define i32 @indirect(
; CHECK: call i32 %f(i32 1, ptr %vararg_buffer)
define i32 @indirect(ptr %f, i64 %v) {
  %r = call i32 (i32, ...) %f(i32 1, i64 %v)
  ret i32 %r
}

; CHECK: declare i32 @other(i32, ptr)
declare i32 @other(i32, ...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
