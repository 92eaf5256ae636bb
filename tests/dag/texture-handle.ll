; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -o %t.ptx && ptxas -arch=sm_75 -c %t.ptx -o /dev/null
; A handle that is stored is an address of .u64: ptxas refuses the texture's name in mov.b64.
; CHECK: mov.u64 [[H:%rd[0-9]+]], tex0;
; CHECK: st.global.b64 [%rd{{[0-9]+}}+8], [[H]];
target triple = "nvptx64-unknown-cuda"
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)
declare i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1))
@tex0 = internal addrspace(1) global i64 0, align 8
define ptx_kernel void @bar(ptr addrspace(1) %red, i32 %idx) {
  %texHandle = tail call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @tex0)
  %val = tail call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %texHandle, i32 %idx)
  %ret = extractvalue { float, float, float, float } %val, 0
  store float %ret, ptr addrspace(1) %red
  %texHandle2 = tail call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @tex0)
  %q = getelementptr i64, ptr addrspace(1) %red, i64 1
  store i64 %texHandle2, ptr addrspace(1) %q
  ret void
}
!nvvm.annotations = !{!1}
!1 = !{ptr addrspace(1) @tex0, !"texture", i32 1}
