; A method whose calls have all got clones for the spaces of their pointers is not printed itself.
; RUN: ptxscope compile %s -mcpu=sm_80 -o - | filecheck %s --implicit-check-not=ld.u32
; RUN: ptxscope compile %s -mcpu=sm_80 -globaldce=off -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_80 -O0 -o - | filecheck %s --check-prefix=OFF
; RUN: ptxscope compile %s -mcpu=sm_80 --check-claims -globaldce=all -o - | filecheck %s --implicit-check-not=idle
; RUN: ptxscope compile %s -mcpu=sm_80 -pass-remarks=globaldce -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [32 x i32] undef

; CHECK: ld.shared.b32
; CHECK: ld.global.b32
; OFF: .weak .func {{.*}} get(
; OFF: ld.b32
; REMARK: globaldce.ll:[[#@LINE+1]]: remark: 'get' is dropped: nothing refers to it
define linkonce_odr i32 @get(ptr %p, i32 %i) noinline {
  %q = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %q
  ret i32 %x
}

define internal i32 @idle(i32 %x) {
  ret i32 %x
}

define ptx_kernel void @k(ptr %p, i32 %i) {
  %s = addrspacecast ptr addrspace(3) @s to ptr
  %a = call i32 @get(ptr %s, i32 %i)
  %b = call i32 @get(ptr %p, i32 %i)
  %c = add i32 %a, %b
  store i32 %c, ptr %p
  ret void
}
