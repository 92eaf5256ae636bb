; The other way of a callbr begins with unreachable: nothing is put in front of it, and selection reports the instruction.
; RUN: ptxscope compile %s -mcpu=sm_70 --run-pass=nvptx-lower-unreachable --verify-each -o - | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - 2>&1 | filecheck %s --check-prefix=SAID
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.amdgcn.kill(i1)

; CHECK: kill:
; CHECK-NEXT: unreachable
; CHECK: other:
; CHECK-NEXT: call void asm sideeffect "exit;", ""()
; CHECK-NEXT: unreachable
; SAID: callbr.ll:[[#@LINE+2]]:3: error: in 'f': {{.*}} is not supported (callbr)
define void @f(i1 %c) {
  callbr void @llvm.amdgcn.kill(i1 %c) to label %go [label %kill]
kill:
  unreachable
go:
  br i1 %c, label %other, label %end
other:
  unreachable
end:
  ret void
}
