source_filename = "instructions.ll"

%S = type { i32, ptr }

@g = global i32 1
@a = global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 8, !foo !0
@v = addrspace(3) global <4 x float> zeroinitializer, sanitize_address_dyninit
@p = internal constant ptr getelementptr inbounds (i8, ptr @a, i64 4), section "sec", partition "par", code_model "large"
@q = global ptr getelementptr inrange(-8, 16) (i8, ptr @a, i64 4)
@sp = global <2 x i64> splat (i64 -5)
@bl = global [2 x ptr] [ptr blockaddress(@f, %B), ptr null]
@str = global [4 x i8] c"abc\00"
@str2 = global [3 x i8] c"ab\FF"
@wide = global i128 -18446744073709551617
@fp = global double 1.500000e+00
@und = global { i8, float } { i8 undef, float poison }
@ce = global i64 add (i64 ptrtoint (ptr @g to i64), i64 3)
@auth = global ptr ptrauth (ptr @g, i32 2, i64 5, ptr @p)
@dso = global ptr dso_local_equivalent @f

@al = alias i32, ptr @g

define i32 @f(i32 %x, i32 %y, float %u, ptr %p, <4 x i32> %vv, i1 %c) gc "statepoint" prefix i32 3 prologue i8 4 personality ptr @g {
A:
  %0 = add nuw nsw i32 %x, %y
  %1 = udiv exact i32 %x, 3
  %2 = or disjoint i32 %x, 3
  %3 = fadd nnan contract float %u, 1.000000e+00
  %4 = fneg fast float %u
  %5 = zext nneg i32 %x to i64
  %6 = trunc nuw nsw i64 %5 to i32
  %7 = fpext nnan float %u to double
  %8 = uitofp nneg i32 %x to float
  %9 = icmp samesign ult i32 %x, %y
  %10 = fcmp nnan olt float %u, 2.000000e+00
  %11 = select nsz i1 %c, float %u, float 0.000000e+00
  %12 = getelementptr nuw %S, ptr %p, i64 1, i32 1
  %13 = getelementptr inbounds i8, ptr %p, i64 1
  %14 = getelementptr nusw i8, ptr %p, i64 1
  %15 = alloca i32, i64 3, align 16
  %16 = alloca inalloca [2 x i32], align 4
  %17 = load volatile i32, ptr %p, align 4
  %18 = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  store i32 %x, ptr %p, align 4
  store atomic volatile i32 %x, ptr %p release, align 4
  fence syncscope("singlethread") seq_cst
  %19 = cmpxchg weak volatile ptr %p, i32 %x, i32 %y acq_rel monotonic, align 8
  %20 = atomicrmw usub_sat ptr %p, i32 %x syncscope("block") monotonic, align 4
  %21 = extractvalue { i32, i1 } %19, 1
  %22 = insertvalue { i32, i1 } %19, i1 %c, 1
  %23 = extractelement <4 x i32> %vv, i32 %x
  %24 = insertelement <4 x i32> %vv, i32 %x, i32 0
  %25 = shufflevector <4 x i32> %vv, <4 x i32> %24, <2 x i32> <i32 0, i32 poison>
  %26 = freeze i32 %x
  %27 = va_arg ptr %p, i32
  %28 = call nnan float @llvm.fabs.f32(float %u)
  %29 = tail call fastcc i32 (i32, ...) @va(i32 %x, float %u, i64 7) [ "deopt"(i32 %x, ptr %p), "other"() ]
  %30 = call i32 asm sideeffect alignstack "mov $0, $1;", "=r,r"(i32 %x)
  %31 = ptrtoaddr ptr %p to i64
  br i1 %c, label %B, label %C, !prof !1

B:                                                ; preds = %D, %B, %A
  %ph = phi float [ %u, %A ], [ %bk, %B ], [ %u, %D ]
  %bk = fadd float %ph, 1.000000e+00
  switch i32 %x, label %B [
    i32 1, label %C
    i32 -2, label %D
  ]

C:                                                ; preds = %D, %B, %A
  %inv = invoke i32 @f(i32 %x, i32 %y, float %u, ptr %p, <4 x i32> %vv, i1 %c)
          to label %D unwind label %L

D:                                                ; preds = %C, %B
  %late = add i32 %x, 9
  indirectbr ptr %p, [label %B, label %C]

E:                                                ; No predecessors!
  br label %F

F:                                                ; preds = %G, %F, %E
  %back = phi i32 [ 1, %E ], [ %z, %G ], [ %w, %F ]
  %w = add i32 %back, 1
  br label %F

G:                                                ; No predecessors!
  %z = add i32 %x, 3
  br label %F

L:                                                ; preds = %C
  %lp = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @g]
  resume { ptr, i32 } %lp
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #0

declare i32 @va(i32, ...)

define void @cb(i32 %x) {
  callbr void asm "", "!i"()
          to label %A [label %B]

A:                                                ; preds = %0
  unreachable

B:                                                ; preds = %0
  ret void
}

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"x"}
!1 = !{!"branch_weights", i32 1, i32 2}
