; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_50 -o - | filecheck %s --check-prefixes=SM50
; Loops around the word of a byte or a half: what is known of a value in another block is used in the loop, and the word is
; not cut where an instruction takes its low bits.
target triple = "nvptx64-nvidia-cuda"

; The operand was loaded as a byte: it is not masked again.
; CHECK-LABEL: greatest(
; CHECK:      cvt.u32.u64 	[[A:%r[0-9]+]], %rd{{[0-9]+}};
; CHECK-NEXT: and.b32 	[[B:%r[0-9]+]], [[A]], 3;
; CHECK-NEXT: shl.b32 	%r{{[0-9]+}}, [[B]], 3;
; CHECK:      cvt.u16.u32
; CHECK-NEXT: and.b16 	[[X:%rs[0-9]+]], %rs{{[0-9]+}}, 255;
; CHECK-NEXT: max.u16 	%rs{{[0-9]+}}, [[X]], %rs1;
define i8 @greatest(ptr %p, i8 %v) {
  %r = atomicrmw umax ptr %p, i8 %v monotonic
  ret i8 %r
}

; CHECK-LABEL: signed(
; CHECK:      shr.u32 	[[W:%r[0-9]+]],
; CHECK-NEXT: cvt.s16.s8 	%rs{{[0-9]+}}, [[W]];
define i8 @signed(ptr %p, i8 %v) {
  %r = atomicrmw max ptr %p, i8 %v monotonic
  ret i8 %r
}

; The difference is no greater than the byte in memory.
; CHECK-LABEL: difference(
; CHECK:      sub.s16
; CHECK-NEXT: cvt.u32.u16 	[[D:%r[0-9]+]],
; CHECK-NEXT: shl.b32 	%r{{[0-9]+}}, [[D]], %r
define i8 @difference(ptr %p, i8 %v) {
  %r = atomicrmw usub_sat ptr %p, i8 %v monotonic
  ret i8 %r
}

; CHECK-LABEL: half(
; CHECK:      bra
; CHECK:      shr.u32 	[[H:%r[0-9]+]],
; CHECK-NEXT: st.param.b16 	[func_retval0], [[H]];
define half @half(ptr %p, half %v) {
  %r = atomicrmw fmin ptr %p, half %v monotonic
  ret half %r
}

; The upper half of the word is shifted out.
; SM50-LABEL: brain(
; SM50:      $L__BB
; SM50-NOT:  and.b32 	%r{{[0-9]+}}, %r{{[0-9]+}}, 65535
; SM50:      add.rn.f32
define bfloat @brain(ptr %p, bfloat %v) {
  %r = atomicrmw fadd ptr %p, bfloat %v monotonic, align 4
  ret bfloat %r
}
