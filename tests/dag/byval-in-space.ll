; RUN: ptxscope compile %s -mcpu=sm_80 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -verify-machineinstrs -O0 -o - | filecheck %s --check-prefix=PLAIN
; RUN: ptxscope check %s --launch=%p/byval-in-space.launch.json -mcpu=sm_80
; RUN: ptxscope check %s --launch=%p/byval-in-space.launch.json -mcpu=sm_80 -O0
; RUN: ptxscope run %s --launch=%p/byval-in-space.launch.json -mcpu=sm_80 | filecheck %s --check-prefix=OUT
; RUN: ptxscope compile %s -mcpu=sm_80 -o %t.ptx && ptxas -arch=sm_80 -c %t.ptx -o /dev/null
; RUN: ptxscope compile %s -mcpu=sm_80 -O0 -o %t.ptx && ptxas -arch=sm_80 -c %t.ptx -o /dev/null
; The pointer to a by-value argument may be in address space 5, where a device function's parameter is and a kernel's copy, or in 101.
target triple = "nvptx64-nvidia-cuda"
%S = type { i32, i32 }

; No access of .local names a parameter: its address is in a register.
; CHECK-LABEL: .func {{.*}} written(
; CHECK: mov.b64 %[[P:rd[0-9]+]], written_param_0;
; CHECK: st.local.b32 [%[[P]]+4]
define internal i32 @written(ptr addrspace(5) byval(%S) %s, i32 %n) noinline {
  %q = getelementptr i8, ptr addrspace(5) %s, i64 4
  %v = load i32, ptr addrspace(5) %q
  %w = add i32 %v, %n
  store i32 %w, ptr addrspace(5) %q
  %x = load i32, ptr addrspace(5) %s
  %r = call i32 @of_pointer(ptr addrspace(5) %s)
  %y = sub i32 %r, %x
  ret i32 %y
}
define internal i32 @of_pointer(ptr addrspace(5) %p) noinline {
  %q = getelementptr i8, ptr addrspace(5) %p, i64 4
  %v = load i32, ptr addrspace(5) %q
  ret i32 %v
}
define internal i32 @inlined(ptr addrspace(5) byval(%S) %s) alwaysinline {
  %v = load i32, ptr addrspace(5) %s
  %w = mul i32 %v, 3
  store i32 %w, ptr addrspace(5) %s
  ret i32 %w
}
define internal i32 @variadic(i32 %n, ...) noinline {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, i32
  %b = va_arg ptr %list, i32
  call void @llvm.va_end.p0(ptr %list)
  %c = mul i32 %a, %b
  ret i32 %c
}

; CHECK-LABEL: .entry k(
; CHECK: st.local.b32 [%SPL{{.*}}
; OUT: out: i32[8] = 6 2 7 11 56 9 3 27
define ptx_kernel void @k(ptr addrspace(5) byval(%S) %s, ptr addrspace(5) byval(%S) %t, ptr addrspace(101) byval(%S) %u, ptr %out) {
  %a = call i32 @written(ptr addrspace(5) byval(%S) %s, i32 5)
  store i32 %a, ptr %out
  %b = call i32 @of_pointer(ptr addrspace(5) %s)
  %o1 = getelementptr i8, ptr %out, i64 4
  store i32 %b, ptr %o1
  %c = load i32, ptr addrspace(5) %t
  %o2 = getelementptr i8, ptr %out, i64 8
  store i32 %c, ptr %o2
  %d = load i32, ptr addrspace(101) %u
  %o3 = getelementptr i8, ptr %out, i64 12
  store i32 %d, ptr %o3
  %slot = alloca %S
  store i32 3, ptr %slot
  %slot4 = getelementptr i8, ptr %slot, i64 4
  store i32 9, ptr %slot4
  %local = addrspacecast ptr %slot to ptr addrspace(5)
  %e = call i32 @written(ptr addrspace(5) byval(%S) %local, i32 50)
  %o4 = getelementptr i8, ptr %out, i64 16
  store i32 %e, ptr %o4
  %f = call i32 @inlined(ptr addrspace(5) byval(%S) %local)
  %o5 = getelementptr i8, ptr %out, i64 20
  store i32 %f, ptr %o5
  %g = load i32, ptr %slot
  %o6 = getelementptr i8, ptr %out, i64 24
  store i32 %g, ptr %o6
  %h = call i32 (i32, ...) @variadic(i32 0, ptr addrspace(5) byval(%S) %local)
  %o7 = getelementptr i8, ptr %out, i64 28
  store i32 %h, ptr %o7
  ret void
}

; What is passed by value is read in the space of its pointer.
; PLAIN-LABEL: .func {{.*}} from_shared(
; PLAIN: ld.shared.{{(v2\.)?}}b32
; CHECK-LABEL: .func {{.*}} from_shared(
; CHECK: ld.shared.{{(v2\.)?}}b32
define i32 @from_shared(ptr addrspace(3) %p) {
  %r = call i32 @only_read(ptr addrspace(3) byval(%S) %p)
  ret i32 %r
}

; Who only reads needs no address.
; CHECK-LABEL: .func {{.*}} only_read(
; CHECK: ld.param.b32 %r{{[0-9]+}}, [only_read_param_0+4];
define i32 @only_read(ptr addrspace(3) byval(%S) %s) noinline {
  %q = getelementptr i8, ptr addrspace(3) %s, i64 4
  %v = load i32, ptr addrspace(3) %q
  ret i32 %v
}
