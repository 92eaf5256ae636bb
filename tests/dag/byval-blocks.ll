; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/byval-blocks.launch.json -mcpu=sm_80
; RUN: ptxscope check %s --launch=%p/byval-blocks.launch.json -mcpu=sm_80 -O0
; A parameter by value is addressed by its name in every block: no register carries its address.
target triple = "nvptx64-nvidia-cuda"
%S = type { i32, i32, [4 x i32] }

; CHECK-LABEL: .func {{.*}} choose(
; CHECK-NOT: mov.b64
; CHECK-DAG: ld.param.b32 %r{{[0-9]+}}, [choose_param_0+4];
; CHECK-DAG: ld.param.b32 %r{{[0-9]+}}, [choose_param_0];
; CHECK: ret
define internal i32 @choose(ptr byval(%S) align 8 %s, i32 %t, ptr addrspace(1) %out) noinline {
  %c = icmp slt i32 %t, 2
  br i1 %c, label %low, label %high
low:
  %a = load i32, ptr %s
  store volatile i32 %a, ptr addrspace(1) %out
  br label %end
high:
  %p = getelementptr %S, ptr %s, i64 0, i32 1
  %b = load i32, ptr %p
  %x = mul i32 %b, %t
  store volatile i32 %x, ptr addrspace(1) %out
  br label %end
end:
  %r = phi i32 [ %a, %low ], [ %x, %high ]
  ret i32 %r
}

define ptx_kernel void @k(ptr byval(%S) align 8 %s, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %r = call i32 @choose(ptr byval(%S) align 8 %s, i32 %t, ptr addrspace(1) %q)
  %c = icmp eq i32 %t, 3
  br i1 %c, label %more, label %end
more:
  %i = and i32 %r, 3
  %p = getelementptr %S, ptr %s, i64 0, i32 2, i32 %i
  %v = load i32, ptr %p
  %w = add i32 %v, %r
  store i32 %w, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
