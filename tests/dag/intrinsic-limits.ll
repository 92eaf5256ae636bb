; RUN: not ptxscope compile %s -mcpu=sm_75 -mattr=+ptx88 -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_90 -mattr=+ptx88 -o - 2>&1 | filecheck %s --check-prefix=SM90
; RUN: not ptxscope compile %s -mcpu=sm_90a -mattr=+ptx88 -o - 2>&1 | filecheck %s --check-prefix=SM90A
; Intrinsics of later targets, of variants of one, and for types that no instruction has: each is an error at its line.
target triple = "nvptx64-nvidia-cuda"

; CHECK: error: in 'rank':
; SM90-NOT: in 'rank':
define i32 @rank(ptr %p) {
  %r = call i32 @llvm.nvvm.getctarank(ptr %p)
  ret i32 %r
}
; CHECK: error: in 'cluster':
; SM90-NOT: in 'cluster':
define i32 @cluster() {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  ret i32 %r
}
; CHECK: error: in 'bits':
; SM90-NOT: in 'bits':
define {i32, i32, i32, i32} @bits(i32 %a, i32 %b) {
  %r = call {i32, i32, i32, i32} @llvm.nvvm.mma.xor.popc.m16n8k128.row.col.b1(i32 %a, i32 %a, i32 %b, i32 %b, i32 %a, i32 %a, i32 %a)
  ret {i32, i32, i32, i32} %r
}
; CHECK: error: in 'registers':
; SM90: error: in 'registers': llvm.nvvm.setmaxnreg.inc.sync.aligned.u32 needs sm_90a and PTX 8.0
; SM90A-NOT: in 'registers':
define void @registers() {
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 96)
  ret void
}
; CHECK: error: in 'narrow':
; SM90: error: in 'narrow': this type or address space of an atomic intrinsic is not supported
; SM90A: error: in 'narrow':
define i16 @narrow(ptr %p, i16 %x) {
  %r = call i16 @llvm.nvvm.atomic.exch.gen.i.sys.i16.p0(ptr %p, i16 %x)
  ret i16 %r
}
; SM90: error: in 'counter':
define i64 @counter(ptr %p, i64 %x) {
  %r = call i64 @llvm.nvvm.atomic.inc.gen.i.sys.i64.p0(ptr %p, i64 %x)
  ret i64 %r
}
; SM90: error: in 'lanes': this intrinsic is not supported
define <5 x bfloat> @lanes(i16 %x) {
  %r = call <5 x bfloat> @llvm.convert.from.fp16.v5bf16(i16 %x)
  ret <5 x bfloat> %r
}

declare i32 @llvm.nvvm.getctarank(ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare {i32, i32, i32, i32} @llvm.nvvm.mma.xor.popc.m16n8k128.row.col.b1(i32, i32, i32, i32, i32, i32, i32)
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare i16 @llvm.nvvm.atomic.exch.gen.i.sys.i16.p0(ptr, i16)
declare i64 @llvm.nvvm.atomic.inc.gen.i.sys.i64.p0(ptr, i64)
declare <5 x bfloat> @llvm.convert.from.fp16.v5bf16(i16)
