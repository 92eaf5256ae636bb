; fp128 on a GPU: 128 bits that are loaded, stored, passed, selected and taken as bits; the sign can be changed.
target triple = "nvptx64-nvidia-cuda"

declare fp128 @llvm.fabs.f128(fp128)
declare fp128 @llvm.copysign.f128(fp128, fp128)
declare <2 x fp128> @llvm.fabs.v2f128(<2 x fp128>)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

@table = addrspace(4) constant [2 x fp128] [fp128 0xL00000000000000013FFF000000000000, fp128 0xL1122334455667788BFFE000000000001]

define internal { fp128, i32 } @pass({ fp128, i32 } %x) noinline {
  %a = extractvalue { fp128, i32 } %x, 0
  %n = fneg fp128 %a
  %r = insertvalue { fp128, i32 } %x, fp128 %n, 0
  ret { fp128, i32 } %r
}

define ptx_kernel void @k(ptr %out, ptr %in, fp128 %by) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr fp128, ptr %in, i32 %i
  %x = load fp128, ptr %p
  %bit = and i32 %i, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %negate, label %join

negate:
  %s0 = insertvalue { fp128, i32 } poison, fp128 %x, 0
  %s1 = insertvalue { fp128, i32 } %s0, i32 %i, 1
  %s2 = call { fp128, i32 } @pass({ fp128, i32 } %s1)
  %y = extractvalue { fp128, i32 } %s2, 0
  br label %join

join:
  %v = phi fp128 [ %x, %entry ], [ %y, %negate ]
  %size = call fp128 @llvm.fabs.f128(fp128 %v)
  %signed = call fp128 @llvm.copysign.f128(fp128 %by, fp128 %v)
  %q = getelementptr [2 x fp128], ptr addrspace(4) @table, i32 0, i32 %bit
  %c = load fp128, ptr addrspace(4) %q
  %pair = insertelement <2 x fp128> poison, fp128 %c, i32 0
  %both = insertelement <2 x fp128> %pair, fp128 %v, i32 1
  %sizes = call <2 x fp128> @llvm.fabs.v2f128(<2 x fp128> %both)
  %bits = bitcast fp128 %signed to i128
  %more = add i128 %bits, 1
  %back = bitcast i128 %more to fp128
  %two = icmp ugt i32 %i, 1
  %chosen = select i1 %two, fp128 %back, fp128 0xL00000000000000074000800000000000
  %at = getelementptr [5 x fp128], ptr %out, i32 %i
  store fp128 %v, ptr %at
  %at1 = getelementptr fp128, ptr %at, i32 1
  store fp128 %size, ptr %at1
  %at2 = getelementptr fp128, ptr %at, i32 2
  store fp128 %chosen, ptr %at2
  %at3 = getelementptr fp128, ptr %at, i32 3
  store <2 x fp128> %sizes, ptr %at3, align 16
  ret void
}
