define ptx_kernel void @k() {
  ret void
}
define void @f() {
  call void @k()
  ret void
}
