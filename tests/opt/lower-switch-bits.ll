; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=lower-switch --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_90 -switch-bit-tests=0 -o - | filecheck %s --check-prefix=TREE
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -o - | filecheck %s --check-prefix=TREE
; RUN: ptxscope check %s --launch=%p/lower-switch-bits.launch.json -mcpu=sm_90
; Cases within 32 values that go to few places are bits of masks. Shifts of PTX clamp, so that no compare keeps other values out.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @bytes
; CHECK:         %[[X:.*]] = zext i8 %x to i32
; CHECK:         %[[B:.*]] = shl i32 1, %[[X]]
; CHECK:         %[[C:.*]] = icmp ult i32 %[[X]], 32
; CHECK:         %[[W:.*]] = select i1 %[[C]], i32 %[[B]], i32 0
; CHECK:         and i32 %[[W]], 268567058
; CHECK:         br i1 {{.*}}, label %a, label %d
; CHECK:         phi i32 [ 5, %a ], [ 3, %0 ]
; PTX-LABEL:   bytes(
; PTX:           ld.param.b8 [[X:%r[0-9]+]]
; PTX-NEXT:      shl.b32 [[W:%r[0-9]+]], 1, [[X]];
; PTX-NEXT:      and.b32 {{%r[0-9]+}}, [[W]], 268567058;
; PTX-NEXT:      setp
; PTX-NOT:       setp
; PTX:           ret;
; TREE-LABEL:  bytes(
; TREE-NOT:      shl
; TREE:          ret;
define i32 @bytes(i8 %x) {
  switch i8 %x, label %d [ i8 1, label %a
    i8 4, label %a
    i8 9, label %a
    i8 17, label %a
    i8 28, label %a ]
a:
  br label %d
d:
  %r = phi i32 [ 5, %a ], [ 3, %0 ]
  ret i32 %r
}

; The values begin at -7, and 64 bits are more than the word has.
; CHECK-LABEL: define i32 @wide
; CHECK:         %[[I:.*]] = sub i64 %x, -7
; CHECK:         %[[T:.*]] = trunc i64 %[[I]] to i32
; CHECK:         %[[B:.*]] = shl i32 1, %[[T]]
; CHECK:         icmp ult i64 %[[I]], 32
; CHECK:         and i32 %{{.*}}, -2147483389
define i32 @wide(i64 %x) {
  switch i64 %x, label %d [ i64 -7, label %a
    i64 -6, label %a
    i64 1, label %a
    i64 24, label %a ]
a:
  ret i32 5
d:
  ret i32 3
}

; Two places, tested one after the other; the weights are those of their cases, and of what comes after.
; CHECK-LABEL: define i32 @two
; CHECK:         and i32 %[[W:.*]], 21
; CHECK:         br i1 {{.*}}, label %a, label %switch.next, !prof ![[P:[0-9]+]]
; CHECK:       switch.next:
; CHECK:         and i32 %[[W]], 42
; CHECK:         br i1 {{.*}}, label %b, label %d, !prof ![[Q:[0-9]+]]
define i32 @two(i32 %x) {
  switch i32 %x, label %d [ i32 0, label %a
    i32 1, label %b
    i32 2, label %a
    i32 3, label %b
    i32 4, label %a
    i32 5, label %b ], !prof !0
a:
  ret i32 5
b:
  ret i32 7
d:
  ret i32 3
}

; Without a default, what is no bit of the first mask is one of the second; nothing lies outside.
; CHECK-LABEL: define i32 @no_default
; CHECK:         %[[B:.*]] = shl i32 1, %x
; CHECK-NEXT:    and i32 %[[B]], 21
; CHECK:         br i1 {{.*}}, label %a, label %switch.next
; CHECK:       switch.next:
; CHECK-NEXT:    br label %b
define i32 @no_default(i32 %x) {
  switch i32 %x, label %d [ i32 0, label %a
    i32 1, label %b
    i32 2, label %a
    i32 3, label %b
    i32 4, label %a
    i32 5, label %b ]
a:
  ret i32 5
b:
  ret i32 7
d:
  unreachable
}

; Two values are two compares, and 33 values no word.
; CHECK-LABEL: define i32 @too_few
; CHECK-NOT:     shl
; CHECK-LABEL: define i32 @too_far
; CHECK-NOT:     shl
; CHECK:       }
define i32 @too_few(i32 %x) {
  switch i32 %x, label %d [ i32 10, label %a
    i32 12, label %a ]
a:
  ret i32 5
d:
  ret i32 3
}
define i32 @too_far(i32 %x) {
  switch i32 %x, label %d [ i32 10, label %a
    i32 12, label %a
    i32 42, label %a ]
a:
  ret i32 5
d:
  ret i32 3
}

; CHECK: ![[P]] = !{!"branch_weights", i32 36, i32 102}
; CHECK: ![[Q]] = !{!"branch_weights", i32 72, i32 30}

; Values from below the words to above them.
define ptx_kernel void @k(ptr addrspace(1) %io) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = sub i32 %t, 40
  %n = srem i32 %t, 6
  %x8 = trunc i32 %x to i8
  %x64 = sext i32 %x to i64
  %far = mul i64 %x64, 4294967297
  %a = call i32 @bytes(i8 %x8)
  %b = call i32 @wide(i64 %x64)
  %c = call i32 @wide(i64 %far)
  %d = call i32 @two(i32 %x)
  %e = call i32 @no_default(i32 %n)
  %f = call i32 @too_far(i32 %x)
  %s1 = shl i32 %b, 4
  %s2 = shl i32 %c, 8
  %s3 = shl i32 %d, 12
  %s4 = shl i32 %e, 16
  %s5 = shl i32 %f, 20
  %o1 = or i32 %a, %s1
  %o2 = or i32 %o1, %s2
  %o3 = or i32 %o2, %s3
  %o4 = or i32 %o3, %s4
  %o5 = or i32 %o4, %s5
  %p = getelementptr i32, ptr addrspace(1) %io, i32 %t
  store i32 %o5, ptr addrspace(1) %p
  ret void
}

!0 = !{!"branch_weights", i32 5, i32 1, i32 2, i32 2, i32 4, i32 3, i32 6}
