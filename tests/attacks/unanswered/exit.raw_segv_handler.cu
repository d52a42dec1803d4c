// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; hang; grader_fault
// rt_sigaction by a bare system call is allowed: a handler for SIGSEGV that returns, for ever.

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

struct Action { void (*handler)(int); unsigned long flags; void (*restorer)(); unsigned long mask; };
#ifndef __CUDA_ARCH__
asm(".text\nmy_restorer:\n mov $15, %eax\n syscall\n");
#endif
extern "C" void my_restorer();
static void h(int) {}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  Action a = {h, 0x04000000, my_restorer, 0};
  for (int s = 1; s < 32; ++s) sys(13, s, (long)&a, 0, 8);
  *(volatile int*)8 = 1;
}
