; NVVM IR 2.0 (the dialect of LLVM 7)
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.S = type { i32, float, %struct.S* }
@shm = internal addrspace(3) global [128 x i32] undef, align 4
@dyn = external addrspace(3) global [0 x i8], align 16
@con = addrspace(4) constant [2 x float] [float 1.000000e+00, float 2.000000e+00], align 4
@tex = internal addrspace(1) global i64 0, align 8
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i32 addrspace(1)*, %struct.S*, float)* @kernel to i8*)], section "llvm.metadata"

define internal fastcc i32 @helper(i32* nocapture readonly %p, i32 %n) #0 {
entry:
  %0 = bitcast i32* %p to i8*
  %1 = call i8 addrspace(1)* @llvm.nvvm.ptr.gen.to.global.p1i8.p0i8(i8* %0)
  %2 = bitcast i8 addrspace(1)* %1 to i32 addrspace(1)*
  %3 = call i32 @llvm.nvvm.ldg.global.i.i32.p1i32(i32 addrspace(1)* %2, i32 4)
  %4 = call i32 @llvm.nvvm.max.i(i32 %3, i32 %n)
  %5 = call i32 @llvm.nvvm.clz.i(i32 %4)
  %6 = call i32 @llvm.nvvm.popc.i(i32 %5)
  %7 = call float @llvm.nvvm.h2f(i16 15360)
  %8 = fptosi float %7 to i32
  %9 = add i32 %6, %8
  ret i32 %9
}

define void @kernel(i32 addrspace(1)* %out, %struct.S* byval(%struct.S) %s, float %f) #1 !dbg !6 {
entry:
  %x = alloca i32, align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2, !range !12
  call void @llvm.dbg.value(metadata i32 %t, i64 0, metadata !10, metadata !DIExpression()), !dbg !11
  call void @llvm.dbg.declare(metadata i32* %x, metadata !10, metadata !DIExpression()), !dbg !11
  %g = getelementptr inbounds [128 x i32], [128 x i32] addrspace(3)* @shm, i32 0, i32 %t
  store i32 %t, i32 addrspace(3)* %g, align 4
  call void @llvm.nvvm.barrier0()
  %l = load i32, i32 addrspace(3)* %g, align 4
  %a = getelementptr inbounds %struct.S, %struct.S* %s, i32 0, i32 0
  %v = load i32, i32* %a, align 8
  %old = call float @llvm.nvvm.atomic.load.add.f32.p1f32(float addrspace(1)* bitcast (i32 addrspace(1)* null to float addrspace(1)*), float %f)
  %h = call i64 @llvm.nvvm.texsurf.handle.internal.p1i64(i64 addrspace(1)* @tex)
  %tx = call { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.s32(i64 %h, i32 %t, i32 %l)
  %tf = extractvalue { float, float, float, float } %tx, 0
  %ti = fptosi float %tf to i32
  %c0 = load float, float addrspace(4)* getelementptr inbounds ([2 x float], [2 x float] addrspace(4)* @con, i64 0, i64 1), align 4
  %ci = fptoui float %c0 to i32
  %gen = addrspacecast i32 addrspace(3)* %g to i32*
  %r = call fastcc i32 @helper(i32* %gen, i32 %v)
  %m = call i32 @llvm.nvvm.mul24.i(i32 %r, i32 %ci)
  %sh = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %m, i32 1, i32 31)
  %s0 = extractvalue { i32, i1 } %sh, 0
  %vt = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %s0)
  %vs = call { i32, i1 } @llvm.nvvm.vote.sync(i32 -1, i32 3, i1 true)
  %bl = extractvalue { i32, i1 } %vs, 0
  %sum = add i32 %bl, %ti
  %sum2 = add i32 %sum, %s0
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* null, i8* null, i64 0, i32 1, i1 false)
  call void @llvm.nvvm.membar.gl()
  store i32 %sum2, i32 addrspace(1)* %out, align 4
  ret void, !dbg !11
}

declare i8 addrspace(1)* @llvm.nvvm.ptr.gen.to.global.p1i8.p0i8(i8*)
declare i32 @llvm.nvvm.ldg.global.i.i32.p1i32(i32 addrspace(1)* nocapture, i32)
declare i32 @llvm.nvvm.max.i(i32, i32)
declare i32 @llvm.nvvm.clz.i(i32)
declare i32 @llvm.nvvm.popc.i(i32)
declare float @llvm.nvvm.h2f(i16)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.dbg.value(metadata, i64, metadata, metadata)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.nvvm.barrier0()
declare float @llvm.nvvm.atomic.load.add.f32.p1f32(float addrspace(1)* nocapture, float)
declare i64 @llvm.nvvm.texsurf.handle.internal.p1i64(i64 addrspace(1)*)
declare { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.s32(i64, i32, i32)
declare i32 @llvm.nvvm.mul24.i(i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare { i32, i1 } @llvm.nvvm.vote.sync(i32, i32, i1)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* nocapture, i8* nocapture readonly, i64, i32, i1)
declare void @llvm.nvvm.membar.gl()

attributes #0 = { argmemonly nounwind readonly }
attributes #1 = { convergent nounwind "less-precise-fpmad"="false" "no-frame-pointer-elim"="true" "unsafe-fp-math"="false" }
attributes #2 = { nounwind readnone }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!nvvm.annotations = !{!13, !14, !15}
!nvvmir.version = !{!16}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "lgenfe: EDG 4.14", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2, retainedTypes: !2, globals: !2, imports: !2)
!1 = !DIFile(filename: "k.cu", directory: "/tmp")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!5 = !DIBasicType(name: "int", size: 32, align: 32, encoding: DW_ATE_signed)
!6 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 3, type: !7, isLocal: false, isDefinition: true, scopeLine: 3, flags: DIFlagPrototyped, isOptimized: false, unit: !0, variables: !2)
!7 = !DISubroutineType(types: !8)
!8 = !{null, !5}
!10 = !DILocalVariable(name: "x", arg: 1, scope: !6, file: !1, line: 3, type: !5)
!11 = !DILocation(line: 4, column: 1, scope: !6)
!12 = !{i32 0, i32 1024}
!13 = !{void (i32 addrspace(1)*, %struct.S*, float)* @kernel, !"kernel", i32 1, !"maxntidx", i32 128, !"minctasm", i32 2}
!14 = !{i64 addrspace(1)* @tex, !"texture", i32 1}
!15 = !{void (i32 addrspace(1)*, %struct.S*, float)* @kernel, !"align", i32 8, !"align", i32 131080}
!16 = !{i32 2, i32 0, i32 3, i32 2}
