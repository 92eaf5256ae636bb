; What a variable cannot be is said, all of it.
; RUN: not ptxscope compile %s -mcpu=sm_20 -mattr=+ptx32 -o - 2>&1 | filecheck %s
target triple = "nvptx64-nvidia-cuda"
@shared = addrspace(3) global i32 undef
; CHECK-DAG: initialized packed aggregate with pointers 'packed' requires at least PTX ISA version 7.1
@packed = addrspace(1) global <{ i8, ptr }> <{ i8 1, ptr addrspacecast (ptr addrspace(3) @shared to ptr) }>
; CHECK-DAG: .attribute(.managed) requires PTX version >= 4.0 and sm_30
@managed = addrspace(1) global i32 0
; CHECK-DAG: .alias requires PTX version >= 6.3 and sm_30
@alias = alias void (), ptr @f
define void @f() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr addrspace(1) @managed, !"managed", i32 1}
