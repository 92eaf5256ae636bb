; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/bf16-flushed.launch.json -mcpu=sm_90 --level=ptx | filecheck %s --check-prefix=OUT
; RUN: ptxscope compile %s -mcpu=sm_80 -mattr=+ptx71 -o - | filecheck %s --check-prefix=SM80
; Where the function flushes f32, bfloats are extended so, too: ptxas makes 11 instructions of eight conversions instead of 15.
target triple = "nvptx64-nvidia-cuda"

; CHECK: cvt.ftz.f32.bf16
; The form that flushes came with sm_90.
; SM80-NOT: cvt.ftz
; SM80: cvt.f32.bf16
; OUT: out: u32[6] = 1065353216 0 2155937792 0 4286578688 3225419776
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr bfloat, ptr addrspace(1) %in, i32 %t
  %v = load bfloat, ptr addrspace(1) %p
  %f = fpext bfloat %v to float
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %f, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
