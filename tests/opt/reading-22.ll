; What LLVM 22 reads: comments in C's form, types without a space before addrspace, integers that are cut to their type, a kernel that
; returns a value (which goes nowhere), atomic accesses of vectors (one access each).
; RUN: ptxscope fmt %s -o - | filecheck %s --check-prefix=IR
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s

; IR:      define ptx_kernel i32 @k(ptr addrspace(1) %p)
; IR:      %a = add i32 4, %x
; CHECK-LABEL: .visible .entry k(
; CHECK:       ld.global.b32
; CHECK-NOT:   func_retval0
; CHECK:       ret;
define ptx_kernel i32 @k(i8addrspace(1)* %p) { /* on
  two lines } */
  %x = load i32, ptr addrspace(1) %p/**/, align 4
  %a = add i32 /* first */ 4 , /* x */ /* y */%x
  store i32 %a, ptr addrspace(1) %p, align 4
  ret i32 %a
}

; IR-LABEL: define i8 @cut(
; IR:       ret i8 44
define i8 @cut() {
  ret i8 300
}

; CHECK-LABEL: .visible .func vectors(
; CHECK:       ld.acquire.sys.b64
; CHECK:       st.release.sys.b64
define void @vectors(ptr %p) {
  %l = load atomic <2 x i32>, ptr %p acquire, align 8
  %m = add <2 x i32> %l, <i32 1, i32 2>
  store atomic <2 x i32> %m, ptr %p release, align 8
  ret void
}
