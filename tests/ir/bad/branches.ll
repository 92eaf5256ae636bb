define void @f(i1 %c) {
entry:
  br i1 %c, %a, %b
a:
  br %b
b:
  br label exit
exit:
  ret void
}
