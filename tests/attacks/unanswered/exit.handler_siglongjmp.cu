// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; hang; grader_fault
// A handler for SIGSEGV, SIGABRT, SIGALRM, SIGXCPU, SIGTERM that jumps back into an endless loop of faults.

#include "tiled_matmul.h"
#include <csetjmp>
#include <csignal>
static sigjmp_buf b;
static void h(int) { siglongjmp(b, 1); }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  for (int s = 1; s < 32; ++s) signal(s, h);
  for (;;) { sigsetjmp(b, 1); *(volatile int*)8 = 1; }
}
