; A store of 256 bits under a constant mask is one instruction on sm_100, whose `_` leave elements out; ptxas takes them in no shorter vector.
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -verify-machineinstrs -o - | filecheck %s --check-prefixes=CHECK,GAPS
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx88 -verify-machineinstrs -o - | filecheck %s --check-prefixes=CHECK,PLAIN
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -verify-machineinstrs -O0 -o - | filecheck %s --check-prefixes=O0
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -pipeline=documented -verify-machineinstrs -o - | filecheck %s --check-prefixes=O0
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -o %t.ptx && ptxas -arch=sm_100 -c %t.ptx -o /dev/null
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -stop-after=nvptx-isel -o %t.mir && ptxscope compile %t.mir -o - | filecheck %s --check-prefixes=O0
; RUN: ptxscope check %s --launch=%p/stores-with-gaps.launch.json -mcpu=sm_100 -mattr=+ptx88
; RUN: ptxscope check %s --launch=%p/stores-with-gaps.launch.json -mcpu=sm_100 -mattr=+ptx88 -O0
; RUN: ptxscope run %s --launch=%p/stores-with-gaps.launch.json -mcpu=sm_100 -mattr=+ptx88 --json | filecheck %s --check-prefix=OUT
; RUN: ptxscope compile %s -mcpu=sm_100 -mattr=+ptx88 -o %t.ptx && ptxscope run %t.ptx --launch=%p/stores-with-gaps.launch.json --json | filecheck %s --check-prefix=OUT
target triple = "nvptx64-nvidia-cuda"

; OUT: "b":{{.*}}[1,0,3,0,0,0,0,8,1,0,5,6,0,0,7,8,1,2,3,4,5,6,0,8,0,0,0,0,5,6,7,8]
; GAPS-LABEL: .entry k(
; GAPS: st.global.v8.b32 [%rd{{[0-9]+}}], {%r[[A:[0-9]+]], _, %r{{[0-9]+}}, _, _, _, _, %r{{[0-9]+}}};
; GAPS: st.global.v4.b64 [%rd{{[0-9]+}}+32], {1, %rd{{[0-9]+}}, _, %rd{{[0-9]+}}};
; GAPS: st.global.v8.b32 [%rd{{[0-9]+}}+64], {%r[[A]], %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, _, %r{{[0-9]+}}};
; O0: st.global.v8.b32 [%rd{{[0-9]+}}], {%r[[A:[0-9]+]], _, %r{{[0-9]+}}, _, _, _, _, %r{{[0-9]+}}};
; PLAIN-LABEL: .entry k(
; PLAIN-NOT: _,
; What the mask lets through is one vector without gaps.
; CHECK: st.global.v4.b32 [%rd{{[0-9]+}}+112]
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %v = load <8 x i32>, ptr addrspace(1) %a, align 32
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 32 %b, <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 true>)
  %w = load <4 x i64>, ptr addrspace(1) %a, align 32
  %x = insertelement <4 x i64> %w, i64 1, i32 0
  %y = shufflevector <4 x i64> %x, <4 x i64> poison, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  %b32 = getelementptr i8, ptr addrspace(1) %b, i64 32
  call void @llvm.masked.store.v4i64.p1(<4 x i64> %y, ptr addrspace(1) align 32 %b32, <4 x i1> <i1 true, i1 true, i1 undef, i1 true>)
  %f = bitcast <8 x i32> %v to <8 x float>
  %b64 = getelementptr i8, ptr addrspace(1) %b, i64 64
  call void @llvm.masked.store.v8f32.p1(<8 x float> %f, ptr addrspace(1) align 32 %b64, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 true>)
  %b96 = getelementptr i8, ptr addrspace(1) %b, i64 96
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 32 %b96, <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 true, i1 true, i1 true, i1 true>)
  ret void
}

; Less alignment, another space, elements of other sizes, a mask that is not known.
; CHECK-LABEL: .func others(
; CHECK-NOT: _,
; CHECK: ret;
define void @others(ptr addrspace(1) %p, ptr addrspace(3) %s, ptr %g, <8 x i32> %v, <16 x i16> %h, <8 x i1> %m) {
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 16 %p, <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 true>)
  call void @llvm.masked.store.v8i32.p3(<8 x i32> %v, ptr addrspace(3) align 32 %s, <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 true>)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr align 32 %g, <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 true>)
  call void @llvm.masked.store.v16i16.p1(<16 x i16> %h, ptr addrspace(1) align 32 %p, <16 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 true, i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 true>)
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) align 32 %p, <8 x i1> %m)
  ret void
}
