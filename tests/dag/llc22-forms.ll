; RUN: ptxscope compile %s -mcpu=sm_70 -verify-machineinstrs -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/llc22-forms.launch.json -mcpu=sm_70 --level=ir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/llc22-forms.launch.json -mcpu=sm_70 --level=mir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/llc22-forms.launch.json -mcpu=sm_70 --level=ptx --json | filecheck %s --check-prefix=RESULT
; Forms that take ptxas fewer instructions.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; ptxas joins the mask and a comparison with 0 to one instruction, and does not with 1.
; CHECK-LABEL: bit(
; CHECK: and.b16 [[B:%rs[0-9]+]], %rs{{[0-9]+}}, 1;
; CHECK: setp.ne.b16 %p1, [[B]], 0;
define i32 @bit(i1 %c, i32 %a, i32 %b) {
  %r = select i1 %c, i32 %a, i32 %b
  ret i32 %r
}

; Upper words decide. A bound that has bits in the lower word needs both.
; CHECK-LABEL: upper(
; CHECK: mov.b64 {%r{{[0-9]+}}, [[A:%r[0-9]+]]}, %rd{{[0-9]+}};
; CHECK-DAG: setp.ne.s32 %p{{[0-9]+}}, [[A]], 0;
; CHECK-DAG: setp.lt.s32 %p{{[0-9]+}}, [[A]], 5;
; CHECK: setp.gt.u64 %p{{[0-9]+}}, %rd{{[0-9]+}}, 4294967296;
define i1 @upper(i64 %x) {
  %a = icmp ugt i64 %x, 4294967295
  %b = icmp slt i64 %x, 21474836480
  %c = icmp ugt i64 %x, 4294967296
  %ab = xor i1 %a, %b
  %abc = and i1 %ab, %c
  ret i1 %abc
}

; What lies above a result or an argument nobody reads, unless an attribute says what it is.
; CHECK-LABEL: plain(
; CHECK: add.s16
; CHECK-NEXT: cvt.u32.u16
; CHECK-NEXT: st.param.b32
define i8 @plain(i8 %a) {
  %r = add i8 %a, 3
  ret i8 %r
}
; CHECK-LABEL: zeros(
; CHECK: add.s16
; CHECK: and.b{{16|32}} {{.*}}, 255;
define zeroext i8 @zeros(i8 %a) {
  %r = add i8 %a, 3
  ret i8 %r
}
; CHECK-LABEL: calls(
; CHECK: add.s16
; CHECK-NOT: and
; CHECK: call.uni
; CHECK: and.b{{16|32}} {{.*}}, 255;
; CHECK: call.uni
define void @calls(i8 %a) {
  %b = add i8 %a, 3
  call void @takes_plain(i8 %b)
  call void @takes_zeros(i8 zeroext %b)
  ret void
}
declare void @takes_plain(i8)
declare void @takes_zeros(i8 zeroext)

; The low half of a wide register is stored as it is, but a count of 64 bits has 32.
; CHECK-LABEL: halves(
; CHECK: shr.u64 [[H:%rd[0-9]+]], %rd{{[0-9]+}}, 31;
; CHECK-NOT: cvt
; CHECK: st.param.b32 [func_retval0+4], [[H]];
define { i32, i32 } @halves(i64 %a) {
  %lo = trunc i64 %a to i32
  %s = lshr i64 %a, 31
  %hi = trunc i64 %s to i32
  %x = insertvalue { i32, i32 } poison, i32 %lo, 0
  %y = insertvalue { i32, i32 } %x, i32 %hi, 1
  ret { i32, i32 } %y
}
; CHECK-LABEL: count(
; CHECK: popc.b64 [[N:%r[0-9]+]], %rd{{[0-9]+}};
; CHECK-NEXT: st.param.b32 [func_retval0], [[N]];
define i32 @count(i64 %a) {
  %n = call i64 @llvm.ctpop.i64(i64 %a)
  %r = trunc i64 %n to i32
  ret i32 %r
}
declare i64 @llvm.ctpop.i64(i64)

; Three operations for four.
; CHECK-LABEL: merge(
; CHECK: xor.b32
; CHECK-NEXT: and.b32
; CHECK-NEXT: xor.b32
; CHECK-NEXT: st.param
define i32 @merge(i32 %x, i32 %y, i32 %m) {
  %n = xor i32 %m, -1
  %a = and i32 %n, %y
  %b = and i32 %x, %m
  %r = or i32 %a, %b
  ret i32 %r
}

; Bytes are joined pair by pair, by shifts alone; results are stored from the last to the first.
; CHECK-LABEL: pieces(
; CHECK-NOT: mul
; CHECK-COUNT-2: or.b32
; CHECK: or.b32 [[W:%r[0-9]+]]
; CHECK: st.param.b32 [func_retval0+4], %r{{[0-9]+}};
; CHECK: st.param.b32 [func_retval0], [[W]];
define { i32, i32 } @pieces(ptr %p, i32 %i) {
  %w = load i32, ptr %p, align 1
  %x = insertvalue { i32, i32 } poison, i32 %w, 0
  %y = insertvalue { i32, i32 } %x, i32 %i, 1
  ret { i32, i32 } %y
}

; From parameter to parameter.
%S = type { i32, i32, i32 }
; CHECK-LABEL: passes(
; CHECK-NOT: local
; CHECK: ld.param.b32 [[W:%r[0-9]+]], [passes_param_0+8];
; CHECK-NOT: local
; CHECK: st.param.b32 [param0+8], [[W]];
define void @passes(ptr byval(%S) align 4 %s) {
  call void @takes_struct(ptr byval(%S) align 4 %s)
  ret void
}
declare void @takes_struct(ptr byval(%S) align 4)
; Behind a branch, too: .param has no generic address to keep in a register.
; CHECK-LABEL: passes_later(
; CHECK: bra
; CHECK: ld.param.b32 [[W:%r[0-9]+]], [passes_later_param_0+8];
; CHECK: st.param.b32 [param0+8], [[W]];
define void @passes_later(ptr byval(%S) align 4 %s, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %go
go:
  call void @takes_struct(ptr byval(%S) align 4 %s)
  br label %end
end:
  ret void
}
; What is written is copied.
; CHECK-LABEL: writes(
; CHECK: .local
define void @writes(ptr byval(%S) align 4 %s) {
  store i32 1, ptr %s
  call void @takes_struct(ptr byval(%S) align 4 %s)
  ret void
}

; CHECK-LABEL: .entry k(
; A byte is loaded with zeros above it.
; CHECK: ld.global.b8 [[Z:%rs[0-9]+]]
; CHECK: shr.u16 %rs{{[0-9]+}}, [[Z]], 4;
; Half by half, not two shifts.
; CHECK: shr.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, 31;
; CHECK-NOT: shr.u32
; CHECK: ld.global.v2.b64
; A division by 2^33 shifts.
; CHECK-NOT: div
; CHECK: st.global.v2.b64
; CHECK: prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0, 17409;
define ptx_kernel void @k(ptr addrspace(1) %bytes, ptr addrspace(1) %wide, ptr addrspace(1) %out) {
  %b = load i8, ptr addrspace(1) %bytes
  %h = lshr i8 %b, 4
  %z = zext i8 %h to i32
  store i32 %z, ptr addrspace(1) %out
  %p1 = getelementptr i32, ptr addrspace(1) %bytes, i32 1
  %i = load i32, ptr addrspace(1) %p1
  %d = sdiv i32 %i, 2
  %q1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %d, ptr addrspace(1) %q1
  %w = load i128, ptr addrspace(1) %wide, align 16
  %s = sdiv i128 %w, 8589934592
  store i128 %s, ptr addrspace(1) %wide, align 16
  %p2 = getelementptr i32, ptr addrspace(1) %bytes, i32 2
  %x = load i16, ptr addrspace(1) %p2
  %y = call i16 @llvm.bswap.i16(i16 %x)
  %yz = zext i16 %y to i32
  %q2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %yz, ptr addrspace(1) %q2
  %p3 = getelementptr i32, ptr addrspace(1) %bytes, i32 3
  %u = load i64, ptr addrspace(1) %p3, align 1
  %q4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i64 %u, ptr addrspace(1) %q4
  %v8 = bitcast i64 %u to <8 x i8>
  %e = extractelement <8 x i8> %v8, i32 6
  %es = sext i8 %e to i32
  %q3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %es, ptr addrspace(1) %q3
  ret void
}
declare i16 @llvm.bswap.i16(i16)
; RESULT: "wide":{{.*}}[0,2147483648,4294967295,4294967295]
; RESULT: "out":{{.*}}[15,4294967294,258,4294967175,67305985,2273806341]
