define void @f(ptr %p) {
  %y = load i32, ptr %p, align 3
  store i32 %y, i32 %y
  %v = getelemntptr i8, ptr %p, i64 1
  br label %done
done
  ret void
}
