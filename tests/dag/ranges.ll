; What special registers can hold, and what calls say of their results, makes masks needless and signed operations unsigned: in a block,
; and where the value comes from another one.
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope fmt %s | filecheck %s --check-prefix=TEXT
; RUN: ptxscope run %s --launch=%p/ranges.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/ranges.launch.json
target triple = "nvptx64-nvidia-cuda"

; TEXT-DAG: declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; TEXT-DAG: declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; TEXT-DAG: declare noundef i32 @llvm.nvvm.read.ptx.sreg.smid()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.smid()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

; CHECK-LABEL: .entry here(
; CHECK:     mov.u32 %[[T:r[0-9]+]], %tid.x;
; CHECK-NOT: and.b32
; CHECK:     shr.u32 %r{{[0-9]+}}, %[[T]], 5;
; CHECK:     mul.wide.u32 %rd{{[0-9]+}}, %[[T]], 8;
; CHECK-NOT: and.b32
; CHECK:     ret;
; VALUES: "p":{{.*}}[0,0,1,0,2,0,{{.*}},31,0,32,1,33,1]
define ptx_kernel void @here(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %t, 1023
  %warp = sdiv i32 %t, 32
  %i = sext i32 %t to i64
  %a = getelementptr [2 x i32], ptr addrspace(1) %p, i64 %i
  store i32 %low, ptr addrspace(1) %a, align 4
  %b = getelementptr i32, ptr addrspace(1) %a, i64 1
  store i32 %warp, ptr addrspace(1) %b, align 4
  ret void
}

; The lane is read in another block than it is divided in.
; CHECK-LABEL: .entry there(
; CHECK:     %laneid;
; CHECK-NOT: shr.s32
; CHECK:     shr.u32
; CHECK-NOT: shr.s32
; CHECK:     ret;
define ptx_kernel void @there(ptr addrspace(1) %p, i1 %c) {
  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  br i1 %c, label %then, label %end
then:
  %q = sdiv i32 %l, 4
  store i32 %q, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

; The call says it, or the declaration; one of another type than the function says nothing.
declare range(i32 0, 16) i32 @small()
declare i32 @any()
; CHECK-LABEL: .func calls(
; CHECK-NOT: and.b32
; CHECK:     call{{.*}} small,
; CHECK-NOT: and.b32
; CHECK:     call{{.*}} any,
; CHECK-NOT: and.b32
; CHECK:     call{{.*}} any,
; CHECK:     and.b32 {{.*}}, 15;
; CHECK-NOT: and.b32
; CHECK:     ret;
define void @calls(ptr addrspace(1) %p) {
  %x = call i32 @small()
  %a = and i32 %x, 15
  store volatile i32 %a, ptr addrspace(1) %p, align 4
  %y = call range(i32 0, 16) i32 @any()
  %b = and i32 %y, 15
  store volatile i32 %b, ptr addrspace(1) %p, align 4
  %z = call range(i32 3, 32) i32 @any()
  %c = and i32 %z, 15
  store volatile i32 %c, ptr addrspace(1) %p, align 4
  ret void
}
