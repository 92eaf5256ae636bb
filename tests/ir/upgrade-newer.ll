; Intrinsics that NVVM has since LLVM 20: they are kept, as their PTX has rows of its own.
; RUN: ptxscope fmt %s -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @barrier_cta_sync_aligned_all(
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 %a)
; CHECK-NEXT: ret void
define void @barrier_cta_sync_aligned_all(i32 %a) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 %a)
  ret void
}

; CHECK-LABEL: @barrier_cta_sync_aligned_count(
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %a, i32 %b)
; CHECK-NEXT: ret void
define void @barrier_cta_sync_aligned_count(i32 %a, i32 %b) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %a, i32 %b)
  ret void
}

; CHECK-LABEL: @barrier_cta_sync_all(
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.all(i32 %a)
; CHECK-NEXT: ret void
define void @barrier_cta_sync_all(i32 %a) {
  call void @llvm.nvvm.barrier.cta.sync.all(i32 %a)
  ret void
}

; CHECK-LABEL: @barrier_cta_sync_count(
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.count(i32 %a, i32 %b)
; CHECK-NEXT: ret void
define void @barrier_cta_sync_count(i32 %a, i32 %b) {
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %a, i32 %b)
  ret void
}

; CHECK-LABEL: @barrier_cta_arrive_aligned_count(
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 %a, i32 %b)
; CHECK-NEXT: ret void
define void @barrier_cta_arrive_aligned_count(i32 %a, i32 %b) {
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 %a, i32 %b)
  ret void
}

; CHECK-LABEL: @barrier_cta_arrive_count(
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.arrive.count(i32 %a, i32 %b)
; CHECK-NEXT: ret void
define void @barrier_cta_arrive_count(i32 %a, i32 %b) {
  call void @llvm.nvvm.barrier.cta.arrive.count(i32 %a, i32 %b)
  ret void
}

; CHECK-LABEL: @barrier_cta_red_and_aligned_all(
; CHECK-NEXT: %r = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 %a, i1 %b)
; CHECK-NEXT: ret i1 %r
define i1 @barrier_cta_red_and_aligned_all(i32 %a, i1 %b) {
  %r = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 %a, i1 %b)
  ret i1 %r
}

; CHECK-LABEL: @barrier_cta_red_or_aligned_all(
; CHECK-NEXT: %r = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 %a, i1 %b)
; CHECK-NEXT: ret i1 %r
define i1 @barrier_cta_red_or_aligned_all(i32 %a, i1 %b) {
  %r = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 %a, i1 %b)
  ret i1 %r
}

; CHECK-LABEL: @barrier_cta_red_popc_aligned_all(
; CHECK-NEXT: %r = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 %a, i1 %b)
; CHECK-NEXT: ret i32 %r
define i32 @barrier_cta_red_popc_aligned_all(i32 %a, i1 %b) {
  %r = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 %a, i1 %b)
  ret i32 %r
}

; CHECK-LABEL: @div_full(
; CHECK-NEXT: %r = call float @llvm.nvvm.div.full(float %a, float %b)
; CHECK-NEXT: ret float %r
define float @div_full(float %a, float %b) {
  %r = call float @llvm.nvvm.div.full(float %a, float %b)
  ret float %r
}

; CHECK-LABEL: @div_full_ftz(
; CHECK-NEXT: %r = call float @llvm.nvvm.div.full.ftz(float %a, float %b)
; CHECK-NEXT: ret float %r
define float @div_full_ftz(float %a, float %b) {
  %r = call float @llvm.nvvm.div.full.ftz(float %a, float %b)
  ret float %r
}

; CHECK-LABEL: @e4m3x2_to_f16x2_rn(
; CHECK-NEXT: %r = call <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16 %a)
; CHECK-NEXT: ret <2 x half> %r
define <2 x half> @e4m3x2_to_f16x2_rn(i16 %a) {
  %r = call <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16 %a)
  ret <2 x half> %r
}

; CHECK-LABEL: @e5m2x2_to_f16x2_rn(
; CHECK-NEXT: %r = call <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16 %a)
; CHECK-NEXT: ret <2 x half> %r
define <2 x half> @e5m2x2_to_f16x2_rn(i16 %a) {
  %r = call <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16 %a)
  ret <2 x half> %r
}

; CHECK-LABEL: @elect_sync(
; CHECK-NEXT: %r = call { i32, i1 } @llvm.nvvm.elect.sync(i32 %a)
; CHECK-NEXT: ret { i32, i1 } %r
define { i32, i1 } @elect_sync(i32 %a) {
  %r = call { i32, i1 } @llvm.nvvm.elect.sync(i32 %a)
  ret { i32, i1 } %r
}

; CHECK-LABEL: @ex2_approx_f32(
; CHECK-NEXT: %r = call float @llvm.nvvm.ex2.approx.f32(float %a)
; CHECK-NEXT: ret float %r
define float @ex2_approx_f32(float %a) {
  %r = call float @llvm.nvvm.ex2.approx.f32(float %a)
  ret float %r
}

; CHECK-LABEL: @ex2_approx_ftz_f32(
; CHECK-NEXT: %r = call float @llvm.nvvm.ex2.approx.ftz.f32(float %a)
; CHECK-NEXT: ret float %r
define float @ex2_approx_ftz_f32(float %a) {
  %r = call float @llvm.nvvm.ex2.approx.ftz.f32(float %a)
  ret float %r
}

; CHECK-LABEL: @f16x2_to_e4m3x2_rn(
; CHECK-NEXT: %r = call i16 @llvm.nvvm.f16x2.to.e4m3x2.rn(<2 x half> %a)
; CHECK-NEXT: ret i16 %r
define i16 @f16x2_to_e4m3x2_rn(<2 x half> %a) {
  %r = call i16 @llvm.nvvm.f16x2.to.e4m3x2.rn(<2 x half> %a)
  ret i16 %r
}

; CHECK-LABEL: @f16x2_to_e5m2x2_rn(
; CHECK-NEXT: %r = call i16 @llvm.nvvm.f16x2.to.e5m2x2.rn(<2 x half> %a)
; CHECK-NEXT: ret i16 %r
define i16 @f16x2_to_e5m2x2_rn(<2 x half> %a) {
  %r = call i16 @llvm.nvvm.f16x2.to.e5m2x2.rn(<2 x half> %a)
  ret i16 %r
}

; CHECK-LABEL: @fabs_ftz_f16(
; CHECK-NEXT: %r = call half @llvm.nvvm.fabs.ftz.f16(half %a)
; CHECK-NEXT: ret half %r
define half @fabs_ftz_f16(half %a) {
  %r = call half @llvm.nvvm.fabs.ftz.f16(half %a)
  ret half %r
}

; CHECK-LABEL: @fabs_ftz_f32(
; CHECK-NEXT: %r = call float @llvm.nvvm.fabs.ftz.f32(float %a)
; CHECK-NEXT: ret float %r
define float @fabs_ftz_f32(float %a) {
  %r = call float @llvm.nvvm.fabs.ftz.f32(float %a)
  ret float %r
}

; CHECK-LABEL: @fabs_ftz_v2f16(
; CHECK-NEXT: %r = call <2 x half> @llvm.nvvm.fabs.ftz.v2f16(<2 x half> %a)
; CHECK-NEXT: ret <2 x half> %r
define <2 x half> @fabs_ftz_v2f16(<2 x half> %a) {
  %r = call <2 x half> @llvm.nvvm.fabs.ftz.v2f16(<2 x half> %a)
  ret <2 x half> %r
}

; CHECK-LABEL: @fabs_bf16(
; CHECK-NEXT: %r = call bfloat @llvm.nvvm.fabs.bf16(bfloat %a)
; CHECK-NEXT: ret bfloat %r
define bfloat @fabs_bf16(bfloat %a) {
  %r = call bfloat @llvm.nvvm.fabs.bf16(bfloat %a)
  ret bfloat %r
}

; CHECK-LABEL: @fabs_f16(
; CHECK-NEXT: %r = call half @llvm.nvvm.fabs.f16(half %a)
; CHECK-NEXT: ret half %r
define half @fabs_f16(half %a) {
  %r = call half @llvm.nvvm.fabs.f16(half %a)
  ret half %r
}

; CHECK-LABEL: @fabs_f32(
; CHECK-NEXT: %r = call float @llvm.nvvm.fabs.f32(float %a)
; CHECK-NEXT: ret float %r
define float @fabs_f32(float %a) {
  %r = call float @llvm.nvvm.fabs.f32(float %a)
  ret float %r
}

; CHECK-LABEL: @fabs_f64(
; CHECK-NEXT: %r = call double @llvm.nvvm.fabs.f64(double %a)
; CHECK-NEXT: ret double %r
define double @fabs_f64(double %a) {
  %r = call double @llvm.nvvm.fabs.f64(double %a)
  ret double %r
}

; CHECK-LABEL: @fabs_v2bf16(
; CHECK-NEXT: %r = call <2 x bfloat> @llvm.nvvm.fabs.v2bf16(<2 x bfloat> %a)
; CHECK-NEXT: ret <2 x bfloat> %r
define <2 x bfloat> @fabs_v2bf16(<2 x bfloat> %a) {
  %r = call <2 x bfloat> @llvm.nvvm.fabs.v2bf16(<2 x bfloat> %a)
  ret <2 x bfloat> %r
}

; CHECK-LABEL: @fabs_v2f16(
; CHECK-NEXT: %r = call <2 x half> @llvm.nvvm.fabs.v2f16(<2 x half> %a)
; CHECK-NEXT: ret <2 x half> %r
define <2 x half> @fabs_v2f16(<2 x half> %a) {
  %r = call <2 x half> @llvm.nvvm.fabs.v2f16(<2 x half> %a)
  ret <2 x half> %r
}

; CHECK-LABEL: @fence_mbarrier_init_release_cluster(
; CHECK-NEXT: call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
; CHECK-NEXT: ret void
define void @fence_mbarrier_init_release_cluster() {
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  ret void
}

; CHECK-LABEL: @fence_proxy_alias(
; CHECK-NEXT: call void @llvm.nvvm.fence.proxy.alias()
; CHECK-NEXT: ret void
define void @fence_proxy_alias() {
  call void @llvm.nvvm.fence.proxy.alias()
  ret void
}

; CHECK-LABEL: @fence_proxy_async(
; CHECK-NEXT: call void @llvm.nvvm.fence.proxy.async()
; CHECK-NEXT: ret void
define void @fence_proxy_async() {
  call void @llvm.nvvm.fence.proxy.async()
  ret void
}

; CHECK-LABEL: @fence_proxy_async_global(
; CHECK-NEXT: call void @llvm.nvvm.fence.proxy.async.global()
; CHECK-NEXT: ret void
define void @fence_proxy_async_global() {
  call void @llvm.nvvm.fence.proxy.async.global()
  ret void
}

; CHECK-LABEL: @fence_proxy_async_shared_cta(
; CHECK-NEXT: call void @llvm.nvvm.fence.proxy.async.shared_cta()
; CHECK-NEXT: ret void
define void @fence_proxy_async_shared_cta() {
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  ret void
}

; CHECK-LABEL: @fence_proxy_async_shared_cluster(
; CHECK-NEXT: call void @llvm.nvvm.fence.proxy.async.shared_cluster()
; CHECK-NEXT: ret void
define void @fence_proxy_async_shared_cluster() {
  call void @llvm.nvvm.fence.proxy.async.shared_cluster()
  ret void
}

; CHECK-LABEL: @ff_to_e4m3x2_rn(
; CHECK-NEXT: %r = call i16 @llvm.nvvm.ff.to.e4m3x2.rn(float %a, float %b)
; CHECK-NEXT: ret i16 %r
define i16 @ff_to_e4m3x2_rn(float %a, float %b) {
  %r = call i16 @llvm.nvvm.ff.to.e4m3x2.rn(float %a, float %b)
  ret i16 %r
}

; CHECK-LABEL: @ff_to_e5m2x2_rn(
; CHECK-NEXT: %r = call i16 @llvm.nvvm.ff.to.e5m2x2.rn(float %a, float %b)
; CHECK-NEXT: ret i16 %r
define i16 @ff_to_e5m2x2_rn(float %a, float %b) {
  %r = call i16 @llvm.nvvm.ff.to.e5m2x2.rn(float %a, float %b)
  ret i16 %r
}

; CHECK-LABEL: @fshl_clamp_i32(
; CHECK-NEXT: %r = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: ret i32 %r
define i32 @fshl_clamp_i32(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: @fshr_clamp_i32(
; CHECK-NEXT: %r = call i32 @llvm.nvvm.fshr.clamp.i32(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: ret i32 %r
define i32 @fshr_clamp_i32(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.nvvm.fshr.clamp.i32(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: @griddepcontrol_launch_dependents(
; CHECK-NEXT: call void @llvm.nvvm.griddepcontrol.launch.dependents()
; CHECK-NEXT: ret void
define void @griddepcontrol_launch_dependents() {
  call void @llvm.nvvm.griddepcontrol.launch.dependents()
  ret void
}

; CHECK-LABEL: @griddepcontrol_wait(
; CHECK-NEXT: call void @llvm.nvvm.griddepcontrol.wait()
; CHECK-NEXT: ret void
define void @griddepcontrol_wait() {
  call void @llvm.nvvm.griddepcontrol.wait()
  ret void
}

; CHECK-LABEL: @idp4a_s_s(
; CHECK-NEXT: %r = call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: ret i32 %r
define i32 @idp4a_s_s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.nvvm.idp4a.s.s(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: @idp4a_s_u(
; CHECK-NEXT: %r = call i32 @llvm.nvvm.idp4a.s.u(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: ret i32 %r
define i32 @idp4a_s_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.nvvm.idp4a.s.u(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: @idp4a_u_s(
; CHECK-NEXT: %r = call i32 @llvm.nvvm.idp4a.u.s(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: ret i32 %r
define i32 @idp4a_u_s(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.nvvm.idp4a.u.s(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: @idp4a_u_u(
; CHECK-NEXT: %r = call i32 @llvm.nvvm.idp4a.u.u(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: ret i32 %r
define i32 @idp4a_u_u(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.nvvm.idp4a.u.u(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: @prefetch_L1(
; CHECK-NEXT: call void @llvm.nvvm.prefetch.L1(ptr %a)
; CHECK-NEXT: ret void
define void @prefetch_L1(ptr %a) {
  call void @llvm.nvvm.prefetch.L1(ptr %a)
  ret void
}

; CHECK-LABEL: @prefetch_L2(
; CHECK-NEXT: call void @llvm.nvvm.prefetch.L2(ptr %a)
; CHECK-NEXT: ret void
define void @prefetch_L2(ptr %a) {
  call void @llvm.nvvm.prefetch.L2(ptr %a)
  ret void
}

; CHECK-LABEL: @prefetch_global_L1(
; CHECK-NEXT: call void @llvm.nvvm.prefetch.global.L1(ptr addrspace(1) %a)
; CHECK-NEXT: ret void
define void @prefetch_global_L1(ptr addrspace(1) %a) {
  call void @llvm.nvvm.prefetch.global.L1(ptr addrspace(1) %a)
  ret void
}

; CHECK-LABEL: @prefetch_global_L2(
; CHECK-NEXT: call void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1) %a)
; CHECK-NEXT: ret void
define void @prefetch_global_L2(ptr addrspace(1) %a) {
  call void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1) %a)
  ret void
}

; CHECK-LABEL: @redux_sync_fmax(
; CHECK-NEXT: %r = call float @llvm.nvvm.redux.sync.fmax(float %a, i32 %b)
; CHECK-NEXT: ret float %r
define float @redux_sync_fmax(float %a, i32 %b) {
  %r = call float @llvm.nvvm.redux.sync.fmax(float %a, i32 %b)
  ret float %r
}

; CHECK-LABEL: @redux_sync_fmin(
; CHECK-NEXT: %r = call float @llvm.nvvm.redux.sync.fmin(float %a, i32 %b)
; CHECK-NEXT: ret float %r
define float @redux_sync_fmin(float %a, i32 %b) {
  %r = call float @llvm.nvvm.redux.sync.fmin(float %a, i32 %b)
  ret float %r
}

; CHECK-LABEL: @wgmma_commit_group_sync_aligned(
; CHECK-NEXT: call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
; CHECK-NEXT: ret void
define void @wgmma_commit_group_sync_aligned() {
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  ret void
}

; CHECK-LABEL: @wgmma_fence_sync_aligned(
; CHECK-NEXT: call void @llvm.nvvm.wgmma.fence.sync.aligned()
; CHECK-NEXT: ret void
define void @wgmma_fence_sync_aligned() {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.count(i32, i32)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare float @llvm.nvvm.div.full(float, float)
declare float @llvm.nvvm.div.full.ftz(float, float)
declare <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16)
declare <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare i16 @llvm.nvvm.f16x2.to.e4m3x2.rn(<2 x half>)
declare i16 @llvm.nvvm.f16x2.to.e5m2x2.rn(<2 x half>)
declare half @llvm.nvvm.fabs.ftz.f16(half)
declare float @llvm.nvvm.fabs.ftz.f32(float)
declare <2 x half> @llvm.nvvm.fabs.ftz.v2f16(<2 x half>)
declare bfloat @llvm.nvvm.fabs.bf16(bfloat)
declare half @llvm.nvvm.fabs.f16(half)
declare float @llvm.nvvm.fabs.f32(float)
declare double @llvm.nvvm.fabs.f64(double)
declare <2 x bfloat> @llvm.nvvm.fabs.v2bf16(<2 x bfloat>)
declare <2 x half> @llvm.nvvm.fabs.v2f16(<2 x half>)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.fence.proxy.alias()
declare void @llvm.nvvm.fence.proxy.async()
declare void @llvm.nvvm.fence.proxy.async.global()
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.fence.proxy.async.shared_cluster()
declare i16 @llvm.nvvm.ff.to.e4m3x2.rn(float, float)
declare i16 @llvm.nvvm.ff.to.e5m2x2.rn(float, float)
declare i32 @llvm.nvvm.fshl.clamp.i32(i32, i32, i32)
declare i32 @llvm.nvvm.fshr.clamp.i32(i32, i32, i32)
declare void @llvm.nvvm.griddepcontrol.launch.dependents()
declare void @llvm.nvvm.griddepcontrol.wait()
declare i32 @llvm.nvvm.idp4a.s.s(i32, i32, i32)
declare i32 @llvm.nvvm.idp4a.s.u(i32, i32, i32)
declare i32 @llvm.nvvm.idp4a.u.s(i32, i32, i32)
declare i32 @llvm.nvvm.idp4a.u.u(i32, i32, i32)
declare void @llvm.nvvm.prefetch.L1(ptr)
declare void @llvm.nvvm.prefetch.L2(ptr)
declare void @llvm.nvvm.prefetch.global.L1(ptr addrspace(1))
declare void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1))
declare float @llvm.nvvm.redux.sync.fmax(float, i32)
declare float @llvm.nvvm.redux.sync.fmin(float, i32)
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
