declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
define void @f(i32 %n) {
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 %n)
  ret void
}
