; Flags stand on the nodes of which they are true: not on the words of a wide sum, nor on what an operation is expanded to.
; RUN: ptxscope compile %s -mcpu=sm_90 -stop-after=finalize-isel -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_35 -stop-after=finalize-isel -o - | filecheck %s --check-prefix=SM35
target triple = "nvptx64-nvidia-cuda"

; The low words of a sum that does not wrap may wrap.
; CHECK-LABEL: name: wide_sum
; CHECK:       = ADDCC
; CHECK-NEXT:  = ADDC
define i128 @wide_sum(i128 %a, i128 %b) {
  %r = add nuw nsw i128 %a, %b
  ret i128 %r
}

; Each word of a disjoint or is disjoint.
; CHECK-LABEL: name: wide_or
; CHECK-COUNT-2: = disjoint OR
define i128 @wide_or(i128 %a, i128 %b) {
  %r = or disjoint i128 %a, %b
  ret i128 %r
}

; p - 8 may wrap, so (p - 8) + 16 as one sum may, too.
; CHECK-LABEL: name: pointers
; CHECK:       body:
; CHECK:       = ADD{{.*}}, 8
; CHECK:       = nuw ADD{{.*}}, 24
define void @pointers(ptr %p, ptr %q, ptr %out) {
  %a = getelementptr i8, ptr %p, i64 -8
  %b = getelementptr nuw i8, ptr %a, i64 16
  %c = getelementptr nuw i8, ptr %q, i64 16
  %d = getelementptr nuw i8, ptr %c, i64 8
  %e = getelementptr i8, ptr %out, i64 8
  store ptr %b, ptr %out
  store ptr %d, ptr %e
  ret void
}

; The operation in f32 has the flags, the conversions around it have none.
; SM35-LABEL: name: in_float
; SM35:       = CVT_f32_f16
; SM35:       = CVT_f32_f16
; SM35:       = contract ADD_rn_f32
; SM35:       = CVT_rn_f16_f32
define half @in_float(half %a, half %b) {
  %r = fadd contract half %a, %b
  ret half %r
}
