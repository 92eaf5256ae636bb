; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; A constant in an index goes to the address, over the extension and the scaling, where nothing is carried.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: f(
; CHECK: mul.wide.u32 	[[I:%rd[0-9]+]], %r1, 4;
; CHECK-NOT: mul.wide
; CHECK: add.s64 	[[P:%rd[0-9]+]], %rd{{[0-9]+}}, [[I]];
; CHECK: [[[P]]+12]
; CHECK: [[[P]]+4]
define i32 @f(ptr %p, i32 %i) {
  %a = add nuw i32 %i, 3
  %a64 = zext i32 %a to i64
  %q = getelementptr i32, ptr %p, i64 %a64
  %x = load i32, ptr %q
  %b = or disjoint i32 %i, 1
  %b64 = zext i32 %b to i64
  %r = getelementptr i32, ptr %p, i64 %b64
  %y = load i32, ptr %r
  %s = add i32 %x, %y
  ret i32 %s
}

; CHECK-LABEL: wraps(
; CHECK: add.s32 	%r2, %r1, 3;
; CHECK: mul.wide.u32 	%rd{{[0-9]+}}, %r2, 4;
define i32 @wraps(ptr %p, i32 %i) {
  %a = add i32 %i, 3
  %a64 = zext i32 %a to i64
  %q = getelementptr i32, ptr %p, i64 %a64
  %x = load i32, ptr %q
  ret i32 %x
}

; CHECK-LABEL: signed(
; CHECK: mul.wide.s32 	%rd{{[0-9]+}}, %r1, 8;
; CHECK: +-16]
define i64 @signed(ptr %p, i32 %i) {
  %a = add nsw i32 %i, -2
  %a64 = sext i32 %a to i64
  %q = getelementptr i64, ptr %p, i64 %a64
  %x = load i64, ptr %q
  ret i64 %x
}

; An offset that does not fit the instruction stays in the register.
; CHECK-LABEL: far(
; CHECK: add.s64 	%rd3, %rd1, 9223372036854775800;
; CHECK: st.b64 	[%rd3+1024], %rd2;
define void @far(ptr %p, i64 %x) {
  %i = ptrtoint ptr %p to i64
  %j = add i64 %i, 9223372036854775800
  %k = or disjoint i64 %j, 1024
  %q = inttoptr i64 %k to ptr
  store i64 %x, ptr %q
  ret void
}
