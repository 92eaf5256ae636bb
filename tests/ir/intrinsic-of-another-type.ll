; An intrinsic without a declaration, called under the name of one of its types with another type, too: each call gets that of its own.
; RUN: ptxscope fmt %s -max-memory=100 -o - | filecheck %s
; CHECK: call i32 @llvm.sadd.sat.i32(i32 %a, i32 %a)
; CHECK: call <2 x i16> @llvm.sadd.sat.v2i16(<2 x i16> %b, <2 x i16> %b)
; CHECK-DAG: declare i32 @llvm.sadd.sat.i32(i32, i32)
; CHECK-DAG: declare <2 x i16> @llvm.sadd.sat.v2i16(<2 x i16>, <2 x i16>)
define i32 @f(i32 %a, <2 x i16> %b) {
  %x = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %a)
  %y = call <2 x i16> @llvm.sadd.sat.i32(<2 x i16> %b, <2 x i16> %b)
  ret i32 %x
}
