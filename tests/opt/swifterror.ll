; A slot that is swifterror is a pointer like others here: passes compute with its address.
; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=lowerinvoke --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -verify-machineinstrs -o - | filecheck %s --check-prefix=PTX0
target triple = "nvptx64-nvidia-cuda"

declare swiftcc i32 @callee(i32 signext, ptr swifterror)

; CHECK-LABEL: define i32 @slot(i32 %a) {
; CHECK: %e = alloca ptr
; CHECK: call swiftcc i32 @callee(i32 signext %a, ptr nonnull %e)
; PTX-LABEL: slot(
; PTX: cvta.local.u64
; PTX: st.local.b64
; PTX: ld.local.b64
; PTX0-LABEL: slot(
define i32 @slot(i32 %a) {
  %e = alloca swifterror ptr
  store ptr null, ptr %e
  %r = call swiftcc i32 @callee(i32 signext %a, ptr nonnull swifterror %e)
  %p = load ptr, ptr %e
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @passed_on(i32 %a, ptr %e) {
; CHECK: call swiftcc i32 @callee(i32 signext %a, ptr %e)
; PTX-LABEL: passed_on(
define i32 @passed_on(i32 %a, ptr swifterror %e) {
  %r = call swiftcc i32 @callee(i32 signext %a, ptr swifterror %e)
  ret i32 %r
}

; A function that is copied for the space of its argument.
; CHECK-LABEL: define internal ptr @internal(ptr %e) #{{[0-9]+}} {
define internal ptr @internal(ptr swifterror %e) noinline {
  %p = load ptr, ptr %e
  ret ptr %p
}

; PTX-LABEL: of_internal(
define ptr @of_internal() {
  %e = alloca swifterror ptr
  store ptr null, ptr %e
  %r = call swiftcc i32 @callee(i32 1, ptr swifterror %e)
  %p = call ptr @internal(ptr swifterror %e)
  ret ptr %p
}
