declare i32 @llvm.nvvm.barrier0.and(i1)
define i32 @f(i1 %p) {
  %v = call i32 @llvm.nvvm.barrier0.and(i1 %p)
  ret i32 %v
}
