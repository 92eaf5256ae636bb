; A call of another type than its callee's does not inherit the attributes of the callee's parameters.
; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[2,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":4}}}
; EXPECT: bad-call in thread .*: g takes 2 arguments and returns 1 values; the call has 1 and 1
target triple = "nvptx64-nvidia-cuda"
define i8 @g(ptr byval({ i8, i64 }) %p, i33 %b) noinline {
  %r = load i8, ptr %p
  ret i8 %r
}
define ptx_kernel void @k(ptr %out) {
  %none = load [0 x i64], ptr %out
  %r = call i8 @g([0 x i64] %none, half 1.0)
  store i8 %r, ptr %out
  ret void
}
