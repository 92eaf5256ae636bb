; RUN: ptxscope compile %s -mcpu=sm_80 --run-pass=load-store-vectorizer --verify-each -o - | filecheck %s
target triple = "nvptx64-nvidia-cuda"

; A long list of stores knows the bytes that it touches: the load of one of them closes it, the load between them does not.
; CHECK-LABEL: define i8 @between
; CHECK: load i8, ptr %free
; CHECK: store <2 x i16>
; CHECK: ret i8
; CHECK-LABEL: define i8 @inside
; CHECK-NOT: <2 x i16>
; CHECK: load i8, ptr %taken
; CHECK: store i16 99
; CHECK: ret i8
define i8 @between(ptr align 8 %p) {
  %free = getelementptr i8, ptr %p, i64 -6
  %a0 = getelementptr i8, ptr %p, i64 -8
  store i16 0, ptr %a0
  %a1 = getelementptr i8, ptr %p, i64 8
  store i16 1, ptr %a1
  %a2 = getelementptr i8, ptr %p, i64 16
  store i16 2, ptr %a2
  %a3 = getelementptr i8, ptr %p, i64 24
  store i16 3, ptr %a3
  %a4 = getelementptr i8, ptr %p, i64 32
  store i16 4, ptr %a4
  %a5 = getelementptr i8, ptr %p, i64 40
  store i16 5, ptr %a5
  %a6 = getelementptr i8, ptr %p, i64 48
  store i16 6, ptr %a6
  %a7 = getelementptr i8, ptr %p, i64 56
  store i16 7, ptr %a7
  %a8 = getelementptr i8, ptr %p, i64 64
  store i16 8, ptr %a8
  %a9 = getelementptr i8, ptr %p, i64 72
  store i16 9, ptr %a9
  %a10 = getelementptr i8, ptr %p, i64 80
  store i16 10, ptr %a10
  %a11 = getelementptr i8, ptr %p, i64 88
  store i16 11, ptr %a11
  %a12 = getelementptr i8, ptr %p, i64 96
  store i16 12, ptr %a12
  %a13 = getelementptr i8, ptr %p, i64 104
  store i16 13, ptr %a13
  %a14 = getelementptr i8, ptr %p, i64 112
  store i16 14, ptr %a14
  %a15 = getelementptr i8, ptr %p, i64 120
  store i16 15, ptr %a15
  %a16 = getelementptr i8, ptr %p, i64 128
  store i16 16, ptr %a16
  %a17 = getelementptr i8, ptr %p, i64 136
  store i16 17, ptr %a17
  %a18 = getelementptr i8, ptr %p, i64 144
  store i16 18, ptr %a18
  %a19 = getelementptr i8, ptr %p, i64 152
  store i16 19, ptr %a19
  %a20 = getelementptr i8, ptr %p, i64 160
  store i16 20, ptr %a20
  %a21 = getelementptr i8, ptr %p, i64 168
  store i16 21, ptr %a21
  %a22 = getelementptr i8, ptr %p, i64 176
  store i16 22, ptr %a22
  %a23 = getelementptr i8, ptr %p, i64 184
  store i16 23, ptr %a23
  %a24 = getelementptr i8, ptr %p, i64 192
  store i16 24, ptr %a24
  %a25 = getelementptr i8, ptr %p, i64 200
  store i16 25, ptr %a25
  %a26 = getelementptr i8, ptr %p, i64 208
  store i16 26, ptr %a26
  %a27 = getelementptr i8, ptr %p, i64 216
  store i16 27, ptr %a27
  %a28 = getelementptr i8, ptr %p, i64 224
  store i16 28, ptr %a28
  %a29 = getelementptr i8, ptr %p, i64 232
  store i16 29, ptr %a29
  %a30 = getelementptr i8, ptr %p, i64 240
  store i16 30, ptr %a30
  %a31 = getelementptr i8, ptr %p, i64 248
  store i16 31, ptr %a31
  %a32 = getelementptr i8, ptr %p, i64 256
  store i16 32, ptr %a32
  %a33 = getelementptr i8, ptr %p, i64 264
  store i16 33, ptr %a33
  %a34 = getelementptr i8, ptr %p, i64 272
  store i16 34, ptr %a34
  %a35 = getelementptr i8, ptr %p, i64 280
  store i16 35, ptr %a35
  %a36 = getelementptr i8, ptr %p, i64 288
  store i16 36, ptr %a36
  %a37 = getelementptr i8, ptr %p, i64 296
  store i16 37, ptr %a37
  %a38 = getelementptr i8, ptr %p, i64 304
  store i16 38, ptr %a38
  %a39 = getelementptr i8, ptr %p, i64 312
  store i16 39, ptr %a39
  %b = getelementptr i8, ptr %p, i64 10
  %v = load i8, ptr %free
  store i16 99, ptr %b
  ret i8 %v
}
define i8 @inside(ptr align 8 %p) {
  %taken = getelementptr i8, ptr %p, i64 -7
  %a0 = getelementptr i8, ptr %p, i64 -8
  store i16 0, ptr %a0
  %a1 = getelementptr i8, ptr %p, i64 8
  store i16 1, ptr %a1
  %a2 = getelementptr i8, ptr %p, i64 16
  store i16 2, ptr %a2
  %a3 = getelementptr i8, ptr %p, i64 24
  store i16 3, ptr %a3
  %a4 = getelementptr i8, ptr %p, i64 32
  store i16 4, ptr %a4
  %a5 = getelementptr i8, ptr %p, i64 40
  store i16 5, ptr %a5
  %a6 = getelementptr i8, ptr %p, i64 48
  store i16 6, ptr %a6
  %a7 = getelementptr i8, ptr %p, i64 56
  store i16 7, ptr %a7
  %a8 = getelementptr i8, ptr %p, i64 64
  store i16 8, ptr %a8
  %a9 = getelementptr i8, ptr %p, i64 72
  store i16 9, ptr %a9
  %a10 = getelementptr i8, ptr %p, i64 80
  store i16 10, ptr %a10
  %a11 = getelementptr i8, ptr %p, i64 88
  store i16 11, ptr %a11
  %a12 = getelementptr i8, ptr %p, i64 96
  store i16 12, ptr %a12
  %a13 = getelementptr i8, ptr %p, i64 104
  store i16 13, ptr %a13
  %a14 = getelementptr i8, ptr %p, i64 112
  store i16 14, ptr %a14
  %a15 = getelementptr i8, ptr %p, i64 120
  store i16 15, ptr %a15
  %a16 = getelementptr i8, ptr %p, i64 128
  store i16 16, ptr %a16
  %a17 = getelementptr i8, ptr %p, i64 136
  store i16 17, ptr %a17
  %a18 = getelementptr i8, ptr %p, i64 144
  store i16 18, ptr %a18
  %a19 = getelementptr i8, ptr %p, i64 152
  store i16 19, ptr %a19
  %a20 = getelementptr i8, ptr %p, i64 160
  store i16 20, ptr %a20
  %a21 = getelementptr i8, ptr %p, i64 168
  store i16 21, ptr %a21
  %a22 = getelementptr i8, ptr %p, i64 176
  store i16 22, ptr %a22
  %a23 = getelementptr i8, ptr %p, i64 184
  store i16 23, ptr %a23
  %a24 = getelementptr i8, ptr %p, i64 192
  store i16 24, ptr %a24
  %a25 = getelementptr i8, ptr %p, i64 200
  store i16 25, ptr %a25
  %a26 = getelementptr i8, ptr %p, i64 208
  store i16 26, ptr %a26
  %a27 = getelementptr i8, ptr %p, i64 216
  store i16 27, ptr %a27
  %a28 = getelementptr i8, ptr %p, i64 224
  store i16 28, ptr %a28
  %a29 = getelementptr i8, ptr %p, i64 232
  store i16 29, ptr %a29
  %a30 = getelementptr i8, ptr %p, i64 240
  store i16 30, ptr %a30
  %a31 = getelementptr i8, ptr %p, i64 248
  store i16 31, ptr %a31
  %a32 = getelementptr i8, ptr %p, i64 256
  store i16 32, ptr %a32
  %a33 = getelementptr i8, ptr %p, i64 264
  store i16 33, ptr %a33
  %a34 = getelementptr i8, ptr %p, i64 272
  store i16 34, ptr %a34
  %a35 = getelementptr i8, ptr %p, i64 280
  store i16 35, ptr %a35
  %a36 = getelementptr i8, ptr %p, i64 288
  store i16 36, ptr %a36
  %a37 = getelementptr i8, ptr %p, i64 296
  store i16 37, ptr %a37
  %a38 = getelementptr i8, ptr %p, i64 304
  store i16 38, ptr %a38
  %a39 = getelementptr i8, ptr %p, i64 312
  store i16 39, ptr %a39
  %b = getelementptr i8, ptr %p, i64 10
  %v = load i8, ptr %taken
  store i16 99, ptr %b
  ret i8 %v
}
