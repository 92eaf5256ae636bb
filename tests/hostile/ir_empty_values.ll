; Values of an empty type in a function that has no others: loaded, stored, passed.
; LAUNCH: {"kernel":"k","grid":[1,1,1],"block":[1,1,1],"args":[{"buffer":"x"}],"buffers":{"x":{"type":"u32","count":2,"init":{"kind":"constant","value":7}}}}
; EXPECT: x: u32\[2\] = 7 7
target triple = "nvptx64-nvidia-cuda"
@g = global [2 x i32] zeroinitializer
define void @f() noinline {
  %none = load [0 x i64], ptr @g
  store [0 x i64] %none, ptr @g
  %s = insertvalue { {}, [0 x i64] } poison, [0 x i64] %none, 1
  call void @f2()
  ret void
}
define void @f2() noinline {
  call void (...) @f3([0 x i32] zeroinitializer)
  ret void
}
define void @f3(...) noinline {
  ret void
}
define ptx_kernel void @k(ptr %out) {
  call void @f()
  ret void
}
