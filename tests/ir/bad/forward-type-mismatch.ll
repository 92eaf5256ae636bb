define i32 @f(i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i64 1, 2
  br i1 %c, label %loop, label %done
done:
  ret i32 %i
}
