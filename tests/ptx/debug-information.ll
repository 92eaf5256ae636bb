; Full debug information: labels around functions, lines, files, and entries of units, functions, variables and types.
; RUN: ptxscope compile %s -mcpu=sm_75 -O0 -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_75 -o - | filecheck %s --check-prefix=OPT
; RUN: ptxscope compile %s -mcpu=sm_75 -O0 -dwarf-directory -o - | filecheck %s --check-prefix=DIR

; DIR: .file 1 "/src" "k.c"
; OPT: .target sm_75, debug

; CHECK:      .target sm_75, debug
; CHECK:      .visible .entry k(
; CHECK:        .local .align 8 .b8 __local_depot0[
; CHECK:        .loc 1 7 0 // k.c:7:0
; CHECK-NEXT: $L__func_begin0:
; CHECK-NEXT:   .loc 1 7 0 // k.c:7:0
; CHECK:        .loc 1 8 3 // k.c:8:3
; CHECK:        .loc 2 3 5 // inc/h.h:3:5 @[ k.c:9:7 ]
; CHECK:      $L__func_end0:
; CHECK-NEXT: // -- End function
; CHECK:      .func plain(
; CHECK:      $L__func_begin1:
; CHECK-NOT:  .loc
; CHECK:      $L__func_end1:
; CHECK:      .file 1 "/src/k.c"
; CHECK-NEXT: .file 2 "/src/inc/h.h"
; CHECK-NEXT: .section .debug_abbrev
; CHECK:      .section .debug_info
; CHECK:      DW_TAG_compile_unit
; CHECK:      .b8 12 // DW_AT_language
; CHECK-NOT:  DW_AT_low_pc
; CHECK:      DW_TAG_variable
; CHECK-NEXT: .b8 103 // DW_AT_name
; CHECK:      .b8 8 // DW_AT_address_class
; CHECK-NEXT: .b8 9 // DW_AT_location
; CHECK-NEXT: .b8 3
; CHECK-NEXT: .b64 g
; CHECK:      Abbrev {{.*}} DW_TAG_structure_type
; CHECK:      .b8 16 // DW_AT_byte_size
; CHECK:      DW_TAG_member
; CHECK:      .b8 4 // DW_AT_byte_size
; CHECK-NEXT: .b8 5 // DW_AT_bit_size
; CHECK-NEXT: .b8 24 // DW_AT_bit_offset
; CHECK-NEXT: .b8 2 // DW_AT_data_member_location
; CHECK-NEXT: .b8 35
; CHECK-NEXT: .b8 8
; CHECK:      DW_TAG_array_type
; CHECK:      DW_TAG_subrange_type
; CHECK:      .b8 4 // DW_AT_count
; CHECK:      .b8 1 // DW_AT_inline
; CHECK:      DW_TAG_subprogram
; CHECK-NEXT: .b64 $L__func_begin0 // DW_AT_low_pc
; CHECK-NEXT: .b64 $L__func_end0 // DW_AT_high_pc
; CHECK-NEXT: .b8 1 // DW_AT_frame_base
; CHECK-NEXT: .b8 156
; CHECK:      Abbrev {{.*}} DW_TAG_formal_parameter
; CHECK-NEXT: .b8 6 // DW_AT_address_class
; CHECK-NEXT: .b8 9 // DW_AT_location
; CHECK-NEXT: .b8 3
; CHECK-NEXT: .b64 __local_depot0
; CHECK-NEXT: .b8 112 // DW_AT_name
; CHECK:      DW_TAG_variable
; CHECK:      .b8 11 // DW_AT_location
; CHECK-NEXT: .b8 3
; CHECK-NEXT: .b64 __local_depot0
; CHECK-NEXT: .b8 35
; CHECK-NEXT: .b8 8
; CHECK:      DW_TAG_enumeration_type
; CHECK:      .b8 125 // DW_AT_const_value
; CHECK:      .section .debug_macinfo { }
; CHECK-NOT:  {{.}}

; OPT:      Abbrev {{.*}} DW_TAG_formal_parameter
; OPT-NEXT: .b8 112 // DW_AT_name
; OPT-NOT:  .debug_loc

target triple = "nvptx64-nvidia-cuda"

@g = addrspace(3) global i32 undef, align 4, !dbg !20

define ptx_kernel void @k(ptr %p) !dbg !5 {
  %p.addr = alloca ptr, align 8
  %x = alloca i32, align 4
  store ptr %p, ptr %p.addr, align 8
    #dbg_declare(ptr %p.addr, !10, !DIExpression(), !9)
    #dbg_declare(ptr %x, !11, !DIExpression(), !9)
  store volatile i32 1, ptr %x, align 4, !dbg !8
  store volatile i32 2, ptr %x, align 4, !dbg !12
  ret void, !dbg !8
}

define internal void @plain(ptr %p) {
  store i32 1, ptr %p
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "p", emissionKind: FullDebug, globals: !22, nameTableKind: None)
!1 = !DIFile(filename: "k.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 2}
!4 = !DISubroutineType(types: !6)
!5 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 6, type: !4, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !23)
!6 = !{null, !7}
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !14, size: 64)
!8 = !DILocation(line: 8, column: 3, scope: !5)
!9 = !DILocation(line: 7, column: 1, scope: !5)
!10 = !DILocalVariable(name: "p", arg: 1, scope: !5, file: !1, line: 6, type: !7)
!11 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 7, type: !25)
!12 = !DILocation(line: 3, column: 5, scope: !26, inlinedAt: !13)
!13 = distinct !DILocation(line: 9, column: 7, scope: !5)
!14 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!15 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !1, line: 1, size: 128, elements: !16)
!16 = !{!17, !18}
!17 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !15, file: !1, line: 2, baseType: !14, size: 5, offset: 67, flags: DIFlagBitField, extraData: i64 64)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !15, file: !1, line: 3, baseType: !19, size: 128)
!19 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 128, elements: !28)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!21 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !1, line: 4, type: !15, isLocal: false, isDefinition: true)
!22 = !{!20}
!23 = !{!10, !11}
!24 = !{!27}
!25 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !1, line: 5, baseType: !14, size: 32, elements: !24)
!26 = distinct !DISubprogram(name: "inlined", scope: !30, file: !30, line: 2, type: !4, scopeLine: 2, spFlags: DISPFlagDefinition, unit: !0)
!27 = !DIEnumerator(name: "LOW", value: -3)
!28 = !{!29}
!29 = !DISubrange(count: 4)
!30 = !DIFile(filename: "inc/h.h", directory: "/src")
