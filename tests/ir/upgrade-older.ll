; Intrinsics that NVVM had before LLVM 19, each as what LLVM 22 makes of it (upgrade-older-llvm.ll asks it).
; RUN: ptxscope fmt %s -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @abs_i(
; CHECK-NEXT: %[[X:.*]] = sub i32 0, %a
; CHECK-NEXT: %[[Y:.*]] = icmp sge i32 %a, 0
; CHECK-NEXT: %[[Z:.*]] = select i1 %[[Y]], i32 %a, i32 %[[X]]
; CHECK-NEXT: ret i32 %[[Z]]
define i32 @abs_i(i32 %a) {
  %r = call i32 @llvm.nvvm.abs.i(i32 %a)
  ret i32 %r
}

; CHECK-LABEL: @abs_ll(
; CHECK-NEXT: %[[X:.*]] = sub i64 0, %a
; CHECK-NEXT: %[[Y:.*]] = icmp sge i64 %a, 0
; CHECK-NEXT: %[[Z:.*]] = select i1 %[[Y]], i64 %a, i64 %[[X]]
; CHECK-NEXT: ret i64 %[[Z]]
define i64 @abs_ll(i64 %a) {
  %r = call i64 @llvm.nvvm.abs.ll(i64 %a)
  ret i64 %r
}

; CHECK-LABEL: @brev32(
; CHECK-NEXT: %[[X:.*]] = call i32 @llvm.bitreverse.i32(i32 %a)
; CHECK-NEXT: ret i32 %[[X]]
define i32 @brev32(i32 %a) {
  %r = call i32 @llvm.nvvm.brev32(i32 %a)
  ret i32 %r
}

; CHECK-LABEL: @brev64(
; CHECK-NEXT: %[[X:.*]] = call i64 @llvm.bitreverse.i64(i64 %a)
; CHECK-NEXT: ret i64 %[[X]]
define i64 @brev64(i64 %a) {
  %r = call i64 @llvm.nvvm.brev64(i64 %a)
  ret i64 %r
}

; CHECK-LABEL: @clz_i(
; CHECK-NEXT: %[[X:.*]] = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
; CHECK-NEXT: ret i32 %[[X]]
define i32 @clz_i(i32 %a) {
  %r = call i32 @llvm.nvvm.clz.i(i32 %a)
  ret i32 %r
}

; CHECK-LABEL: @clz_ll(
; CHECK-NEXT: %[[X:.*]] = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
; CHECK-NEXT: %[[Y:.*]] = trunc i64 %[[X]] to i32
; CHECK-NEXT: ret i32 %[[Y]]
define i32 @clz_ll(i64 %a) {
  %r = call i32 @llvm.nvvm.clz.ll(i64 %a)
  ret i32 %r
}

; CHECK-LABEL: @popc_i(
; CHECK-NEXT: %[[X:.*]] = call i32 @llvm.ctpop.i32(i32 %a)
; CHECK-NEXT: ret i32 %[[X]]
define i32 @popc_i(i32 %a) {
  %r = call i32 @llvm.nvvm.popc.i(i32 %a)
  ret i32 %r
}

; CHECK-LABEL: @popc_ll(
; CHECK-NEXT: %[[X:.*]] = call i64 @llvm.ctpop.i64(i64 %a)
; CHECK-NEXT: %[[Y:.*]] = trunc i64 %[[X]] to i32
; CHECK-NEXT: ret i32 %[[Y]]
define i32 @popc_ll(i64 %a) {
  %r = call i32 @llvm.nvvm.popc.ll(i64 %a)
  ret i32 %r
}

; CHECK-LABEL: @h2f(
; CHECK-NEXT:  %[[X:.*]] = call float @llvm.convert.from.fp16.f32(i16 %a)
; CHECK-NEXT:  ret float %[[X]]
define float @h2f(i16 %a) {
  %r = call float @llvm.nvvm.h2f(i16 %a)
  ret float %r
}

; CHECK-LABEL: @max_s(
; CHECK-NEXT: %[[Y:.*]] = call i16 @llvm.smax.i16(i16 %a, i16 %b)
; CHECK-NEXT: ret i16 %[[Y]]
define i16 @max_s(i16 %a, i16 %b) {
  %r = call i16 @llvm.nvvm.max.s(i16 %a, i16 %b)
  ret i16 %r
}

; CHECK-LABEL: @max_i(
; CHECK-NEXT: %[[Y:.*]] = call i32 @llvm.smax.i32(i32 %a, i32 %b)
; CHECK-NEXT: ret i32 %[[Y]]
define i32 @max_i(i32 %a, i32 %b) {
  %r = call i32 @llvm.nvvm.max.i(i32 %a, i32 %b)
  ret i32 %r
}

; CHECK-LABEL: @max_ll(
; CHECK-NEXT: %[[Y:.*]] = call i64 @llvm.smax.i64(i64 %a, i64 %b)
; CHECK-NEXT: ret i64 %[[Y]]
define i64 @max_ll(i64 %a, i64 %b) {
  %r = call i64 @llvm.nvvm.max.ll(i64 %a, i64 %b)
  ret i64 %r
}

; CHECK-LABEL: @max_us(
; CHECK-NEXT: %[[Y:.*]] = call i16 @llvm.umax.i16(i16 %a, i16 %b)
; CHECK-NEXT: ret i16 %[[Y]]
define i16 @max_us(i16 %a, i16 %b) {
  %r = call i16 @llvm.nvvm.max.us(i16 %a, i16 %b)
  ret i16 %r
}

; CHECK-LABEL: @max_ui(
; CHECK-NEXT: %[[Y:.*]] = call i32 @llvm.umax.i32(i32 %a, i32 %b)
; CHECK-NEXT: ret i32 %[[Y]]
define i32 @max_ui(i32 %a, i32 %b) {
  %r = call i32 @llvm.nvvm.max.ui(i32 %a, i32 %b)
  ret i32 %r
}

; CHECK-LABEL: @max_ull(
; CHECK-NEXT: %[[Y:.*]] = call i64 @llvm.umax.i64(i64 %a, i64 %b)
; CHECK-NEXT: ret i64 %[[Y]]
define i64 @max_ull(i64 %a, i64 %b) {
  %r = call i64 @llvm.nvvm.max.ull(i64 %a, i64 %b)
  ret i64 %r
}

; CHECK-LABEL: @min_s(
; CHECK-NEXT: %[[Y:.*]] = call i16 @llvm.smin.i16(i16 %a, i16 %b)
; CHECK-NEXT: ret i16 %[[Y]]
define i16 @min_s(i16 %a, i16 %b) {
  %r = call i16 @llvm.nvvm.min.s(i16 %a, i16 %b)
  ret i16 %r
}

; CHECK-LABEL: @min_i(
; CHECK-NEXT: %[[Y:.*]] = call i32 @llvm.smin.i32(i32 %a, i32 %b)
; CHECK-NEXT: ret i32 %[[Y]]
define i32 @min_i(i32 %a, i32 %b) {
  %r = call i32 @llvm.nvvm.min.i(i32 %a, i32 %b)
  ret i32 %r
}

; CHECK-LABEL: @min_ll(
; CHECK-NEXT: %[[Y:.*]] = call i64 @llvm.smin.i64(i64 %a, i64 %b)
; CHECK-NEXT: ret i64 %[[Y]]
define i64 @min_ll(i64 %a, i64 %b) {
  %r = call i64 @llvm.nvvm.min.ll(i64 %a, i64 %b)
  ret i64 %r
}

; CHECK-LABEL: @min_us(
; CHECK-NEXT: %[[Y:.*]] = call i16 @llvm.umin.i16(i16 %a, i16 %b)
; CHECK-NEXT: ret i16 %[[Y]]
define i16 @min_us(i16 %a, i16 %b) {
  %r = call i16 @llvm.nvvm.min.us(i16 %a, i16 %b)
  ret i16 %r
}

; CHECK-LABEL: @min_ui(
; CHECK-NEXT: %[[Y:.*]] = call i32 @llvm.umin.i32(i32 %a, i32 %b)
; CHECK-NEXT: ret i32 %[[Y]]
define i32 @min_ui(i32 %a, i32 %b) {
  %r = call i32 @llvm.nvvm.min.ui(i32 %a, i32 %b)
  ret i32 %r
}

; CHECK-LABEL: @min_ull(
; CHECK-NEXT: %[[Y:.*]] = call i64 @llvm.umin.i64(i64 %a, i64 %b)
; CHECK-NEXT: ret i64 %[[Y]]
define i64 @min_ull(i64 %a, i64 %b) {
  %r = call i64 @llvm.nvvm.min.ull(i64 %a, i64 %b)
  ret i64 %r
}

; CHECK-LABEL: @atomic_load_add_f32_p0(
; CHECK-NEXT: %[[X:.*]] = atomicrmw fadd ptr %a, float %b seq_cst, align 4
; CHECK-NEXT: ret float %[[X]]
define float @atomic_load_add_f32_p0(ptr %a, float %b) {
  %r = call float @llvm.nvvm.atomic.load.add.f32.p0(ptr %a, float %b)
  ret float %r
}

; CHECK-LABEL: @atomic_load_add_f32_p1(
; CHECK-NEXT: %[[X:.*]] = atomicrmw fadd ptr addrspace(1) %a, float %b seq_cst, align 4
; CHECK-NEXT: ret float %[[X]]
define float @atomic_load_add_f32_p1(ptr addrspace(1) %a, float %b) {
  %r = call float @llvm.nvvm.atomic.load.add.f32.p1(ptr addrspace(1) %a, float %b)
  ret float %r
}

; CHECK-LABEL: @atomic_load_add_f64_p0(
; CHECK-NEXT: %[[X:.*]] = atomicrmw fadd ptr %a, double %b seq_cst, align 8
; CHECK-NEXT: ret double %[[X]]
define double @atomic_load_add_f64_p0(ptr %a, double %b) {
  %r = call double @llvm.nvvm.atomic.load.add.f64.p0(ptr %a, double %b)
  ret double %r
}

; CHECK-LABEL: @atomic_load_add_f64_p1(
; CHECK-NEXT: %[[X:.*]] = atomicrmw fadd ptr addrspace(1) %a, double %b seq_cst, align 8
; CHECK-NEXT: ret double %[[X]]
define double @atomic_load_add_f64_p1(ptr addrspace(1) %a, double %b) {
  %r = call double @llvm.nvvm.atomic.load.add.f64.p1(ptr addrspace(1) %a, double %b)
  ret double %r
}

declare i32 @llvm.nvvm.abs.i(i32)
declare i64 @llvm.nvvm.abs.ll(i64)
declare i32 @llvm.nvvm.brev32(i32)
declare i64 @llvm.nvvm.brev64(i64)
declare i32 @llvm.nvvm.clz.i(i32)
declare i32 @llvm.nvvm.clz.ll(i64)
declare i32 @llvm.nvvm.popc.i(i32)
declare i32 @llvm.nvvm.popc.ll(i64)
declare float @llvm.nvvm.h2f(i16)
declare i16 @llvm.nvvm.max.s(i16, i16)
declare i32 @llvm.nvvm.max.i(i32, i32)
declare i64 @llvm.nvvm.max.ll(i64, i64)
declare i16 @llvm.nvvm.max.us(i16, i16)
declare i32 @llvm.nvvm.max.ui(i32, i32)
declare i64 @llvm.nvvm.max.ull(i64, i64)
declare i16 @llvm.nvvm.min.s(i16, i16)
declare i32 @llvm.nvvm.min.i(i32, i32)
declare i64 @llvm.nvvm.min.ll(i64, i64)
declare i16 @llvm.nvvm.min.us(i16, i16)
declare i32 @llvm.nvvm.min.ui(i32, i32)
declare i64 @llvm.nvvm.min.ull(i64, i64)
declare float @llvm.nvvm.atomic.load.add.f32.p0(ptr, float)
declare float @llvm.nvvm.atomic.load.add.f32.p1(ptr addrspace(1), float)
declare double @llvm.nvvm.atomic.load.add.f64.p0(ptr, double)
declare double @llvm.nvvm.atomic.load.add.f64.p1(ptr addrspace(1), double)
