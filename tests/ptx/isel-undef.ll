; What is undefined need not be stored, neither in memory nor in a parameter. A volatile store stays.
; RUN: ptxscope compile %s -mcpu=sm_70 -o - | filecheck %s

declare void @f({ i64, i32 })

; CHECK-LABEL: .visible .func nothing(
; CHECK-NOT: st.
; CHECK: ret;
define void @nothing(ptr %p) {
	store i32 undef, ptr %p
	store { i64, <2 x i32> } undef, ptr %p
	ret void
}

; CHECK-LABEL: .visible .func part(
; CHECK: st.b32 [{{%rd[0-9]+}}+8], {{%r[0-9]+}};
; CHECK-NOT: st.
; CHECK: ret;
define void @part(ptr %p, i32 %x) {
	%v = insertvalue { i64, i32 } undef, i32 %x, 1
	store { i64, i32 } %v, ptr %p
	ret void
}

; CHECK-LABEL: .visible .func kept(
; CHECK: st.volatile.b32
define void @kept(ptr %p) {
	store volatile i32 undef, ptr %p
	ret void
}

; CHECK-LABEL: .visible .func passed(
; CHECK-NOT: st.param
; CHECK: call.uni
define void @passed() {
	call void @f({ i64, i32 } undef)
	ret void
}
