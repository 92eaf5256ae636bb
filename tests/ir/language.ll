; Every corner of the language once: what the reader takes, the printer writes and LLVM reads again.
source_filename = "language.ll"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

module asm "// one line"
module asm ".global .b8 x;"

%pair = type { i32, float }
%packed = type <{ i8, i64 }>
%later = type { ptr, %pair }
%opaque = type opaque
%0 = type { i8, [3 x i16] }

$group = comdat any

@a = global i32 1, align 4
@b = internal addrspace(3) global [64 x float] undef, align 16
@c = addrspace(4) constant [4 x i8] c"ab\00\FF", align 1
@d = external addrspace(1) global %pair
@e = private unnamed_addr constant %packed <{ i8 1, i64 -2 }>, section "mine", align 8
@f = global [3 x double] [double 1.000000e+00, double 0x7FF0000000000000, double 0xBFB999999999999A]
@g = global <4 x half> <half 0xH3C00, half 0xH0000, half undef, half poison>
@h = global bfloat 0xR3F80
@i = global fp128 0xL00000000000000003FFF000000000000
@j = global x86_fp80 0xK3FFF8000000000000000
@k = global i128 -170141183460469231731687303715884105728
@l = global ptr getelementptr inbounds (%later, ptr @m, i64 1, i32 1)
@m = global %later { ptr @a, %pair zeroinitializer }
@n = global ptr addrspacecast (ptr addrspace(3) @b to ptr)
@o = weak_odr hidden local_unnamed_addr global i64 ptrtoint (ptr @a to i64), comdat($group)
@p = global i8 0, !kind !0
@"odd name\22" = global i1 true
@q = thread_local(initialexec) global i32 0
@r = global [2 x ptr] [ptr blockaddress(@blocks, %two), ptr null]
@s = global <2 x i32> <i32 7, i32 7>
@t = global %0 { i8 1, [3 x i16] [i16 1, i16 2, i16 3] }
@alias = internal alias i32, ptr @a

define i32 @arithmetic(i32 %x, i32 %y, float %u, float %v) {
  %1 = add nuw nsw i32 %x, %y
  %2 = sub nsw i32 %1, 3
  %3 = mul nuw i32 %2, -7
  %4 = udiv exact i32 %3, %y
  %5 = shl i32 %4, 3
  %6 = lshr exact i32 %5, 1
  %7 = or disjoint i32 %6, 1
  %8 = fadd fast float %u, %v
  %9 = fmul nnan nsz contract float %8, 2.500000e-01
  %10 = fneg float %9
  %11 = frem float %10, 0x40091EB860000000
  %12 = fcmp nnan ult float %11, %u
  %13 = icmp ugt i32 %7, %x
  %14 = and i1 %12, %13
  %15 = select nsz i1 %14, float %u, float %v
  %16 = fptosi float %15 to i32
  %17 = zext nneg i32 %16 to i64
  %18 = trunc nuw nsw i64 %17 to i32
  %19 = freeze i32 %18
  %20 = bitcast i32 %19 to <2 x i16>
  %21 = extractelement <2 x i16> %20, i32 1
  %22 = insertelement <2 x i16> poison, i16 %21, i64 0
  %23 = shufflevector <2 x i16> %22, <2 x i16> %20, <4 x i32> <i32 3, i32 poison, i32 0, i32 1>
  %24 = shufflevector <2 x i16> %22, <2 x i16> poison, <2 x i32> zeroinitializer
  %25 = uitofp nneg i32 %19 to float
  ret i32 %19
}

define void @memory(ptr %p, ptr addrspace(3) %q, i64 %i) {
entry:
  %slot = alloca %pair, i32 4, align 16
  %at = getelementptr inbounds %pair, ptr %slot, i64 %i, i32 1
  %nuw = getelementptr nusw nuw i8, ptr %p, i64 4
  store volatile float 1.000000e+00, ptr %at, align 4
  %v = load atomic volatile i32, ptr %p syncscope("agent") acquire, align 4
  store atomic i32 %v, ptr addrspace(3) %q release, align 4
  fence syncscope("block") seq_cst
  %old = atomicrmw volatile uinc_wrap ptr %p, i32 7 syncscope("singlethread") monotonic, align 4
  %fold = atomicrmw fadd ptr addrspace(3) %q, float 1.000000e+00 acq_rel, align 4
  %both = cmpxchg weak volatile ptr %p, i32 %v, i32 %old acq_rel monotonic, align 4
  %ok = extractvalue { i32, i1 } %both, 1
  %agg = insertvalue { i32, { i8, ptr } } undef, ptr %p, 1, 1
  %cast = addrspacecast ptr addrspace(3) %q to ptr
  %vec = getelementptr float, ptr %p, <2 x i64> <i64 1, i64 2>
  ret void
}

declare void @callee(ptr byval(%pair) align 4, i32 signext, ...)

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

define float @calls(ptr %fn, ptr dereferenceable_or_null(8) align 4 %out, i32 %n) #1 {
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void (ptr, i32, ...) @callee(ptr byval(%pair) align 4 %out, i32 signext %1, double 2.000000e+00)
  %2 = call fast float %fn(i32 inreg %1, float nofpclass(nan inf) 1.000000e+00) #2 [ "deopt"(i32 1, ptr %fn), "tag"() ]
  %3 = call { i32, i32 } asm sideeffect "mad.lo.u32 $0, $2, $2, 1;\0A\09mov.u32 $1, 0;", "=r,=r,r,~{memory}"(i32 %1)
  %4 = notail call fastcc i32 @leaf(i32 %n)
  ret float %2
}

define internal fastcc i32 @leaf(i32 %n) align 16 {
  ret i32 %n
}

define void @blocks(i32 %x, ptr %to) {
one:
  switch i32 %x, label %two [
    i32 1, label %three
    i32 -5, label %"a block"
  ]

two:
  indirectbr ptr %to, [label %three, label %"a block"]

three:
  %p = phi i32 [ %x, %one ], [ 7, %two ]
  br i1 true, label %"a block", label %four, !prof !1

"a block":
  br label %four

four:
  unreachable
}

define ptx_kernel void @kernel(ptr noalias nocapture noundef readonly align 8 dereferenceable(16) %p) #1 !dbg !5 {
  %v = load i32, ptr %p, align 4, !dbg !8, !tbaa !9
    #dbg_value(i32 %v, !7, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_stack_value), !8)
  ret void, !dbg !8
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent mustprogress noinline memory(argmem: read, inaccessiblemem: readwrite) "target-cpu"="sm_90" "flag" }
attributes #2 = { nounwind alignstack=16 }

!named = !{!0, !1}
!llvm.module.flags = !{!2}
!llvm.dbg.cu = !{!3}
!nvvm.annotations = !{!12}

!0 = !{!"text", i32 1, null, ptr @a, !1}
!1 = !{!"branch_weights", i32 1, i32 2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!4 = !DIFile(filename: "a.c", directory: "/")
!5 = distinct !DISubprogram(name: "kernel", scope: !4, file: !4, line: 1, type: !6, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !3)
!6 = !DISubroutineType(types: !{null})
!7 = !DILocalVariable(name: "v", scope: !5, file: !4, line: 2, type: !11)
!8 = !DILocation(line: 3, column: 7, scope: !5)
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !13, i64 0}
!13 = !{!"root"}
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !{ptr @leaf, !"maxntidx", i32 128}
