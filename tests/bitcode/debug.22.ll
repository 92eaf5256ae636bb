source_filename = "debug.ll"

define void @f(i32 %a, ptr %p) !dbg !15 {
    #dbg_value(i32 %a, !14, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_stack_value), !37)
    #dbg_declare(ptr %p, !14, !DIExpression(), !37)
    #dbg_value(!DIArgList(i32 %a, i32 3), !14, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !37)
    #dbg_value(i32 7, !14, !DIExpression(), !37)
    #dbg_value(ptr @f, !14, !DIExpression(), !37)
    #dbg_value(i32 poison, !14, !DIExpression(), !37)
    #dbg_label(!38, !37)
    #dbg_assign(i32 %a, !14, !DIExpression(), !39, ptr %p, !DIExpression(), !37)
  %x = add i32 %a, 1, !dbg !37
    #dbg_value(i32 %x, !14, !DIExpression(), !37)
  call void @llvm.foo(metadata i32 %x, metadata !"str", metadata !40), !dbg !41
    #dbg_value(i32 %y, !14, !DIExpression(), !37)
  %y = add i32 %x, 1, !dbg !37
  ret void, !dbg !43
}

; Unknown intrinsic
declare void @llvm.foo(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!llvm.more = !{!4, !22, !24, !25, !26, !27, !28, !29, !30, !31, !32, !33, !34, !35, !36}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "p", isOptimized: true, flags: "fl", runtimeVersion: 1, splitDebugFilename: "sp", emissionKind: FullDebug, enums: !2, retainedTypes: !2, globals: !2, imports: !2, macros: !2, dwoId: 77, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: GNU, rangesBaseAddress: true, sysroot: "sr", sdk: "sk")
!1 = !DIFile(filename: "a.c", directory: "/x", checksumkind: CSK_MD5, checksum: "000102030405060708090a0b0c0d0e0f", source: "src")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "S", scope: !5, file: !1, line: 10, baseType: !6, size: 64, align: 32, offset: 3, num_extra_inhabitants: 2, flags: DIFlagPublic, elements: !7, runtimeLang: DW_LANG_ObjC, vtableHolder: !6, templateParams: !19, identifier: "_S", annotations: !2, specification: !6, enumKind: DW_APPLE_ENUM_KIND_Open, bitStride: i32 9)
!5 = !DINamespace(name: "N", scope: null, exportSymbols: true)
!6 = !DIBasicType(name: "int", size: 32, align: 32, encoding: DW_ATE_signed, num_extra_inhabitants: 3, flags: DIFlagBigEndian)
!7 = !{!8, !9, !10, !11, !12, !13}
!8 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !4, file: !1, line: 11, baseType: !6, size: 32, align: 8, offset: 32, flags: DIFlagPrivate | DIFlagBitField, extraData: i64 5, annotations: !2)
!9 = !DISubrange(count: 5, lowerBound: -1)
!10 = !DIEnumerator(name: "E", value: -6)
!11 = !DIEnumerator(name: "U", value: 6, isUnsigned: true)
!12 = !DIDerivedType(tag: DW_TAG_LLVM_ptrauth_type, baseType: !6, ptrAuthKey: 2, ptrAuthIsAddressDiscriminated: true, ptrAuthExtraDiscriminator: 1234, ptrAuthIsaPointer: true, ptrAuthAuthenticatesNullValues: true)
!13 = !DIStringType(name: "s", stringLength: !14, stringLengthExpression: !DIExpression(DW_OP_deref), stringLocationExpression: !DIExpression(DW_OP_deref), size: 8, align: 9, encoding: DW_ATE_ASCII)
!14 = !DILocalVariable(name: "v", arg: 2, scope: !15, file: !1, line: 6, type: !6, flags: DIFlagArtificial, align: 32, annotations: !2)
!15 = distinct !DISubprogram(name: "f", linkageName: "_f", scope: !1, file: !1, line: 3, type: !16, scopeLine: 4, containingType: !4, virtualIndex: 9, thisAdjustment: -3, flags: DIFlagVirtual | DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagDefinition | DISPFlagOptimized, unit: !0, templateParams: !2, declaration: !18, retainedNodes: !2, thrownTypes: !2, annotations: !2, targetFuncName: "tgt", keyInstructions: true)
!16 = !DISubroutineType(flags: DIFlagLValueReference, cc: DW_CC_BORLAND_stdcall, types: !17)
!17 = !{null, !6}
!18 = !DISubprogram(name: "f", scope: !4, virtualIndex: 0, spFlags: DISPFlagVirtual)
!19 = !{!20, !21}
!20 = !DITemplateTypeParameter(name: "T", type: !6, defaulted: true)
!21 = !DITemplateValueParameter(tag: DW_TAG_GNU_template_parameter_pack, name: "V", type: !6, defaulted: true, value: i32 3)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression(DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef))
!23 = distinct !DIGlobalVariable(name: "g", linkageName: "_g", scope: !0, file: !1, line: 12, type: !6, isLocal: true, isDefinition: true, declaration: !8, templateParams: !2, align: 16, annotations: !2)
!24 = !DIImportedEntity(tag: DW_TAG_imported_module, name: "I", scope: !0, entity: !5, file: !1, line: 14, elements: !2)
!25 = !DIModule(scope: !0, name: "M", configMacros: "cm", includePath: "ip", apinotes: "an", file: !1, line: 15, isDecl: true)
!26 = !DIMacro(type: DW_MACINFO_define, line: 16, name: "A", value: "B")
!27 = !DIMacroFile(line: 17, file: !1, nodes: !2)
!28 = !DICommonBlock(scope: !0, declaration: !23, name: "C", file: !1, line: 18)
!29 = !DIGenericSubrange(lowerBound: !DIExpression(DW_OP_constu, 1), upperBound: !14, stride: !14)
!30 = !GenericDINode(tag: DW_TAG_entry_point, header: "h", operands: {!6, null})
!31 = !DIObjCProperty(name: "P", file: !1, line: 19, setter: "set", getter: "get", attributes: 6, type: !6)
!32 = !DILexicalBlockFile(scope: !15, file: !1, discriminator: 4)
!33 = !DISubrangeType(name: "ST", scope: !0, file: !1, line: 20, size: 8, align: 16, flags: DIFlagPublic, baseType: !6, lowerBound: i64 1, upperBound: !14, stride: i64 2, bias: i64 3)
!34 = !DIFixedPointType(name: "FP", size: 8, align: 16, encoding: DW_ATE_signed_fixed, flags: DIFlagPublic, kind: Rational, numerator: -3, denominator: -7)
!35 = !DIFixedPointType(name: "FB", size: 8, align: 16, encoding: DW_ATE_signed_fixed, kind: Binary, factor: -4)
!36 = !DISubrange(lowerBound: !14, upperBound: !DIExpression(DW_OP_constu, 1), stride: !14)
!37 = !DILocation(line: 3, column: 5, scope: !15)
!38 = !DILabel(scope: !15, name: "lab", file: !1, line: 7, column: 9, isArtificial: true, coroSuspendIdx: 5)
!39 = distinct !DIAssignID()
!40 = !{!"q"}
!41 = !DILocation(line: 4, column: 6, scope: !42, inlinedAt: !37, isImplicitCode: true)
!42 = distinct !DILexicalBlock(scope: !15, file: !1, line: 9, column: 8)
!43 = !DILocation(line: 5, column: 1, scope: !42, atomGroup: 3, atomRank: 2)
