; RUN: ptxscope compile %s -mcpu=sm_80 --run-pass=load-store-vectorizer --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_80 -disable-nvptx-load-store-vectorizer -o - | filecheck %s --check-prefix=OFF
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define float @four_loads
; CHECK: %[[V:.*]] = load <4 x float>, ptr %p, align 16
; CHECK-COUNT-4: extractelement <4 x float> %[[V]]
; CHECK-NOT: load float
; PTX-LABEL: four_loads(
; PTX: ld.v4.b32
; OFF-LABEL: four_loads(
; OFF-NOT: ld.v{{[24]}}
define float @four_loads(ptr align 16 %p) {
  %a = load float, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %b = load float, ptr %q
  %r = getelementptr i8, ptr %p, i64 8
  %c = load float, ptr %r
  %s = getelementptr i8, ptr %p, i64 12
  %d = load float, ptr %s
  %x = fadd float %a, %b
  %y = fadd float %c, %d
  %z = fadd float %x, %y
  ret float %z
}

; The alignment is not known to be that of the vector: nothing is joined.
; CHECK-LABEL: define i32 @unaligned
; CHECK-NOT: <2 x i32>
define i32 @unaligned(ptr %p) {
  %a = load i32, ptr %p, align 4
  %q = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %q, align 4
  %r = add i32 %a, %b
  ret i32 %r
}

; A store between that may write there keeps the loads apart; one in another space does not.
; CHECK-LABEL: define i32 @written_between
; CHECK-NOT: <2 x i32>
define i32 @written_between(ptr align 8 %p, ptr %other) {
  %a = load i32, ptr %p
  store i32 7, ptr %other
  %q = getelementptr i8, ptr %p, i64 4
  %b = load i32, ptr %q
  %r = add i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: define i32 @written_elsewhere
; CHECK: load <2 x i32>, ptr addrspace(1) %p, align 8
; CHECK: store i32 7, ptr addrspace(3) %other
define i32 @written_elsewhere(ptr addrspace(1) align 8 %p, ptr addrspace(3) %other) {
  %a = load i32, ptr addrspace(1) %p
  store i32 7, ptr addrspace(3) %other
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %b = load i32, ptr addrspace(1) %q
  %r = add i32 %a, %b
  ret i32 %r
}

; The store between writes what the second load reads: joined, the load would see the old value.
; CHECK-LABEL: define i32 @own_neighbour
; CHECK-NOT: load <2 x i32>
define i32 @own_neighbour(ptr align 8 %p) {
  %a = load i32, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  store i32 7, ptr %q
  %b = load i32, ptr %q
  %r = add i32 %a, %b
  ret i32 %r
}

; Stores go down to the last one; a load of a neighbour that is stored later is no obstacle.
; CHECK-LABEL: define i32 @stores
; CHECK: %[[OLD:.*]] = load i32, ptr %q
; CHECK: store <2 x i32> %{{.*}}, ptr %{{.*}}, align 8
; CHECK-NOT: store i32
; CHECK: ret i32 %[[OLD]]
; PTX-LABEL: stores(
; PTX: st.v2.b32
define i32 @stores(ptr align 8 %p, i32 %x, i32 %y) {
  store i32 %x, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %old = load i32, ptr %q
  store i32 %y, ptr %q
  ret i32 %old
}

; A call may do anything.
; CHECK-LABEL: define void @call_between
; CHECK-NOT: <2 x i32>
declare void @g()
define void @call_between(ptr align 8 %p) {
  store i32 1, ptr %p
  call void @g()
  %q = getelementptr i8, ptr %p, i64 4
  store i32 2, ptr %q
  ret void
}

; Volatile accesses stay as they are.
; CHECK-LABEL: define i32 @is_volatile
; CHECK-NOT: <2 x i32>
define i32 @is_volatile(ptr align 8 %p) {
  %a = load volatile i32, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %b = load volatile i32, ptr %q
  %r = add i32 %a, %b
  ret i32 %r
}

; A parameter by value of a function whose callers are all seen is aligned to 16 bytes.
; PTX-LABEL: internal_by_value(
; PTX: ld.param.v2.b64
define internal i64 @internal_by_value(ptr byval([2 x i64]) align 8 %p) noinline {
  %a = load i64, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q, align 8
  %r = add i64 %a, %b
  ret i64 %r
}

; Another's is not.
; PTX-LABEL: external_by_value(
; PTX-NOT: ld.param.v2
define i64 @external_by_value(ptr byval([2 x i64]) align 8 %p) {
  %a = load i64, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %q, align 8
  %c = add i64 %a, %b
  %d = call i64 @internal_by_value(ptr byval([2 x i64]) align 8 %p)
  %r = xor i64 %c, %d
  ret i64 %r
}
