@g = addrspace(3) global [4 x float] undef
define float @f() {
  %p = getelementptr [4 x float], ptr @g, i64 0, i64 1
  %v = load float, ptr addrspace(3) %p
  ret float %v
}
