define void @f() {
  ret void
}

foo bar

@g = global i32 1
}
