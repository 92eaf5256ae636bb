; A scalable vector has no PTX: each function that has one is reported once, at the first place, and nothing is printed. Passes that
; ask for no sizes take such functions, the others leave them alone.
; RUN: not ptxscope compile %s -mcpu=sm_90 -o - 2>&1 | filecheck %s --implicit-check-not=".visible"
; RUN: not ptxscope compile %s -mcpu=sm_90 -O0 -o - 2>&1 | filecheck %s --implicit-check-not=".visible"
; RUN: not ptxscope compile %s -mcpu=sm_90 -print-changed -filter-print-funcs=none -o - 2>&1 | filecheck %s
; RUN: not ptxscope compile %s -passes=sroa -o - 2>&1 | filecheck %s --check-prefix=SROA
; RUN: not ptxscope run %s --level=ir --launch=%p/scalable.launch.json 2>&1 | filecheck %s --check-prefix=RUNS
; RUN: ptxscope compile %s -passes=dce,simplifycfg,mem2reg,early-cse,inliner -o - | filecheck %s --check-prefix=PASSES

target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: scalable.ll:[[#@LINE+5]]:1: error: function 'signature' has a scalable vector (its signature): there is no PTX for it
; CHECK-DAG: hint: a GPU has no vectors whose length the machine chooses: write <4 x i32> for <vscale x 4 x i32>
; RUNS: scalable.ll:[[#@LINE+3]]:1: error: function 'signature' has a scalable vector (its signature): the emulator cannot run it
; SROA-DAG: error: pass 'sroa' needs types of a known size, and function 'signature' has scalable vectors
; PASSES-LABEL: define <vscale x 4 x i32> @signature(
define <vscale x 4 x i32> @signature(<vscale x 4 x i32> %v) {
  ret <vscale x 4 x i32> %v
}

; CHECK-DAG: scalable.ll:[[#@LINE+6]]:3: error: function 'access' has a scalable vector (load): there is no PTX for it
; PASSES-LABEL: define ptx_kernel void @access(
; PASSES-NEXT: %v = load <vscale x 4 x i32>, ptr %p
; PASSES-NEXT: store <vscale x 4 x i32> %v, ptr %q
; PASSES-NEXT: ret void
define ptx_kernel void @access(ptr %p, ptr %q) {
  %v = load <vscale x 4 x i32>, ptr %p
  %slot = alloca <vscale x 4 x i32>
  store <vscale x 4 x i32> %v, ptr %slot
  %unused = add <vscale x 4 x i32> %v, splat (i32 1)
  %again = load <vscale x 4 x i32>, ptr %slot
  store <vscale x 4 x i32> %again, ptr %q
  ret void
}

; CHECK-DAG: scalable.ll:[[#@LINE+3]]:3: error: function 'constant' has a scalable vector (extractelement): there is no PTX for it
; PASSES-LABEL: define i32 @constant(
define i32 @constant(i64 %i) {
  %x = extractelement <vscale x 4 x i32> splat (i32 3), i64 %i
  ret i32 %x
}

; CHECK-DAG: scalable.ll:[[#@LINE+2]]:1: error: function 'by_value' has a scalable vector (its signature): there is no PTX for it
; PASSES-LABEL: define void @by_value(
define void @by_value(ptr byval(<vscale x 4 x i32>) %p) {
  ret void
}

; CHECK-DAG: scalable.ll:[[#@LINE+4]]:3: error: function 'caller' has a scalable vector (call): there is no PTX for it
; PASSES-LABEL: define void @caller(
; PASSES-NEXT: call void @by_value(
define void @caller(ptr %p) {
  call void @by_value(ptr byval(<vscale x 4 x i32>) %p)
  ret void
}

; CHECK-DAG: scalable.ll:[[#@LINE+3]]:3: error: function 'steps' has a scalable vector (getelementptr): there is no PTX for it
; PASSES-LABEL: define ptr @steps(
define ptr @steps(ptr %p) {
  %q = getelementptr <vscale x 4 x i32>, ptr %p, i64 1
  ret ptr %q
}
