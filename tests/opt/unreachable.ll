; What ends a thread is written once. ptxas of PTX 8.3 on knows that nothing goes on behind a trap.
; RUN: ptxscope compile %s -mcpu=sm_70 -mattr=+ptx82 -o - | filecheck %s --check-prefixes=CHECK,OLD
; RUN: ptxscope compile %s -mcpu=sm_70 -mattr=+ptx83 -o - | filecheck %s --check-prefixes=CHECK,NEW
; RUN: ptxscope compile %s -mcpu=sm_70 -mattr=+ptx83 -trap-unreachable -o - | filecheck %s --check-prefixes=TRAP
; RUN: ptxscope compile %s -mcpu=sm_70 -mattr=+ptx82 -trap-unreachable -no-trap-after-noreturn -o - | filecheck %s --check-prefixes=CHECK,OLD
target triple = "nvptx64-nvidia-cuda"
declare void @throw() noreturn
declare void @llvm.trap() noreturn

; CHECK-LABEL: calls(
; CHECK:       call
; CHECK:       exit;
; TRAP-LABEL:  calls(
; TRAP-NOT:    exit
; TRAP:        trap;
define void @calls() {
  call void @throw()
  unreachable
}

; CHECK-LABEL: traps(
; CHECK:       trap;
; OLD:         exit;
; NEW-NOT:     exit;
; CHECK-NOT:   trap;
; CHECK:       End function
; TRAP-LABEL:  traps(
; TRAP-NOT:    exit
; TRAP:        trap;
; TRAP-NOT:    {{trap|exit}};
; TRAP:        End function
define void @traps() {
  call void @llvm.trap()
  unreachable
}
