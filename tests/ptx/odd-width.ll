; Integers of odd width: zeros above them in memory and in parameters, kept by who stores or passes them. Callers elsewhere, llc's
; among them, may pass anything there.
; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s

@g9 = external global i9
@g17 = external global i17
@h17 = external global i17
@g55 = external global i55

; A callee whose callers are all here relies on the zeros, and one whose parameter says that it is extended.
; CHECK-LABEL: .func take9(
; CHECK: ld.param.b16 [[A:%rs[0-9]+]], [take9_param_0];
; CHECK-NEXT: st.global.b16 [g9], [[A]];
define internal void @take9(i9 %x) noinline {
	store i9 %x, ptr @g9
	ret void
}

; CHECK-LABEL: .func take55(
; CHECK: ld.param.b64 [[B:%rd[0-9]+]], [take55_param_0];
; CHECK-NOT: and.b64
; CHECK-NOT: bfe
; CHECK: ret;
define internal void @take55(i55 %x) noinline {
	store i55 %x, ptr @g55
	ret void
}

; CHECK-LABEL: .visible .func callers(
; CHECK: and.b32 [[A:%r[0-9]+]], {{%r[0-9]+}}, 511;
; CHECK: st.param.b32 [param0], [[A]];
; CHECK: and.b64 [[B:%rd[0-9]+]], {{%rd[0-9]+}}, 36028797018963967;
; CHECK: st.param.b64 [param0], [[B]];
define void @callers(i9 %a, i55 %b) {
	%x = add i9 %a, 1
	call void @take9(i9 %x)
	%y = add i55 %b, 1
	call void @take55(i55 %y)
	ret void
}

; CHECK-LABEL: take24z(
; CHECK: ld.param.b32 [[Z:%r[0-9]+]], [take24z_param_0];
; CHECK-NEXT: st.param.b32 [func_retval0], [[Z]];
define i32 @take24z(i24 zeroext %x) {
	%r = zext i24 %x to i32
	ret i32 %r
}

; Of other callers, and of who launches a kernel, nothing is known.
; CHECK-LABEL: take24(
; CHECK: ld.param.b32 [[Y:%r[0-9]+]], [take24_param_0];
; CHECK-NEXT: and.b32 [[N:%r[0-9]+]], [[Y]], 16777215;
; CHECK-NEXT: st.param.b32 [func_retval0], [[N]];
define i32 @take24(i24 %x) {
	%r = zext i24 %x to i32
	ret i32 %r
}

; CHECK-LABEL: .visible .entry kernel24(
; CHECK: and.b32 {{%r[0-9]+}}, {{%r[0-9]+}}, 16777215;
define ptx_kernel void @kernel24(i24 %x, ptr %p) {
	%r = zext i24 %x to i32
	store i32 %r, ptr %p
	ret void
}

; A signed one has no zeros above it.
; CHECK-LABEL: .visible .func take9s(
; CHECK: and.b16 [[S:%rs[0-9]+]], {{%rs[0-9]+}}, 511;
; CHECK-NEXT: st.global.b16 [g9], [[S]];
define void @take9s(i9 signext %x) {
	store i9 %x, ptr @g9
	ret void
}

; Pieces are stored as they were loaded.
; CHECK-LABEL: .visible .func move17(
; CHECK-DAG: ld.global.b8 [[HI:%r[0-9]+]], [g17+2];
; CHECK-DAG: ld.global.b16 [[LO:%r[0-9]+]], [g17];
; CHECK-NOT: shl
; CHECK-DAG: st.global.b16 [h17], [[LO]];
; CHECK-DAG: st.global.b8 [h17+2], [[HI]];
; CHECK: ret;
define void @move17() {
	%v = load i17, ptr @g17
	store i17 %v, ptr @h17
	ret void
}

; What was computed may have bits above: the caller clears them where the callee relies on that.
; CHECK-LABEL: .visible .func pass(
; CHECK: add.s32 [[P:%r[0-9]+]], {{%r[0-9]+}}, 77;
; CHECK: st.param.b32 [param0], [[P]];
; CHECK: add
; CHECK: and.b64 [[Q:%rd[0-9]+]], {{%rd[0-9]+}}, 8589934591;
; CHECK: st.param.b64 [param0], [[Q]];
declare void @take25(i25)
declare void @take33(i33 zeroext)
define void @pass(i25 %a, i33 %b) {
	%x = add i25 %a, 77
	call void @take25(i25 %x)
	%y = add i33 %b, 77
	call void @take33(i33 %y)
	ret void
}

; And so is what is stored.
; CHECK-LABEL: .visible .func store9(
; CHECK: add.s16
; CHECK: and.b16 [[W:%rs[0-9]+]], {{%rs[0-9]+}}, 511;
; CHECK-NEXT: st.global.b16 [g9], [[W]];
define void @store9(i9 %a) {
	%x = add i9 %a, 300
	store i9 %x, ptr @g9
	ret void
}
