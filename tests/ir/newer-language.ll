; What LLVM 20 to 23 write: read, and printed as LLVM 19 can read it.
target triple = "nvptx64-nvidia-cuda"

@s = global <2 x i32> splat (i32 7)
@h = global i32 u0xFF

define ptx_kernel void @f(ptr captures(none) initializes((0, 4)) dead_on_return %p, ptr captures(ret: address, provenance) %q, i32 noext %x) nocreateundeforpoison {
  %1 = icmp samesign ugt i32 %x, 3
  %2 = fptrunc fast double 1.0 to float
  %3 = ptrtoaddr ptr %p to i64
  %4 = getelementptr nusw nuw i8, ptr %p, i64 1
  %5 = add <2 x i32> splat (i32 1), <i32 1, i32 2>
  %6 = call i32 @g(i32 %x)
  ret void
}

declare i32 @g(i32) memory(errnomem: write)

; fast-math flags of conversions from integers
define float @conversions(i32 %i) {
  %u = uitofp nneg fast i32 %i to float
  %s = sitofp nnan i32 %i to float
  ret float %u
}

; operations of atomicrmw since LLVM 20 and 21: LLVM 19 reads loops of cmpxchg
define i32 @newer_atomics(ptr %p, ptr addrspace(3) %s, i32 %i, float %x, half %h, i8 %w) {
  %cond = atomicrmw usub_cond ptr %p, i32 %i seq_cst
  %sat = atomicrmw volatile usub_sat ptr addrspace(3) %s, i32 %i syncscope("block") monotonic
  %max = atomicrmw fmaximum ptr %p, float %x acq_rel
  %min = atomicrmw fminimum ptr %p, half %h release
  %byte = atomicrmw usub_sat ptr %p, i8 %w acquire
  %r = add i32 %cond, %sat
  ret i32 %r
}
