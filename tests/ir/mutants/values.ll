%pair = type { i32, <2 x half> }
@g = constant %pair { i32 -7, <2 x half> <half 0xH3C00, half undef> }
@a = alias %pair, ptr @g
@t = global [2 x ptr] [ptr blockaddress(@f, %two), ptr getelementptr (i8, ptr @g, i64 4)]
define { i32, i1 } @f(ptr %p, i64 %x, ptr byval(%pair) align 8 %b) personality ptr @g {
  %old = cmpxchg weak ptr %p, i32 1, i32 2 syncscope("block") acq_rel monotonic, align 4
  %one = extractvalue { i32, i1 } %old, 0
  switch i32 %one, label %two [
    i32 1, label %three
    i32 -2, label %two
  ]
two:
  %slot = alloca %pair, i32 2, align 8
  %big = sext i64 %x to i128
  %v = insertelement <4 x i32> poison, i32 %one, i64 2
  %sh = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 2, i32 poison>
  %r = call i64 asm sideeffect "mov.u64 $0, $1;", "=l,l,~{memory}"(i64 %x)
  %rmw = atomicrmw fadd ptr %p, float 0x3FB99999A0000000 seq_cst, align 4
  call void (ptr, ...) @h(ptr %slot, double 2.500000e-01) #2 [ "deopt"(i32 1) ]
  br label %three
three:
  %n = phi i32 [ 0, %0 ], [ 1, %two ]
  %q = select i1 true, i32 %n, i32 poison
  fence syncscope("agent") acquire
  ret { i32, i1 } %old
}
declare void @h(ptr, ...)
attributes #2 = { nounwind }
