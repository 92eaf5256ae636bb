define void @f() {
entry:
  br label %next
}
