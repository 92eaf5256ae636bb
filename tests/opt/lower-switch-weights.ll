; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=lower-switch -switch-bit-tests=0 --verify-each -o - 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -stop-after=finalize-isel -switch-bit-tests=0 -o - 2>&1 | filecheck %s --check-prefix=MIR
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: warning: in 'zero': the branch weights are all 0: they are ignored
; CHECK-DAG: warning: in 'huge': the branch weights do not fit the switch: they are ignored

; Two ranges: the heavier first; each has its weight times two, and the default passes both.
; CHECK-LABEL: define void @few
; CHECK: icmp eq i32 %x, 900
; CHECK: br i1 {{.*}}, label %b, label %switch.next, !prof ![[HEAVY:[0-9]+]]
; CHECK: switch.next:
; CHECK: icmp eq i32 %x, 10
; CHECK: br i1 {{.*}}, label %a, label %d, !prof ![[LIGHT:[0-9]+]]
; MIR-LABEL: name:            few
; MIR: successors: %bb.{{[0-9]+}}(0x3bbbbbbb), %bb.{{[0-9]+}}(0x44444445)
define void @few(i32 %x, ptr %p) {
  switch i32 %x, label %d [ i32 10, label %a
    i32 900, label %b ], !prof !0
a: store i32 1, ptr %p
  ret void
b: store i32 2, ptr %p
  ret void
d: ret void
}

; Four ranges: each has its weight times four, and beside it the default's.
; CHECK-LABEL: define void @tree
; CHECK: br i1 {{.*}}, label %switch.low, label %switch.high, !prof ![[SPLIT:[0-9]+]]
; CHECK: switch.low:
; CHECK: br i1 {{.*}}, label %a, label %switch.next, !prof ![[LOW:[0-9]+]]
; CHECK: switch.high:
; CHECK: br i1 {{.*}}, label %b, label %switch.next1, !prof ![[HIGH:[0-9]+]]
define void @tree(i32 %x, ptr %p) {
  switch i32 %x, label %d [ i32 10, label %a
    i32 300, label %b
    i32 600, label %a
    i32 900, label %b ], !prof !4
a: store i32 1, ptr %p
  ret void
b: store i32 2, ptr %p
  ret void
d: ret void
}

; Values 0 to 5; 4 is a hole, which has half of the default's weight, the check in front the other.
; CHECK-LABEL: define void @table
; CHECK: br i1 {{.*}}, label %d, label %switch.table, !prof ![[CHECK:[0-9]+]]
; CHECK: switch i32
; CHECK: ], !ptxscope.table !{{[0-9]+}}, !prof ![[TABLE:[0-9]+]]
; MIR-LABEL: name:            table
; MIR: successors: %bb.4(0x0d79435e), %bb.1(0x7286bca2)
; MIR: successors: %bb.2(0x43c3c3c4), %bb.3(0x2d2d2d2d), %bb.4(0x0f0f0f0f)
define void @table(i32 %x, ptr %p) {
  switch i32 %x, label %d [ i32 0, label %a
    i32 1, label %b
    i32 2, label %a
    i32 3, label %b
    i32 5, label %a ], !prof !1
a: store i32 1, ptr %p
  ret void
b: store i32 2, ptr %p
  ret void
d: ret void
}

; Compares one after the other: what is left over shrinks.
; CHECK-LABEL: define void @chain
; CHECK: br i1 {{.*}}, label %a, label %switch.next, !prof ![[FIRST:[0-9]+]]
; CHECK: br i1 {{.*}}, label %b, label %d, !prof ![[SECOND:[0-9]+]]
define void @chain(i128 %x, ptr %p) {
  switch i128 %x, label %d [ i128 10, label %a
    i128 900, label %b ], !prof !0
a: store i32 1, ptr %p
  ret void
b: store i32 2, ptr %p
  ret void
d: ret void
}

; CHECK-LABEL: define void @zero
; CHECK-NOT: !prof
define void @zero(i32 %x, ptr %p) {
  switch i32 %x, label %d [ i32 10, label %a ], !prof !2
a: store i32 1, ptr %p
  ret void
d: ret void
}

; CHECK-LABEL: define void @huge
; CHECK-NOT: br {{.*}} !prof
define void @huge(i32 %x, ptr %p) {
  switch i32 %x, label %d [ i32 10, label %a ], !prof !3
a: store i32 1, ptr %p
  ret void
d: ret void
}

!0 = !{!"branch_weights", i32 3, i32 5, i32 7}
!1 = !{!"branch_weights", i32 4, i32 1, i32 2, i32 3, i32 4, i32 5}
!2 = !{!"branch_weights", i32 0, i32 0}
!3 = !{!"branch_weights", i32 1, i128 36893488147419103232}
!4 = !{!"branch_weights", i32 3, i32 5, i32 1, i32 2, i32 7}
; CHECK-DAG: ![[HEAVY]] = !{!"branch_weights", i32 14, i32 16}
; CHECK-DAG: ![[LIGHT]] = !{!"branch_weights", i32 10, i32 6}
; CHECK-DAG: ![[SPLIT]] = !{!"branch_weights", i32 30, i32 42}
; CHECK-DAG: ![[LOW]] = !{!"branch_weights", i32 20, i32 10}
; CHECK-DAG: ![[HIGH]] = !{!"branch_weights", i32 28, i32 14}
; CHECK-DAG: ![[CHECK]] = !{!"branch_weights", i32 10, i32 85}
; CHECK-DAG: ![[TABLE]] = !{!"branch_weights", i32 25, i32 5, i32 10, i32 15, i32 20, i32 10}
; CHECK-DAG: ![[FIRST]] = !{!"branch_weights", i32 5, i32 10}
; CHECK-DAG: ![[SECOND]] = !{!"branch_weights", i32 7, i32 3}
