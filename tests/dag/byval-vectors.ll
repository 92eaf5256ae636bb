; What is passed by value is loaded in vectors where the call says that it is aligned so.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/byval-vectors.launch.json -mcpu=sm_80
; RUN: ptxscope run %s --launch=%p/byval-vectors.launch.json -mcpu=sm_80 --level=ptx | filecheck %s --check-prefix=OUT
target triple = "nvptx64-nvidia-cuda"
%S = type { i64, i64, [4 x i32], i16 }

define internal i64 @callee(ptr byval(%S) align 16 %s) noinline {
  %a = load i64, ptr %s
  %p1 = getelementptr %S, ptr %s, i64 0, i32 1
  %b = load i64, ptr %p1
  %p2 = getelementptr %S, ptr %s, i64 0, i32 2, i64 3
  %c = load i32, ptr %p2
  %p3 = getelementptr %S, ptr %s, i64 0, i32 3
  %d = load i16, ptr %p3
  %cw = zext i32 %c to i64
  %dw = zext i16 %d to i64
  %cd = shl i64 %dw, 32
  %r = sub i64 %a, %b
  %x = or i64 %cw, %cd
  %y = xor i64 %r, %x
  ret i64 %y
}

define internal i64 @less(ptr byval(%S) align 8 %s) noinline {
  %a = load i64, ptr %s
  %p1 = getelementptr %S, ptr %s, i64 0, i32 1
  %b = load i64, ptr %p1
  %r = sub i64 %a, %b
  ret i64 %r
}

; CHECK-LABEL: .entry k(
; CHECK-DAG:   ld.global.v2.b64
; CHECK-DAG:   ld.global.v4.b32
; CHECK:       call.uni
; CHECK-NOT:   ld.v2.b64
; CHECK:       call.uni
; OUT: out: u64[2] = 21474837478 18446744073709551615
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = addrspacecast ptr addrspace(1) %in to ptr
  %r = call i64 @callee(ptr byval(%S) align 16 %g)
  %q = getelementptr i8, ptr %g, i64 8
  %s = call i64 @less(ptr byval(%S) align 8 %q)
  store i64 %r, ptr addrspace(1) %out
  %o1 = getelementptr i64, ptr addrspace(1) %out, i64 1
  store i64 %s, ptr addrspace(1) %o1
  ret void
}
