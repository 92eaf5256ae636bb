; Every instruction with every flag and operand form.
declare void @vf()
declare i32 @if(i32)
declare void @va(i32, ...)
declare i32 @pers(...)
declare float @ff(float)
declare void @llvm.foo(metadata)
declare void @llvm.assume(i1 noundef)
declare i32 @llvm.ctlz.i32(i32, i1 immarg)
@gv = global i32 0

define void @f0(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  %r0 = add i32 %a, %b
  %r1 = add nuw i32 %a, %b
  %r2 = add nsw nuw i32 %a, %b
  %r3 = add nuw nsw i32 %a, %b
  %r4 = add <2 x i32> %v, %v
  %r5 = sub nuw i32 %a, -1
  %r6 = mul nsw i32 %a, 1
  %r7 = udiv exact i32 %a, %b
  %r8 = sdiv exact i32 %a, %b
  %r9 = urem i32 %a, %b
  %r10 = srem i32 %a, %b
  %r11 = shl nuw nsw i32 %a, 5
  %r12 = lshr exact i32 %a, 5
  %r13 = ashr exact i32 %a, 40
  %r14 = and i32 %a, %b
  %r15 = or disjoint i32 %a, %b
  %r16 = xor i32 %a, -1
  %r17 = fneg float %x
  %r18 = fneg fast float %x
  %r19 = fneg nnan ninf nsz arcp contract afn reassoc float %x
  %r20 = fadd float %x, %y
  %r21 = fadd fast float %x, %y
  %r22 = fadd nnan ninf nsz arcp contract afn reassoc float %x, %y
  %r23 = fadd nnan ninf nsz arcp contract float %x, %y
  %r24 = fsub <2 x float> %fv, %fv
  %r25 = fmul half %h, 0xH3C00
  %r26 = fdiv bfloat %bf, %bf
  %r27 = frem fp128 %fq, %fq
  %r28 = fcmp oeq float %x, %y
  %r29 = fcmp fast ueq float %x, %y
  ret void
}

define void @f1(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  %r0 = fcmp true float %x, %y
  %r1 = fcmp false float %x, %y
  %r2 = fcmp nnan uno <2 x float> %fv, %fv
  %r3 = icmp eq ptr %p, null
  %r4 = icmp slt <2 x ptr> %pv, %pv
  %r5 = select i1 %c, i32 %a, i32 %b
  %r6 = select fast i1 %c, float %x, float %y
  %r7 = select i1 %c, <2 x i32> %v, <2 x i32> %v
  %r8 = select <2 x i1> %cv, <2 x i32> %v, <2 x i32> %v
  %r9 = select i1 %c, {i32, [2 x i8]} %s, {i32, [2 x i8]} %s
  %r10 = select i1 true, i32 1, i32 2
  %r11 = select i1 undef, i32 1, i32 poison
  %r12 = freeze i32 %a
  %r13 = freeze {i32, [2 x i8]} %s
  %r14 = freeze ptr %p
  %r15 = trunc i32 %a to i8
  %r16 = trunc nuw i32 %a to i8
  %r17 = trunc nsw nuw i32 %a to i8
  %r18 = zext nneg i32 %a to i64
  %r19 = zext i1 %c to i32
  %r20 = sext i32 %a to i64
  %r21 = fptrunc double %d to float
  %r22 = fpext float %x to double
  %r23 = fpext half %h to float
  %r24 = fptoui float %x to i32
  %r25 = fptosi float %x to i1
  %r26 = uitofp i32 %a to float
  %r27 = uitofp nneg i32 %a to float
  %r28 = sitofp i32 %a to half
  %r29 = ptrtoint ptr %p to i64
  ret void
}

define void @f2(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  %r0 = ptrtoint ptr %p to i8
  %r1 = ptrtoint <2 x ptr> %pv to <2 x i64>
  %r2 = inttoptr i64 %l to ptr
  %r3 = inttoptr i32 %a to ptr addrspace(3)
  %r4 = bitcast i32 %a to float
  %r5 = bitcast <2 x i32> %v to i64
  %r6 = bitcast ptr %p to ptr
  %r7 = bitcast float %x to <1 x i32>
  %r8 = addrspacecast ptr addrspace(3) %q to ptr
  %r9 = extractelement <2 x i32> %v, i32 %a
  %r10 = extractelement <2 x i32> %v, i64 1
  %r11 = extractelement <2 x i32> %v, i8 1
  %r12 = insertelement <2 x i32> %v, i32 %a, i32 0
  %r13 = insertelement <2 x i32> undef, i32 %a, i128 0
  %r14 = shufflevector <2 x i32> %v, <2 x i32> undef, <2 x i32> <i32 1, i32 0>
  %r15 = shufflevector <2 x i32> %v, <2 x i32> %v, <4 x i32> <i32 1, i32 0, i32 undef, i32 poison>
  %r16 = shufflevector <2 x i32> %v, <2 x i32> %v, <4 x i32> zeroinitializer
  %r17 = shufflevector <2 x i32> %v, <2 x i32> %v, <4 x i32> undef
  %r18 = shufflevector <2 x i32> %v, <2 x i32> %v, <4 x i32> poison
  %r19 = shufflevector <2 x i32> %v, <2 x i32> %v, <1 x i32> <i32 3>
  %r20 = shufflevector <2 x i32> %v, <2 x i32> %v, <2 x i32> splat (i32 1)
  %r21 = extractvalue {i32, [2 x i8]} %s, 0
  %r22 = extractvalue {i32, [2 x i8]} %s, 1, 1
  %r23 = insertvalue {i32, [2 x i8]} %s, i32 %a, 0
  %r24 = insertvalue {i32, [2 x i8]} undef, i8 1, 1, 0
  %r25 = insertvalue {i32, [2 x i8]} poison, i8 1, 1, 0, !foo !0
  %r26 = alloca i32
  %r27 = alloca i32, i32 4
  %r28 = alloca i32, i64 %l
  %r29 = alloca i32, i64 %l, align 8
  ret void
}

define void @f3(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  %r0 = alloca i32, align 8
  %r1 = alloca inalloca i32
  %r2 = alloca inalloca i32, align 4
  %r3 = alloca swifterror ptr
  %r4 = alloca i32, addrspace(5)
  %r5 = alloca i32, i32 2, addrspace(5)
  %r6 = alloca i32, i32 2, align 4, addrspace(5)
  %r7 = alloca i32, align 4, !foo !0
  %r8 = alloca i32, !foo !0
  %r9 = alloca i32, i32 1, !foo !0
  %r10 = alloca {i32, [2 x i8]}
  %r11 = alloca [0 x i32]
  %r12 = alloca i32, i1 true
  %r13 = load i32, ptr %p
  %r14 = load volatile i32, ptr %p
  %r15 = load i32, ptr %p, align 1
  %r16 = load i32, ptr addrspace(3) %q, align 16, !foo !0
  %r17 = load i32, i32* %p
  %r18 = load atomic i32, ptr %p seq_cst, align 4
  %r19 = load atomic volatile i32, ptr %p syncscope("agent") acquire, align 4
  %r20 = load atomic i32, ptr %p unordered, align 4
  %r21 = load atomic float, ptr %p monotonic, align 4
  %r22 = load atomic ptr, ptr %p monotonic, align 8
  %r23 = load atomic i128, ptr %p monotonic, align 16
  %r24 = load atomic i256, ptr %p monotonic, align 32
  %r25 = load {i32, [2 x i8]}, ptr %p
  %r26 = load i32, ptr null
  %r27 = load i32, ptr undef
  %r28 = load i32, ptr @gv
  ret void
}

define void @f4(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  %r0 = cmpxchg ptr %p, i32 %a, i32 %b seq_cst seq_cst
  %r1 = cmpxchg weak volatile ptr %p, i32 %a, i32 %b syncscope("block") acq_rel monotonic, align 8
  %r2 = cmpxchg ptr %p, ptr %p, ptr null monotonic monotonic
  %r3 = cmpxchg ptr %p, i32 %a, i32 %b monotonic seq_cst
  %r4 = cmpxchg ptr %p, i128 %w, i128 %w monotonic seq_cst
  %r5 = atomicrmw add ptr %p, i32 %a seq_cst
  %r6 = atomicrmw volatile xchg ptr %p, i32 %a syncscope("singlethread") monotonic, align 8
  %r7 = atomicrmw xchg ptr %p, float %x monotonic
  %r8 = atomicrmw xchg ptr %p, ptr %p monotonic
  %r9 = atomicrmw sub ptr %p, i8 1 monotonic
  %r10 = atomicrmw nand ptr %p, i64 %l release
  %r11 = atomicrmw fadd ptr %p, half %h acq_rel
  %r12 = atomicrmw fsub ptr %p, bfloat %bf acq_rel
  %r13 = atomicrmw fmax ptr %p, double %d acq_rel
  %r14 = atomicrmw fmin ptr %p, <2 x float> %fv acq_rel
  %r15 = atomicrmw uinc_wrap ptr %p, i32 %a acq_rel
  %r16 = atomicrmw add ptr %p, i32 %a seq_cst, !foo !0
  %r17 = getelementptr i32, ptr %p, i64 1
  %r18 = getelementptr inbounds i32, ptr %p, i64 1
  %r19 = getelementptr nuw i32, ptr %p, i64 1
  %r20 = getelementptr nusw i32, ptr %p, i64 1
  %r21 = getelementptr inbounds nusw nuw i32, ptr %p, i64 1
  %r22 = getelementptr nuw inbounds i32, ptr %p, i64 1
  %r23 = getelementptr i32, ptr %p
  %r24 = getelementptr {i32, [2 x i8]}, ptr %p, i64 0, i32 1, i8 1
  %r25 = getelementptr i32, <2 x ptr> %pv, i64 1
  %r26 = getelementptr i32, ptr %p, <2 x i32> %v
  %r27 = getelementptr i32, <2 x ptr> %pv, <2 x i32> %v
  %r28 = getelementptr {i32, i32}, <2 x ptr> %pv, <2 x i32> %v, i32 1
  %r29 = getelementptr {i32, i32}, <2 x ptr> %pv, <2 x i32> %v, <2 x i32> <i32 1, i32 1>
  ret void
}

define void @f5(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  %r0 = getelementptr i32, i32* %p, i64 1
  %r1 = va_arg ptr %p, i32
  %r2 = va_arg ptr addrspace(3) %q, double
  %r3 = call i32 @if(i32 %a)
  %r4 = tail call i32 @if(i32 %a)
  %r5 = notail call i32 @if(i32 %a)
  %r6 = call fast float @ff(float %x)
  %r7 = call i32 (i32) @if(i32 %a)
  %r8 = call i32 @if(i32 signext %a)
  %r9 = call zeroext i32 @if(i32 %a) nounwind
  %r10 = call i32 @if(i32 %a) #0
  %r11 = call i32 @if(i32 %a) [ "x"(i32 1) ]
  %r12 = call i32 @if(i32 %a) nounwind [ "x"(i32 1), "y"(), "x"(ptr @gv, i32 %a) ], !foo !0
  %r13 = call fastcc i32 @if(i32 %a)
  %r14 = call cc 10 i32 @if(i32 %a)
  %r15 = call addrspace(0) i32 @if(i32 %a)
  %r16 = call i32 %p(i32 %a)
  %r17 = call i32 null(i32 %a)
  %r18 = call i32 undef(i32 %a)
  %r19 = call i32 inttoptr (i64 5 to ptr)(i32 %a)
  %r20 = call i32 @if(i64 %l)
  %r21 = call i32 (i64) @if(i64 %l)
  %r22 = call float @if(i32 %a)
  %r23 = call i32 @if()
  %r24 = call i32 @if(i32 %a, i32 %b)
  %r25 = call i32 bitcast (ptr @if to ptr)(i32 %a)
  %r26 = call {i32, i32} asm "x", "=r,=r,r"(i32 %a)
  %r27 = call i32 asm "x", "=r,0"(i32 %a)
  %r28 = call i32 asm sideeffect alignstack inteldialect unwind "x", "=r,r"(i32 %a)
  %r29 = call i32 asm inteldialect "x", "=&r,%r,r"(i32 %a, i32 %b)
  ret void
}

define void @f6(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  %r0 = call i32 asm "x", "=r|m,r|i"(i32 %a)
  %r1 = call i32 asm "x", "={r1},{r2},~{r3}"(i32 %a)
  %r2 = call i32 asm "x", "=r,r"(i32 %a), !srcloc !0
  %r3 = call i32 asm "x", "=r,*m"(ptr elementtype(i32) %p)
  %r4 = call i32 @llvm.ctlz.i32(i32 %a, i1 true)
  store i32 %a, ptr %p
  store volatile i32 %a, ptr %p, align 2
  store atomic i32 %a, ptr %p syncscope("x") release, align 4
  store atomic volatile i32 %a, ptr %p unordered, align 4
  store i32 %a, ptr %p, align 4, !nontemporal !0
  store i32 %a, ptr %p, !foo !0, !bar !0
  store {i32, [2 x i8]} %s, ptr %p
  store [2 x i8] c"ab", ptr %p
  store i32 ptrtoint (ptr @gv to i32), ptr %p
  store i32 %a, i32* %p
  fence seq_cst
  fence acquire
  fence syncscope("agent") acq_rel
  fence release, !foo !0
  call void @vf()
  call void () @vf()
  call void (i32, ...) @va(i32 1, i32 2, double 1.0)
  call void (i32, ...) @va(i32 1)
  call void @va(i32 1)
  call void @va(i32 1, i32 2)
  call void (...) @vf(i32 1)
  call void asm "", "~{memory}"()
  call void asm "", ""() #0
  call void asm sideeffect "// $0 $$ ${0:n} $(a$|b$)", "r"(i32 %a)
  call void asm sideeffect "", "r,X,i,n,m,o,h,l,f,d,c,q"(i32 1,i32 1,i32 1,i32 1,ptr %p,ptr %p,i16 1,i64 1,float 1.0,double 1.0,i8 1,i128 1)
  ret void
}

define void @f7(i32 %a, i32 %b, i64 %l, float %x, float %y, double %d, half %h, bfloat %bf, ptr %p, ptr addrspace(3) %q, <2 x i32> %v, <2 x float> %fv, <2 x ptr> %pv, i1 %c, {i32, [2 x i8]} %s, fp128 %fq, i128 %w, <2 x i1> %cv) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p), "dereferenceable"(ptr %p, i64 8), "ignore"(ptr undef), "cold"(), "noundef"(i32 %a) ]
  call void @llvm.assume(i1 true)
  call void @llvm.donothing()
  call void @llvm.foo(metadata !0)
  call void @llvm.foo(metadata i32 %a)
  call void @llvm.foo(metadata !{ptr @gv})
  call void @llvm.foo(metadata !"abc")
  call void @llvm.foo(metadata i32 7)
  call void @llvm.foo(metadata ptr null)
  call void @llvm.foo(metadata !DILocation(line: 1, scope: !0))
  %r10 = add i32 %a, 1
  ret void
}

attributes #0 = { nounwind }

!0 = !{}
