; A resume to which no edge that unwinds leads keeps its function's personality, and selection reports it.
; RUN: ptxscope compile %s -mcpu=sm_70 --run-pass=lowerinvoke --verify-each -o - | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - 2>&1 | filecheck %s --check-prefix=SAID
target triple = "nvptx64-nvidia-cuda"
declare i32 @__gxx_personality_v0(...)
declare i32 @callee(i32)

; CHECK-LABEL: define void @f({ ptr, i32 } %e, i32 %a) personality ptr @__gxx_personality_v0 {
; CHECK: call i32 @callee(i32 %a)
; CHECK-NOT: landingpad
; CHECK: resume { ptr, i32 } %e
; SAID: resume-alone.ll:[[#@LINE+9]]:3: error: in 'f': this instruction is not supported (resume)
define void @f({ ptr, i32 } %e, i32 %a) personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @callee(i32 %a) to label %ok unwind label %pad

pad:
  %x = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %x

ok:
  resume { ptr, i32 } %e
}
