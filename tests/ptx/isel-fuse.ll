; Products that go into sums: behind a selection, and regrouped where the flags permit it.
; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s

; CHECK-LABEL: .visible .func {{.*}}chosen(
; CHECK: mad.lo.s32 [[M:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}}, [[C:%r[0-9]+]];
; CHECK-NEXT: selp.b32 {{%r[0-9]+}}, [[M]], [[C]], {{%p[0-9]+}};
define i32 @chosen(i32 %a, i32 %b, i32 %c, i1 %p) {
	%m = mul i32 %a, %b
	%s = select i1 %p, i32 %m, i32 0
	%r = add i32 %c, %s
	ret i32 %r
}

; CHECK-LABEL: .visible .func {{.*}}otherwise(
; CHECK: mad.lo.s32 [[M:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}}, [[C:%r[0-9]+]];
; CHECK-NEXT: selp.b32 {{%r[0-9]+}}, [[C]], [[M]], {{%p[0-9]+}};
define i32 @otherwise(i32 %a, i32 %b, i32 %c, i1 %p) {
	%m = mul i32 %a, %b
	%s = select i1 %p, i32 0, i32 %m
	%r = add i32 %s, %c
	ret i32 %r
}

; A product with another user is computed once.
; CHECK-LABEL: .visible .func {{.*}}shared(
; CHECK: mul.lo.s32
; CHECK-NOT: mad
; CHECK: ret;
define i32 @shared(i32 %a, i32 %b, i32 %c, i1 %p, ptr %q) {
	%m = mul i32 %a, %b
	store i32 %m, ptr %q
	%s = select i1 %p, i32 %m, i32 0
	%r = add i32 %c, %s
	ret i32 %r
}

; CHECK-LABEL: .visible .func {{.*}}regrouped(
; CHECK: fma.rn.f32 [[I:%r[0-9]+]],
; CHECK: fma.rn.f32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, [[I]];
; CHECK-NOT: add
; CHECK: ret;
define float @regrouped(float %a, float %b, float %c, float %d, float %e) {
	%x = fmul reassoc contract float %a, %b
	%y = fmul reassoc contract float %c, %d
	%s = fadd reassoc contract float %x, %y
	%r = fadd reassoc contract float %s, %e
	ret float %r
}

; CHECK-LABEL: .visible .func {{.*}}in_order(
; CHECK: mul{{(.rn)?}}.f32
; CHECK: fma.rn.f32
; CHECK: add{{(.rn)?}}.f32
define float @in_order(float %a, float %b, float %c, float %d, float %e) {
	%x = fmul contract float %a, %b
	%y = fmul contract float %c, %d
	%s = fadd contract float %x, %y
	%r = fadd contract float %s, %e
	ret float %r
}
