; RUN: ptxscope compile %s --run-pass=nvptx-lower-ctor-dtor --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -nvptx-lower-global-ctor-dtor-id=unique --run-pass=nvptx-lower-ctor-dtor -o - | filecheck %s --check-prefix=NAMED
; RUN: ptxscope compile %s -nvptx-emit-init-fini-kernel=0 --run-pass=nvptx-lower-ctor-dtor -o - | filecheck %s --check-prefix=TABLES
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope run %s --launch=%p/ctor.launch.json | filecheck %s --check-prefix=INIT
; RUN: ptxscope run %s --launch=%p/dtor.launch.json | filecheck %s --check-prefix=FINI
; RUN: ptxscope run %s -O0 --launch=%p/dtor.launch.json | filecheck %s --check-prefix=FINI
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x ptr] [ptr @kept], section "llvm.metadata"
@kept = global i32 1
@llvm.global_ctors = appending addrspace(1) global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @one, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @two, ptr null }, { i32, ptr, ptr } zeroinitializer]
@llvm.global_dtors = appending addrspace(1) global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 7, ptr @two, ptr null }]

; CHECK-NOT: @llvm.global_ctors
; CHECK-NOT: @llvm.global_dtors
; CHECK: @__init_array_object_one_[[ID:[0-9a-f]+]]_1 = protected addrspace(4) constant ptr @one, section ".init_array.1"
; CHECK: @__init_array_object_two_[[ID]]_65535 = protected addrspace(4) constant ptr @two, section ".init_array.65535"
; CHECK: @__fini_array_object_two_[[ID]]_7 = protected addrspace(4) constant ptr @two, section ".fini_array.7"
; CHECK: @llvm.used = appending global [4 x ptr] [ptr @kept, ptr addrspacecast (ptr addrspace(4) @__init_array_object_one_
; CHECK: define weak_odr ptx_kernel void @{{"?}}nvptx$device$init{{.*}} #[[KERNEL:[0-9]+]]
; CHECK: define weak_odr ptx_kernel void @{{"?}}nvptx$device$fini
; CHECK: attributes #[[KERNEL]] = { "nvvm.maxclusterrank"="1" "nvvm.maxntid"="1" }
; NAMED: @__init_array_object_one_unique_1 =
; TABLES: @__init_array_object_one_
; TABLES-NOT: device$init
; PTX: .visible .const .align 8 .u64 __init_array_object_one_{{[0-9a-f]+}}_1 = one;
; PTX: .entry nvptx$device$init()
; PTX-NEXT: .maxntid 1{{$}}
; PTX-NEXT: .maxclusterrank 1
; PTX: .entry nvptx$device$fini()

; As a loader would set them up.
@table = addrspace(1) global [3 x ptr] [ptr @one, ptr @two, ptr @one]
@__init_array_start = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @table to ptr)
@__init_array_end = addrspace(1) global ptr addrspacecast (ptr addrspace(1) getelementptr (ptr, ptr addrspace(1) @table, i64 2) to ptr)
@__fini_array_start = addrspace(1) global ptr addrspacecast (ptr addrspace(1) getelementptr (ptr, ptr addrspace(1) @table, i64 1) to ptr)
@__fini_array_end = addrspace(1) global ptr addrspacecast (ptr addrspace(1) getelementptr (ptr, ptr addrspace(1) @table, i64 3) to ptr)

; INIT: one
; INIT-NEXT: two
; INIT-NOT: one
; FINI: one
; FINI-NEXT: two
; FINI-NOT: one
@.one = addrspace(4) constant [5 x i8] c"one\0A\00"
@.two = addrspace(4) constant [5 x i8] c"two\0A\00"
declare i32 @vprintf(ptr, ptr)

define internal void @one() {
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @.one to ptr), ptr null)
  ret void
}

define internal void @two() {
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @.two to ptr), ptr null)
  ret void
}
