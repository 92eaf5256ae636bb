; What clang 14 and older wrote: typed pointers, memory attributes, intrinsics since renamed.
target datalayout = "e-i64:64-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.node = type { i32, %struct.node*, void (i32)* }

@table = internal addrspace(4) constant [2 x i32] [i32 1, i32 2], align 4
@where = global i32* addrspacecast (i32 addrspace(4)* getelementptr inbounds ([2 x i32], [2 x i32] addrspace(4)* @table, i64 0, i64 1) to i32*)
@text = private unnamed_addr constant [3 x i8] c"ab\00"

declare void @llvm.memcpy.p0i8.p1i8.i64(i8*, i8 addrspace(1)*, i64, i32, i1)
declare void @llvm.memset.p0i8.i32(i8*, i8, i32, i32, i1)
declare i32 @llvm.ctlz.i32(i32)
declare i64 @llvm.objectsize.i64.p0i8(i8*, i1)

; memcpy with its alignment behind the length (LLVM 6), ctlz and objectsize with fewer flags
define i32 @fewer_parameters(i8* %p, i8 addrspace(1)* %q, i32 %x) {
  call void @llvm.memcpy.p0i8.p1i8.i64(i8* %p, i8 addrspace(1)* %q, i64 16, i32 8, i1 false)
  call void @llvm.memset.p0i8.i32(i8* %p, i8 0, i32 16, i32 4, i1 true)
  %r = call i32 @llvm.ctlz.i32(i32 %x)
  %s = call i64 @llvm.objectsize.i64.p0i8(i8* %p, i1 true)
  ret i32 %r
}

define void @kernel(float* nocapture readonly %in, i8 addrspace(1)* %out, %struct.node* byval(%struct.node) align 8 %n) #0 {
entry:
  %at = getelementptr inbounds float, float* %in, i64 4
  %v = load float, float* %at, align 4
  %raw = bitcast float* %in to i8*
  %cast = bitcast i8 addrspace(1)* %out to i32 addrspace(1)*
  %i = call i32 @llvm.nvvm.max.i(i32 1, i32 2)
  %c = call i32 @llvm.nvvm.clz.i(i32 %i)
  %p = call i32 @llvm.nvvm.popc.ll(i64 7)
  %b = call i32 @llvm.nvvm.brev32(i32 %p)
  %a = call i32 @llvm.nvvm.abs.i(i32 %b)
  %h = call float @llvm.nvvm.h2f(i16 15360)
  %f = call float @llvm.nvvm.atomic.load.add.f32.p0f32(float* %in, float %h)
  store i32 %a, i32 addrspace(1)* %cast, align 4
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %raw, i8* align 4 getelementptr inbounds ([3 x i8], [3 x i8]* @text, i64 0, i64 0), i64 3, i1 false)
  %fn.at = getelementptr inbounds %struct.node, %struct.node* %n, i32 0, i32 2
  %fn = load void (i32)*, void (i32)** %fn.at, align 8
  call void %fn(i32 %a)
  call void @llvm.dbg.value(metadata i32 %a, metadata !5, metadata !DIExpression()), !dbg !6
  ret void
}

declare i32 @llvm.nvvm.max.i(i32, i32)
declare i32 @llvm.nvvm.clz.i(i32)
declare i32 @llvm.nvvm.popc.ll(i64)
declare i32 @llvm.nvvm.brev32(i32)
declare i32 @llvm.nvvm.abs.i(i32)
declare float @llvm.nvvm.h2f(i16)
declare float @llvm.nvvm.atomic.load.add.f32.p0f32(float*, float)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* nocapture writeonly, i8* nocapture readonly, i64, i1) #1
declare void @llvm.dbg.value(metadata, metadata, metadata)

attributes #0 = { nounwind argmemonly readonly }
attributes #1 = { argmemonly nounwind }

!nvvm.annotations = !{!0}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!7}

!0 = !{void (float*, i8 addrspace(1)*, %struct.node*)* @kernel, !"kernel", i32 1}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/")
!3 = distinct !DISubprogram(name: "kernel", scope: !2, file: !2, unit: !1, type: !4)
!4 = !DISubroutineType(types: !{})
!5 = !DILocalVariable(name: "a", scope: !3, file: !2, line: 2)
!6 = !DILocation(line: 3, scope: !3)
!7 = !{i32 2, !"Debug Info Version", i32 3}

; Constant expressions that became instructions.
@e1 = global i32 zext (i8 200 to i32)
@e2 = global i32 select (i1 icmp slt (i8 -1, i8 0), i32 udiv (i32 7, i32 2), i32 9)
@e3 = global i8 ashr (i8 -128, i8 3)
@e4 = global i64 sext (i32 xor (i32 -1, i32 255) to i64)
@e5 = global ptr inttoptr (i64 0 to ptr)
