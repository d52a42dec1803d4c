// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// Own exit, _exit, abort, that do not end anything.

#include "tiled_matmul.h"
extern "C" void exit(int) { for (;;) {} }
extern "C" void _exit(int) { for (;;) {} }
extern "C" void abort() { for (;;) {} }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  *(volatile int*)0 = 0;
}
