; OpenCL binds arguments and variables: a handle is one of them, through copies and phis, or an error.
; RUN: not ptxscope compile %s -mcpu=sm_75 -o - 2>&1 | filecheck %s --check-prefix=BAD --implicit-check-not=error:
; RUN: ptxscope compile %s -mcpu=sm_75 -bindless-images -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -mtriple=nvptx64-nvidia-cuda -o - | filecheck %s --check-prefix=CUDA
; RUN: ptxscope compile %s -mcpu=sm_75 -bindless-images --trace=%t.json -o - && grep -o '"id":"[a-z-]*"' %t.json | tail -1 | filecheck %s --check-prefix=LAST
; ROWS: IMGH-02, IMGH-06, IMGH-09, IMGH-10, IMGH-11, IMGH-13

; LAST: nvptx-replace-image-handles

target triple = "nvptx64-unknown-nvcl"
declare i32 @llvm.nvvm.suld.1d.i32.trap(i64, i32)

; CHECK-LABEL: .entry one(
; CHECK-DAG: suld.b.1d.b32.trap {%r{{[0-9]+}}}, [one_param_0, {
; CHECK-DAG: suld.b.1d.b32.trap {%r{{[0-9]+}}}, [one_param_1, {
; CHECK-DAG: suld.b.1d.b32.trap {%r{{[0-9]+}}}, [one_param_2, {
; CHECK-NOT: ld.param.b64 {{.*}}one_param_{{[012]}}
; CUDA-LABEL: .entry one(
; CUDA: ld.param.b64 [[H:%rd[0-9]+]], [one_param_0];
define void @one(i64 %a, i64 %b, i64 %c, ptr %out, i32 %i, i32 %n) {
entry:
  %less = icmp slt i32 %i, %n
  br i1 %less, label %yes, label %no
yes:
  %u = add i32 %i, 8
  br label %join
no:
  br label %join
join:
  %h = phi i64 [ %a, %yes ], [ %a, %no ]
  %at = phi i32 [ %u, %yes ], [ %i, %no ]
  %x = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %h, i32 %at)
  %y = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %b, i32 %at)
  %z = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %c, i32 %at)
  %w = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %c, i32 %n)
  %xy = add i32 %x, %y
  %xyz = add i32 %xy, %z
  %all = add i32 %xyz, %w
  store i32 %all, ptr %out
  ret void
}

; BAD: [[#@LINE+5]]:{{[0-9]+}}: error: invalid image handle
; BAD: hint: it is one of several images, by the path taken
; CHECK-LABEL: .entry selected(
define void @selected(i64 %a, i64 %b, ptr %out, i32 %i, i1 %c) {
  %h = select i1 %c, i64 %a, i64 %b
  %x = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %h, i32 %i)
  store i32 %x, ptr %out
  ret void
}

; BAD: [[#@LINE+10]]:{{[0-9]+}}: error: invalid image handle
define void @joined(i64 %a, i64 %b, ptr %out, i32 %i, i32 %n) {
entry:
  %less = icmp slt i32 %i, %n
  br i1 %less, label %yes, label %join
yes:
  store i32 1, ptr %out
  br label %join
join:
  %h = phi i64 [ %a, %yes ], [ %b, %entry ]
  %x = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %h, i32 %i)
  store i32 %x, ptr %out
  ret void
}

; BAD: [[#@LINE+4]]:{{[0-9]+}}: error: invalid image handle
; BAD: hint: it is computed or read from memory
define void @from_memory(ptr %table, ptr %out, i32 %i) {
  %h = load i64, ptr %table
  %x = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %h, i32 %i)
  store i32 %x, ptr %out
  ret void
}

; BAD: [[#@LINE+2]]:{{[0-9]+}}: error: invalid image handle
define void @plain_argument(i64 %number, ptr %out, i32 %i) {
  %x = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %number, i32 %i)
  store i32 %x, ptr %out
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11}
!0 = !{ptr @one, !"kernel", i32 1}
!1 = !{ptr @one, !"rdwrimage", i32 0}
!2 = !{ptr @one, !"rdwrimage", i32 1}
!3 = !{ptr @one, !"rdwrimage", i32 2}
!4 = !{ptr @selected, !"kernel", i32 1}
!5 = !{ptr @selected, !"rdwrimage", i32 0}
!6 = !{ptr @selected, !"rdwrimage", i32 1}
!7 = !{ptr @joined, !"kernel", i32 1}
!8 = !{ptr @joined, !"rdwrimage", i32 0}
!9 = !{ptr @joined, !"rdwrimage", i32 1}
!10 = !{ptr @from_memory, !"kernel", i32 1}
!11 = !{ptr @plain_argument, !"kernel", i32 1}
