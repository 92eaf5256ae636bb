/* Barriers, fences and timers. */
#pragma once

#include <ptxscope/define.h>

/* __syncthreads() is clang's own. */
__px_inline int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
__px_inline int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__px_inline int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__px_inline void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__px_inline void __threadfence_block() { __nvvm_membar_cta(); }
__px_inline void __threadfence() { __nvvm_membar_gl(); }
__px_inline void __threadfence_system() { __nvvm_membar_sys(); }

__px_inline int clock() { return __nvvm_read_ptx_sreg_clock(); }
__px_inline long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
__px_inline void __trap() { __builtin_trap(); }
__px_inline void __brkpt() { asm volatile("brkpt;"); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__px_inline void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }
#endif
#define __prof_trigger(n) asm volatile("pmevent %0;" : : "n"(n))
