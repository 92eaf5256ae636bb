; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-detect-dead-lanes -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope check %s --launch=%p/detect-dead-lanes.launch.json
; RUN: ptxscope run %s --launch=%p/detect-dead-lanes.launch.json --json | filecheck %s --check-prefix=VALUES
target triple = "nvptx64-nvidia-cuda"

; One element of four is read, and loaded.
; CHECK: ld.global.b32 [[X:%r[0-9]+]], [%rd{{[0-9]+}}+4];
; CHECK: st.global.b32 [%rd{{[0-9]+}}], [[X]];
; OFF:   ld.global.v4.b32
; VALUES: "o":{{.*}}[2]
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %a = extractelement <4 x float> %v, i32 1
  store float %a, ptr addrspace(1) %o
  ret void
}
