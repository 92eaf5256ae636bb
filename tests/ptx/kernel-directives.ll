; What a kernel states of its launches: as many numbers as are given, and nothing that ptxas refuses together.
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx90 -o - | filecheck %s
; RUN: not ptxscope compile %s -mcpu=sm_90 -mattr=+ptx88 -o %t.ptx 2>&1 | filecheck %s --check-prefix=OLD

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry sized(
; CHECK:       .maxntid 128, 2{{$}}
; CHECK:       .explicitcluster
; CHECK:       .reqnctapercluster 2, 1{{( |$)}}
; CHECK-NOT:   .maxclusterrank
define ptx_kernel void @sized() "nvvm.maxntid"="128,2" "nvvm.cluster_dim"="2,1" "nvvm.maxclusterrank"="8" {
  ret void
}

; CHECK-LABEL: .entry ranked(
; CHECK:       .maxclusterrank 8{{( |$)}}
define ptx_kernel void @ranked() "nvvm.maxclusterrank"="8" {
  ret void
}

; CHECK-LABEL: .entry exact(
; CHECK:       .reqntid 64{{( |$)}}
; CHECK-NOT:   .maxntid
define ptx_kernel void @exact() "nvvm.maxntid"="128,2" "nvvm.reqntid"="64" {
  ret void
}

; Up to the last number that an annotation gives.
; CHECK-LABEL: .entry annotated(
; CHECK:       .maxntid 8, 1, 4{{( |$)}}
define ptx_kernel void @annotated() {
  ret void
}

; CHECK-LABEL: .entry counted(
; CHECK:       .reqntid 8, 8{{$}}
; CHECK-NOT:   .explicitcluster
; CHECK:       .reqnctapercluster 2{{$}}
; CHECK:       .blocksareclusters
; OLD: error: in 'counted': "nvvm.blocksareclusters" needs sm_90 and PTX 9.0
define ptx_kernel void @counted() "nvvm.cluster_dim"="2" "nvvm.blocksareclusters" "nvvm.reqntid"="8,8" {
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @annotated, !"maxntidx", i32 8}
!1 = !{ptr @annotated, !"maxntidz", i32 4}
