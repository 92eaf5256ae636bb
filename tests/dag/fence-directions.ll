; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx86 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s --check-prefix=OLDER
; RUN: ptxscope compile %s -mcpu=sm_70 -mattr=+ptx86 -o - | filecheck %s --check-prefix=OLDER
; A fence of one direction where the target has it (ptxas makes 1 to 10 instructions of it instead of 11), of both where it does not.
target triple = "nvptx64-nvidia-cuda"

; CHECK: fence.acquire.gpu;
; CHECK: fence.release.sys;
; CHECK: fence.acq_rel.cta;
; CHECK: fence.sc.sys;
; OLDER: fence.acq_rel.gpu;
; OLDER: fence.acq_rel.sys;
; OLDER: fence.acq_rel.cta;
; OLDER: fence.sc.sys;
define void @f() {
  fence syncscope("device") acquire
  fence release
  fence syncscope("block") acq_rel
  fence seq_cst
  ret void
}
