; A library: what needed.ll asks for, what that needs, and what nobody asks for.
target datalayout = "e-i64:64-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-gpulibs"

%pair = type { i32, float }
%other = type { i64 }

@table = internal addrspace(4) constant [2 x float] [float 1.0, float 2.0], align 8
@unused = global i32 7
@state = external addrspace(1) global i32
@host_sets = addrspace(1) externally_initialized global i32 5, align 4
@.str = private unnamed_addr constant [4 x i8] c"lib\00", align 1
@alias = alias float (float), ptr @twice
$both = comdat any

define float @twice(float %x) {
  %p = load float, ptr addrspace(4) @table
  %y = call float @helper(float %x, ptr @.str)
  %z = fmul contract float %y, %p
  ret float %z
}

define internal float @helper(float %x, ptr %s) noinline {
  %v = load i32, ptr addrspace(1) @host_sets
  %c = icmp eq i32 %v, 0
  br i1 %c, label %a, label %b
a:
  ret float 0.0
b:
  %n = call float @both(float %x)
  ret float %n
}

define linkonce_odr float @both(float %x) comdat {
  %y = fadd float %x, %x
  ret float %y
}

define void @fill(ptr %p) {
  %f = getelementptr %pair, ptr %p, i32 0, i32 1
  store float 0.0, ptr %f
  store %other zeroinitializer, ptr %p
  %s = load i32, ptr addrspace(1) @state
  store i32 %s, ptr %p, !tag !1
  ret void
}

define float @not_needed(float %x) {
  %y = call float @undefined_too(float %x)
  ret float %y
}
declare float @undefined_too(float)

!llvm.module.flags = !{!0}
!llvm.ident = !{!2}
!nvvm.annotations = !{!3}
!0 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!1 = distinct !{!1, !"self"}
!2 = !{!"a library"}
!3 = !{ptr @not_needed, !"maxnreg", i32 32}
