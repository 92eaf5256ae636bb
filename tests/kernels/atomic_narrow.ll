; Atomic operations that most targets lack, by many threads on neighbours in one word. All results are
; independent of the order of the threads.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @atomic_narrow(ptr %bytes, ptr %shorts, ptr %words, ptr %longs, ptr %floats, ptr %halves, ptr %bfloats, ptr %doubles) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = shl i32 %cta, 6
  %i = add i32 %base, %tid
  %i8 = trunc i32 %i to i8
  %i16 = trunc i32 %i to i16
  %x16 = mul i16 %i16, 257
  %i64 = zext i32 %i to i64
  %x64 = mul i64 %i64, 4294967297
  %y64 = or i64 %x64, -281474976710656
  %f = sitofp i32 %i to float
  %m8 = or i8 %i8, -128
  %n8 = and i8 %i8, 15
  %p1 = getelementptr i8, ptr %bytes, i64 0
  %r1 = atomicrmw add ptr %p1, i8 %i8 monotonic
  %p2 = getelementptr i8, ptr %bytes, i64 1
  %r2 = atomicrmw sub ptr %p2, i8 %m8 monotonic
  %p3 = getelementptr i8, ptr %bytes, i64 2
  %r3 = atomicrmw xor ptr %p3, i8 %i8 monotonic
  %p4 = getelementptr i8, ptr %bytes, i64 3
  %r4 = atomicrmw or ptr %p4, i8 %n8 acq_rel
  %p5 = getelementptr i8, ptr %bytes, i64 4
  %r5 = atomicrmw and ptr %p5, i8 %m8 monotonic
  %p6 = getelementptr i8, ptr %bytes, i64 5
  %r6 = atomicrmw max ptr %p6, i8 %i8 monotonic
  %p7 = getelementptr i8, ptr %bytes, i64 6
  %r7 = atomicrmw umin ptr %p7, i8 %m8 monotonic
  %p8 = getelementptr i8, ptr %bytes, i64 7
  %r8 = atomicrmw xchg ptr %p8, i8 77 monotonic
  %p9 = getelementptr i8, ptr %bytes, i64 8
  %r9 = atomicrmw uinc_wrap ptr %p9, i8 99 monotonic
  %p10 = getelementptr i8, ptr %bytes, i64 9
  %r10 = atomicrmw udec_wrap ptr %p10, i8 99 seq_cst
  %p11 = getelementptr i8, ptr %bytes, i64 10
  %r11 = atomicrmw min ptr %p11, i8 %i8 monotonic
  %p12 = getelementptr i8, ptr %bytes, i64 11
  %r12 = atomicrmw umax ptr %p12, i8 %i8 monotonic
  %p13 = getelementptr i8, ptr %shorts, i64 0
  %r13 = atomicrmw add ptr %p13, i16 %x16 monotonic
  %p14 = getelementptr i8, ptr %shorts, i64 2
  %r14 = atomicrmw umax ptr %p14, i16 %x16 monotonic
  %p15 = getelementptr i8, ptr %shorts, i64 4
  %r15 = atomicrmw xor ptr %p15, i16 %x16 monotonic
  %p16 = getelementptr i8, ptr %shorts, i64 6
  %r16 = atomicrmw min ptr %p16, i16 %x16 monotonic
  %p17 = getelementptr i8, ptr %words, i64 0
  %r17 = atomicrmw uinc_wrap ptr %p17, i32 99 monotonic
  %p18 = getelementptr i8, ptr %words, i64 4
  %r18 = atomicrmw udec_wrap ptr %p18, i32 99 monotonic
  %p19 = getelementptr i8, ptr %longs, i64 0
  %r19 = atomicrmw uinc_wrap ptr %p19, i64 99 monotonic
  %p20 = getelementptr i8, ptr %longs, i64 8
  %r20 = atomicrmw udec_wrap ptr %p20, i64 99 monotonic
  %p21 = getelementptr i8, ptr %longs, i64 16
  %r21 = atomicrmw umax ptr %p21, i64 %x64 monotonic
  %p22 = getelementptr i8, ptr %longs, i64 24
  %r22 = atomicrmw xor ptr %p22, i64 %x64 monotonic
  %p23 = getelementptr i8, ptr %longs, i64 32
  %r23 = atomicrmw and ptr %p23, i64 %y64 monotonic
  %p24 = getelementptr i8, ptr %longs, i64 40
  %r24 = atomicrmw sub ptr %p24, i64 %x64 monotonic
  %p25 = getelementptr i8, ptr %floats, i64 0
  %r25 = atomicrmw fmax ptr %p25, float %f monotonic
  %p26 = getelementptr i8, ptr %floats, i64 4
  %r26 = atomicrmw fmin ptr %p26, float %f monotonic
  %p27 = getelementptr i8, ptr %floats, i64 8
  %r27 = atomicrmw fsub ptr %p27, float 1.0 monotonic
  %p28 = getelementptr i8, ptr %floats, i64 12
  %r28 = atomicrmw xchg ptr %p28, float 2.5 monotonic
  %p29 = getelementptr i8, ptr %halves, i64 0
  %r29 = atomicrmw fadd ptr %p29, half 1.0 monotonic
  %p30 = getelementptr i8, ptr %halves, i64 2
  %r30 = atomicrmw fsub ptr %p30, half 1.0 monotonic
  %p31 = getelementptr i8, ptr %halves, i64 6
  %r31 = atomicrmw xchg ptr %p31, half 2.5 monotonic
  %p32 = getelementptr i8, ptr %bfloats, i64 2
  %r32 = atomicrmw fadd ptr %p32, bfloat 1.0 monotonic
  %p33 = getelementptr i8, ptr %bfloats, i64 4
  %r33 = atomicrmw xchg ptr %p33, bfloat 2.5 monotonic
  %p34 = getelementptr i8, ptr %doubles, i64 0
  %r34 = atomicrmw fadd ptr %p34, double 1.5 monotonic
  %p35 = getelementptr i8, ptr %doubles, i64 8
  %r35 = atomicrmw fsub ptr %p35, double 1.5 monotonic
  br label %cas

cas:                                              ; counts in a byte, by compare-exchange
  %seen = phi i8 [ 0, %entry ], [ %now, %cas ]
  %next = add i8 %seen, 3
  %p.cas = getelementptr i8, ptr %bytes, i64 13
  %pair = cmpxchg ptr %p.cas, i8 %seen, i8 %next acq_rel monotonic
  %now = extractvalue { i8, i1 } %pair, 0
  %won = extractvalue { i8, i1 } %pair, 1
  br i1 %won, label %cas16, label %cas

cas16:
  %seen16 = phi i16 [ 0, %cas ], [ %now16, %cas16 ]
  %next16 = add i16 %seen16, 259
  %p.cas16 = getelementptr i8, ptr %shorts, i64 10
  %pair16 = cmpxchg weak ptr %p.cas16, i16 %seen16, i16 %next16 seq_cst seq_cst
  %now16 = extractvalue { i16, i1 } %pair16, 0
  %won16 = extractvalue { i16, i1 } %pair16, 1
  br i1 %won16, label %odd, label %cas16

odd:                                              ; 101 threads: an odd number of complements
  %few = icmp ult i32 %i, 101
  br i1 %few, label %nand, label %done

nand:
  %p36 = getelementptr i8, ptr %bytes, i64 15
  %r36 = atomicrmw nand ptr %p36, i8 -1 monotonic
  %p37 = getelementptr i8, ptr %words, i64 8
  %r37 = atomicrmw nand ptr %p37, i32 -1 monotonic
  %p38 = getelementptr i8, ptr %longs, i64 48
  %r38 = atomicrmw nand ptr %p38, i64 -1 monotonic
  br label %done

done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
