; What a module needs of a library comes in, made internal; names and types are merged, flags and metadata, too.
; RUN: ptxscope compile %s --link=%p/library.ll -stop-before=nvvm-reflect -o - | filecheck %s --implicit-check-not=not_needed --implicit-check-not=undefined_too --implicit-check-not=@unused
; RUN: ptxscope compile %s --link=%p/library.ll --link=%p/library.ll -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s --link=%p/library.ll -mcpu=sm_90 -inliner=off -disable-always-inliner -o - | filecheck %s --check-prefix=CALLS

; CHECK-DAG: %pair = type { i32, float }
; CHECK-DAG: %other = type { i32 }
; CHECK-DAG: %other.0 = type { i64 }
; CHECK-DAG: @state = addrspace(1) global i32 3
; CHECK-DAG: @both.local = internal global i32 9
; CHECK-DAG: @host_sets = addrspace(1) externally_initialized global i32 5, align 4
; CHECK-DAG: @table = internal addrspace(4) constant [2 x float] [float 1.000000e+00, float 2.000000e+00], align 8
; CHECK-DAG: @.str = private unnamed_addr constant [5 x i8] c"main\00"
; CHECK-DAG: @.str.1 = private unnamed_addr constant [4 x i8] c"lib\00", align 1
; CHECK:     define internal float @twice(float %x) {
; CHECK:       load float, ptr addrspace(4) @table
; CHECK:       call float @helper(float %x, ptr @.str.1)
; CHECK:       fmul contract float
; CHECK:     define internal void @fill(ptr %p) {
; CHECK:       store %other.0 zeroinitializer
; CHECK:       store i32 %s, ptr %p, {{.*}}!tag [[TAG:![0-9]+]]
; CHECK:     define ptx_kernel void @k(
; CHECK:       call float @twice(float %v)
; CHECK:       call float @twice(float %r)
; CHECK:     define internal float @helper(float %x, ptr %s)
; CHECK:       call float @both(float %x)
; CHECK:     define internal float @both(float %x) {
; CHECK:     !nvvm.annotations = !{}
; CHECK:     !llvm.ident = !{!{{[0-9]+}}}
; CHECK:     !llvm.module.flags = !{![[#FLAG:]]}
; CHECK:     ![[#FLAG]] = !{i32 4, !"nvvm-reflect-ftz", i32 1}
; CHECK:     [[TAG]] = distinct !{[[TAG]], !"self"}

; PTX-NOT:   {{twice|fill}}
; PTX:       .visible .entry k(
; PTX:       call.uni (retval0), helper,

; CALLS-DAG: .func (.param .b32 func_retval0) twice(
; CALLS-DAG: .func (.param .b32 func_retval0) both(

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%pair = type { i32, float }
%other = type { i32 }

@state = addrspace(1) global i32 3
@both = internal global i32 9
@.str = private unnamed_addr constant [5 x i8] c"main\00"

declare float @twice(float)
declare float @alias(float)
declare void @fill(ptr)

define void @k(ptr %p, ptr addrspace(1) %q) {
  %f = getelementptr %pair, ptr %p, i32 0, i32 1
  %v = load float, ptr %f
  %r = call float @twice(float %v)
  %t = call float @alias(float %r)
  store float %t, ptr %f
  call void @fill(ptr %p)
  store %other zeroinitializer, ptr addrspace(1) %q
  %h = load i32, ptr @both
  store i32 %h, ptr addrspace(1) %q
  %s = load i8, ptr @.str
  store i8 %s, ptr addrspace(1) %q
  ret void
}

!nvvm.annotations = !{!0}
!llvm.ident = !{!1}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{!"the module"}
