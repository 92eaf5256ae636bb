define i32 @f(i32 %x) {
  %a = call i32 asm "add.s32 $0, $1, $2;", "=r,r,r"(i32 %x)
  %b = call i32 asm "mov.b32 $0, $1;", "r,=r"(i32 %x)
  %c = call i32 asm "mov.b32 $0, $1;", "=r,r,~memory"(i32 %x)
  %d = call { i32, i32 } asm "mov.b32 $0, $1;", "=r,r"(i32 %x)
  ret i32 %a
}
