; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/circular-initialisers.launch.json -mcpu=sm_90 --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/circular-initialisers.launch.json -mcpu=sm_90
; Variables whose initial values lead back to them: one of them is declared in front of the others.
; VALUES: "values":[1,3]
target triple = "nvptx64-nvidia-cuda"
%node = type { ptr, i32 }

; CHECK: .extern .global .align 8 .u64 a[2];
; CHECK-NEXT: .visible .global .align 8 .u64 b[2] = {generic(a), 2};
; CHECK-NEXT: .visible .global .align 8 .u64 a[2] = {generic(b), 1};
; CHECK-NEXT: .extern .global .align 8 .u64 itself[2];
; CHECK-NEXT: .weak .global .align 8 .u64 itself[2] = {generic(itself)+8, 3};
@a = global %node { ptr @b, i32 1 }
@b = global %node { ptr @a, i32 2 }
@itself = weak global %node { ptr getelementptr (i8, ptr @itself, i64 8), i32 3 }

define ptx_kernel void @k(ptr %o) {
  %p = load ptr, ptr @a
  %q = load ptr, ptr %p
  %r = getelementptr i8, ptr %q, i64 8
  %v = load i32, ptr %r
  %s = load ptr, ptr @itself
  %w = load i32, ptr %s
  %o1 = getelementptr i32, ptr %o, i64 1
  store i32 %v, ptr %o
  store i32 %w, ptr %o1
  ret void
}
