// a kernel
define void @f() {
  ret void # done
}
