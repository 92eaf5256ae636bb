define ptx_kernel i32 @k() {
  ret i32 0
}
