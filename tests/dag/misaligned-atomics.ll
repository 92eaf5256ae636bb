; RUN: not ptxscope compile %s -mcpu=sm_90 -mattr=+ptx84 -o - 2>&1 | filecheck %s
; PTX accesses memory at multiples of the size only. What is aligned less is read byte by byte, which is not one atomic access:
; an error, also where the operation would be a loop on the word around the value.
target triple = "nvptx64-nvidia-cuda"

; CHECK: [[#@LINE+3]]:3: error: in 'read': load of 4 bytes needs alignment 4 to be atomic, and has 1
; CHECK: hint: PTX has no misaligned accesses, and several smaller ones are not atomic together
define i32 @read(ptr %p) {
  %v = load atomic i32, ptr %p acquire, align 1
  ret i32 %v
}

; CHECK: error: in 'written': store of 8 bytes needs alignment 8 to be atomic, and has 4
define void @written(ptr %p) {
  store atomic i64 1, ptr %p unordered, align 4
  ret void
}

; CHECK: error: in 'exchanged': cmpxchg of 8 bytes needs alignment 8 to be atomic, and has 4
define i64 @exchanged(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %r = cmpxchg ptr addrspace(1) %p, i64 %a, i64 %b seq_cst monotonic, align 4
  %v = extractvalue { i64, i1 } %r, 0
  ret i64 %v
}

; CHECK: error: in 'added': atomicrmw of 8 bytes needs alignment 8 to be atomic, and has 4
define i64 @added(ptr %p) {
  %v = atomicrmw add ptr %p, i64 1 monotonic, align 4
  ret i64 %v
}

; CHECK: error: in 'in_a_word': atomicrmw of 2 bytes needs alignment 2 to be atomic, and has 1
define i16 @in_a_word(ptr addrspace(3) %p) {
  %v = atomicrmw add ptr addrspace(3) %p, i16 1 monotonic, align 1
  ret i16 %v
}

; CHECK: error: in 'two_halves': atomicrmw of 4 bytes needs alignment 4 to be atomic, and has 2
define <2 x half> @two_halves(ptr %p, <2 x half> %x) {
  %v = atomicrmw fmax ptr %p, <2 x half> %x monotonic, align 2
  ret <2 x half> %v
}

; CHECK: error: in 'wide': atomicrmw of 16 bytes needs alignment 16 to be atomic, and has 8
define i128 @wide(ptr %p, i128 %x) {
  %v = atomicrmw xchg ptr %p, i128 %x monotonic, align 8
  ret i128 %v
}
