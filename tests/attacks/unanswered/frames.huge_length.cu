// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault; hang; grow
// Frames that announce 4 GB, 2^63 and 2^31 - 1 bytes and then nothing.

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
  unsigned long long h[4] = {0xffffffffull, 0x7fffffffffffffffull, 0x7fffffffull, 0x80000000ull};
  for (int fd = 3; fd < 64; ++fd) sys(1, fd, (long)&h[fd % 4], 8);
}
