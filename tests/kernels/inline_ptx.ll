; Operands of inline PTX in every form: constants in the text, an input in an output's register, a register shared by
; both, a label of the statement's own, the alternative that is NVPTX's.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x i8] undef, align 16

define ptx_kernel void @inline_ptx(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %g = addrspacecast ptr %p to ptr addrspace(1)
  %s = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  %sa = ptrtoint ptr addrspace(3) %s to i32
  ; cp.async takes its sizes as numbers only
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %sa, ptr addrspace(1) %g, i32 4, i64 4)
  call void asm sideeffect "cp.async.commit_group;", "~{memory}"()
  call void asm sideeffect "cp.async.wait_group $0;", "n,~{memory}"(i8 0)
  call void @llvm.nvvm.barrier0()
  %x = load i32, ptr addrspace(3) %s
  ; an input in the output's register
  %y = call i32 asm "add.s32 $0, $0, $2;", "=r,0,n"(i32 %x, i8 -3)
  ; one of two outputs tied, numbers of two digits
  %z = call { i32, i32, i32, i32, i32, i32 } asm "{ mov.b32 $0, $9; mov.b32 $1, $8; mov.b32 $2, $7; add.s32 $3, $6, $10; mov.b32 $4, $11; mov.b32 $5, 1; }", "=&r,=&r,=&r,=r,=&r,=&r,3,n,n,r,n,r"(i32 %y, i32 7, i32 8, i32 %x, i32 10, i32 %t)
  %z0 = extractvalue { i32, i32, i32, i32, i32, i32 } %z, 0
  %z1 = extractvalue { i32, i32, i32, i32, i32, i32 } %z, 1
  %z2 = extractvalue { i32, i32, i32, i32, i32, i32 } %z, 2
  %z3 = extractvalue { i32, i32, i32, i32, i32, i32 } %z, 3
  %z4 = extractvalue { i32, i32, i32, i32, i32, i32 } %z, 4
  %z5 = extractvalue { i32, i32, i32, i32, i32, i32 } %z, 5
  ; a loop of the statement's own, twice in one function
  %l = call i32 asm sideeffect "{ .reg .pred p; .reg .b32 n; mov.b32 n, $1; mov.b32 $0, 0; again${:uid}: add.s32 $0, $0, n; sub.s32 n, n, 1; setp.gt.s32 p, n, 0; @p bra again${:uid}; }", "=&r,r"(i32 %t)
  %m = call i32 asm sideeffect "{ .reg .pred p; .reg .b32 n; mov.b32 n, $1; mov.b32 $0, 0; again${:uid}: add.s32 $0, $0, n; sub.s32 n, n, 1; setp.gt.s32 p, n, 0; @p bra again${:uid}; }", "=&r,n"(i32 5)
  %f = call float asm "fma.rn.f32 $0, $1, $2, $(0f3F800000$|wrong$);", "=f,f,n"(float 2.0, float 3.0)
  %fi = fptosi float %f to i32
  %s0 = add i32 %z0, %z1
  %s1 = mul i32 %s0, 31
  %s2 = add i32 %s1, %z2
  %s3 = mul i32 %s2, 31
  %s4 = add i32 %s3, %z3
  %s5 = mul i32 %s4, 31
  %s6 = add i32 %s5, %z4
  %s7 = add i32 %s6, %z5
  %s8 = mul i32 %s7, 31
  %s9 = add i32 %s8, %l
  %sa0 = mul i32 %s9, 31
  %sa1 = add i32 %sa0, %m
  %sa2 = add i32 %sa1, %fi
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %sa2, ptr %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
