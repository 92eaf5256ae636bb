; Digits of hexadecimal constants may be small letters, also the first one, where a capital letter names a format.
; RUN: ptxscope fmt %s -o - | filecheck %s

; CHECK: @a = global double 0xBFD5555555555555
@a = global double 0xbfd5555555555555
; CHECK: @b = global double 0xFFFFFFFFFFFFFFFF
@b = global double 0xffffffffffffffff
; CHECK: @c = global float 0xC1E2B34A00000000
@c = global float 0xc1e2b34a00000000
; CHECK: @d = global half 0xHABCD
@d = global half 0xHabcd
; CHECK: @e = global i64 -6066930334832431873
@e = global i64 u0xabcdef0123456cff
; CHECK: @f = global fp128 0xLABCDEF0000000000000000000000ABCD
@f = global fp128 0xLabcdef0000000000000000000000abcd
