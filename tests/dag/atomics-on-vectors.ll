; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx84 -o - | filecheck %s
; RUN: ptxscope check %s --launch=%p/atomics-on-vectors.launch.json -mcpu=sm_90 -mattr=+ptx84
; RUN: ptxscope compile %s --run-pass=dce -o - | filecheck %s --check-prefix=TEXT
; RUN: ptxscope fmt %s --ir-version=22 -o - 2>&1 | filecheck %s --check-prefix=OLDER
; Of LLVM 23: elementwise operations on vectors, one for each element, and exchanges of vectors, which exchange their bits.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: sums(
; CHECK:         atom.relaxed.sys.add.f32 %r{{[0-9]+}}, [%rd1],
; CHECK-NEXT:    atom.relaxed.sys.add.f32 %r{{[0-9]+}}, [%rd1+4],
; CHECK-NEXT:    st.param.v2.b32
; TEXT:        atomicrmw elementwise fadd ptr %p, <2 x float> %v monotonic, align 8
; OLDER:       note: this atomicrmw fadd is newer than LLVM 22
; OLDER:       atomicrmw fadd ptr %p, float
; OLDER:       atomicrmw fadd ptr %{{[0-9]+}}, float {{.*}} monotonic, align 4
define <2 x float> @sums(ptr %p, <2 x float> %v) {
  %old = atomicrmw elementwise fadd ptr %p, <2 x float> %v monotonic, align 8
  ret <2 x float> %old
}

; Ordering and scope are those of each operation, and halves are in words.
; CHECK-LABEL: least(
; CHECK-COUNT-2: atom.acquire.cta.cas.b32
; CHECK-NOT:     atom.
; CHECK:         ret;
; TEXT:        atomicrmw volatile elementwise fmin ptr %p, <2 x half> %v syncscope("block") acquire, align 4
define <2 x half> @least(ptr %p, <2 x half> %v) {
  %old = atomicrmw volatile elementwise fmin ptr %p, <2 x half> %v syncscope("block") acquire, align 4
  ret <2 x half> %old
}

; CHECK-LABEL: words(
; CHECK:         atom.relaxed.sys.exch.b64
; TEXT:        atomicrmw xchg ptr %p, <4 x i16> %v monotonic, align 8
; OLDER:       atomicrmw xchg ptr %p, i64
define <4 x i16> @words(ptr %p, <4 x i16> %v) {
  %old = atomicrmw xchg ptr %p, <4 x i16> %v monotonic, align 8
  ret <4 x i16> %old
}

; CHECK-LABEL: quad(
; CHECK:         atom.relaxed.sys.exch.b128
define <4 x float> @quad(ptr %p, <4 x float> %v) {
  %old = atomicrmw xchg ptr %p, <4 x float> %v monotonic, align 16
  ret <4 x float> %old
}

define ptx_kernel void @k(ptr %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [8 x float], ptr %io, i32 %t
  %q = getelementptr i8, ptr %p, i32 8
  %r = getelementptr i8, ptr %p, i32 16
  %a = call <2 x float> @sums(ptr %p, <2 x float> <float 1.5, float -2.0>)
  %h = fptrunc <2 x float> %a to <2 x half>
  %l = call <2 x half> @least(ptr %q, <2 x half> %h)
  %b = bitcast <2 x half> %l to i32
  %w = insertelement <2 x i32> <i32 7, i32 9>, i32 %b, i32 0
  %x = bitcast <2 x i32> %w to <4 x i16>
  %o = call <4 x i16> @words(ptr %q, <4 x i16> %x)
  %y = bitcast <4 x i16> %o to <2 x float>
  %z = shufflevector <2 x float> %y, <2 x float> %a, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %u = call <4 x float> @quad(ptr %r, <4 x float> %z)
  %s = extractelement <4 x float> %u, i32 3
  store float %s, ptr %p
  ret void
}
