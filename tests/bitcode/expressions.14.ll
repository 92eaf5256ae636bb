source_filename = "expressions"
target triple = "nvptx64-nvidia-cuda"

@a = external global i32
@b = external global i32
@pair = external global { i32, i32 }

define i1 @compare() {
  ret i1 false
}

define i32 @nested() {
  %constexpr = icmp ult ptr @a, @b
  %constexpr1 = zext i1 %constexpr to i32
  ret i32 %constexpr1
}

define float @conversion() {
  %constexpr = sitofp i64 ptrtoint (ptr @a to i64) to float
  ret float %constexpr
}

define i64 @arithmetic() {
  %constexpr = mul nsw i64 ptrtoint (ptr @a to i64), 24
  %constexpr1 = udiv i64 ptrtoint (ptr @b to i64), 3
  %sum = add i64 %constexpr, %constexpr1
  %constexpr2 = shl nuw i64 ptrtoint (ptr @a to i64), 4
  %more = add i64 %sum, %constexpr2
  ret i64 %more
}

define ptr @chosen() {
  ret ptr @a
}

define void @stored(ptr %p, ptr %q, ptr %r) {
  store i32 1, ptr %p, align 4, !nontemporal !0
  %constexpr = or i64 ptrtoint (ptr @a to i64), 1
  %constexpr.ins = insertelement <2 x i64> poison, i64 %constexpr, i32 0
  %constexpr.ins1 = insertelement <2 x i64> %constexpr.ins, i64 7, i32 1
  store <2 x i64> %constexpr.ins1, ptr %q, align 16
  %constexpr2 = and i64 ptrtoint (ptr @b to i64), -8
  %constexpr.ins3 = insertvalue { i64, i8 } poison, i64 %constexpr2, 0
  %constexpr.ins4 = insertvalue { i64, i8 } %constexpr.ins3, i8 2, 1
  store { i64, i8 } %constexpr.ins4, ptr %r, align 8, !nontemporal !0
  ret void
}

define double @negated() {
  %constexpr = fneg double bitcast (i64 ptrtoint (ptr @a to i64) to double)
  ret double %constexpr
}

define i64 @phis(i32 %x, i1 %c) {
entry:
  switch i32 %x, label %other [
    i32 1, label %phi.constexpr
    i32 2, label %more
  ]

other:                                            ; preds = %entry
  br i1 %c, label %phi.constexpr3, label %more

more:                                             ; preds = %other, %entry
  br label %phi.constexpr1

phi.constexpr:                                    ; preds = %entry
  %constexpr = and i64 ptrtoint (ptr @a to i64), 255
  br label %join

phi.constexpr1:                                   ; preds = %more
  %constexpr2 = or i64 ptrtoint (ptr @b to i64), 2
  br label %join

phi.constexpr3:                                   ; preds = %other
  %constexpr4 = lshr i64 ptrtoint (ptr @b to i64), 2
  br label %join

join:                                             ; preds = %phi.constexpr3, %phi.constexpr1, %phi.constexpr
  %p = phi i64 [ %constexpr, %phi.constexpr ], [ 1, %phi.constexpr3 ], [ %constexpr2, %phi.constexpr1 ]
  %q = phi i64 [ 0, %phi.constexpr ], [ %constexpr4, %phi.constexpr3 ], [ 0, %phi.constexpr1 ]
  %r = add i64 %p, %q
  ret i64 %r
}

!0 = !{i32 1}
