; RUN: ptxscope check %s --launch=%p/lowerinvoke-run.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/lowerinvoke-run.launch.json -mcpu=sm_90 -O0
; RUN: ptxscope run %s --launch=%p/lowerinvoke-run.launch.json -mcpu=sm_90 --level=ir --json | filecheck %s
; RUN: ptxscope run %s --launch=%p/lowerinvoke-run.launch.json -mcpu=sm_90 --level=ptx --json | filecheck %s
; An invoke on the emulator, from IR as from PTX: it comes back to its normal destination, directly called, by a pointer,
; and through a phi there; what a landing pad leads to is never executed.
; CHECK: "values":[0,22,4,26,8,30,12,34]
target triple = "nvptx64-nvidia-cuda"

declare i32 @__gxx_personality_v0(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define internal i32 @twice(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}

define internal i32 @more(i32 %x) noinline personality ptr @__gxx_personality_v0 {
  %y = invoke i32 @twice(i32 %x) to label %ok unwind label %bad

ok:
  %z = add i32 %y, 20
  ret i32 %z

bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

define ptx_kernel void @k(ptr addrspace(1) %out) personality ptr @__gxx_personality_v0 {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %i, 1
  %odd = icmp ne i32 %bit, 0
  %f = select i1 %odd, ptr @more, ptr @twice
  br i1 %odd, label %a, label %b

a:
  %v = invoke i32 %f(i32 %i) to label %join unwind label %pad

b:
  %w = invoke i32 @twice(i32 %i) to label %join unwind label %pad

join:
  %r = phi i32 [ %v, %a ], [ %w, %b ]
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %r, ptr addrspace(1) %p
  ret void

pad:
  %which = phi i32 [ 1, %a ], [ 2, %b ]
  %e = landingpad { ptr, i32 } catch ptr null
  store i32 %which, ptr addrspace(1) %out
  br label %after

after:
  %n = extractvalue { ptr, i32 } %e, 1
  store i32 %n, ptr addrspace(1) %out
  ret void
}
