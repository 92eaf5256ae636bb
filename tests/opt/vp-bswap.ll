; RUN: not ptxscope fmt %s 2>&1 | filecheck %s
; CHECK: vp-bswap.ll:[[#@LINE+2]]:3: error: {{.*}}bswap needs an even number of bytes, not '<4 x i27>'
define <4 x i27> @g(<4 x i27> %v, <4 x i1> %m) {
  %r = call <4 x i27> @llvm.vp.bswap.v4i27(<4 x i27> %v, <4 x i1> %m, i32 4)
  ret <4 x i27> %r
}
declare <4 x i27> @llvm.vp.bswap.v4i27(<4 x i27>, <4 x i1>, i32)
