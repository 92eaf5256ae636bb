; Functions with stack protection place arrays and objects whose address is taken first; others in the order of the program.
; A function's own limit of its frame goes before the option.
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 --stop-after=nvptx-isel -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -o /dev/null 2>&1 | filecheck %s --check-prefix=WARN --implicit-check-not=warning:
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -warn-stack-size=4 -o /dev/null 2>&1 | filecheck %s --check-prefixes=ALL,WARN --implicit-check-not=warning:
; ROWS: PEI-02, PEI-17
target triple = "nvptx64-nvidia-cuda"
declare void @use(ptr)

; ALL: {{.*}}frame-category.ll:[[#@LINE+7]]:1: warning: stack frame size (44) exceeds limit (4) in function 'protected'
; CHECK-LABEL: name: protected
; CHECK: name: plain, type: default, offset: 0, size: 4, alignment: 4 }
; CHECK: name: taken, type: default, offset: 0, size: 4, alignment: 4, category: 3 }
; CHECK: name: small, type: default, offset: 0, size: 4, alignment: 1, category: 2 }
; CHECK: name: large, type: default, offset: 0, size: 32, alignment: 4, category: 1 }

define void @protected() sspstrong {
  %plain = alloca i32
  %taken = alloca i32
  %small = alloca [4 x i8]
  %large = alloca [8 x i32]
  store i32 1, ptr %plain
  call void @use(ptr %taken)
  call void @use(ptr %small)
  call void @use(ptr %large)
  ret void
}

; CHECK-LABEL: name: weakly
; CHECK: name: small, type: default, offset: 0, size: 4, alignment: 1 }
; CHECK: name: large, type: default, offset: 0, size: 32, alignment: 4, category: 1 }
; WARN: warning: stack frame size (36) exceeds limit (35) in function 'weakly'
define void @weakly() ssp "warn-stack-size"="35" {
  %small = alloca [4 x i8]
  %large = alloca [8 x i32]
  call void @use(ptr %small)
  call void @use(ptr %large)
  ret void
}

; CHECK-LABEL: name: unprotected
; CHECK: name: large, type: default, offset: 0, size: 32, alignment: 4 }
define void @unprotected() "warn-stack-size"="32" {
  %large = alloca [8 x i32]
  call void @use(ptr %large)
  ret void
}
