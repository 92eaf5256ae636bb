; RUN: ptxscope compile %s -o - | filecheck %s
; RUN: ptxscope compile %s -O0 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -print-isel-input -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUT
; RUN: ptxscope compile %s -trap-unreachable -mattr=+ptx63 -o - | filecheck %s --check-prefix=OLD
; RUN: ptxscope compile %s -trap-unreachable -mattr=+ptx84 -o - | filecheck %s --check-prefix=NEW
; Convergence tokens are no code; nobody can say where a function returns to or where its frame is; a trap is followed by
; an exit where ptxas thinks that control goes on.
target triple = "nvptx64-nvidia-cuda"
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.loop()
declare ptr @llvm.returnaddress(i32)
declare ptr @llvm.frameaddress.p0(i32)
declare void @g() convergent

; INPUT: *** Final LLVM Code input to ISel ***
; INPUT: define void @tokens(

; CHECK-LABEL: tokens(
; CHECK: call.uni
; CHECK: ret;
define void @tokens(i32 %n) convergent {
entry:
  %t = call token @llvm.experimental.convergence.entry()
  %a = call token @llvm.experimental.convergence.anchor()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %l = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  call void @g() [ "convergencectrl"(token %l) ]
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: addresses(
; CHECK: st.param.{{b64|v2.b64}} 	[func_retval0], {{[{]?}}{{0|%rd1}}
define { ptr, ptr } @addresses() {
  %r = call ptr @llvm.returnaddress(i32 0)
  %f = call ptr @llvm.frameaddress.p0(i32 0)
  %x = insertvalue { ptr, ptr } undef, ptr %r, 0
  %y = insertvalue { ptr, ptr } %x, ptr %f, 1
  ret { ptr, ptr } %y
}

; OLD: never(
; OLD: trap;
; OLD-NEXT: exit;
; NEW: never(
; NEW: trap;
; NEW-NOT: exit;
; NEW: }
define void @never() {
  unreachable
}
