; RUN: ptxscope compile %s --run-pass=early-cse --emit=ir -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

declare void @use(i32, i32, i32)

; Inline assembly that touches no memory is computed once: everywhere, or in its block where it is convergent.
; CHECK-LABEL: @asm(
; CHECK: %a = call i32 asm "mov.u32 $0, %laneid;", "=r"()
; CHECK-NOT: %b =
; CHECK: %c = call i32 asm "mov.u32 $0, %warpid;", "=r"()
; CHECK: call void @use(i32 %a, i32 %a, i32 %c)
; CHECK: next:
; CHECK-NOT: %d =
; CHECK: %e = call i32 asm "mov.u32 $0, %warpid;", "=r"()
; CHECK-NOT: %f =
; CHECK: call void @use(i32 %a, i32 %e, i32 %e)
define void @asm() {
  %a = call i32 asm "mov.u32 $0, %laneid;", "=r"() #0
  %b = call i32 asm "mov.u32 $0, %laneid;", "=r"() #0
  %c = call i32 asm "mov.u32 $0, %warpid;", "=r"() #1
  call void @use(i32 %a, i32 %b, i32 %c)
  br label %next
next:
  %d = call i32 asm "mov.u32 $0, %laneid;", "=r"() #0
  %e = call i32 asm "mov.u32 $0, %warpid;", "=r"() #1
  %f = call i32 asm "mov.u32 $0, %warpid;", "=r"() #1
  call void @use(i32 %d, i32 %e, i32 %f)
  ret void
}

; What has effects or reads memory stays.
; CHECK-LABEL: @effects(
; CHECK: %a = call i32 asm sideeffect
; CHECK: %b = call i32 asm sideeffect
; CHECK: %c = call i32 asm "ld
; CHECK: %d = call i32 asm "ld
define void @effects(ptr %p) {
  %a = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"() #0
  %b = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"() #0
  %c = call i32 asm "ld.u32 $0, [$1];", "=r,l,~{memory}"(ptr %p) #2
  %d = call i32 asm "ld.u32 $0, [$1];", "=r,l,~{memory}"(ptr %p) #2
  call void @use(i32 %a, i32 %b, i32 %c)
  call void @use(i32 %a, i32 %b, i32 %d)
  ret void
}

attributes #0 = { nounwind memory(none) }
attributes #1 = { convergent nounwind memory(none) }
attributes #2 = { nounwind }

; What one call says of its result alone is not said of the value of both.
declare i32 @pure(i32) memory(none) nounwind willreturn
; CHECK-LABEL: @ranges(
; CHECK:      %a = call noundef i32 @pure(i32 %x)
; CHECK-NOT:  call
; CHECK:      and i32 %a, 15
define i32 @ranges(i32 %x) {
  %a = call noundef range(i32 0, 16) i32 @pure(i32 %x)
  %b = call noundef i32 @pure(i32 %x)
  %m = and i32 %b, 15
  %s = xor i32 %a, %m
  ret i32 %s
}
