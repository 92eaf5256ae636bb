; RUN: ptxscope compile %s -mcpu=sm_50 --run-pass=atomic-expand --verify-each -o - | filecheck %s --check-prefixes=CHECK,SM50
; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=atomic-expand --verify-each -o - | filecheck %s --check-prefixes=CHECK,SM90
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %p/../kernels/atomic_narrow.ll --launch=%p/../kernels/atomic_narrow.launch.json -mcpu=sm_50 --json | filecheck %s --check-prefix=RUN50
target triple = "nvptx64-nvidia-cuda"

; RUN50: "floats":{{.*}}[255,0,-256,2.5]
; RUN50: "halves":{{.*}}[256,-256,9.5,2.5]
; RUN50: "doubles":{{.*}}[384,-384]

; A byte in the aligned word around it. Ordering and scope go to the exchange.
; CHECK-LABEL: define i8 @byte(
; CHECK: %[[ADDRESS:.*]] = ptrtoint ptr %p to i32
; CHECK: %[[LOW:.*]] = and i32 %[[ADDRESS]], 3
; CHECK: %[[AT:.*]] = shl i32 %[[LOW]], 3
; CHECK: %[[W:.*]] = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
; CHECK: %[[MASK:.*]] = shl i32 255, %[[AT]]
; CHECK: %[[OTHERS:.*]] = xor i32 %[[MASK]], -1
; CHECK: %[[FIRST:.*]] = load i32, ptr %[[W]], align 4
; CHECK: atomicrmw.start:
; CHECK: %loaded = phi i32 [ %[[FIRST]], %0 ], [ %[[SEEN:.*]], %atomicrmw.start ]
; CHECK: %[[SUM:.*]] = add i32 %loaded
; CHECK: and i32 %[[SUM]], %[[MASK]]
; CHECK: and i32 %loaded, %[[OTHERS]]
; CHECK: cmpxchg ptr %[[W]], i32 %loaded, i32 %{{.*}} syncscope("block") acquire acquire, align 4
; CHECK: atomicrmw.end:
; CHECK: lshr i32 %[[SEEN]], %[[AT]]
define i8 @byte(ptr %p, i8 %v) {
  %x = atomicrmw add ptr %p, i8 %v syncscope("block") acquire
  ret i8 %x
}

; Known to begin a word: nothing to shift.
; CHECK-LABEL: define void @aligned(
; CHECK-NOT: ptrmask
; CHECK: load volatile i32, ptr addrspace(3) %p, align 4
; CHECK-NOT: shl
; CHECK: and i32 %loaded, -65536
; CHECK: cmpxchg volatile ptr addrspace(3) %p, i32 %loaded, i32 %{{.*}} release monotonic, align 4
define void @aligned(ptr addrspace(3) %p, i16 %v) {
  %x = atomicrmw volatile max ptr addrspace(3) %p, i16 %v release, align 4
  ret void
}

; No loop where the bytes around can be left alone.
; CHECK-LABEL: define i8 @bitwise(
; CHECK: atomicrmw or ptr %{{.*}}, i32 %{{.*}} seq_cst
; CHECK: %[[V:.*]] = or i32 %{{.*}}, %{{.*}}
; CHECK: atomicrmw and ptr %{{.*}}, i32 %[[V]] monotonic
; CHECK-NOT: cmpxchg
; CHECK: ret i8
define i8 @bitwise(ptr %p, i8 %v) {
  %x = atomicrmw or ptr %p, i8 %v seq_cst
  %y = atomicrmw and ptr %p, i8 %x monotonic
  ret i8 %y
}

; Again where only other bytes have changed, not where the byte itself has.
; CHECK-LABEL: define { i8, i1 } @cas(
; CHECK: partword.cmpxchg.loop:
; CHECK: %[[AROUND:.*]] = phi i32
; CHECK: cmpxchg ptr %{{.*}} acq_rel monotonic, align 4
; CHECK: br i1 %{{.*}}, label %partword.cmpxchg.end, label %partword.cmpxchg.failure
; CHECK: partword.cmpxchg.failure:
; CHECK: %[[C:.*]] = icmp ne i32 %[[AROUND]], %{{.*}}
; CHECK: br i1 %[[C]], label %partword.cmpxchg.loop, label %partword.cmpxchg.end
; PTX-LABEL: cas(
; PTX: atom.acq_rel.sys.cas.b32
define { i8, i1 } @cas(ptr %p, i8 %v, i8 %n) {
  %x = cmpxchg ptr %p, i8 %v, i8 %n acq_rel monotonic
  ret { i8, i1 } %x
}

; A weak one may fail.
; CHECK-LABEL: define i1 @weak(
; CHECK: cmpxchg weak ptr
; CHECK-NOT: icmp
; CHECK: ret i1
define i1 @weak(ptr %p, i16 %v, i16 %n) {
  %x = cmpxchg weak ptr %p, i16 %v, i16 %n monotonic monotonic
  %r = extractvalue { i16, i1 } %x, 1
  ret i1 %r
}

; Floats by their bits.
; CHECK-LABEL: define float @floats(
; CHECK: %[[F:.*]] = bitcast i32 %loaded to float
; CHECK: call float @llvm.maxnum.f32(float %[[F]], float %v)
; CHECK: atomicrmw xchg ptr %p, i32 %{{.*}} monotonic
; CHECK: atomicrmw fadd ptr %p, float
; CHECK: ret float
; PTX-LABEL: floats(
; PTX: atom.relaxed.sys.add.f32
define float @floats(ptr %p, float %v) {
  %x = atomicrmw fmax ptr %p, float %v monotonic
  %y = atomicrmw xchg ptr %p, float %x monotonic
  %z = atomicrmw fadd ptr %p, float %y monotonic
  ret float %z
}

; What only some targets have.
; CHECK-LABEL: define void @by_target(
; SM50-COUNT-3: cmpxchg
; SM50-NOT: atomicrmw fadd
; SM90-NOT: cmpxchg
; SM90: atomicrmw fadd ptr %p, half %h
; SM90: atomicrmw fadd ptr %p, bfloat %b
; SM90: atomicrmw fadd ptr %p, double %d
; CHECK: ret void
define void @by_target(ptr %p, half %h, bfloat %b, double %d) {
  %x = atomicrmw fadd ptr %p, half %h monotonic
  %y = atomicrmw fadd ptr %p, bfloat %b monotonic
  %z = atomicrmw fadd ptr %p, double %d monotonic
  ret void
}

; Vectors are exchanged whole.
; CHECK-LABEL: define void @vector(
; CHECK: fadd <2 x half>
; CHECK: bitcast <2 x half> %{{.*}} to i32
; CHECK: cmpxchg ptr %p, i32
define void @vector(ptr %p, <2 x half> %v) {
  %x = atomicrmw fadd ptr %p, <2 x half> %v monotonic
  ret void
}

; Counters of 32 bits are instructions, those of 64 loops.
; CHECK-LABEL: define void @counters(
; CHECK: atomicrmw uinc_wrap ptr %p, i32 %v
; CHECK: atomicrmw udec_wrap ptr %p, i32 %v
; CHECK: icmp uge i64 %loaded, %w
; CHECK: cmpxchg ptr %p, i64
; CHECK: ret void
; PTX-LABEL: counters(
; PTX: inc.u32
; PTX: dec.u32
; PTX: cas.b64
define void @counters(ptr %p, i32 %v, i64 %w) {
  %x = atomicrmw uinc_wrap ptr %p, i32 %v monotonic
  %y = atomicrmw udec_wrap ptr %p, i32 %v monotonic
  %z = atomicrmw uinc_wrap ptr %p, i64 %w monotonic
  ret void
}
