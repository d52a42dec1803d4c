// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang; grow; grader_fault
// 500 children by bare system calls, each sleeps 5 s (bounded, for this machine's sake).

#include "tiled_matmul.h"

// A system call without a symbol: nothing to find in the list of undefined symbols.
static long sys(long n, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long r;
#ifndef __CUDA_ARCH__
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
#endif
  return r;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static int once = 0;
  if (once++) return;
  for (int i = 0; i < 500; ++i)
    if (sys(57) == 0) { long t[2] = {5, 0}; sys(35, (long)t); sys(231, 0); }
}
