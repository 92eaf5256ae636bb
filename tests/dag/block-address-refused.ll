; RUN: not ptxscope compile %s -o - 2>&1 | filecheck %s
; A body that names a block of another one cannot be read by itself: the reader sees that when it passes over it, so this is an error of
; the program at its place, not an internal one.
target triple = "nvptx64-nvidia-cuda"

define i1 @f() {
  ; CHECK: :[[#@LINE+1]]:3: error: in 'f': this constant is not supported
  %c = icmp eq ptr blockaddress(@g, %next), null
  ret i1 %c
}

define void @g() {
  br label %next
next:
  ret void
}
