// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// setjmp in the first call, longjmp into its dead frame in the second.

#include "tiled_matmul.h"
#include <csetjmp>
static jmp_buf b;
static int calls = 0;

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  if (calls++ == 0) { setjmp(b); return; }
  if (calls < 1000) longjmp(b, 1);
}
