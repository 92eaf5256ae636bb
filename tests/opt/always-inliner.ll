; alwaysinline functions are copied to their calls: slots go to the entry block, returns to a phi, by-value arguments to a copy,
; and what cannot be inlined stays.
; RUN: ptxscope compile %s -passes=always-inliner -O0 -o - | filecheck %s
; RUN: ptxscope compile %s -passes=always-inliner -O2 -o - | filecheck %s --check-prefix=O2
; RUN: ptxscope compile %s -passes=always-inliner -pass-remarks=always-inliner -o %t | filecheck %s --check-prefix=NONE --allow-empty
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-always-inliner -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -verify-each -check-claims -o %t
; RUN: ptxscope compile %s -mcpu=sm_90 -verify-each -check-claims -o %t

; NONE-NOT: {{.}}
; OFF: call.uni

target triple = "nvptx64-nvidia-cuda"

%s = type { i32, [3 x i32] }

define internal i32 @two(i32 %x) alwaysinline {
entry:
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot
  %c = icmp sgt i32 %x, 3
  br i1 %c, label %yes, label %no
yes:
  ret i32 7
no:
  %v = add i32 %x, 2
  ret i32 %v
}

; CHECK-LABEL: define i32 @returns(i32 %a)
; CHECK-NEXT:  start:
; CHECK-NEXT:    %slot.i = alloca i32, align 4
; CHECK:         store i32 %a, ptr %slot.i
; CHECK:         br i1 %c.i, label %yes.i, label %no.i
; CHECK:       yes.i:
; CHECK-NEXT:    br label %two.exit
; CHECK:       no.i:
; CHECK:         br label %two.exit
; CHECK:       two.exit:
; CHECK-NEXT:    %r = phi i32 [ 7, %yes.i ], [ %v.i, %no.i ]
; CHECK-NEXT:    ret i32 %r
; O2-LABEL: define i32 @returns(i32 %a)
; O2-NOT:     phi
; O2:         select i1
; O2:         ret i32
define i32 @returns(i32 %a) {
start:
  %r = call i32 @two(i32 %a)
  ret i32 %r
}

; CHECK-LABEL: define i32 @in_a_loop(i32 %n)
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %slot.i = alloca i32, align 4
; CHECK:       loop:
; CHECK:         phi i32 [ 0, %entry ], [ %i2, %two.exit ]
; CHECK:       two.exit:
; CHECK:         br i1 %d, label %loop, label %out
define i32 @in_a_loop(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s2, %loop ]
  %r = call i32 @two(i32 %i)
  %s2 = add i32 %s, %r
  %i2 = add i32 %i, 1
  %d = icmp slt i32 %i2, %n
  br i1 %d, label %loop, label %out
out:
  ret i32 %s2
}

define internal i32 @by_value(ptr byval(%s) align 16 %p) alwaysinline {
  store i32 5, ptr %p
  %q = getelementptr %s, ptr %p, i32 0, i32 1, i32 2
  %v = load i32, ptr %q
  ret i32 %v
}

; CHECK-LABEL: define i32 @passes_by_value(ptr %p)
; CHECK-NEXT:    [[SLOT:%.*]] = alloca %s, align 16
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 16 [[SLOT]], ptr %p, i64 16, i1 false)
; CHECK:         store i32 5, ptr [[SLOT]]
; CHECK-NOT:     call
; CHECK:         ret
define i32 @passes_by_value(ptr %p) {
  %r = call i32 @by_value(ptr byval(%s) align 16 %p)
  ret i32 %r
}

define internal void @runs_away() alwaysinline {
  call void @other()
  unreachable
}
declare void @other()

; CHECK-LABEL: define i32 @after_noreturn(
; CHECK:         call void @other()
; CHECK-NEXT:    unreachable
define i32 @after_noreturn(i32 %x) {
  call void @runs_away()
  ret i32 %x
}

define internal void @dynamic(i32 %n) alwaysinline {
  %p = alloca i32, i32 %n, align 4
  call void @takes(ptr %p)
  ret void
}
declare void @takes(ptr)

; CHECK-LABEL: define void @saves_the_stack(
; CHECK:         [[S:%.*]] = call ptr @llvm.stacksave.p0()
; CHECK:         alloca i32, i32 %n
; CHECK:         call void @llvm.stackrestore.p0(ptr [[S]])
; CHECK-NOT:     call void @dynamic
; CHECK:         ret void
define void @saves_the_stack(i32 %n) {
  br label %l
l:
  call void @dynamic(i32 %n)
  ret void
}

define internal i32 @recursive(i32 %x) alwaysinline {
  %r = call i32 @recursive(i32 %x)
  ret i32 %r
}
define internal i32 @varargs(i32 %x, ...) alwaysinline {
  ret i32 %x
}
define weak i32 @replaceable(i32 %x) alwaysinline {
  ret i32 %x
}
define internal i32 @typed(i32 %x) alwaysinline {
  ret i32 %x
}
define internal i32 @inner(i32 %x) alwaysinline {
  %r = tail call i32 @callee(i32 %x), !alias.scope !0
  ret i32 %r
}
declare i32 @callee(i32)

; CHECK-LABEL: define i32 @stays(
; CHECK:         call i32 @recursive(
; CHECK:         call i32 (i32, ...) @varargs(
; CHECK:         call i32 @replaceable(
; CHECK:         call i32 @typed(i64
; CHECK:         call i32 @two(i32 %x) #
; CHECK-NOT:     tail
; CHECK:         call i32 @callee(i32 %x)
; CHECK-NOT:     alias.scope
; CHECK:         ret
define i32 @stays(i32 %x) {
  %a = call i32 @recursive(i32 %x)
  %b = call i32 (i32, ...) @varargs(i32 %x)
  %c = call i32 @replaceable(i32 %x)
  %d = call i32 @typed(i64 1)
  %e = call i32 @two(i32 %x) noinline
  %f = call i32 @inner(i32 %x)
  ret i32 %f
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
