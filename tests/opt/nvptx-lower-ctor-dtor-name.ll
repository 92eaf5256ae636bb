; The entry of a constructor that clang names after its file has no name that PTX takes. The loader finds it by the name's beginning: no warning.
; RUN: ptxscope compile %s -mcpu=sm_70 -o - 2>&1 | filecheck %s --implicit-check-not=warning

; CHECK: .visible .const .align 8 .u64 __init_array_object__GLOBAL__sub_I_a_$_cpp_{{[0-9a-f]+}}_65535 = _GLOBAL__sub_I_a_$_cpp;
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @_GLOBAL__sub_I_a.cpp, ptr null }]

define internal void @_GLOBAL__sub_I_a.cpp() {
  ret void
}
