; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --check-prefixes=CHECK,SM80
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s --check-prefixes=CHECK,SM90
; RUN: ptxscope run %s --launch=%p/packed-halves.launch.json -mcpu=sm_80 --level=ir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/packed-halves.launch.json -mcpu=sm_80 --level=mir --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/packed-halves.launch.json -mcpu=sm_80 --level=ptx --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/packed-halves.launch.json -mcpu=sm_90 --level=ptx --json | filecheck %s --check-prefix=RESULT
; Two elements in one instruction. Before sm_90 a bf16 sum, difference and product is an fma with 1, -1 and -0.
target triple = "nvptx64-nvidia-cuda"

; 2 + 1 and -0 + -0; 2 - 1 and -0 - -0; 2 * 1 and -0 * -0; conversions of 1.5 and -2; truncations; signed maximum of -1 and 2
; RESULT: "out":{{.*}}[2147500096,16256,16384,3221241792,65535,131074]

; CHECK-LABEL: .entry k(
; SM80: mov.b32 [[ONE:%r[0-9]+]], 1065369472;
; SM80: fma.rn.bf16x2 %r{{[0-9]+}}, %r{{[0-9]+}}, [[ONE]], %r{{[0-9]+}};
; SM80: mov.b32 [[MINUS:%r[0-9]+]], -1082081408;
; SM80: fma.rn.bf16x2 %r{{[0-9]+}}, %r{{[0-9]+}}, [[MINUS]], %r{{[0-9]+}};
; SM80: mov.b32 [[ZERO:%r[0-9]+]], -2147450880;
; SM80: fma.rn.bf16x2 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, [[ZERO]];
; SM90: add.rn.bf16x2
; SM90: sub.rn.bf16x2
; SM90: mul.rn.bf16x2
; CHECK: cvt.rn.bf16x2.f32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK: prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 21520;
; SM90: max.s16x2
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <2 x bfloat>, ptr addrspace(1) %in
  %p1 = getelementptr i32, ptr addrspace(1) %in, i32 1
  %w = load <2 x bfloat>, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %in, i32 2
  %f = load <2 x float>, ptr addrspace(1) %p2
  %p4 = getelementptr i32, ptr addrspace(1) %in, i32 4
  %i = load <2 x i32>, ptr addrspace(1) %p4
  %p6 = getelementptr i32, ptr addrspace(1) %in, i32 6
  %x = load <2 x i16>, ptr addrspace(1) %p6
  %p7 = getelementptr i32, ptr addrspace(1) %in, i32 7
  %y = load <2 x i16>, ptr addrspace(1) %p7
  %sum = fadd <2 x bfloat> %v, %w
  store <2 x bfloat> %sum, ptr addrspace(1) %out
  %q1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  %dif = fsub <2 x bfloat> %v, %w
  store <2 x bfloat> %dif, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  %pro = fmul <2 x bfloat> %v, %w
  store <2 x bfloat> %pro, ptr addrspace(1) %q2
  %q3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  %cvt = fptrunc <2 x float> %f to <2 x bfloat>
  store <2 x bfloat> %cvt, ptr addrspace(1) %q3
  %q4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  %tru = trunc <2 x i32> %i to <2 x i16>
  store <2 x i16> %tru, ptr addrspace(1) %q4
  %q5 = getelementptr i32, ptr addrspace(1) %out, i32 5
  %gt = icmp sgt <2 x i16> %x, %y
  %max = select <2 x i1> %gt, <2 x i16> %x, <2 x i16> %y
  store <2 x i16> %max, ptr addrspace(1) %q5
  ret void
}

; Where the target has no packed maximum, there is one for each lane.
; CHECK-LABEL: maxima(
; SM80: max.u16
; SM80: max.u16
; SM90: max.u16x2
; CHECK-NOT: setp
; CHECK: ret;
define <2 x i16> @maxima(<2 x i16> %x, <2 x i16> %y) {
  %lt = icmp ult <2 x i16> %x, %y
  %max = select <2 x i1> %lt, <2 x i16> %y, <2 x i16> %x
  ret <2 x i16> %max
}

; Scalars likewise.
; CHECK-LABEL: scalar(
; SM80: mov.b16 [[ONE:%rs[0-9]+]], 16256;
; SM80: fma.rn.bf16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, [[ONE]], %rs{{[0-9]+}};
; SM90: add.rn.bf16
define bfloat @scalar(bfloat %a, bfloat %b) {
  %s = fadd bfloat %a, %b
  ret bfloat %s
}
