declare i32 @g(i32, i32)
define i32 @f(i32 %a) {
  %x = call i32 @llvm.nvvm.mulhi.i(i32 %a)
  ret i32 %x
}
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
