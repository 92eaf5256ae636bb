; RUN: ptxscope fmt %s -o - | filecheck %s
; Suffixes of typed pointers to two unnamed types: without the types all four have one name, and so do their calls.
; CHECK-COUNT-4: call ptr @llvm.ssa.copy.p0(ptr
; CHECK-NOT: @llvm.ssa.copy.p0.
%0 = type opaque
%1 = type opaque
define void @f(%0* %a, %1* %b, %0** %c, %1** %d) {
  %w = call %0* @llvm.ssa.copy.p0s_s.0(%0* %a)
  %x = call %1* @llvm.ssa.copy.p0s_s.1(%1* %b)
  %y = call %0** @llvm.ssa.copy.p0p0s_s.1(%0** %c)
  %z = call %1** @llvm.ssa.copy.p0p0s_s.0(%1** %d)
  ret void
}
declare %0* @llvm.ssa.copy.p0s_s.0(%0* returned)
declare %1* @llvm.ssa.copy.p0s_s.1(%1* returned)
declare %0** @llvm.ssa.copy.p0p0s_s.1(%0** returned)
declare %1** @llvm.ssa.copy.p0p0s_s.0(%1** returned)
