declare void @llvm.nvvm.bar.sync(i32)
define void @f(i32 %n) {
  call void @llvm.nvvm.bar.sync(i32 %n)
  ret void
}
