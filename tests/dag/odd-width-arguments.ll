; RUN: ptxscope check %s --launch=%p/odd-width-arguments.launch.json -mcpu=sm_90
; RUN: ptxscope check %s --launch=%p/odd-width-arguments.launch.json -mcpu=sm_90 -O0
; Sums of fewer than 16 bits that overflow, passed to a function that relies on zeros above them, as members of aggregates, too, and
; to one that is called through a pointer and relies on nothing. The kernel itself relies on nothing that the launch passes.
target triple = "nvptx64-nvidia-cuda"

define internal i32 @direct(i9 %a, i3 %b, [2 x i7] %c, i14 signext %d) noinline {
  %x = zext i9 %a to i32
  %y = zext i3 %b to i32
  %c1 = extractvalue [2 x i7] %c, 1
  %z = zext i7 %c1 to i32
  %w = sext i14 %d to i32
  %p = mul i32 %x, 1000
  %q = mul i32 %y, 1000000
  %r = add i32 %p, %q
  %s = add i32 %r, %z
  %t = xor i32 %s, %w
  ret i32 %t
}

define internal i32 @by_pointer(i9 %a, i24 %b) noinline {
  %x = zext i9 %a to i32
  %y = zext i24 %b to i32
  %r = xor i32 %x, %y
  ret i32 %r
}

@table = internal addrspace(1) global ptr @by_pointer

define ptx_kernel void @k(ptr addrspace(1) %p, i24 %odd) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %v = load i32, ptr addrspace(1) %q
  %v9 = trunc i32 %v to i9
  %a = add i9 %v9, 5
  %v3 = trunc i32 %v to i3
  %b = add i3 %v3, 3
  %v7 = trunc i32 %v to i7
  %c7 = sub i7 %v7, 9
  %c0 = insertvalue [2 x i7] poison, i7 %v7, 0
  %c = insertvalue [2 x i7] %c0, i7 %c7, 1
  %v14 = trunc i32 %v to i14
  %d = mul i14 %v14, 99
  %r = call i32 @direct(i9 %a, i3 %b, [2 x i7] %c, i14 signext %d)
  %f = load ptr, ptr addrspace(1) @table
  %v24 = trunc i32 %v to i24
  %e = shl i24 %v24, 7
  %s = call i32 %f(i9 %a, i24 %e)
  %g = zext i24 %odd to i32
  %h = add i32 %r, %s
  %i = add i32 %h, %g
  store i32 %i, ptr addrspace(1) %q
  ret void
}
