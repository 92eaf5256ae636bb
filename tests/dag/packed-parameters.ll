; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/packed-parameters.launch.json --level=ptx --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope run %s --launch=%p/packed-parameters.launch.json --level=ptx -O0 --json | filecheck %s --check-prefix=RESULT
; RUN: ptxscope compile %s -mcpu=sm_90 -o %t.ptx && ptxas -arch=sm_90 -c %t.ptx -o /dev/null
; Fields that stand where they are not aligned are passed in pieces that are.
target triple = "nvptx64-nvidia-cuda"
%p = type <{ i8, i32, i16, float, i8 }>

; RESULT: "out":{{.*}}[287454020,7,3,1069547520,9]

; CHECK-LABEL: taken(
; CHECK-NOT: ld.param.{{[uf]}}32 	{{.*}}[taken_param_0
; CHECK: ld.param.b8 	{{.*}}[taken_param_0+4]
; CHECK-NOT: st.param.{{[bf]}}32 	[func_retval0+1]
; CHECK: st.param.b8 	[func_retval0+{{[0-9]+}}]
define %p @taken(%p %s) noinline {
  %a = extractvalue %p %s, 0
  %b = add i8 %a, 1
  %r = insertvalue %p %s, i8 %b, 0
  ret %p %r
}

; CHECK-LABEL: byval(
define float @byval(ptr byval(%p) align 1 %s) noinline {
  %q = getelementptr %p, ptr %s, i32 0, i32 3
  %v = load float, ptr %q, align 1
  ret float %v
}

; CHECK-LABEL: k(
; CHECK-NOT: st.param.b32 	[param0+1]
; CHECK: st.param.b8 	[param0+4]
; CHECK: ld.param.b8 	{{.*}}[retval0+4]
define ptx_kernel void @k(ptr %out) {
  %m = alloca %p, align 1
  %s0 = insertvalue %p undef, i8 6, 0
  %s1 = insertvalue %p %s0, i32 287454020, 1
  %s2 = insertvalue %p %s1, i16 3, 2
  %s3 = insertvalue %p %s2, float 1.5, 3
  %s4 = insertvalue %p %s3, i8 9, 4
  %r = call %p @taken(%p %s4)
  store %p %r, ptr %m, align 1
  %f = call float @byval(ptr byval(%p) align 1 %m)
  %a = extractvalue %p %r, 0
  %b = extractvalue %p %r, 1
  %c = extractvalue %p %r, 2
  %e = extractvalue %p %r, 4
  %a32 = zext i8 %a to i32
  %c32 = zext i16 %c to i32
  %e32 = zext i8 %e to i32
  store i32 %b, ptr %out
  %o1 = getelementptr i32, ptr %out, i32 1
  store i32 %a32, ptr %o1
  %o2 = getelementptr i32, ptr %out, i32 2
  store i32 %c32, ptr %o2
  %o3 = getelementptr i32, ptr %out, i32 3
  store float %f, ptr %o3
  %o4 = getelementptr i32, ptr %out, i32 4
  store i32 %e32, ptr %o4
  ret void
}
