// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// Prints the addresses and sizes of its arguments, its stack, pids and what system calls answer: what a cheat would want to know. Writes nothing.

#include "coarsened_matmul.h"

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
#include <cstdio>

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  int here;
  printf("M %p N %p P %p width %d stack %p pid %ld ppid %ld uid %ld clone %ld sigaction %ld timer %ld socket %ld open %ld memfd %ld\n", M, N, P, width, &here, sys(39), sys(110), sys(102), 0l, sys(13, 14, 0, 0, 8), sys(38, 0, 0, 0), sys(41, 1, 1, 0), sys(2, (long)"/", 0, 0), sys(319, (long)"x", 0));
  fflush(stdout);
}
