; Variables: every form of initialiser, in an order in which each is declared before it is named.
; RUN: ptxscope compile %s -mcpu=sm_90 -mattr=+ptx80 -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"
%S = type { i8, ptr, [3 x i16], i64 }

; An initialiser names a later variable: that one comes first.
; CHECK:      .visible .global .align 4 .u32 late = 5;
; CHECK-NEXT: .visible .global .align 8 .u64 early = generic(late);
@early = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @late to ptr)
@late = addrspace(1) global i32 5

; CHECK-NEXT: .visible .global .align 1 .b8 text[4] = {97, 98, 99};
@text = addrspace(1) global [4 x i8] c"abc\00"
; CHECK-NEXT: .visible .global .align 8 .u64 mixed[4] = {1, generic(late), 12885032961, text};
@mixed = addrspace(1) global %S { i8 1, ptr addrspacecast (ptr addrspace(1) @late to ptr), [3 x i16] [i16 1, i16 2, i16 3], i64 ptrtoint (ptr addrspace(1) @text to i64) }
; CHECK-NEXT: .visible .global .align 8 .u64 inner = generic(text)+2;
@inner = addrspace(1) global ptr addrspacecast (ptr addrspace(1) getelementptr ([4 x i8], ptr addrspace(1) @text, i64 0, i64 2) to ptr)
; CHECK-NEXT: .extern .global .align 4 .u32 there;
@there = external addrspace(1) global i32
; CHECK-NEXT: .visible .shared .align 16 .b8 tile[400];
@tile = addrspace(3) global [100 x float] undef, align 16
; CHECK-NEXT: .extern .shared .align 4 .b8 dynamic[];
@dynamic = external addrspace(3) global [0 x i32]
; CHECK-NEXT: .visible .global .align 1 .b8 nothing[1];
@nothing = addrspace(1) global [0 x i8] zeroinitializer
; CHECK-NEXT: .visible .const .align 8 .b8 table[16] = {0, 0, 0, 0, 0, 0, 248, 63, 0, 0, 0, 0, 0, 0, 0, 128};
@table = addrspace(4) constant [2 x double] [double 1.5, double -0.0]
; CHECK-NEXT: .weak .global .align 8 .u64 weak;
@weak = weak addrspace(1) global i64 zeroinitializer
; CHECK-NEXT: .common .global .align 4 .u32 common;
@common = common addrspace(1) global i32 0
; CHECK-NEXT: .visible .global .align 8 .u64 functions[3] = {fn, 0, fn};
@functions = addrspace(1) global [3 x ptr] [ptr @fn, ptr null, ptr @fn]
; CHECK-NEXT: .visible .global .align 4 .f32 single = 0f3F800000;
@single = addrspace(1) global float 1.0
; A half is its 16 bits.
; CHECK-NEXT: .visible .global .align 2 .b16 half = 0x3C00;
@half = addrspace(1) global half 0xH3C00
; CHECK-NEXT: .visible .global .align 16 .b8 wide[16] = {255, 255, 15, 99, 45, 94, 199, 107, 5};
@wide = addrspace(1) global i128 99999999999999999999
; true is 1, not -1.
; CHECK-NEXT: .visible .global .align 1 .u8 flag = 1;
@flag = addrspace(1) global i1 true
; Addresses that do not lie on a multiple of eight are printed byte by byte.
; CHECK-NEXT: .visible .global .align 8 .u8 packed[10] = {1, 0xFF(generic(late)), 0xFF00(generic(late)), 0xFF0000(generic(late)), 0xFF000000(generic(late)), 0xFF00000000(generic(late)), 0xFF0000000000(generic(late)), 0xFF000000000000(generic(late)), 0xFF00000000000000(generic(late)), 2};
@packed = addrspace(1) global <{ i8, ptr, i8 }> <{ i8 1, ptr addrspacecast (ptr addrspace(1) @late to ptr), i8 2 }>, align 8
; No type of 24 bits: bytes.
; CHECK-NEXT: .visible .global .align 4 .b8 odd[4] = {100};
@odd = addrspace(1) global i24 100
; CHECK-NEXT: .visible .global .attribute(.managed) .align 4 .u32 managed;
@managed = addrspace(1) global i32 0
; Only @user needs it: it is declared there.
; CHECK-NEXT: // mine has been demoted
@mine = internal addrspace(3) global i32 undef

define void @fn(i32 %x) {
  ret void
}
; CHECK-LABEL: .visible .func user(
; CHECK:        // demoted variable
; CHECK-NEXT:   .shared .align 4 .u32 mine;
; CHECK:        st.shared.b32 [mine], %r1;
define void @user(i32 %x) {
  store i32 %x, ptr addrspace(3) @mine
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr addrspace(1) @managed, !"managed", i32 1}
