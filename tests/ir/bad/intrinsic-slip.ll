define void @f() {
  call void @llvm.nvvm.barier0()
  call void @llvm.nvvm.bar.warp.snyc(i32 -1)
  ret void
}
