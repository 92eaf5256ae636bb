source_filename = "attributes.ll"

; Function Attrs: memory(none)
declare void @f1() #0

; Function Attrs: memory(read)
declare void @f2() #1

; Function Attrs: memory(argmem: read)
declare void @f3() #2

; Function Attrs: memory(inaccessiblemem: write)
declare void @f4() #3

; Function Attrs: memory(errnomem: write)
declare void @f5() #4

; Function Attrs: memory(read, argmem: readwrite)
declare void @f7() #5

; Function Attrs: memory(target_mem0: read)
declare void @f8() #6

; Function Attrs: uwtable
declare void @f9(ptr captures(none), ptr captures(address_is_null), ptr captures(address, read_provenance), ptr captures(ret: address, provenance), ptr captures(address, provenance)) #7

; Function Attrs: allockind("alloc,zeroed") uwtable(sync)
declare void @f10(ptr initializes((0, 4), (8, 12)), i32 range(i32 0, 10)) #8

; Function Attrs: vscale_range(1,16)
declare void @f11(float nofpclass(nan inf), i32) #9

; Function Attrs: allockind("free") allocsize(0,1)
declare void @f11b(i32, i32) #10

; Function Attrs: allocsize(0)
declare void @f11c(i32, i32) #11

declare void @f12(ptr dead_on_return)

; Function Attrs: allockind("realloc") alignstack(8) uwtable
declare void @f13(ptr dead_on_return) #12

; Function Attrs: memory(errnomem: read, target_mem1: write)
declare void @f14() #13

declare void @f16(i128 range(i128 0, 18446744073709551616))

declare void @f17(ptr captures(provenance, ret: address_is_null), ptr captures(ret: address, read_provenance))

attributes #0 = { memory(none) }
attributes #1 = { memory(read) }
attributes #2 = { memory(argmem: read) }
attributes #3 = { memory(inaccessiblemem: write) }
attributes #4 = { memory(errnomem: write) }
attributes #5 = { memory(read, argmem: readwrite) }
attributes #6 = { memory(target_mem0: read) }
attributes #7 = { uwtable }
attributes #8 = { allockind("alloc,zeroed") uwtable(sync) }
attributes #9 = { vscale_range(1,16) }
attributes #10 = { allockind("free") allocsize(0,1) }
attributes #11 = { allocsize(0) }
attributes #12 = { allockind("realloc") alignstack=8 uwtable }
attributes #13 = { memory(errnomem: read, target_mem1: write) }
