; An older intrinsic, undeclared, with something else than types behind its name: its newer form is named after the types of the call.
define <4 x i32> @f(<4 x i32> %v, <4 x i32> %r) {
  %s = call <4 x i32> @llvm.experimental.vector.splice.v4$32(<4 x i32> %v, <4 x i32> %r, i32 1)
  ret <4 x i32> %s
}
