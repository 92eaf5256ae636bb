; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/byval-function.launch.json
; RUN: ptxscope check %s -mcpu=sm_90 --launch=%p/byval-function.launch.json -O0
; RUN: ptxscope run %s -mcpu=sm_90 --launch=%p/byval-function.launch.json --json | filecheck %s --check-prefix=VALUES
; VALUES: "values":[7016,3016,7011]
; A device function that takes the address of a by-value parameter finds it in local memory: there is no copy. The caller's is
; not changed.
target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, i32 }

; CHECK-LABEL: bump(
; CHECK-NOT: __local_depot
; CHECK: mov.b64 [[P:%rd[0-9]+]], bump_param_0;
; CHECK: st.local.b32 {{\[}}[[P]]+4],
; CHECK: ret;
define i32 @bump(ptr byval(%pair) align 4 %p, i32 %i) noinline {
  %b = getelementptr %pair, ptr %p, i32 0, i32 1
  %v = load i32, ptr %b
  %w = add i32 %v, 5
  store i32 %w, ptr %b
  %c = icmp sgt i32 %i, 2
  br i1 %c, label %more, label %done
more:
  store i32 %i, ptr %p
  br label %done
done:
  %q = getelementptr i32, ptr %p, i32 %i
  %r = call i32 @read(ptr %p)
  ret i32 %r
}

define i32 @read(ptr %p) noinline {
  %q = getelementptr i32, ptr %p, i32 1
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %m = mul i32 %a, 1000
  %r = add i32 %m, %b
  ret i32 %r
}

define void @k(ptr addrspace(1) %out) {
  %s = alloca %pair
  %b = getelementptr %pair, ptr %s, i32 0, i32 1
  store i32 7, ptr %s
  store i32 11, ptr %b
  %x = call i32 @bump(ptr byval(%pair) align 4 %s, i32 1)
  %y = call i32 @bump(ptr byval(%pair) align 4 %s, i32 3)
  %z = call i32 @read(ptr %s)
  %o1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  %o2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %x, ptr addrspace(1) %out
  store i32 %y, ptr addrspace(1) %o1
  store i32 %z, ptr addrspace(1) %o2
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
