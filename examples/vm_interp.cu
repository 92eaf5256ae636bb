// control flow: a switch-heavy byte-code interpreter, eight virtual registers and a scratch memory per thread

// instruction word: opcode in bits 0-7, rd 8-11, ra 12-15, rb 16-19, signed immediate 20-31
enum { OP_HALT, OP_LDI, OP_MOV, OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_SHL, OP_SHR, OP_SAR, OP_MIN, OP_MAX,
       OP_DIV, OP_REM, OP_LD, OP_ST, OP_JMP, OP_JZ, OP_JNZ, OP_JLT, OP_TID, OP_POPC, OP_ADDI };

extern "C" __global__ void vm_interp(const unsigned *__restrict__ code, const int *__restrict__ entry,
                                     const int *__restrict__ input, int *__restrict__ output,
                                     int *__restrict__ executed, int limit) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int r[8], mem[16];
#pragma unroll
  for (int i = 0; i < 8; i++) r[i] = 0;
  for (int i = 0; i < 16; i++) mem[i] = i * 3 + id;
  r[0] = input[id];
  int pc = entry[id & 3], n = 0;
  bool run = true;
  while (run && n < limit) {
    unsigned w = code[pc++];
    n++;
    int d = (w >> 8) & 7, a = r[(w >> 12) & 7], b = r[(w >> 16) & 7], imm = (int)w >> 20;
    switch (w & 0xff) {
    case OP_HALT: run = false; break;
    case OP_LDI: r[d] = imm; break;
    case OP_MOV: r[d] = a; break;
    case OP_ADD: r[d] = (int)((unsigned)a + (unsigned)b); break;
    case OP_SUB: r[d] = (int)((unsigned)a - (unsigned)b); break;
    case OP_MUL: r[d] = (int)((unsigned)a * (unsigned)b); break;
    case OP_AND: r[d] = a & b; break;
    case OP_OR: r[d] = a | b; break;
    case OP_XOR: r[d] = a ^ b; break;
    case OP_SHL: r[d] = (int)((unsigned)a << (b & 31)); break;
    case OP_SHR: r[d] = (int)((unsigned)a >> (b & 31)); break;
    case OP_SAR: r[d] = a >> (b & 31); break;
    case OP_MIN: r[d] = min(a, b); break;
    case OP_MAX: r[d] = max(a, b); break;
    case OP_DIV: r[d] = b > 0 ? a / b : 0; break;
    case OP_REM: r[d] = b > 0 ? a % b : 0; break;
    case OP_LD: r[d] = mem[(a + imm) & 15]; break;
    case OP_ST: mem[(a + imm) & 15] = b; break;
    case OP_JMP: pc += imm; break;
    case OP_JZ: if (a == 0) pc += imm; break;
    case OP_JNZ: if (a != 0) pc += imm; break;
    case OP_JLT: if (a < b) pc += imm; break;
    case OP_TID: r[d] = id; break;
    case OP_POPC: r[d] = __popc((unsigned)a); break;
    case OP_ADDI: r[d] = (int)((unsigned)a + (unsigned)imm); break;
    default: r[7] = -1; run = false; break;
    }
  }
  output[id * 2] = r[1];
  output[id * 2 + 1] = r[7] ^ mem[id & 15];
  executed[id] = n;
}
