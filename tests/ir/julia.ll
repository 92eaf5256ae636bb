; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p:64:64:64-p3:32:32:32-p4:32:32:32-p5:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64-a:8:8"
target triple = "nvptx64-nvidia-cuda"

@exception4 = private unnamed_addr constant [10 x i8] c"exception\00"
@shmem = internal addrspace(3) global [32 x float] zeroinitializer, align 32
@0 = internal unnamed_addr constant [27 x i8] c"ERROR: a %s was thrown %d\0A\00"
@.str.1 = private unnamed_addr addrspace(1) constant [3 x i8] c"ab\00"

;  @ boot.jl:644 within `throw_boundserror`
; Function Attrs: noinline noreturn
define internal fastcc void @julia__throw_boundserror_2713({ i64, i32 } %state) unnamed_addr #0 !dbg !10 {
top:
  %state.i.fca.0.extract.i = extractvalue { i64, i32 } %state, 0, !dbg !13
  %0 = inttoptr i64 %state.i.fca.0.extract.i to ptr, !dbg !13
  store i32 1, ptr %0, align 4, !dbg !13
  call void @llvm.nvvm.membar.sys(), !dbg !13
  call void asm sideeffect "exit;", ""(), !dbg !13
  unreachable, !dbg !13
}

;  @ REPL[2]:1 within `kernel`
define ptx_kernel void @_Z6kernel13CuDeviceArrayI7Float32Li1ELi1EE({ i64, i32 } %state, { ptr addrspace(1), i64, [1 x i64], i64 } %0) local_unnamed_addr #1 !dbg !14 {
conversion:
  %.fca.0.extract = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %0, 0
  %.fca.2.0.extract = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %0, 2, 0
; ┌ @ /home/u/.julia/packages/CUDA/src/device/intrinsics/indexing.jl:32 within `threadIdx_x`
   %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15, !range !16
; └
  %2 = add nuw nsw i32 %1, 1, !dbg !15
  %3 = zext i32 %2 to i64, !dbg !15
  %.not = icmp ult i64 %.fca.2.0.extract, %3, !dbg !15
  br i1 %.not, label %L20, label %L22, !dbg !15

L20:                                              ; preds = %conversion
  call fastcc void @julia__throw_boundserror_2713({ i64, i32 } %state) #2, !dbg !15
  unreachable, !dbg !15

L22:                                              ; preds = %conversion
  %4 = zext i32 %1 to i64, !dbg !15
  %5 = getelementptr inbounds float, ptr addrspace(1) %.fca.0.extract, i64 %4, !dbg !15
  %6 = load float, ptr addrspace(1) %5, align 4, !dbg !15, !tbaa !17
  %7 = call float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1) %5, i32 4)
  %8 = fadd contract float %6, %7
  %9 = call fast float @__nv_fast_sinf(float %8)
  %10 = getelementptr inbounds [32 x float], ptr addrspace(3) @shmem, i64 0, i64 %4
  store float %9, ptr addrspace(3) %10, align 4, !tbaa !17
  call void @llvm.nvvm.barrier0()
  %11 = call i32 @__nvvm_reflect(ptr @exception4)
  %12 = call i32 @vprintf(ptr @0, ptr null)
  store float %9, ptr addrspace(1) %5, align 4, !dbg !15, !tbaa !17
  ret void, !dbg !15
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3
declare void @llvm.nvvm.membar.sys()
declare void @llvm.nvvm.barrier0()
declare float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1) nocapture, i32 immarg)
declare i32 @__nvvm_reflect(ptr)
declare i32 @vprintf(ptr, ptr)

define internal float @__nv_fast_sinf(float %a) {
  %1 = call float @llvm.nvvm.sin.approx.ftz.f(float %a)
  ret float %1
}
declare float @llvm.nvvm.sin.approx.ftz.f(float)

attributes #0 = { noinline noreturn "probe-stack"="inline-asm" }
attributes #1 = { "probe-stack"="inline-asm" "julia.fsig"="kernel(CuDeviceVector{Float32, 1})" }
attributes #2 = { noreturn }
attributes #3 = { nocallback nofree nosync nounwind readnone speculatable willreturn }

!llvm.module.flags = !{!0, !1, !2}
!llvm.dbg.cu = !{!3}
!julia.kernel = !{!6}
!nvvm.annotations = !{!7}

!0 = !{i32 2, !"Dwarf Version", i32 2}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 1, !"stack-protector-guard", !"global"}
!3 = distinct !DICompileUnit(language: DW_LANG_Julia, file: !4, producer: "julia", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, nameTableKind: None)
!4 = !DIFile(filename: "julia", directory: ".")
!6 = !{ptr @_Z6kernel13CuDeviceArrayI7Float32Li1ELi1EE}
!7 = !{ptr @_Z6kernel13CuDeviceArrayI7Float32Li1ELi1EE, !"kernel", i32 1}
!10 = distinct !DISubprogram(name: "#throw_boundserror", linkageName: "julia_#throw_boundserror_2713", scope: null, file: !11, line: 21, type: !12, scopeLine: 21, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !3, retainedNodes: !18)
!11 = !DIFile(filename: "quirks.jl", directory: ".")
!12 = !DISubroutineType(types: !18)
!13 = !DILocation(line: 22, scope: !10)
!14 = distinct !DISubprogram(name: "kernel", linkageName: "julia_kernel_1", scope: null, file: !11, line: 1, type: !12, scopeLine: 1, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !3, retainedNodes: !18)
!15 = !DILocation(line: 2, scope: !14)
!16 = !{i32 0, i32 1023}
!17 = !{!19, !19, i64 0, i64 0}
!18 = !{}
!19 = !{!"custom_tbaa_addrspace(1)", !20, i64 0}
!20 = !{!"custom_tbaa"}
