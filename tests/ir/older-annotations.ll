; What rows of !nvvm.annotations say of functions becomes attributes, as in LLVM 22; what no attribute says stays a row.
; RUN: ptxscope fmt %s | filecheck %s
; RUN: ptxscope fmt -ir-version=19 %s | filecheck %s --check-prefix=OLD
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

@t = global i64 0

; CHECK: define ptx_kernel void @threads(ptr %p, ptr byval(i32) %q) #[[THREADS:[0-9]+]] {
; PTX-LABEL: .entry threads(
; PTX: .maxntid 64, 1, 2
define void @threads(ptr %p, ptr byval(i32) %q) {
  ret void
}

; CHECK: define void @constant(ptr %p, ptr byval(i32) align 4 "nvvm.grid_constant" %q, ptr byval(i32) align 4 %r) {
define void @constant(ptr %p, ptr byval(i32) align 4 %q, ptr byval(i32) align 4 %r) {
  ret void
}

; CHECK: define void @image(ptr %p) {
define void @image(ptr %p) {
  ret void
}

; CHECK: define alignstack(16) { i64, i64 } @aligned({ i64, i64 } alignstack(8) %x, i32 alignstack(8) %y) {
; OLD:   define { i64, i64 } @aligned({ i64, i64 } alignstack(8) %x, i32 alignstack(8) %y) {
; PTX-LABEL: .func (.param .align 16 .b8 func_retval0[16]) aligned(
define { i64, i64 } @aligned({ i64, i64 } %x, i32 %y) {
  ret { i64, i64 } %x
}

; CHECK: define void @has_one() #[[HAS:[0-9]+]] {
define void @has_one() "nvvm.maxntid"="7,5" {
  ret void
}

; CHECK: define ptx_kernel void @all() #[[ALL:[0-9]+]] {
; PTX-LABEL: .entry all(
; PTX: .reqntid 1, 64
; PTX: .minnctapersm 8
define void @all() {
  ret void
}

; CHECK: define void @no_kernel(ptr %a) #[[REGISTERS:[0-9]+]] {
define void @no_kernel(ptr %a) {
  ret void
}

; CHECK: attributes #[[THREADS]] = { "nvvm.maxntid"="64,1,2" }
; CHECK: attributes #[[HAS]] = { "nvvm.maxntid"="64,5" }
; CHECK: attributes #[[ALL]] = { "nvvm.maxclusterrank"="8" "nvvm.minctasm"="8" "nvvm.reqntid"="1,64" }
; CHECK: attributes #[[REGISTERS]] = { "nvvm.maxnreg"="40" }
; CHECK: !nvvm.annotations = !{![[A:[0-9]+]], ![[B:[0-9]+]], ![[C:[0-9]+]]}
; CHECK: ![[A]] = !{ptr @t, !"texture", i32 1}
; CHECK: ![[B]] = !{ptr @image, !"rdoimage", i32 0}
; CHECK: ![[C]] = !{ptr @all, !"foo", i32 3}
!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !12}
!0 = !{ptr @threads, !"kernel", i32 1}
!1 = !{ptr @threads, !"maxntidx", i32 64, !"maxntidz", i32 2}
!2 = !{ptr @constant, !"grid_constant", !11}
!3 = !{ptr @t, !"texture", i32 1}
!4 = !{ptr @image, !"rdoimage", i32 0}
!5 = !{ptr @aligned, !"align", i32 16, !"align", i32 65544, !"align", i32 131080}
!6 = !{ptr @has_one, !"maxntidx", i32 64}
!7 = !{ptr @all, !"reqntidy", i32 64, !"kernel", i32 1}
!8 = !{ptr @all, !"cluster_max_blocks", i32 8}
!9 = !{ptr @all, !"minctasm", i32 8, !"foo", i32 3}
!10 = !{ptr @no_kernel, !"kernel", i32 0, !"maxnreg", i32 40}
!11 = !{i32 2}
!12 = !{null, !"kernel", i32 1}
