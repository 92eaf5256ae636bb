module attributes {gpu.container_module} {
  llvm.func @f(%arg0: !llvm.ptr, %arg1: i32) {
    llvm.return
  }
}
