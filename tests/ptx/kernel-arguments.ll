; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; ROWS: ARGS-01
;
; Arguments of 1, 2, 4 and 8 bytes and a structure by value are read where the interface puts them.

target triple = "nvptx64-nvidia-cuda"

%S = type { i32, i64, [2 x i16] }

; CHECK:      .visible .entry k(
; CHECK-NEXT:   .param .u8 k_param_0,
; CHECK-NEXT:   .param .u16 k_param_1,
; CHECK-NEXT:   .param .u32 k_param_2,
; CHECK-NEXT:   .param .u64 k_param_3,
; CHECK-NEXT:   .param .align 8 .b8 k_param_4[24],
; CHECK-NEXT:   .param .u64 .ptr .align 1 k_param_5
; CHECK-DAG:    ld.param.b8 {{%rs[0-9]+}}, [k_param_0];
; CHECK-DAG:    ld.param.b16 {{%rs[0-9]+}}, [k_param_1];
; CHECK-DAG:    ld.param.b32 {{%r[0-9]+}}, [k_param_2];
; CHECK-DAG:    ld.param.b64 {{%rd[0-9]+}}, [k_param_3];
; CHECK-DAG:    ld.param.b32 {{%r[0-9]+}}, [k_param_4];
; CHECK-DAG:    ld.param.b64 {{%rd[0-9]+}}, [k_param_4+8];
; CHECK-DAG:    ld.param.b16 {{%rs[0-9]+}}, [k_param_4+18];
; CHECK-DAG:    ld.param.b64 {{%rd[0-9]+}}, [k_param_5];
; CHECK-NOT:    ld.local
; CHECK:        ret;
define ptx_kernel void @k(i8 %a, i16 %b, i32 %c, i64 %d, ptr byval(%S) align 8 %s, ptr %out) {
  %p1 = getelementptr %S, ptr %s, i64 0, i32 1
  %p2 = getelementptr %S, ptr %s, i64 0, i32 2, i64 1
  %s0 = load i32, ptr %s
  %s1 = load i64, ptr %p1
  %s2 = load i16, ptr %p2
  store volatile i8 %a, ptr %out
  store volatile i16 %b, ptr %out
  store volatile i32 %c, ptr %out
  store volatile i64 %d, ptr %out
  store volatile i32 %s0, ptr %out
  store volatile i64 %s1, ptr %out
  store volatile i16 %s2, ptr %out
  ret void
}
