; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(1) global [64 x { i32, i32, i32 }] zeroinitializer, align 4

; table[i].x, .y and .z are one address and three offsets.
; CHECK-LABEL: fields(
; CHECK: mov.b64 %rd{{[0-9]+}}, table;
; CHECK-NOT: table+
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%[[A:rd[0-9]+]]];
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%[[A]]+4];
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%[[A]]+8];
define i32 @fields(i64 %i) {
  %px = getelementptr inbounds { i32, i32, i32 }, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 %i
  %py = getelementptr inbounds { i32, i32, i32 }, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 4), i64 %i
  %pz = getelementptr inbounds { i32, i32, i32 }, ptr addrspacecast (ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @table, i64 8) to ptr), i64 %i
  %x = load volatile i32, ptr %px
  %y = load volatile i32, ptr %py
  %z = load volatile i32, ptr %pz
  %s = add i32 %x, %y
  %t = add i32 %s, %z
  ret i32 %t
}

; A constant that an earlier getelementptr adds: both rows have one register less, and p + 4 none where nothing else reads it.
; CHECK-LABEL: rows(
; CHECK-NOT: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, {{[0-9]}}
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+4];
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+8];
define i32 @rows(ptr addrspace(1) %p, i64 %i, i64 %n) {
  %row1 = getelementptr i32, ptr addrspace(1) %p, i64 %n
  %p1 = getelementptr i8, ptr addrspace(1) %row1, i64 4
  %row2 = getelementptr i32, ptr addrspace(1) %p1, i64 %n
  %p2 = getelementptr i8, ptr addrspace(1) %row2, i64 4
  %a = getelementptr i32, ptr addrspace(1) %p1, i64 %i
  %b = getelementptr i32, ptr addrspace(1) %p2, i64 %i
  %x = load volatile i32, ptr addrspace(1) %a
  %y = load volatile i32, ptr addrspace(1) %b
  %s = add i32 %x, %y
  ret i32 %s
}
