// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; hang; grader_fault
// A handler for SIGSEGV that returns: the fault comes again for ever.

#include "tiled_matmul.h"
#include <csignal>
static void h(int) {}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  signal(SIGSEGV, h);
  signal(SIGBUS, h);
  signal(SIGXCPU, h);
  signal(SIGTERM, SIG_IGN);
  *(volatile int*)8 = 1;
}
