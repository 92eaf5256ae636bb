; LLVM 22's splices: of all elements of a and b, as many as a has, from element k on (left) or from k before b on (right).
; RUN: ptxscope run %s -mcpu=sm_70 --launch=%p/splices.launch.json --json | filecheck %s
; RUN: ptxscope run %s -mcpu=sm_70 -O0 --launch=%p/splices.launch.json --json | filecheck %s
; CHECK: "values":[2,3,4,5,1,2,3,4,4,5,6,7,5,6,7,8,1,2,3,4]

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %in, ptr %out) {
  %b.at = getelementptr i32, ptr %in, i64 4
  %a = load <4 x i32>, ptr %in
  %b = load <4 x i32>, ptr %b.at
  %left.1 = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %a, <4 x i32> %b, i32 1)
  %left.0 = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %a, <4 x i32> %b, i32 0)
  %right.1 = call <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32> %a, <4 x i32> %b, i32 1)
  %right.0 = call <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32> %a, <4 x i32> %b, i32 0)
  %right.4 = call <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32> %a, <4 x i32> %b, i32 4)
  store <4 x i32> %left.1, ptr %out
  %o1 = getelementptr i32, ptr %out, i64 4
  store <4 x i32> %left.0, ptr %o1
  %o2 = getelementptr i32, ptr %out, i64 8
  store <4 x i32> %right.1, ptr %o2
  %o3 = getelementptr i32, ptr %out, i64 12
  store <4 x i32> %right.0, ptr %o3
  %o4 = getelementptr i32, ptr %out, i64 16
  store <4 x i32> %right.4, ptr %o4
  ret void
}

declare <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32>, <4 x i32>, i32)
declare <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32>, <4 x i32>, i32)
