; RUN: ptxscope compile %s --run-pass=separate-const-offset-from-gep --verify-each -o - | filecheck %s
; RUN: ptxscope run %s --launch=%p/separate-const-offset-products.launch.json --json | filecheck %s --check-prefix=VALUES
; RUN: ptxscope check %s --launch=%p/separate-const-offset-products.launch.json
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A constant leaves a product with another one, through an extension that does not wrap without it: 5 × 2 and 8 × 3 elements.
; CHECK-LABEL: @kernel(
; CHECK:      %[[A:[0-9]+]] = mul i32 %t, 5
; CHECK-NEXT: %[[X:[0-9]+]] = zext i32 %[[A]] to i64
; CHECK-NEXT: %[[G:[a-z0-9]+]] = getelementptr i32, ptr addrspace(1) %p, i64 %[[X]]
; CHECK-NEXT: getelementptr i8, ptr addrspace(1) %[[G]], i64 40
; CHECK:      %[[B:[0-9]+]] = shl i32 %t, 3
; CHECK-NEXT: %[[Y:[0-9]+]] = zext i32 %[[B]] to i64
; CHECK-NEXT: %[[H:[a-z0-9]+]] = getelementptr i32, ptr addrspace(1) %p, i64 %[[Y]]
; CHECK-NEXT: getelementptr i8, ptr addrspace(1) %[[H]], i64 96
; VALUES: "p":{{.*}}[10,11,12,13,14,15,16,17,18,19,0,21,22,23,24,1,26,27,28,29,2,31,32,33,0,3,36,37,38,39,40,41,1,43
define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add nuw nsw i32 %t, 2
  %m = mul nuw nsw i32 %i, 5
  %x = zext nneg i32 %m to i64
  %g = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %t, ptr addrspace(1) %g
  %j = add nuw nsw i32 %t, 3
  %n = shl nuw nsw i32 %j, 3
  %y = zext nneg i32 %n to i64
  %h = getelementptr i32, ptr addrspace(1) %p, i64 %y
  store i32 %t, ptr addrspace(1) %h
  ret void
}

; In the width of an address nothing can go wrong.
; CHECK-LABEL: @wide(
; CHECK:      %[[A:[0-9]+]] = mul i64 %i, 12
; CHECK-NEXT: %[[G:[a-z0-9]+]] = getelementptr i8, ptr %p, i64 %[[A]]
; CHECK-NEXT: getelementptr i8, ptr %[[G]], i64 -84
define i8 @wide(ptr %p, i64 %i) {
  %s = add i64 %i, -7
  %m = mul i64 %s, 12
  %g = getelementptr i8, ptr %p, i64 %m
  %v = load i8, ptr %g
  ret i8 %v
}

; Without unsigned wrap it may be anything; without signed wrap what stays must not be negative, or a multiple of it may wrap
; though that of the whole does not: i = -2, c = 1 and 2^30 as the factor.
; CHECK-LABEL: @unsigned(
; CHECK: getelementptr i8, ptr {{.*}}, i64 20
; CHECK-LABEL: @signed(
; CHECK-NOT: getelementptr i8, ptr %{{.*}}, i64 4294967296
; CHECK-LABEL: @signed_known(
; CHECK: getelementptr i8, ptr {{.*}}, i64 20
define i32 @unsigned(ptr %p, i32 %i) {
  %s = add nuw i32 %i, 1
  %m = mul nuw i32 %s, 5
  %x = zext i32 %m to i64
  %g = getelementptr i32, ptr %p, i64 %x
  %v = load i32, ptr %g
  ret i32 %v
}
define i32 @signed(ptr %p, i32 %i) {
  %s = add nsw i32 %i, 1
  %m = mul nsw i32 %s, 1073741824
  %x = sext i32 %m to i64
  %g = getelementptr i32, ptr %p, i64 %x
  %v = load i32, ptr %g
  ret i32 %v
}
define i32 @signed_known(ptr %p, i32 %k) {
  %i = lshr i32 %k, 3
  %s = add nsw i32 %i, 1
  %m = mul nsw i32 %s, 5
  %x = sext i32 %m to i64
  %g = getelementptr i32, ptr %p, i64 %x
  %v = load i32, ptr %g
  ret i32 %v
}

; The product may wrap; or it has another reader, for which it would be computed again; or the factor is 2^32 - 5, not -5.
; CHECK-LABEL: @wraps(
; CHECK-NOT: getelementptr i8
; CHECK-LABEL: @read(
; CHECK-NOT: getelementptr i8
; CHECK-LABEL: @negative(
; CHECK-NOT: getelementptr i8
define i32 @wraps(ptr %p, i32 %i) {
  %s = add nuw i32 %i, 1
  %m = mul i32 %s, 5
  %x = zext i32 %m to i64
  %g = getelementptr i32, ptr %p, i64 %x
  %v = load i32, ptr %g
  ret i32 %v
}
define i32 @read(ptr %p, i32 %i) {
  %s = add nuw i32 %i, 1
  %m = mul nuw i32 %s, 5
  %x = zext i32 %m to i64
  %g = getelementptr i32, ptr %p, i64 %x
  store i32 %m, ptr %g
  ret i32 %m
}
define i32 @negative(ptr %p, i32 %i) {
  %s = add nuw i32 %i, 1
  %m = mul nuw i32 %s, -5
  %x = zext i32 %m to i64
  %g = getelementptr i32, ptr %p, i64 %x
  %v = load i32, ptr %g
  ret i32 %v
}
