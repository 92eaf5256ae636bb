; Every attribute at every place that takes it, in every spelling.
%o = type opaque

declare void @f0(i32, ptr) align(8)
declare void @f1(ptr align(8) %x)
declare align(8) ptr @f2()
declare void @f3(i32, ptr) align 8
declare void @f4(ptr align 8 %x)
declare align 8 ptr @f5()
declare void @f6(i32, ptr) alignstack(8)
declare void @f7(i32 alignstack(8))
declare void @f8(ptr alignstack(8) %x)
declare void @f9(<2 x float> alignstack(8) %x)
declare void @f10(i32 allocalign)
declare void @f11(i32, ptr) allockind("alloc,zeroed")
declare void @f12(i32, ptr) allockind("alloc")
declare void @f13(i32, ptr) allockind("realloc,aligned")
declare void @f14(ptr allocptr %x)
declare void @f15(i32, ptr) allocsize(0)
declare void @f16(i32, ptr) alwaysinline
declare void @f17(ptr byref(i32) %x)
declare void @f18(ptr byref({i32, ptr}) %x)
declare void @f19(ptr byval(i32) %x)
declare void @f20(ptr byval({i32, ptr}) %x)
declare void @f21(i32, ptr) cold
declare void @f22(i32, ptr) convergent
declare void @f23(i32, ptr) coro_only_destroy_when_complete
declare void @f24(ptr dead_on_unwind %x)
declare void @f25(ptr dereferenceable(8) %x)
declare dereferenceable(8) ptr @f26()
declare void @f27(ptr dereferenceable_or_null(8) %x)
declare dereferenceable_or_null(8) ptr @f28()
declare void @f29(i32, ptr) fn_ret_thunk_extern
declare void @f30(i32, ptr) hot
declare void @f31(i32, ptr) hybrid_patchable
declare void @f32(ptr inalloca(i32) %x)
declare void @f33(ptr inalloca({i32, ptr}) %x)
declare void @f34(ptr initializes((0, 4)) %x)
declare void @f35(ptr initializes((0, 4), (8, 12)) %x)
declare void @f36(ptr initializes((-4, 4)) %x)
declare void @f37(i32, ptr) inlinehint
declare void @f38(i32 inreg)
declare void @f39(ptr inreg %x)
declare inreg i32 @f40()
declare void @f41(i32, ptr) memory(none)
declare void @f42(i32, ptr) memory(read)
declare void @f43(i32, ptr) memory(write)
declare void @f44(i32, ptr) memory(readwrite)
declare void @f45(i32, ptr) memory(argmem: read)
declare void @f46(i32, ptr) memory(none, argmem: read)
declare void @f47(i32, ptr) memory(read, argmem: none)
declare void @f48(i32, ptr) memory(argmem: read, inaccessiblemem: write)
declare void @f49(i32, ptr) memory(readwrite, argmem: none)
declare void @f50(i32, ptr) memory(read, write)
declare void @f51(i32, ptr) memory(argmem: read, argmem: write)
declare void @f52(i32, ptr) memory(read, inaccessiblemem: readwrite, argmem: write)
declare void @f53(i32, ptr) minsize
declare void @f54(i32, ptr) mustprogress
declare void @f55(i32, ptr) naked
declare void @f56(ptr nest %x)
declare void @f57(ptr noalias %x)
declare noalias ptr @f58()
declare void @f59(i32, ptr) nobuiltin
declare void @f60(i32, ptr) nocallback
declare void @f61(ptr nocapture %x)
declare void @f62(i32, ptr) nocf_check
declare void @f63(i32, ptr) noduplicate
declare void @f64(<2 x float> nofpclass(nan) %x)
declare nofpclass(nan) float @f65()
declare void @f66(<2 x float> nofpclass(nan inf) %x)
declare nofpclass(nan inf) float @f67()
declare void @f68(<2 x float> nofpclass(all) %x)
declare nofpclass(all) float @f69()
declare void @f70(<2 x float> nofpclass(3) %x)
declare nofpclass(3) float @f71()
declare void @f72(<2 x float> nofpclass(snan qnan ninf nnorm nsub nzero pzero psub pnorm pinf) %x)
declare nofpclass(snan qnan ninf nnorm nsub nzero pzero psub pnorm pinf) float @f73()
declare void @f74(<2 x float> nofpclass(norm) %x)
declare nofpclass(norm) float @f75()
declare void @f76(<2 x float> nofpclass(zero sub) %x)
declare nofpclass(zero sub) float @f77()
declare void @f78(i32, ptr) nofree
declare void @f79(i32 nofree)
declare void @f80(ptr nofree %x)
declare void @f81(i32, ptr) noimplicitfloat
declare void @f82(i32, ptr) noinline
declare void @f83(i32, ptr) nomerge
declare void @f84(i32, ptr) nonlazybind
declare void @f85(ptr nonnull %x)
declare nonnull ptr @f86()
declare void @f87(i32, ptr) noprofile
declare void @f88(i32, ptr) norecurse
declare void @f89(i32, ptr) noredzone
declare void @f90(i32, ptr) noreturn
declare void @f91(i32, ptr) nosanitize_bounds
declare void @f92(i32, ptr) nosanitize_coverage
declare void @f93(i32, ptr) nosync
declare void @f94(i32 noundef)
declare void @f95(ptr noundef %x)
declare noundef i32 @f96()
declare void @f97(i32, ptr) nounwind
declare void @f98(i32, ptr) null_pointer_is_valid
declare void @f99(i32, ptr) optforfuzzing
declare void @f100(i32, ptr) optdebug
declare void @f101(i32, ptr) optsize
declare void @f102(i32, ptr) preallocated(i32)
declare void @f103(ptr preallocated(i32) %x)
declare void @f104(i32, ptr) preallocated({i32, ptr})
declare void @f105(ptr preallocated({i32, ptr}) %x)
declare void @f106(i32, ptr) preallocated(%o)
declare void @f107(i32, ptr) presplitcoroutine
declare void @f108(i32 range(i32 0, 5))
declare range(i32 0, 5) i32 @f109()
declare void @f110(i32 range(i32 -5, 5))
declare range(i32 -5, 5) i32 @f111()
declare void @f112(i32 range(i32 5, -5))
declare range(i32 5, -5) i32 @f113()
declare void @f114(i32, ptr) readnone
declare void @f115(ptr readnone %x)
declare void @f116(i32, ptr) readonly
declare void @f117(ptr readonly %x)
declare void @f118(i32, ptr) returns_twice
declare void @f119(i32, ptr) safestack
declare void @f120(i32, ptr) sanitize_address
declare void @f121(i32, ptr) sanitize_hwaddress
declare void @f122(i32, ptr) sanitize_memory
declare void @f123(i32, ptr) sanitize_memtag
declare void @f124(i32, ptr) sanitize_numerical_stability
declare void @f125(i32, ptr) sanitize_thread
declare void @f126(i32, ptr) shadowcallstack
declare void @f127(i32 signext)
declare signext i32 @f128()
declare void @f129(i32, ptr) skipprofile
declare void @f130(i32, ptr) speculatable
declare void @f131(i32, ptr) speculative_load_hardening
declare void @f132(ptr sret(i32) %x)
declare void @f133(ptr sret({i32, ptr}) %x)
declare void @f134(ptr sret(%o) %x)
declare void @f135(i32, ptr) ssp
declare void @f136(i32, ptr) sspreq
declare void @f137(i32, ptr) sspstrong
declare void @f138(i32, ptr) strictfp
declare void @f139(i32 swiftasync)
declare void @f140(ptr swiftasync %x)
declare void @f141(ptr swifterror %x)
declare void @f142(i32 swiftself)
declare void @f143(ptr swiftself %x)
declare void @f144(i32, ptr) uwtable
declare void @f145(i32, ptr) uwtable(sync)
declare void @f146(i32, ptr) uwtable(async)
declare void @f147(i32, ptr) vscale_range(0)
declare void @f148(i32, ptr) vscale_range(1,4)
declare void @f149(i32, ptr) vscale_range(0,0)
declare void @f150(i32, ptr) vscale_range(8,8)
declare void @f151(i32, ptr) vscale_range(2)
declare void @f152(i32, ptr) willreturn
declare void @f153(ptr writable %x)
declare void @f154(i32, ptr) writeonly
declare void @f155(ptr writeonly %x)
declare void @f156(i32 zeroext)
declare zeroext i32 @f157()
declare void @f158(i32, ptr) inaccessiblememonly
declare void @f159(i32, ptr) inaccessiblemem_or_argmemonly
declare void @f160(i32, ptr) argmemonly
declare void @f161(i32, ptr) vscale_range(8)
