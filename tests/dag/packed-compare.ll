; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/packed-compare.launch.json --level=ir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/packed-compare.launch.json --level=mir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/packed-compare.launch.json --level=ptx --json | filecheck %s --check-prefix=RESULT
; Two halves are compared at once; each result goes its own way.
target triple = "nvptx64-nvidia-cuda"

; RESULT: "out":{{.*}}[2,1,3,0]

; CHECK-LABEL: k(
; CHECK: setp.lt.f16x2 	%p1|%p2, %r{{[0-9]+}}, %r{{[0-9]+}};
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <2 x half>, ptr addrspace(1) %in, i32 %t
  %v = load <2 x half>, ptr addrspace(1) %p
  %c = fcmp olt <2 x half> %v, <half 1.0, half 2.0>
  %lo = extractelement <2 x i1> %c, i32 0
  %hi = extractelement <2 x i1> %c, i32 1
  %a = select i1 %lo, i32 1, i32 0
  %b = select i1 %hi, i32 2, i32 0
  %r = or i32 %a, %b
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
