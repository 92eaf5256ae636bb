declare i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1), i32)
define i32 @f(ptr addrspace(1) %p, i32 %n) {
  %v = call i32 @llvm.nvvm.ldg.global.i.i32.p1(ptr addrspace(1) %p, i32 %n)
  ret i32 %v
}
