; RUN: ptxscope compile %s -mcpu=sm_80 -pass-remarks=sroa -o %t.ptx 2>&1 | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_80 -pass-remarks=nobody -o %t.ptx 2>&1 | filecheck %s --check-prefix=NONE --allow-empty
; ROWS: ANA-10

; CHECK: remarks-per-function.ll:13: remark: stack slot taken apart into 1 pieces [-pass-remarks=sroa] in function first
; CHECK-NEXT: remarks-per-function.ll:21: remark: stack slot taken apart into 1 pieces [-pass-remarks=sroa] in function second
; CHECK-NOT: remark
; NONE-NOT: {{.}}
; Remarks are kept with their functions and printed in the functions' order, also where passes go over all functions in turn.
target triple = "nvptx64-nvidia-cuda"

define void @first(ptr %p, i32 %n) {
  %a = alloca i32
  store i32 %n, ptr %a
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  ret void
}

define void @second(ptr %p, i32 %n) {
  %b = alloca i32
  store i32 %n, ptr %b
  %v = load i32, ptr %b
  store i32 %v, ptr %p
  ret void
}
