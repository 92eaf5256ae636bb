define void @f(i32 %a, float %b) {
  %1 = add i32 %a, %b
  %2 = fadd float %b, %a
  %3 = frob i32 %a
  store i32 %3, ptr %q
  br label %nowhere
}
define void @g() {
  ret i32 1
}
declare void @g()
