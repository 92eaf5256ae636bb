; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 --disable-entry-sink=1 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope run %s --launch=%p/entry-sink-loop.launch.json -mcpu=sm_90 --level=ptx --json | filecheck %s --check-prefix=VALUES
; A loop over a grid that the entry block enters or skips: threads that skip it load neither its arguments nor the grid's size.
target triple = "nvptx64-nvidia-cuda"

; VALUES: "out":{{.*}}[10,20,30,40,50]

; CHECK-LABEL: .entry twice(
; CHECK:       setp.{{lt|ge}}.u32
; CHECK-NEXT:  bra
; CHECK-DAG:   ld.param.b64 {{.*}}, [twice_param_0];
; CHECK-DAG:   ld.param.b64 {{.*}}, [twice_param_1];
; CHECK-DAG:   %nctaid.x;
; CHECK:       [[LOOP:\$L__BB0_[0-9]+]]:
; CHECK:       bra [[LOOP]];
; OFF-LABEL:   .entry twice(
; OFF:         ld.param.b64 {{.*}}, [twice_param_0];
; OFF:         %nctaid.x;
; OFF:         setp.{{lt|ge}}.u32
; OFF-NEXT:    bra
define ptx_kernel void @twice(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = mul i32 %block, %width
  %first = add i32 %base, %thread
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %step = mul i32 %blocks, %width
  %any = icmp ult i32 %first, %n
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %at = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %at
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %at
  %x = load i32, ptr addrspace(1) %p
  %y = shl i32 %x, 1
  store i32 %y, ptr addrspace(1) %q
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
