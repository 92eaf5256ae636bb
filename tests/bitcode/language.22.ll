; ModuleID = 'language.22.bc'
source_filename = "language.ll"

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(sourceLanguageName: DW_LNAME_Metal, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "a", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
