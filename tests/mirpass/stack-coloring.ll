; Local arrays of disjoint scopes share their room.
; RUN: ptxscope compile %s -mcpu=sm_90 --stop-after=nvptx-isel -o - | filecheck %s --check-prefix=MARKS
; RUN: ptxscope compile %s -mcpu=sm_90 -verify-machineinstrs --check-claims -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -pass-remarks=coloring -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-stack-coloring -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 --stop-after=nvptx-isel -o - | filecheck %s --check-prefix=O0
; RUN: ptxscope compile %s -mcpu=sm_90 -disable-stack-coloring --stop-after=nvptx-isel -o - | filecheck %s --check-prefix=O0
; RUN: ptxscope check %s --launch=%p/stack-coloring.launch.json
; RUN: ptxscope check %s --launch=%p/stack-coloring.launch.json -frame-grows=down -disable-localstackalloc
; ROWS: STOCK-13
; O0-NOT: LIFETIME_START %
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; MARKS-LABEL: name: scopes
; MARKS: LIFETIME_START %stack.0
; MARKS: ST_local_b32
; MARKS: LIFETIME_END %stack.0
; MARKS: LIFETIME_START %stack.1
; MARKS: ST_local_b32
; MARKS: LIFETIME_END %stack.1
; CHECK-LABEL: .entry scopes(
; CHECK: .local .align 4 .b8 __local_depot{{[0-9]+}}[128];
; OFF-LABEL: .entry scopes(
; OFF: .local .align 4 .b8 __local_depot{{[0-9]+}}[192];
; REMARK: remark: %stack.1 shares the room of %stack.0: never in use at once {{.*}}in function scopes
define ptx_kernel void @scopes(ptr addrspace(1) %out) {
  %a = alloca [32 x i32], align 4
  %b = alloca [16 x i32], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 7
  %j = add i32 %i, 3
  call void @llvm.lifetime.start.p0(i64 128, ptr %a)
  %ai = getelementptr [32 x i32], ptr %a, i32 0, i32 %i
  %aj = getelementptr [32 x i32], ptr %a, i32 0, i32 %j
  store i32 %t, ptr %ai
  store i32 5, ptr %aj
  %x = load i32, ptr %ai
  call void @llvm.lifetime.end.p0(i64 128, ptr %a)
  call void @llvm.lifetime.start.p0(i64 64, ptr %b)
  %bi = getelementptr [16 x i32], ptr %b, i32 0, i32 %i
  %bj = getelementptr [16 x i32], ptr %b, i32 0, i32 %j
  store i32 %x, ptr %bj
  store i32 9, ptr %bi
  %y = load i32, ptr %bj
  call void @llvm.lifetime.end.p0(i64 64, ptr %b)
  %s = add i32 %x, %y
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s, ptr addrspace(1) %o
  ret void
}

; In use at once; in the loop %b is in use when %a begins anew.
; CHECK-LABEL: .entry overlap(
; CHECK: .local .align 4 .b8 __local_depot{{[0-9]+}}[192];
; REMARK: missed: %stack.0 keeps its room for itself: each other one is in use with it {{.*}}in function overlap
define ptx_kernel void @overlap(ptr addrspace(1) %out, i32 %n) {
entry:
  %a = alloca [32 x i32], align 4
  %b = alloca [16 x i32], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 7
  %bi = getelementptr [16 x i32], ptr %b, i32 0, i32 %i
  call void @llvm.lifetime.start.p0(i64 64, ptr %b)
  store i32 %t, ptr %bi
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  call void @llvm.lifetime.start.p0(i64 128, ptr %a)
  %ai = getelementptr [32 x i32], ptr %a, i32 0, i32 %i
  %old = load i32, ptr %bi
  %new = add i32 %old, %k
  store i32 %new, ptr %ai
  %v = load i32, ptr %ai
  %w = mul i32 %v, 3
  call void @llvm.lifetime.end.p0(i64 128, ptr %a)
  store i32 %w, ptr %bi
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %r = load i32, ptr %bi
  call void @llvm.lifetime.end.p0(i64 64, ptr %b)
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; A marker of one of two objects: nobody knows what is in use. A size is not looked at: a marker is about the whole of an object.
; MARKS-LABEL: name: either
; MARKS-NOT: LIFETIME
; CHECK-LABEL: .entry either(
; CHECK: .local .align 4 .b8 __local_depot{{[0-9]+}}[192];
; MARKS-LABEL: name: part
; MARKS: LIFETIME_START %stack.0
define ptx_kernel void @either(ptr addrspace(1) %out, i1 %c) {
  %a = alloca [32 x i32], align 4
  %b = alloca [16 x i32], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 7
  %p = select i1 %c, ptr %a, ptr %b
  call void @llvm.lifetime.start.p0(i64 128, ptr %a)
  %ai = getelementptr [32 x i32], ptr %a, i32 0, i32 %i
  store volatile i32 %t, ptr %ai
  call void @llvm.lifetime.end.p0(i64 128, ptr %a)
  call void @llvm.lifetime.start.p0(i64 64, ptr %p)
  %bi = getelementptr [16 x i32], ptr %b, i32 0, i32 %i
  store volatile i32 %t, ptr %bi
  ret void
}
define ptx_kernel void @part(ptr addrspace(1) %out) {
  %a = alloca [32 x i32], align 4
  %b = alloca [16 x i32], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 7
  %ai = getelementptr [32 x i32], ptr %a, i32 0, i32 %i
  %bi = getelementptr [16 x i32], ptr %b, i32 0, i32 %i
  call void @llvm.lifetime.start.p0(i64 64, ptr %a)
  store volatile i32 %t, ptr %ai
  store volatile i32 %t, ptr %bi
  ret void
}
