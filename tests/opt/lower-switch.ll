; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=lower-switch --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_90 -switch-table-min-cases=4096 -o - | filecheck %s --check-prefix=TREE
target triple = "nvptx64-nvidia-cuda"

; Cases close together: one check, then a table whose holes go to the default.
; CHECK-LABEL: define i32 @dense
; CHECK: %[[I:.*]] = sub i32 %x, 10
; CHECK: %[[C:.*]] = icmp ugt i32 %[[I]], 5
; CHECK: br i1 %[[C]], label %d, label %switch.table
; CHECK: switch i32 %[[I]], label %b [
; CHECK-NEXT: i32 0, label %a
; CHECK-NEXT: i32 1, label %b
; CHECK-NEXT: i32 2, label %a
; CHECK-NEXT: i32 3, label %d
; CHECK-NEXT: i32 4, label %c
; CHECK-NEXT: ], !ptxscope.table
; PTX-LABEL: dense(
; PTX: .branchtargets
; PTX: brx.idx
; TREE-LABEL: dense(
; TREE-NOT: brx.idx
define i32 @dense(i32 %x) {
  switch i32 %x, label %d [ i32 10, label %a
    i32 11, label %b
    i32 12, label %a
    i32 14, label %c
    i32 15, label %b ]
a: br label %e
b: br label %e
c: br label %e
d: br label %e
e:
  %r = phi i32 [1, %a], [2, %b], [3, %c], [4, %d]
  ret i32 %r
}

; A case that goes where the default goes is no case; the phi takes one value for each edge that is left.
; CHECK-LABEL: define i32 @sparse
; CHECK: icmp eq i64 %x, 1500
; CHECK: icmp eq i64 %x, 1400
; CHECK: icmp eq i64 %x, -11000
; CHECK: phi i32 [ 2, %b ], [ 3, %c ], [ 1, %switch.next1 ]
define i32 @sparse(i64 %x) {
entry:
  switch i64 %x, label %e [ i64 10, label %e
    i64 -11000, label %b
    i64 120000, label %e
    i64 1400, label %c
    i64 1500, label %b ]
b: br label %e
c: br label %e
e:
  %r = phi i32 [1, %entry], [1, %entry], [1, %entry], [2, %b], [3, %c]
  ret i32 %r
}

; A default that cannot be reached saves the last compare of every path.
; CHECK-LABEL: define i32 @no_default
; CHECK: icmp slt i8 %x, 5
; CHECK-NOT: icmp
define i32 @no_default(i8 %x) {
  switch i8 %x, label %never [ i8 -128, label %a
    i8 5, label %b ]
never: unreachable
a: ret i32 1
b: ret i32 2
}

; A run of cases to one place is a range: one compare of the distance from its start.
; CHECK-LABEL: define i32 @range
; CHECK: %[[D:.*]] = sub i32 %x, -3
; CHECK: icmp ule i32 %[[D]], 4
; CHECK-NOT: icmp
define i32 @range(i32 %x) {
  switch i32 %x, label %b [ i32 -3, label %a
    i32 -2, label %a
    i32 -1, label %a
    i32 0, label %a
    i32 1, label %a ]
a: ret i32 1
b: ret i32 2
}

; Wider than 64 bits: one equality after the other.
; CHECK-LABEL: define i32 @wide
; CHECK: icmp eq i128 %x, 18446744073709551616
; CHECK: switch.next:
; CHECK: icmp eq i128 %x, 1
define i32 @wide(i128 %x) {
  switch i128 %x, label %c [ i128 18446744073709551616, label %a
    i128 1, label %b ]
a: ret i32 1
b: ret i32 2
c: ret i32 3
}

; CHECK-LABEL: define void @empty
; CHECK-NEXT: br label %d
define void @empty(i32 %x) {
  switch i32 %x, label %d [ ]
d: ret void
}
