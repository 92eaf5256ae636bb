source_filename = "edges"
target triple = "nvptx64-nvidia-cuda"

@a = external global i32

define ptr @address(i1 %c) {
entry:
  br i1 %c, label %left, label %phi.constexpr

left:                                             ; preds = %entry
  br label %right

phi.constexpr:                                    ; preds = %entry
  %constexpr = udiv i64 ptrtoint (ptr @a to i64), 5
  %constexpr1 = xor i64 %constexpr, 255
  br label %right

right:                                            ; preds = %phi.constexpr, %left
  %p = phi i64 [ %constexpr1, %phi.constexpr ], [ 1, %left ]
  br label %last

last:                                             ; preds = %right
  ret ptr blockaddress(@address, %last)
}
