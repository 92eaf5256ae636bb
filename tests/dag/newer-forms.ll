; A form of each family of LLVM 20 to 22's intrinsics: constants, names and address spaces choose the instruction.
; RUN: ptxscope compile %s -mcpu=sm_100a -mattr=+ptx87 -o - | filecheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: tensor_memory(
; CHECK: tcgen05.ld.sync.aligned.32x32b.x4.pack::16b.b32 {[[A:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}}, [%r{{[0-9]+}}+16];
; CHECK: tcgen05.st.sync.aligned.16x32bx2.x4.b32 [%r{{[0-9]+}}], 2, {[[A]],
; CHECK: tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r{{[0-9]+}},
define void @tensor_memory(ptr addrspace(6) %t, i32 %n) {
  %p = getelementptr i8, ptr addrspace(6) %t, i32 16
  %v = call <4 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x4(ptr addrspace(6) %p, i1 true)
  call void @llvm.nvvm.tcgen05.st.16x32bx2.x4(ptr addrspace(6) %t, i64 2, <4 x i32> %v, i1 false)
  call void @llvm.nvvm.tcgen05.dealloc.cg2(ptr addrspace(6) %t, i32 %n)
  ret void
}

; CHECK-LABEL: tensor_product(
; CHECK: tcgen05.mma.cta_group::2.kind::tf32.collector::a::use [%r{{[0-9]+}}], %rd{{[0-9]+}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, %p{{[0-9]+}}, 7;
; CHECK: tcgen05.mma.sp.cta_group::1.kind::f8f6f4.ashift.collector::a::lastuse [%r{{[0-9]+}}], [%r{{[0-9]+}}], %rd{{[0-9]+}}, [%r{{[0-9]+}}], %r{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %p{{[0-9]+}};
define void @tensor_product(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %c, <4 x i32> %m) {
  call void @llvm.nvvm.tcgen05.mma.shared.scale_d(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %c, i64 7, i32 1, i32 2, i32 3)
  call void @llvm.nvvm.tcgen05.mma.sp.tensor.disable_output_lane.cg1.ashift(ptr addrspace(6) %d, ptr addrspace(6) %d, i64 %b, i32 %i, i1 %c, ptr addrspace(6) %d, <4 x i32> %m, i32 2, i32 1)
  ret void
}

; CHECK-LABEL: copies(
; CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2.L2::cache_hint [%rd{{[0-9]+}}], [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}], [%rd{{[0-9]+}}], %rs{{[0-9]+}}, %rd{{[0-9]+}};
; CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%rd{{[0-9]+}}], [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}], [%rd{{[0-9]+}}];
; CHECK: mbarrier.arrive_drop.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%rd{{[0-9]+}}], %r{{[0-9]+}};
define void @copies(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i32 %y, i16 %m, i64 %h) {
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i32 %y, i16 %m, i64 %h, i1 true, i1 true, i32 2)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %d, ptr addrspace(3) %b, ptr %map, i32 %x, i32 %y, i16 %m, i64 %h, i1 false, i1 false, i32 0)
  call void @llvm.nvvm.mbarrier.arrive.drop.expect.tx.relaxed.scope.cluster.space.cluster(ptr addrspace(7) %d, i32 %x)
  ret void
}

; A byte register for two floats of 4 bits.
; CHECK-LABEL: small_floats(
; CHECK:      .reg .b8 [[B:[a-z]+]];
; CHECK-NEXT: cvt.u8.u16 [[B]], %rs{{[0-9]+}};
; CHECK-NEXT: cvt.rn.relu.f16x2.e2m1x2 %r{{[0-9]+}}, [[B]];
; CHECK-NEXT: }
; CHECK:      cvt.rs.relu.satfinite.e4m3x4.f32 %r{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %r{{[0-9]+}};
define <2 x half> @small_floats(i16 %a, <4 x float> %v, i32 %bits, ptr %p) {
  %r = call <2 x half> @llvm.nvvm.e2m1x2.to.f16x2.rn.relu(i16 %a)
  %s = call <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.relu.satfinite(<4 x float> %v, i32 %bits)
  store <4 x i8> %s, ptr %p
  ret <2 x half> %r
}

; CHECK-LABEL: cancelled(
; CHECK: mov.b128 [[Q:%rq[0-9]+]], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
; CHECK: clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r{{[0-9]+}}, [[Q]];
define i32 @cancelled(i128 %q) {
  %r = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128 %q)
  ret i32 %r
}

; CHECK-LABEL: by_address_space(
; CHECK: stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%rd{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}};
; CHECK: bfind.shiftamt.s64
; CHECK: abs.ftz.f16x2
define i32 @by_address_space(ptr addrspace(3) %p, i32 %a, i32 %b, i64 %w, <2 x half> %h, ptr %q) {
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %p, i32 %a, i32 %b)
  %f = call i32 @llvm.nvvm.flo.s.i64(i64 %w, i1 true)
  %m = call <2 x half> @llvm.nvvm.fabs.ftz.v2f16(<2 x half> %h)
  store <2 x half> %m, ptr %q
  ret i32 %f
}
