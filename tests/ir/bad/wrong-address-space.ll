@tile = addrspace(3) global [64 x float] undef
define float @f() {
  %v = load float, ptr @tile
  ret float %v
}
