; What rustc, clang 22, MLIR, Triton, Julia and Numba write: read, and printed as LLVM 19 can read it.
source_filename = "a"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda-cuda12"

%"class.std::tuple<int, float>" = type { i32, float }
@__const.x = private unnamed_addr constant <{ [4 x i8], [12 x i8] }> <{ [4 x i8] c"abc\00", [12 x i8] zeroinitializer }>, align 4
@"julia_global#1" = external addrspace(1) global ptr, !julia.constgv !99
@hf = global half f0x3C00
@ff = global float f0x3F800000
@dd = global double f0x3FF0000000000000
@bb = global bfloat f0x3F80
@nn = global double +nan
@in = global float -inf
@q = global double nan(0x1)
@vt = linkonce_odr unnamed_addr constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @f1] }, align 8
@alias1 = weak_odr hidden alias i8, getelementptr inbounds (i8, ptr @__const.x, i64 4)
@ptrauthed = global ptr ptrauth (ptr @f1, i32 0)
@cm = global i32 0, code_model "large", align 4
@cg = constant ptr getelementptr inbounds inrange(-16, 8) ({ [3 x ptr] }, ptr @vt, i32 0, i32 0, i32 2)
@split = global i32 ptrtoint (ptr @vt to i32)

define void @f1() { ret void }

define ptx_kernel void @k1(ptr addrspace(1) noundef align 4 captures(none) dead_on_return(16) dead_on_unwind writable initializes((0, 4), (8, 12)) %0, ptr byval(%"class.std::tuple<int, float>") align 4 %1, float nofpclass(nan inf) %2, i32 range(i32 -3, 4) %3) local_unnamed_addr #0 !kernel_arg_addr_space !98 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = icmp samesign ult i32 %5, 5
  %7 = zext nneg i32 %5 to i64
  %8 = getelementptr inbounds nuw float, ptr addrspace(1) %0, i64 %7
  %9 = load float, ptr addrspace(1) %8, align 4, !invariant.load !98, !noundef !98, !nontemporal !97
  %10 = trunc nuw nsw i64 %7 to i32
  %11 = uitofp nneg i32 %10 to float
  %12 = or disjoint i32 %10, 1
  %13 = fcmp fast olt float %9, %2
  %14 = select nnan i1 %13, float %9, float %2
  %15 = call nofpclass(nan) float @llvm.maxnum.f32(float %14, float 0.0)
  %16 = call range(i32 0, 10) i32 @llvm.umin.i32(i32 %3, i32 9)
  %17 = atomicrmw add ptr addrspace(1) %8, i32 1 seq_cst
  %18 = ptrtoaddr ptr addrspace(1) %0 to i64
  %19 = call i32 @llvm.ucmp.i32.i32(i32 %3, i32 3)
  %20 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %3, i32 4)
  %21 = shl nuw nsw i32 %3, 2
  %22 = call <2 x float> @llvm.fma.v2f32(<2 x float> splat (float 1.0), <2 x float> <float 1.0, float 2.0>, <2 x float> zeroinitializer)
  store float %15, ptr addrspace(1) %8, align 4, !nontemporal !97
  call void @llvm.lifetime.start.p0(ptr %1)
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %1, ptr addrspace(1) align 4 %0, i64 8, i1 false)
  call void @llvm.experimental.noalias.scope.decl(metadata !96)
  call void @llvm.assume(i1 %6) [ "nonnull"(ptr addrspace(1) %0), "align"(ptr addrspace(1) %0, i64 16) ]
  ret void
}
define internal fastcc noundef zeroext i1 @rust_fn(i64 noundef %x, { ptr, i64 } %y) unnamed_addr #1 personality ptr @rust_eh_personality {
start:
  %a = alloca [8 x i8], align 8
  %0 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %x, i64 3)
  %_5.1 = extractvalue { i64, i1 } %0, 1
  br i1 %_5.1, label %panic, label %bb1, !prof !95

bb1:                                              ; preds = %start
  switch i64 %x, label %default.unreachable [
    i64 0, label %bb2
    i64 1, label %bb3
  ]
default.unreachable:
  unreachable
bb2:
  ret i1 true
bb3:
  %r = invoke i32 @callee() to label %bb2 unwind label %cleanup
cleanup:
  %lp = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp
panic:                                            ; preds = %start
; call core::panicking::panic_const::panic_const_mul_overflow
  call void @_ZN4core9panicking11panic_const24panic_const_mul_overflow17h0123456789abcdefE(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24) @vt) #2
  unreachable
}
declare i32 @callee()
declare noundef i32 @rust_eh_personality(i32 noundef, i32, i64, ptr, ptr) unnamed_addr
declare void @_ZN4core9panicking11panic_const24panic_const_mul_overflow17h0123456789abcdefE(ptr noalias noundef readonly align 8 captures(address, read_provenance) dereferenceable(24)) unnamed_addr #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn denormal_fpenv(preservesign) memory(argmem: readwrite, target_mem0: none) "nvvm.maxntid"="128" "nvvm.reqntid"="128,1,1" uwtable(sync) allockind("alloc,zeroed") vscale_range(1,16) nocreateundeforpoison sanitize_type sanitize_alloc_token sanitize_realtime nodivergencesource }
attributes #1 = { inlinehint nonlazybind memory(errnomem: write) "alloc-family"="x" }
attributes #2 = { cold noinline noreturn optdebug hybrid_patchable }
!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}
!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 7, !"nvvm-reflect-ftz", i32 0}
!2 = !{!"rustc version 1.91.0"}
!95 = !{!"branch_weights", !"expected", i32 1, i32 2000}
!96 = !{!94}
!94 = !{!94, !93}
!93 = !{!93}
!97 = !{i32 1}
!98 = !{}
!99 = !{}
