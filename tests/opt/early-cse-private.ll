; RUN: ptxscope compile %s -mcpu=sm_80 --run-pass=early-cse --verify-each --check-claims -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 --verify-each -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

@offset = constant [2 x ptr] [ptr inttoptr (i64 16 to ptr), ptr null]

declare void @outside()
declare void @takes(ptr)

; Calls and stores elsewhere leave a slot alone whose address nobody has.
; CHECK-LABEL: define i32 @kept
; CHECK: call void @outside()
; CHECK: store i32 5, ptr %p
; CHECK-NOT: %c = load
; CHECK: ret i32 %n
define i32 @kept(ptr %p, i32 %n, i64 %i) {
  %a = alloca [8 x i32]
  %b = getelementptr i32, ptr %a, i64 %i
  store i32 %n, ptr %b
  call void @outside()
  store i32 5, ptr %p
  %c = load i32, ptr %b
  ret i32 %c
}

; A store at another place of the slot may be one at this place.
; CHECK-LABEL: define i32 @indexed
; CHECK: %c = load i32, ptr %b
define i32 @indexed(i32 %n, i64 %i, i64 %k) {
  %a = alloca [8 x i32]
  %b = getelementptr i32, ptr %a, i64 %i
  %d = getelementptr i32, ptr %a, i64 %k
  store i32 %n, ptr %b
  store i32 5, ptr %d
  %c = load i32, ptr %b
  ret i32 %c
}

; So may one that is volatile or atomic, which writes like any other.
; CHECK-LABEL: define i32 @volatile
; CHECK: %c = load i32, ptr %b
define i32 @volatile(i32 %n, i64 %i, i64 %k) {
  %a = alloca [8 x i32]
  %b = getelementptr i32, ptr %a, i64 %i
  %d = getelementptr i32, ptr %a, i64 %k
  store i32 %n, ptr %b
  store volatile i32 5, ptr %d
  %c = load i32, ptr %b
  ret i32 %c
}

; CHECK-LABEL: define i32 @atomic
; CHECK: %c = load i32, ptr %b
define i32 @atomic(i32 %n, i64 %i, i64 %k) {
  %a = alloca [8 x i32]
  %b = getelementptr i32, ptr %a, i64 %i
  %d = getelementptr i32, ptr %a, i64 %k
  store i32 %n, ptr %b
  store atomic i32 5, ptr %d release, align 4
  %c = load i32, ptr %b
  ret i32 %c
}

; Who gets the address writes there, whoever keeps it later.
; CHECK-LABEL: define i32 @given
; CHECK: %c = load i32, ptr %b
; CHECK: %e = load i32, ptr %b
define i32 @given(i32 %n, i64 %i) {
  %a = alloca [8 x i32]
  %b = getelementptr i32, ptr %a, i64 %i
  store i32 %n, ptr %b
  call void @outside()
  %c = load i32, ptr %b
  call void @takes(ptr %b)
  %e = load i32, ptr %b
  %s = add i32 %c, %e
  ret i32 %s
}

; So may what is on another way.
; CHECK-LABEL: define i32 @joined
; CHECK: %c = load i32, ptr %b
define i32 @joined(i32 %n, i64 %i, i1 %f) {
  %a = alloca [8 x i32]
  %b = getelementptr i32, ptr %a, i64 %i
  store i32 %n, ptr %b
  br i1 %f, label %yes, label %no
yes:
  store i32 1, ptr %b
  br label %no
no:
  %c = load i32, ptr %b
  ret i32 %c
}

; An offset that is loaded through an address that is in the slot: what it is, is known, and the slot goes.
; CHECK-LABEL: define i32 @through
; CHECK-NOT: %table = load
; CHECK: %c = load i32, ptr %where
; PTX-LABEL: .func (.param .b32 func_retval0) through(
; PTX-NOT: .local
; PTX: st.param.b32 [func_retval0], %r1;
; PTX: ret;
define i32 @through(i32 %n) {
  %a = alloca { ptr, i64, i32, i32 }
  %where = getelementptr i8, ptr %a, i64 16
  store i32 %n, ptr %where
  store ptr getelementptr (i8, ptr @offset, i64 8), ptr %a
  call void @outside()
  %table = load ptr, ptr %a
  %before = getelementptr i8, ptr %table, i64 -8
  %offset = load i64, ptr %before
  %there = getelementptr i8, ptr %a, i64 %offset
  %c = load i32, ptr %there
  ret i32 %c
}
