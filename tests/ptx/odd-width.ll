; Integers of odd width: zeros above them in memory and in parameters, kept by who stores or passes them.
; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s

@g9 = external global i9
@g17 = external global i17
@h17 = external global i17
@g55 = external global i55

; The callee relies on the zeros.
; CHECK-LABEL: .visible .func take9(
; CHECK: ld.param.b16 [[A:%rs[0-9]+]], [take9_param_0];
; CHECK-NEXT: st.global.b16 [g9], [[A]];
define void @take9(i9 %x) {
	store i9 %x, ptr @g9
	ret void
}

; CHECK-LABEL: .visible .func take55(
; CHECK: ld.param.b64 [[B:%rd[0-9]+]], [take55_param_0];
; CHECK-NOT: and.b64
; CHECK-NOT: bfe
; CHECK: ret;
define void @take55(i55 %x) {
	store i55 %x, ptr @g55
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

; What was computed may have bits above: the caller clears them.
; CHECK-LABEL: .visible .func pass(
; CHECK: add
; CHECK: and.b32 [[P:%r[0-9]+]], {{%r[0-9]+}}, 33554431;
; CHECK: st.param.b32 [param0], [[P]];
; CHECK: add
; CHECK: and.b64 [[Q:%rd[0-9]+]], {{%rd[0-9]+}}, 8589934591;
; CHECK: st.param.b64 [param0], [[Q]];
declare void @take25(i25)
declare void @take33(i33)
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
