; RUN: ptxscope fmt %s -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; insertelement and shufflevector of constants are vectors of their elements, also where an element is an address.
; Places of a mask that are undef are undef; what is inserted at a place that is not there is poison.
target triple = "nvptx64-nvidia-cuda"
@g = global i32 0
@h = global i32 0

; CHECK: @inserted = global <2 x ptr> <ptr @g, ptr @h>
; CHECK: @shuffled = global <3 x i64> <i64 7, i64 ptrtoint (ptr @g to i64), i64 undef>
; CHECK: @nowhere = global <2 x ptr> poison
; PTX: .global .align 16 .u64 inserted[2] = {generic(g), generic(h)};
@inserted = global <2 x ptr> insertelement (<2 x ptr> <ptr @g, ptr null>, ptr @h, i32 1)
@shuffled = global <3 x i64> shufflevector (<2 x i64> <i64 ptrtoint (ptr @g to i64), i64 1>, <2 x i64> <i64 2, i64 7>, <3 x i32> <i32 3, i32 0, i32 undef>)
@nowhere = global <2 x ptr> insertelement (<2 x ptr> zeroinitializer, ptr @h, i32 2)

; CHECK: ret <2 x ptr> <ptr @h, ptr @g>
; PTX-LABEL: swapped(
; PTX-DAG: mov.b64 	[[G:%rd[0-9]+]], g;
; PTX-DAG: mov.b64 	[[H:%rd[0-9]+]], h;
; PTX-DAG: cvta.global.u64 	[[X:%rd[0-9]+]], [[G]];
; PTX-DAG: cvta.global.u64 	[[Y:%rd[0-9]+]], [[H]];
; PTX: st.param.v2.b64 	[func_retval0], {[[Y]], [[X]]};
define <2 x ptr> @swapped() {
  ret <2 x ptr> shufflevector (<2 x ptr> <ptr @g, ptr @h>, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>)
}

; CHECK: ret <2 x i32> <i32 extractelement (<2 x i32> bitcast (i64 ptrtoint (ptr @h to i64) to <2 x i32>), i32 0), i32 5>
; PTX-LABEL: lower_half(
; PTX: st.param.v2.b32 	[func_retval0], {{{%r[0-9]+, 5}}};
define <2 x i32> @lower_half() {
  ret <2 x i32> insertelement (<2 x i32> bitcast (i64 ptrtoint (ptr @h to i64) to <2 x i32>), i32 5, i32 1)
}
