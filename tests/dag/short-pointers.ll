; RUN: ptxscope compile %s -mcpu=sm_90 --nvptx-short-ptr -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=LONG
; RUN: not ptxscope compile %s -mcpu=sm_80 --nvptx-short-ptr -mattr=+ptx77 -o - 2>&1 | filecheck %s --check-prefix=OLD
; Instructions on addresses are as wide as pointers to their space.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: map(
; CHECK: mapa.shared::cluster.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1;
; LONG: mapa.shared::cluster.u64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1;
; OLD: error: in 'map': llvm.nvvm.mapa.shared.cluster needs sm_90 and PTX 7.8
; OLD: hint: -mcpu=sm_90 -mattr=+ptx78
define ptr addrspace(3) @map(ptr addrspace(3) %p) {
  %q = call ptr addrspace(3) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %p, i32 1)
  ret ptr addrspace(3) %q
}

; CHECK-LABEL: generic(
; CHECK: mapa.u64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %r{{[0-9]+}};
; CHECK: getctarank.u64
define i32 @generic(ptr %p, i32 %rank) {
  %q = call ptr @llvm.nvvm.mapa(ptr %p, i32 %rank)
  %r = call i32 @llvm.nvvm.getctarank(ptr %q)
  ret i32 %r
}

; CHECK-LABEL: rank(
; CHECK: getctarank.shared::cluster.u32
define i32 @rank(ptr addrspace(3) %p) {
  %r = call i32 @llvm.nvvm.getctarank.shared.cluster(ptr addrspace(3) %p)
  ret i32 %r
}

declare ptr addrspace(3) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare ptr @llvm.nvvm.mapa(ptr, i32)
declare i32 @llvm.nvvm.getctarank(ptr)
declare i32 @llvm.nvvm.getctarank.shared.cluster(ptr addrspace(3))
