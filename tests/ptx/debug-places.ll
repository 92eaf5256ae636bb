; Places of arguments in memory, and addresses that types name.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -O0 -o - | filecheck %s

; A kernel reads the struct from its parameter: no register has the address.
; CHECK-LABEL: .visible .entry k(
; CHECK:       ld.param.b32 {{%r[0-9]+}}, [k_param_1+4];
; An argument that is an address holds the variable.
; CHECK-LABEL: f(
; CHECK:       //DEBUG_VALUE: f:s <- {{\[}}[[P:%rd[0-9]+]]+0]
; CHECK:       ld.b32 {{%r[0-9]+}}, {{\[}}[[P]]
; In which memory the address of an address lies nobody says.
; CHECK-LABEL: g(
; CHECK-NOT:   DEBUG_VALUE

; The value of a template's parameter is an address.
; CHECK:       .section .debug_info
; CHECK:       Abbrev [{{[0-9]+}}] {{.*}} DW_TAG_template_value_parameter
; CHECK:       DW_AT_location
; CHECK-NEXT:  .b8 3
; CHECK-NEXT:  .b64 gg
; CHECK-NEXT:  .b8 159
; CHECK:       Abbrev [{{[0-9]+}}] {{.*}} DW_TAG_formal_parameter
; CHECK:       .b8 7 // DW_AT_address_class
; CHECK-NEXT:  .b8 9 // DW_AT_location
; CHECK-NEXT:  .b8 3
; CHECK-NEXT:  .b64 k_param_1

target triple = "nvptx64-nvidia-cuda"
%S = type { i32, i32 }
@gg = addrspace(1) global i32 0

define ptx_kernel void @k(ptr %o, ptr byval(%S) %s) !dbg !10 {
    #dbg_declare(ptr %s, !11, !DIExpression(), !12)
  %p = getelementptr i8, ptr %s, i64 4
  %v = load i32, ptr %p, !dbg !12
  store i32 %v, ptr %o, !dbg !12
  ret void, !dbg !12
}
define i32 @f(ptr %s) !dbg !20 {
    #dbg_declare(ptr %s, !21, !DIExpression(), !22)
  %v = load i32, ptr %s, !dbg !22
  ret i32 %v, !dbg !22
}
define i32 @g(ptr %s) !dbg !30 {
    #dbg_declare(ptr %s, !31, !DIExpression(DW_OP_deref), !32)
  %v = load i32, ptr %s, !dbg !32
  ret i32 %v, !dbg !32
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !7, nameTableKind: None)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !DICompositeType(tag: DW_TAG_structure_type, name: "S<&gg>", file: !1, line: 1, size: 64, elements: !{}, templateParams: !6)
!6 = !{!DITemplateValueParameter(name: "P", type: !8, value: ptr addrspace(1) @gg)}
!7 = !{!5}
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!10 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocalVariable(name: "s", arg: 2, scope: !10, file: !1, line: 1, type: !5)
!12 = !DILocation(line: 1, scope: !10)
!20 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 2, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!21 = !DILocalVariable(name: "s", arg: 1, scope: !20, file: !1, line: 2, type: !5)
!22 = !DILocation(line: 2, scope: !20)
!30 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 3, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!31 = !DILocalVariable(name: "s", arg: 1, scope: !30, file: !1, line: 3, type: !5)
!32 = !DILocation(line: 3, scope: !30)
