; The address of a slot or a symbol that a call takes stands in front of the st.param that takes it, as in LLVM; what the source
; computes, and loads of parameters, stay in front of the call.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; CHECK:      ld.param.b64 [[Q:%rd[0-9]+]], [calls_param_1];
; CHECK:      add.s32
; CHECK-NEXT: { // callseq 0, 0
; CHECK:      .param .b64 param3;
; CHECK-NEXT: add.u64 [[O:%rd[0-9]+]], %SP, 0;
; CHECK-NEXT: st.param.b64 [param0], [[O]];
; CHECK-NEXT: st.param.b32 [param1]
; CHECK-NEXT: mov.b64 [[F:%rd[0-9]+]], back;
; CHECK-NEXT: st.param.b64 [param2], [[F]];
; CHECK-NEXT: st.param.b64 [param3], [[Q]];
; CHECK-NEXT: call.uni f,
; CHECK:      { // callseq 1, 0
; CHECK:      st.param.b64 [param0], [[F]];
; CHECK-NEXT: st.param.b64 [param1], [[O]];
target triple = "nvptx64-nvidia-cuda"
declare void @f(ptr, i32, ptr, ptr)
declare void @h(ptr, ptr)
declare void @back()
define void @calls(i32 %n, ptr %q) {
  %o = alloca i32, align 8
  %x = add i32 %n, 3
  call void @f(ptr %o, i32 %x, ptr @back, ptr %q)
  call void @h(ptr @back, ptr %o)
  ret void
}
